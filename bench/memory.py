"""memory.py ATTEST n,T,d …: the memory of `attest audit` on random data (unit tokens, normal v, labels 1) beside the size of the data.

Of the largest process its peak (ru_maxrss, pages that it shares with its parent included); of all together the largest sum of PSS that was seen
ten times a second, in which a page that k processes share counts 1/k in each."""

import array
import math
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile

MIB = 2**20


def npy(archive, name, shape, numbers):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape!r}, }}".ljust(117) + "\n"
    with archive.open(name + ".npy", "w", force_zip64=True) as member:
        member.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        for part in numbers:
            member.write(array.array("d", part).tobytes())


def unit_tokens(random_numbers, count, dimension):
    for _ in range(count):
        token = [random_numbers.gauss(0, 1) for _ in range(dimension)]
        length = math.hypot(*token)
        yield [entry / length for entry in token]


def write_data(path, n, T, d):
    numbers = random.Random(1)
    with zipfile.ZipFile(path, "w") as archive:
        npy(archive, "X", (n, T, d), unit_tokens(numbers, n * T, d))
        npy(archive, "Y", (n,), [[1.0] * n])
        npy(archive, "v", (d,), [[numbers.gauss(0, 1) for _ in range(d)]])


def family(process):
    """The process and its children, whose children there are none."""
    try:
        return [process, *map(int, pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    except OSError:
        return []


def shared_size(process):
    """PSS in KiB; 0 where the process is gone."""
    try:
        lines = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    except OSError:
        return 0


def audit(attest, path):
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        process = subprocess.Popen([attest, "audit", str(path), "--quiet"], stdout=nowhere, stderr=nowhere)
    together = 0
    while process.poll() is None:
        together = max(together, sum(map(shared_size, family(process.pid))))
        time.sleep(0.1)
    return process.returncode, together / 1024


def main():
    attest, *sizes = sys.argv[1:]
    print("| n,T,d | data, MiB | largest process, MiB (to data) | all together, MiB (to data) | CPU, s | exit |\n|---|---|---|---|---|---|")
    for size in sizes:
        n, T, d = map(int, size.split(","))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "data.npz"
            write_data(path, n, T, d)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            code, together = audit(attest, path)
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            data = n * T * d * 8 / MIB
            largest = used.ru_maxrss / 1024  # the sizes ascend: it is that of the last run
            seconds = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
            print(f"| {size} | {data:.0f} | {largest:.0f} ({largest / data:.2f}) | {together:.0f} ({together / data:.2f}) | {seconds:.0f} | {code} |",
                  flush=True)


if __name__ == "__main__":
    main()
