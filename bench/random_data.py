"""Random data for audits: unit tokens and a normal v, written sample by sample, so that the process that writes them stays small."""

import array
import itertools
import math
import random
import zipfile


def write_array(archive, name, shape, rows):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape!r}, }}".ljust(117) + "\n"
    with archive.open(name + ".npy", "w", force_zip64=True) as member:
        member.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        for row in rows:
            member.write(array.array("d", row).tobytes())


def unit_vectors(numbers, count, d):
    for _ in range(count):
        vector = [numbers.gauss(0, 1) for _ in range(d)]
        length = math.hypot(*vector)
        yield [entry / length for entry in vector]


def labels_of(kind, n, numbers):
    if kind == "mixed":
        return [numbers.choice((-1.0, 1.0)) for _ in range(n)]
    return [1.0] * (n - 1) + [-1.0 if kind == "contrary" else 1.0]


def write_data(path, n, T, d, queries=False, kind=""):
    """Labels 1, for which v itself prefers the best tokens; or `mixed`, for which thousands of rows contradict each other; or `contrary`: the last
    sample repeats the tokens of the first and has the other label, so that two rows do."""
    numbers = random.Random(1)
    with zipfile.ZipFile(path, "w") as archive:
        tokens = unit_vectors(numbers, n * T, d)
        if kind == "contrary":
            first = list(itertools.islice(tokens, T))
            tokens = itertools.chain(first, itertools.islice(tokens, (n - 2) * T), first)
        write_array(archive, "X", (n, T, d), tokens)
        write_array(archive, "Y", (n,), [labels_of(kind, n, numbers)])
        write_array(archive, "v", (d,), [[numbers.gauss(0, 1) for _ in range(d)]])
        if queries:
            write_array(archive, "Z", (n, d), unit_vectors(numbers, n, d))
