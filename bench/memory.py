"""memory.py ATTEST n,T,d …: the memory of `attest audit` on random data (unit tokens, normal v, labels 1) beside the size of the data.

Of the largest process its peak (ru_maxrss, pages that it shares with its parent included); of all together the largest sum of PSS that was seen
ten times a second, in which a page that k processes share counts 1/k in each."""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from random_data import write_data

MIB = 2**20


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
