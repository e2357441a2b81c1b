#!/usr/bin/env python3
"""check_memory.py ATTEST [SANITIZERS]: large data are in memory once, and what is computed with them holds no copies that it need not.

The memory of a run is the peak of its largest process, less what the same run takes on small data. An archive of 64 MiB is read; samples
that begin off Eigen's boundaries, every second one where T d is odd, are copied: that is the twin, which shows that half a copy would be
seen. Under sanitizers memory is theirs, and the test is skipped (77)."""

import array
import os
import pathlib
import random
import sys
import tempfile
import unittest
import zipfile

from support import write_case

ATTEST = ""

DATA = 64 * 2**20
# Of the data: the array, and a quarter for buffers and what the allocator keeps.
READING = 1.25
# The data, the differences of the keys, up to half of them again for tokens that still weigh something, and as before.
DESCENT = 2.75
# The data, their rows or the differences of their keys, and as much again; as integers they would take six times the data.
CLAIM = 3
# Needs no data, but for its digest, which is made number by number.
LEAST = {"claim": "assumption-a", "interval": [-1, 1]}
# Tokens and dimensions of samples; their product even, or odd.
EVEN, ODD, SMALL = (64, 128), (63, 129), (2, 2)


def write_array(archive, name, shape, blocks):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape!r}, }}".ljust(117) + "\n"
    with archive.open(name + ".npy", "w") as member:
        member.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        for block in blocks:
            member.write(block)


def samples(count, size):
    """Of normal numbers, sample by sample; this process stays small, since its peak counts for the one that it starts."""
    numbers = random.Random(1)
    block = [numbers.gauss(0, 1) for _ in range(size)]
    for k in range(count):
        yield array.array("d", block[k % size:] + block[:k % size]).tobytes()


def write_data(path, shape, data=DATA, compression=zipfile.ZIP_STORED):
    T, d = shape
    n = 2 if shape == SMALL else data // (8 * T * d)
    with zipfile.ZipFile(path, "w", compression, compresslevel=1) as archive:
        write_array(archive, "X", (n, T, d), samples(n, T * d))
        write_array(archive, "Y", (n,), [array.array("d", [1] * n).tobytes()])
        write_array(archive, "v", (d,), [array.array("d", [1] + [0] * (d - 1)).tobytes()])


def peak(*words):
    """The exit code of attest, and the bytes of its largest process at their peak."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    process = os.posix_spawn(ATTEST, [ATTEST, *map(str, words)], os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, nowhere, descriptor) for descriptor in (0, 1, 2)])
    os.close(nowhere)
    _, status, used = os.wait4(process, 0)
    return os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_case(self, claims, shape, data=DATA, compression=zipfile.ZIP_STORED):
        write_data(self.folder / "data.npz", shape, data, compression)
        arrays = {"tokens": "X", "labels": "Y", "v": "v"}
        case = {"name": "large", **{field: {"file": "data.npz", "array": name} for field, name in arrays.items()}, "claims": claims}
        return peak("verify", write_case(self.folder, case), "--quiet")

    def more_than_small(self, claims, shape, data=DATA, compression=zipfile.ZIP_STORED, small=None):
        """How much of the size of the data the run takes beside what it, or `small`, takes on small data."""
        small_code, least = self.run_case(small or claims, SMALL)
        code, large = self.run_case(claims, shape, data, compression)
        self.assertEqual((small_code, code), (0, 0))
        return (large - least) / data

    def test_reading_holds_the_array_and_a_small_buffer(self):
        for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            with self.subTest(compression):
                self.assertLess(self.more_than_small([LEAST], EVEN, compression=compression), READING)

    def test_samples_that_are_copied_are_seen(self):
        self.assertGreater(self.more_than_small([LEAST], ODD), READING)

    def test_descent_holds_the_data_and_the_differences_of_its_keys(self):
        claim = {"claim": "descent", "iterations": 3, "expect": "undecided"}
        self.assertLess(self.more_than_small([claim], EVEN), DESCENT)

    def test_claims_hold_the_data_and_their_rows_in_doubles(self):
        for name, small, large in (("first-step", "holds", "fails"), ("gd-local", "holds", "holds"), ("path", "holds", "holds")):
            with self.subTest(name):
                claims = [{"claim": name, "expect": large}]
                self.assertLess(self.more_than_small(claims, EVEN, data=DATA // 4, small=[{"claim": name, "expect": small}]), CLAIM)


if __name__ == "__main__":
    ATTEST, *SANITIZERS = sys.argv[1:]
    if any(SANITIZERS):
        print("skipped: built with the sanitizers", *SANITIZERS, "which take memory of their own")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
