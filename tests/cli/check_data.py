#!/usr/bin/env python3
"""check_data.py ATTEST ATTEST_CHECK PYTHON_CHECKER: archives of data as people have them, for attest audit and attest track."""

import json
import pathlib
import struct
import sys
import tempfile
import unittest

from make_bad import npy, npz
from support import run

ATTEST, ATTEST_CHECK, PYTHON_CHECKER = "", "", ""
NAN = float("nan")

# Two samples, of 3 and 2 tokens; the third row of the second is padding. v scores the last coordinate.
TOKENS = [[[2, 0, 1], [0, 1, 0], [1, 1, 0]], [[0, 1, 0], [1, -1, -1]]]
PADDED = [2, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, -1, -1, NAN, NAN, NAN]
X, Y, V = npy((2, 3, 3), PADDED), npy((2,), [1, -1], "<i8"), npy((3,), [0, 0, 1])
LENGTHS = npy((2,), [3, 2], "<i8")
MASK = npy((2, 3), [True, True, True, True, True, False], "|b1")


def safetensors(header=None, length=None, data=None, **arrays):
    """The bytes of a file; each array is (dtype, shape, bytes)."""
    listed, body = {"__metadata__": {"made": "here"}}, b""
    for name, (dtype, shape, content) in arrays.items():
        listed[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(body), len(body) + len(content)]}
        body += content
    text = json.dumps(listed if header is None else header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + (body if data is None else data)


WHOLE = {"X": ("F32", [2, 3, 3], struct.pack("<18f", *PADDED)), "Y": ("I64", [2], struct.pack("<2q", 1, -1)),
         "v": ("BF16", [3], bytes([0, 0, 0, 0, 0x80, 0x3F])), "lengths": ("I32", [2], struct.pack("<2i", 3, 2))}


class InAFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def archive(self, **arrays):
        return self.write("data.npz", npz(**arrays))

    def audit(self, file, *words):
        out = self.folder / "out.json"
        done = run(ATTEST, "audit", file, "--budget", "2", "--json", out, *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        (case,) = json.loads(out.read_text(encoding="utf-8"))["cases"]
        return case

    def read(self, file, *words):
        """The case as track reads it: one claim, at one checkpoint, takes less than an audit."""
        out = self.folder / "read.json"
        width = 2 if words[:1] == ("narrow",) else 3
        point = self.write("point.npz", npz(p=npy((1, width), [1] * width)))
        done = run(ATTEST, "track", file, point, "--json", out, *words[width == 2:])
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        (case,) = json.loads(out.read_text(encoding="utf-8"))["cases"]
        return case

    def refused(self, file, *parts, words=()):
        done = run(ATTEST, "audit", file, "--json", self.folder / "none.json", *words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        for part in (*parts, pathlib.Path(file).name):
            self.assertIn(part, done.stderr)
        self.assertFalse((self.folder / "none.json").exists())


class Lengths(InAFolder):
    def test_lengths_and_mask_say_the_same_and_padding_is_not_looked_at(self):
        shapes = []
        for arrays in ({"lengths": LENGTHS}, {"mask": MASK}, {"lengths": LENGTHS, "mask": MASK}):
            case = self.read(self.archive(X=X, Y=Y, v=V, **arrays))
            shapes.append(case["data"]["T"])
            self.assertEqual(case["data"]["tokens"], TOKENS)
        self.assertEqual(shapes, [[3, 2]] * 3)

    def test_lengths_and_masks_that_are_none(self):
        for arrays, parts in [
            ({}, (": X: found nan at [1][2][0]", "finite numbers")),
            ({"lengths": npy((2,), [3, 4], "<i8")}, (": lengths: found 4 at [1]", "a whole number from 1 to 3")),
            ({"lengths": npy((2,), [0, 2], "<i8")}, (": lengths: found 0 at [0]",)),
            ({"lengths": npy((2,), [2.5, 2])}, (": lengths: found 5/2 at [0]",)),
            ({"lengths": npy((3,), [1, 1, 1], "<i8")}, (": lengths: found shape (3,)", "(2,)")),
            ({"mask": npy((2, 2), [1] * 4)}, (": mask: found shape (2, 2)", "(2, 3)")),
            ({"mask": npy((2, 3), [1, 1, 1, 1, 2, 0])}, (": mask: found 2 at [1][1]",)),
            ({"mask": npy((2, 3), [1, 1, 1, 0, 1, 1])}, (": mask: found 1 after 0 at [1][1]", "padding at the end")),
            ({"mask": npy((2, 3), [1, 1, 1, 0, 0, 0])}, (": mask: found no token in sample 1",)),
            ({"mask": MASK, "lengths": npy((2,), [3, 1], "<i8")}, (": mask: found 2 tokens in sample 1", "the 1 that lengths says")),
        ]:
            with self.subTest(parts=parts):
                self.refused(self.archive(X=X, Y=Y, v=V, **arrays), *parts)

    def test_a_saved_case_keeps_the_lengths_and_its_proofs_are_about_them(self):
        saved, proofs = self.folder / "kept.json", self.folder / "proofs"
        self.audit(self.archive(X=X, Y=Y, v=V, lengths=LENGTHS), "--save-case", saved)
        kept = json.loads(saved.read_text(encoding="utf-8"))
        self.assertEqual((kept["tokens"], kept["v"]), (TOKENS, {"file": "data.npz", "array": "v"}))
        done = run(ATTEST, "verify", saved, "--quiet", "--only", "p-svm,globally-optimal", "--certificates", proofs)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for checker in ([ATTEST_CHECK], [sys.executable, PYTHON_CHECKER]):
            done = run(*checker, *proofs.iterdir(), "--case", saved)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Labels(InAFolder):
    def test_zeros_and_ones_are_labels_when_asked_for(self):
        for labels in (npy((2,), [1, 0], "<i8"), npy((2,), [1, 0]), npy((2,), [True, False], "|b1")):
            case = self.read(self.archive(X=X, Y=labels, v=V, lengths=LENGTHS), "--labels", "01")
            self.assertEqual(case["data"]["labels"], [1, -1])

    def test_a_saved_case_writes_them_as_signs(self):
        saved = self.folder / "kept.json"
        self.audit(self.archive(X=X, Y=npy((2,), [1, 0], "<i8"), lengths=LENGTHS), "--labels", "01", "--save-case", saved)
        self.assertEqual(json.loads(saved.read_text(encoding="utf-8"))["labels"], [1, -1])

    def test_zeros_and_ones_are_refused_with_the_fix_else(self):
        file = self.archive(X=X, Y=npy((2,), [1, 0], "<i8"), v=V, lengths=LENGTHS)
        self.refused(file, ": Y: found 0 at [1], expected 1 or -1", "--labels 01", "Y = 2*Y - 1")

    def test_signs_are_refused_where_zeros_and_ones_are_asked_for(self):
        self.refused(self.archive(X=X, Y=Y, v=V, lengths=LENGTHS), ": Y: found -1 at [1]", "--labels 01", words=("--labels", "01"))


class Precision(InAFolder):
    def test_half_and_single_precision_are_exactly_what_they_hold(self):
        for descr, third in (("<f2", 1365 / 4096), ("<f4", 11184811 / 2**25)):
            numbers = [1 / 3 if k == 0 else float(k) for k in range(8)]
            file = self.archive(X=npy((2, 2, 2), numbers, descr), Y=Y, v=npy((2,), [1, 0], descr))
            self.assertEqual(self.read(file, "narrow")["data"]["tokens"][0][0][0], third)
            arrays = {field: {"file": "data.npz", "array": array} for field, array in (("tokens", "X"), ("labels", "Y"), ("v", "v"))}
            case, proofs = self.folder / "case.json", self.folder / f"proofs{descr[1:]}"
            case.write_text(json.dumps({**arrays, "claims": [{"claim": "globally-optimal", "grade": "proved"}]}), encoding="utf-8")
            run(ATTEST, "verify", case, "--quiet", "--certificates", proofs)
            self.assertTrue(list(proofs.iterdir()))
            for checker in ([ATTEST_CHECK], [sys.executable, PYTHON_CHECKER]):
                done = run(*checker, *proofs.iterdir(), "--case", case)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Relevant(InAFolder):
    def message(self, tokens):
        return self.audit(self.archive(X=X, Y=Y, v=V, lengths=LENGTHS, relevant=npy((2,), tokens, "<i8")))["audit"]["relevant"]

    def test_the_planted_tokens_are_compared_with_the_largest_scores_and_with_where_descent_goes(self):
        self.assertEqual(self.message([0, 1]), "theory selects your token in 2 of 2 samples, descent from 0 in 2")
        other = self.message([0, 0])
        self.assertTrue(other.startswith("theory selects your token in 1 of 2 samples, descent from 0 in 1; theory not in sample 1"), other)
        self.assertEqual(self.audit(self.archive(X=X, Y=Y, v=V, lengths=LENGTHS))["audit"]["relevant"], "")

    def test_tokens_that_the_samples_do_not_have_are_refused(self):
        self.refused(self.archive(X=X, Y=Y, lengths=LENGTHS, relevant=npy((2,), [0, 2], "<i8")), ": relevant: found 2 at [1]", "from 0 to 1")


class Safetensors(InAFolder):
    def test_data_and_runs_are_read(self):
        file = self.write("data.safetensors", safetensors(**WHOLE))
        self.assertEqual(self.read(file)["data"]["tokens"], TOKENS)
        rows = [float(x) for norm in (1, 20, 60) for x in (norm, 0, norm)]
        run_file = self.write("run.safetensors", safetensors(p=("F64", [3, 3], struct.pack("<9d", *rows))))
        done = run(ATTEST, "track", file, run_file, "--json", self.folder / "tracked.json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        (case,) = json.loads((self.folder / "tracked.json").read_text(encoding="utf-8"))["cases"]
        self.assertEqual([one["norm"] for one in case["claims"][0]["numbers"]["checkpoints"]], [x * 2**0.5 for x in (1, 20, 60)])

    def test_a_saved_case_holds_the_numbers(self):
        saved = self.folder / "kept.json"
        self.audit(self.write("data.safetensors", safetensors(**WHOLE)), "--save-case", saved)
        kept = json.loads(saved.read_text(encoding="utf-8"))
        self.assertEqual((kept["tokens"], kept["labels"], kept["v"]), (TOKENS, [1, -1], [0, 0, 1]))

    def test_hostile_headers_are_refused(self):
        entry = {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]}
        one = struct.pack("<d", 1)
        for content, part in [
            (b"", "0 bytes"),
            (safetensors(length=2**63, **WHOLE), "header of 9223372036854775808 bytes"),
            (safetensors(length=10**6, **WHOLE), "header of 1000000 bytes"),
            (safetensors(header=[1]), "an array of 1"),
            (safetensors(header={"X": {**entry, "data_offsets": [0, 16]}}, data=one), "data_offsets"),
            (safetensors(header={"X": {**entry, "data_offsets": [8, 0]}}, data=one), "data_offsets"),
            (safetensors(header={"X": entry, "Y": entry}, data=one), "data_offsets"),
            (safetensors(header={"X": {**entry, "data_offsets": [-8, 0]}}, data=b""), "-8"),
            (safetensors(header={"X": {**entry, "shape": [2**40, 2**40, 1]}}, data=one), "8 bytes of data"),
            (safetensors(header={"X": {**entry, "dtype": "F8_E4M3"}}, data=one), "F8_E4M3"),
            (safetensors(header={"X": {**entry, "more": 1}}, data=one), "more"),
            (safetensors(**WHOLE)[:-1], "data_offsets"),
            (safetensors(**WHOLE) + b"x", "data_offsets"),
        ]:
            with self.subTest(part=part):
                self.refused(self.write("data.safetensors", content), part)

    def test_a_case_cannot_name_one_since_checkers_do_not_read_it(self):
        self.write("data.safetensors", safetensors(**WHOLE))
        case = self.folder / "case.json"
        case.write_text(json.dumps({"tokens": {"file": "data.safetensors", "array": "X"}, "labels": [1, -1]}), encoding="utf-8")
        done = run(ATTEST, "audit", case)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a .npy or .npz file", done.stderr)


class Pickles(InAFolder):
    def test_a_file_of_torch_gets_told_how_to_convert_it(self):
        for name in ("data.pt", "data.pth"):
            self.refused(self.write(name, b"\x80\x02"), "only Python can unpickle", "numpy.savez")


if __name__ == "__main__":
    ATTEST, ATTEST_CHECK, PYTHON_CHECKER = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
    unittest.main(verbosity=2)
