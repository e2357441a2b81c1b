#!/usr/bin/env python3
"""check_input.py [--sanitized] ATTEST ATTEST_CHECK PYTHON_CHECKER: hostile input ends in a clear error, within bounds.

Each input promises more than a machine has, or never ends. Every program that reads it must say in a line what is wrong, with exit code 2 (a
certificate that is refused: 1), in 1 GiB of address space and LIMIT_SECONDS of CPU time. The limit of time is against hangs; how long it took on
the way is printed. --sanitized: programs under AddressSanitizer, which reserves terabytes of address space, have no limit of it; AddressSanitizer
itself ends one that asks for 1 GiB at once or holds 4.
"""

import io
import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from make_bad import npy, npz  # noqa: E402
from support import SECONDS, small_case  # noqa: E402

LIMIT_SECONDS = 60
LIMIT_BYTES = 1 << 30
SANITIZED = "--sanitized" in sys.argv
SANITIZER_LIMITS = f"max_allocation_size_mb={LIMIT_BYTES >> 20}:hard_rss_limit_mb={LIMIT_BYTES >> 18}"
ATTEST, CHECKER, PYTHON = [], [], []
MANY = 10**9
DEEP = 10**6
OPTIMAL = {"claim": "globally-optimal", "selection": [0]}
BOMB_BYTES = 1 << 27


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS, LIMIT_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_all():
    limit_time()
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))


def limits_of(program):
    return limit_time if SANITIZED and program != PYTHON[0] else limit_all


def unwritten_npy(shape, descr="<f8"):
    """A header for an array whose numbers are not there."""
    return npy(shape, [1.0], descr) if descr == "<f8" else npy(shape, [1.0]).replace(b"'<f8'", f"'{descr}'".encode())


