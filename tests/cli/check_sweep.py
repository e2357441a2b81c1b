#!/usr/bin/env python3
"""check_sweep.py ATTEST: a sweep is the same whole, in shards and resumed, and what is no sweep is refused."""

import csv
import json
import pathlib
import sys
import tempfile
import unittest

from support import run

ATTEST = ""
SPEC = {
    "name": "small",
    "law": "sphere",
    "n": [1, 2],
    "T": 3,
    "d": [2, 3],
    "runs": 4,
    "seed": 7,
    "claims": [{"claim": "p-svm"}, {"claim": "locally-optimal"}, {"claim": "census"}],
}


def rows_of(folder):
    """All rows, by their numbers and without seconds."""
    rows = {}
    for file in sorted(folder.glob("rows*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            row.pop("seconds")
            rows[row["index"]] = row
    return rows


class Sweeps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        cls.spec = cls.folder / "spec.json"
        cls.spec.write_text(json.dumps(SPEC), encoding="utf-8")
        cls.whole = cls.folder / "whole"
        cls.done = run(ATTEST, "sweep", cls.spec, "--out", cls.whole, "--jobs", 2)
        assert cls.done.returncode == 0, cls.done.stderr

    def refused(self, change, *flags):
        spec = {key: value for key, value in {**SPEC, **change}.items() if value is not None}
        file = self.folder / "bad.json"
        file.write_text(json.dumps(spec), encoding="utf-8")
        target = self.folder / "never"
        done = run(ATTEST, "sweep", file, "--out", target, *flags)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertFalse(target.exists())
        return done.stderr

    def test_rows_table_csv_and_page_say_the_same(self):
        rows = rows_of(self.whole)
        self.assertEqual(sorted(rows), list(range(16)))
        summary = json.loads((self.whole / "results.json").read_text(encoding="utf-8"))
        for k, cell in enumerate(summary["cells"]):
            of_cell = [rows[index] for index in range(4 * k, 4 * k + 4)]
            self.assertEqual(cell["count"], 4)
            self.assertTrue(all((row["n"], row["d"]) == (cell["n"], cell["d"]) for row in of_cell))
            for place, claim in enumerate(cell["claims"]):
                holds = sum(row["claims"][place]["verdict"] == "holds" for row in of_cell)
                self.assertEqual((claim["holds"], claim["share"]), (holds, holds / 4))
                self.assertTrue(0 <= claim["low"] <= claim["share"] <= claim["high"] <= 1)
        with open(self.whole / "rows.csv", encoding="utf-8", newline="") as table:
            lines = list(csv.DictReader(table))
        self.assertEqual([line["p-svm.verdict"] for line in lines], [rows[k]["claims"][0]["verdict"] for k in range(16)])
        page = (self.whole / "index.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("share that holds</"), 6)  # a diagram and a table a claim
        self.assertNotIn("http", page)
        self.assertIn("16 of 16 data sets", self.done.stdout)

    def test_what_applies_and_means_are_those_of_the_rows(self):
        spec = self.folder / "theorem.json"
        spec.write_text(json.dumps({**SPEC, "name": "theorem", "claims": [{"claim": "gd-local", "iterations": 200}, {"claim": "census"}]}), encoding="utf-8")
        out, figures = self.folder / "theorem", self.folder / "figures"
        done = run(ATTEST, "sweep", spec, "--out", out, "--figures", figures)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = rows_of(out)
        for k, cell in enumerate(json.loads((out / "results.json").read_text(encoding="utf-8"))["cells"]):
            theorem, census = zip(*(rows[index]["claims"] for index in range(4 * k, 4 * k + 4)))
            self.assertTrue(all(one["applies"] == (one["verdict"] != "inapplicable") for one in theorem))
            self.assertTrue(all("applies" not in one for one in census))
            said = cell["claims"][0]["applies"]
            self.assertEqual(said["share"], sum(one["applies"] for one in theorem) / 4)
            self.assertTrue(0 <= said["low"] <= said["share"] <= said["high"] <= 1 and said["low"] < said["high"])
            mean = cell["claims"][1]["means"]["count"]
            self.assertAlmostEqual(mean["mean"], sum(one["numbers"]["count"] for one in census) / 4)
            self.assertTrue(mean["low"] <= mean["mean"] <= mean["high"])
            self.assertEqual(mean["count"], 4)
            complete = cell["claims"][1]["means"]["complete"]  # a boolean is a share: all of four leave room for others
            self.assertEqual((complete["mean"], complete["high"]), (1, 1))
            self.assertTrue(0.5 < complete["low"] < 0.52)
        with open(out / "rows.csv", encoding="utf-8", newline="") as table:
            column = [line["gd-local iterations=200.applies"] for line in csv.DictReader(table)]
        self.assertEqual(column, [json.dumps(rows[k]["claims"][0]["applies"]) for k in range(16)])
        self.assertEqual({file.name for file in figures.iterdir()}, {
            "theorem-gd-local_iterations_200-holds.svg", "theorem-gd-local_iterations_200-applies.svg", "theorem-census-holds.svg", "theorem-census-count.svg"})
        page = (out / "index.html").read_text(encoding="utf-8")
        self.assertIn("share of data to which it applies</span>", page)
        self.assertIn("number of locally optimal selections</span>", page)

    def test_data_sets_differ_from_run_to_run(self):
        rows = rows_of(self.whole)
        self.assertEqual(len({row["seed"] for row in rows.values()}), 16)

    def test_shards_are_the_whole(self):
        out = self.folder / "shards"
        for k in range(3):
            self.assertEqual(run(ATTEST, "sweep", self.spec, "--out", out, "--shard", f"{k}/3").returncode, 0)
        self.assertEqual(rows_of(out), rows_of(self.whole))
        results = [json.loads((folder / "results.json").read_text(encoding="utf-8")) for folder in (out, self.whole)]
        self.assertEqual(*results)

    def test_a_sweep_goes_on_where_it_was_cut_off(self):
        out = self.folder / "resumed"
        out.mkdir()
        (out / "spec.json").write_bytes(self.spec.read_bytes())
        lines = (self.whole / "rows.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        marked = json.loads(lines[2])
        marked["seconds"] = 12345
        (out / "rows.jsonl").write_text(json.dumps(marked) + "\n" + lines[5] + lines[7][:20], encoding="utf-8")
        self.assertEqual(run(ATTEST, "sweep", self.spec, "--out", out, "--resume").returncode, 0)
        self.assertEqual(rows_of(out), rows_of(self.whole))
        self.assertIn("12345", (out / "rows.jsonl").read_text(encoding="utf-8"))  # it was not drawn again

    def test_a_part_of_the_grid_has_the_same_data_sets(self):
        part = self.folder / "part.json"
        part.write_text(json.dumps({**SPEC, "n": 2, "d": 3, "name": "small"}), encoding="utf-8")
        out = self.folder / "part"
        self.assertEqual(run(ATTEST, "sweep", part, "--out", out).returncode, 0)
        self.assertEqual([row["claims"] for row in rows_of(out).values()], [row["claims"] for index, row in rows_of(self.whole).items() if index >= 12])

    def test_the_folder_of_another_sweep_is_refused(self):
        other = self.folder / "other.json"
        other.write_text(json.dumps({**SPEC, "seed": 8}), encoding="utf-8")
        before = (self.whole / "rows.jsonl").read_bytes()
        done = run(ATTEST, "sweep", other, "--out", self.whole)
        self.assertEqual(done.returncode, 2)
        self.assertIn("another sweep", done.stderr)
        self.assertEqual((self.whole / "rows.jsonl").read_bytes(), before)

    def test_what_is_no_sweep_is_refused_with_its_place(self):
        for change, said in [
            ({"law": "uniform"}, "$.law"),
            ({"n": 0}, "$.n"),
            ({"n": [1, 1]}, "$.n[1]"),
            ({"T": None}, "found no T"),
            ({"d": 1.5}, "$.d"),
            ({"noise": 1}, "$.noise"),
            ({"law": "planted", "noise": -1}, "$.noise"),
            ({"law": "orthogonal", "d": 5}, "$.d"),
            ({"law": "file"}, "$.file"),
            ({"file": "x.npz"}, "$.file"),
            ({"runs": 0}, "$.runs"),
            ({"seed": -1}, "$.seed"),
            ({"claims": []}, "$.claims"),
            ({"claims": [{"claim": "no-claim"}]}, "$.claims[0]"),
            ({"claims": [{"claim": "p-svm", "selection": [0]}]}, "$.claims[0].selection"),
            ({"more": 1}, "more"),
        ]:
            with self.subTest(change=change):
                self.assertIn(said, self.refused(change))
        self.assertIn("--shard", self.refused({}, "--shard", "3/3"))
        (self.folder / "a-file").write_text("", encoding="utf-8")
        self.refused({}, "--figures", self.folder / "a-file" / "figures")


if __name__ == "__main__":
    ATTEST = sys.argv.pop(1)
    unittest.main()