def bomb():
    """An archive of 130 kB whose X has 2^27 numbers."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("X.npy", "w", force_zip64=False) as member:
            member.write(npy((BOMB_BYTES, 1, 1), [1.0]).replace(b"'<f8'", b"'|u1'")[:-8])
            for _ in range(BOMB_BYTES >> 20):
                member.write(bytes(1 << 20))
        archive.writestr("Y.npy", npy((1,), [1], "<i8"))
        archive.writestr("p.npy", npy((1, 3), [0, 0, 0]))
    return buffer.getvalue()


def safetensors(header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


class Hostile(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def refused(self, *words, code=2):
        """The program refuses, in words."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(list(map(str, words)), capture_output=True, cwd=self.folder, timeout=SECONDS, check=False, preexec_fn=limits_of(words[0]),
                              stdin=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        print(f"  {used:6.2f} s  {pathlib.Path(words[0]).name} {' '.join(pathlib.Path(str(word)).name for word in words[1:])[:60]}: {said.strip()[:120]}")
        self.assertEqual(done.returncode, code, said[-600:])
        self.assertNotEqual(said.strip(), "")
        self.assertLess(len(said), 3000, "an error is short")
        for word in ("internal fault", "Traceback", "bad_alloc", "terminate called"):
            self.assertNotIn(word, said)

    def refused_everywhere(self, case, array=None):
        """verify and audit refuse the case, the checkers refuse to compare with it."""
        file = self.write("case.json", case if isinstance(case, (str, bytes)) else json.dumps(case))
        self.refused(*ATTEST, "verify", file)
        self.refused(*ATTEST, "audit", file)
        certificate = self.write("certificate.json", "{}")
        self.refused(*CHECKER, certificate, "--case", file)
        self.refused(*PYTHON, certificate, "--case", file)

    def certificate_refused(self, text):
        file = self.write("certificate.json", text)
        self.refused(*CHECKER, file, code=1)
        self.refused(*PYTHON, file, code=1)

    def with_array(self, name, array=None):
        return small_case("case", [OPTIMAL], tokens={"file": name} | ({"array": array} if array else {}))

    def test_a_header_that_promises_a_billion_tokens(self):
        huge = unwritten_npy((MANY, 1, 1))
        self.write("x.npy", huge)
        self.refused_everywhere(self.with_array("x.npy"))
        self.write("x.npz", npz(X=huge, Y=npy((1,), [1], "<i8"), p=huge))
        self.refused_everywhere(self.with_array("x.npz", "X"))
        self.refused(*ATTEST, "audit", self.folder / "x.npz")
        self.write("x.npy", unwritten_npy((2**32, 2**32, 3)))
        self.refused_everywhere(self.with_array("x.npy"))

    def test_a_safetensors_header_that_promises_a_billion_tokens(self):
        entry = {"dtype": "F32", "shape": [MANY, 1, 1], "data_offsets": [0, 4]}
        self.refused(*ATTEST, "audit", self.write("a.safetensors", safetensors({"X": entry}, b"\0" * 4)))
        self.refused(*ATTEST, "audit", self.write("b.safetensors", struct.pack("<Q", 2**62)))
        self.refused(*ATTEST, "audit", self.write("c.safetensors", safetensors(b"[" * DEEP)))

    def test_a_header_of_2_gibibytes(self):
        self.write("x.npy", b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**31) + b"{'descr': '<f8', ")
        self.refused_everywhere(self.with_array("x.npy"))

    def test_a_header_that_nests(self):
        text = b"{'descr': '<f8', 'fortran_order': False, 'shape': " + b"(" * 60000
        self.write("x.npy", b"\x93NUMPY\x02\x00" + struct.pack("<I", len(text)) + text)
        self.refused_everywhere(self.with_array("x.npy"))

    def test_exponents_of_a_billion(self):
        for number in ("1e1000000000", "-1e-1000000000", '"1e1000000000"', '"1e-1000000000"', "1e" + "9" * 1000):
            with self.subTest(number=number[:20]):
                text = json.dumps(small_case("case", [OPTIMAL], tokens=[[["NUMBER", 0, 0], [1, 0, 0]]])).replace('"NUMBER"', number)
                self.refused_everywhere(text)
        for expression in ("1e1000000000*u", "u^1000000000", "u^(9^9^9^9)", "u^(2^(2^(2^60)))", "(" * DEEP + "u" + ")" * DEEP, "-" * DEEP + "u"):
            with self.subTest(expression=expression[:20]):
                self.refused_everywhere(small_case("case", [OPTIMAL], loss={"expression": expression}))

    def test_brackets_a_million_deep(self):
        for text in ("[" * DEEP, '{"a":' * DEEP, '{"tokens": ' + "[" * DEEP + "1" + "]" * DEEP + "}"):
            with self.subTest(text=text[:12]):
                self.refused_everywhere(text)
                self.refused(*ATTEST, "report", self.write("results.json", text))
                self.refused(*ATTEST, "diff", self.folder / "results.json", self.folder / "results.json")
                self.certificate_refused(text)

    def test_numbers_that_doubles_do_not_hold_in_results(self):
        self.refused(*ATTEST, "report", self.write("results.json", '{"attest": 1e999999999}'))

    def test_certificates_with_huge_numbers(self):
        problem = {"tokens": [[["1"], ["0"]]], "labels": [1], "v": ["1"], "loss": "logistic"}
        whole = {"attest_certificate": 1, "claim": "globally-optimal", "problem": problem, "witness": {},
                 "statement": {"kind": "globally-optimal", "selection": [0], "unique": True, "gap": "1"}}
        for gap in ("1e1000000000", "9" * (10**6 + 1), "1/" + "9" * 10**6):
            with self.subTest(gap=gap[:12]):
                self.certificate_refused(json.dumps(whole | {"statement": whole["statement"] | {"gap": gap}}))
        for loss in ("u^1000000000", "(" * DEEP, "u^(9^9^9)", "exp(" * 199 + "u" + ")" * 199, "+".join(["u^64"] * 2000), "1e1000000000"):
            with self.subTest(loss=loss[:12]):
                bounds = {"kind": "loss-bounds", "interval": ["0", "1"], "slope_sup": "-1", "m0": "1", "m1": "1", "covers_scores": False}
                self.certificate_refused(json.dumps(whole | {"claim": "assumption-a", "statement": bounds, "witness": {"cuts": []},
                                                             "problem": problem | {"loss": {"expression": loss}}}))

    def test_a_run_of_two_billion_steps(self):
        true = json.loads((pathlib.Path(__file__).resolve().parents[1] / "forged" / "true" / "descent-cone-constant.json").read_text(encoding="utf-8"))
        true["statement"]["iterations"] = 2**31 - 1
        self.certificate_refused(json.dumps(true))

    def test_a_zip_bomb(self):
        self.write("x.npz", bomb())
        self.refused_everywhere(self.with_array("x.npz", "X"))
        self.refused(*ATTEST, "audit", self.folder / "x.npz")
        case = self.write("data.json", json.dumps(small_case("data", [])))
        run = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(bomb())) as archive, zipfile.ZipFile(run, "w", zipfile.ZIP_DEFLATED) as other:
            with archive.open("X.npy") as member, other.open("p.npy", "w") as target:
                while part := member.read(1 << 20):
                    target.write(part)
        self.refused(*ATTEST, "track", case, self.write("run.npz", run.getvalue()))

    def test_files_that_never_end(self):
        (self.folder / "zero.npy").symlink_to("/dev/zero")
        (self.folder / "itself.npy").symlink_to("itself.npy")
        os.mkfifo(self.folder / "pipe.npy")
        for name in ("zero.npy", "itself.npy", "pipe.npy", "missing.npy"):
            with self.subTest(name=name):
                self.refused_everywhere(self.with_array(name))
        (self.folder / "zero.json").symlink_to("/dev/zero")
        self.refused(*ATTEST, "verify", self.folder / "zero.json")
        self.refused(*ATTEST, "report", self.folder / "zero.json")
        self.refused(*CHECKER, self.folder / "zero.json")
        self.refused(*PYTHON, self.folder / "zero.json")

    def test_files_that_are_no_arrays(self):
        (self.folder / "passwords.npy").symlink_to("/etc/passwd")
        (self.folder / "case.npy").symlink_to("case.json")
        for name in ("../../../../../../../../etc/passwd", "passwords.npy", "case.json", "case.npy", ".", "..", "", "\0", "a" * 5000 + ".npy"):
            with self.subTest(name=name[:40]):
                self.refused_everywhere(self.with_array(name))

    def test_what_is_read_is_never_shown(self):
        """A file that is named as an array and is none is not quoted in the error."""
        secret = self.write("secret.npy", "the password is swordfish")
        case = self.write("case.json", json.dumps(self.with_array(secret.name)))
        for words in ([*ATTEST, "verify", case], [*CHECKER, case, "--case", case], [*PYTHON, case, "--case", case]):
            done = subprocess.run(list(map(str, words)), capture_output=True, cwd=self.folder, timeout=SECONDS, check=False)
            self.assertNotIn(b"swordfish", done.stdout + done.stderr)

    def test_a_folder_that_holds_itself(self):
        (self.folder / "again").symlink_to(self.folder)
        self.write("case.json", json.dumps(small_case("case", [{"claim": "unknown"}])))
        self.refused(*ATTEST, "verify", self.folder)

    def test_the_limits_let_an_honest_case_pass(self):
        """The twin: within the same limits."""
        file = self.write("case.json", json.dumps(small_case("case", [OPTIMAL])))
        done = subprocess.run([*ATTEST, "verify", file], capture_output=True, timeout=SECONDS, check=False, preexec_fn=limits_of(ATTEST[0]))
        self.assertEqual(done.returncode, 0, done.stderr)


def main():
    global ATTEST, CHECKER, PYTHON
    if SANITIZED:
        sys.argv.remove("--sanitized")
        os.environ["ASAN_OPTIONS"] = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), SANITIZER_LIMITS)))
    if len(sys.argv) < 4:
        sys.exit("usage: check_input.py [--sanitized] ATTEST ATTEST_CHECK PYTHON_CHECKER [TEST...]")
    ATTEST, CHECKER = ([str(pathlib.Path(word).resolve())] for word in sys.argv[1:3])
    PYTHON = [sys.executable, "-B", str(pathlib.Path(sys.argv[3]).resolve())]
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)


if __name__ == "__main__":
    main()
