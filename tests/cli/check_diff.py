#!/usr/bin/env python3
"""check_diff.py ATTEST SOURCE_DIR: what attest diff says changed between two results, and how verify tells what is not as expected."""

import copy
import json
import pathlib
import sys
import tempfile
import unittest

from json_schema import Schema
from support import run, small_case, write_case

ATTEST, SOURCE = "", pathlib.Path()

CLAIMS = [
    {"claim": "assumption-a", "grade": "proved"},
    {"claim": "p-svm", "selection": [0], "grade": "proved"},
    {"claim": "census", "grade": "proved"},
    {"claim": "derivatives", "points": 3},
    {"claim": "gd-local", "selection": [1], "expect": "inapplicable", "grade": "proved"},
]
A, SVM, CENSUS, DERIVATIVES, LOCAL = range(5)


class WithResults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        cls.old = cls.folder / "old.json"
        done = run(ATTEST, "verify", write_case(cls.folder, small_case("one", CLAIMS)), "--json", cls.old, "--quiet")
        assert done.returncode == 0, done.stdout + done.stderr
        cls.results = json.loads(cls.old.read_text(encoding="utf-8"))

    def changed(self, change):
        """A file with results to which something was done; the counts stay right."""
        results = copy.deepcopy(self.results)
        change(results["cases"])
        claims = [claim for case in results["cases"] for claim in case["claims"]]
        results["summary"] = {"passed": sum(one["passed"] for one in claims), "failed": sum(not one["passed"] for one in claims)}
        file = self.folder / "new.json"
        file.write_text(json.dumps(results), encoding="utf-8")
        return file

    def diff(self, change, code, *parts):
        done = run(ATTEST, "diff", self.old, self.changed(change))
        self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
        words = " ".join(done.stdout.split())
        for part in parts:
            self.assertIn(part, words)
        return done.stdout


class Changes(WithResults):
    def test_results_are_no_different_from_themselves(self):
        done = run(ATTEST, "diff", self.old, self.old)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "nothing changed\n", ""))

    def test_seconds_messages_and_what_is_drawn_do_not_count(self):
        def change(cases):
            claim = cases[0]["claims"][SVM]
            claim["seconds"] += 5
            claim["message"] = "said otherwise"
        self.diff(change, 0, "nothing changed")

    def test_a_number_counts_beyond_the_tolerance_and_not_within(self):
        def by(part):
            def change(cases):
                cases[0]["claims"][SVM]["numbers"]["objective"] *= 1 + part
            return change
        self.diff(by(1e-7), 0, "nothing changed")
        self.diff(by(1e-5), 1, "Numbers", "one: p-svm (0)", "was objective 0.495", "1 change")

    def test_counts_and_rationals_are_compared_exactly(self):
        def exact(cases):
            cases[0]["claims"][SVM]["numbers"]["objective_exact"] = "51/101"
        self.diff(exact, 1, "was objective_exact 50/101; now objective_exact 51/101")
        def count(cases):
            cases[0]["claims"][CENSUS]["numbers"]["count"] = 2
        self.diff(count, 1, "was count 1; now count 2")

    def test_a_verdict_and_a_grade_that_changed(self):
        def verdict(cases):
            cases[0]["claims"][SVM].update(verdict="fails", passed=False, message="rows contradict")
        self.diff(verdict, 1, "Verdicts one: p-svm (0) was holds, proved; now fails, proved: rows contradict")
        def grade(cases):
            cases[0]["claims"][A].update(grade="observed", passed=False)
        self.diff(grade, 1, "Grades one: assumption-a was holds, proved; now holds, observed")

    def test_a_hypothesis_that_changed(self):
        def change(cases):
            cases[0]["claims"][LOCAL]["hypotheses"][0].update(verdict="undecided")
        self.diff(change, 1, "Hypotheses one: gd-local (1) was Assumption A: holds, proved; now Assumption A: undecided, proved")

    def test_selections_of_the_census_that_were_added_and_lost(self):
        def change(cases):
            cases[0]["claims"][CENSUS]["numbers"]["selections"] = [[1]]
        said = self.diff(change, 1, "Locally optimal selections one: census was (0), lost; now (1), added", "1 change")
        self.assertNotIn("Numbers", said)

    def test_the_data_are_compared_by_their_hashes(self):
        def change(cases):
            cases[0]["data_sha256"]["tokens"] = "0" * 64
        self.diff(change, 1, "Data one was tokens ", "now tokens 0000")
        def forget(cases):  # as an older version
            del cases[0]["data_sha256"]
        self.diff(forget, 0)

    def test_claims_and_cases_that_came_and_went(self):
        def gone(cases):
            del cases[0]["claims"][CENSUS]
        self.diff(gone, 1, "Claims removed one: census was holds, proved; now nothing")
        def came(cases):
            cases[0]["claims"].append({**cases[0]["claims"][CENSUS], "label": "census budget=2"})
        self.diff(came, 1, "Claims added one: census budget=2 was nothing; now holds, proved")
        def renamed(cases):
            cases[0]["name"] = "two"
        self.diff(renamed, 1, "Cases added two", "Cases removed one was 5 claims; now nothing", "2 changes")

    def test_the_order_of_claims_does_not_count(self):
        self.diff(lambda cases: cases[0]["claims"].reverse(), 0)

    def test_a_claim_that_ended_early(self):
        def change(cases):
            cases[0]["claims"][A].update(verdict="undecided", grade="observed", passed=False, ended_early=True, message="killed")
        self.diff(change, 1, "Claims whose process ended early one: assumption-a was holds, proved; now ended early: killed")

    def test_causes_stand_together_and_lines_fit_80_columns(self):
        def change(cases):
            for k in (A, SVM):
                cases[0]["claims"][k].update(verdict="fails", passed=False, message="word " * 40)
                cases[0]["claims"][k]["numbers"]["new"] = 1.5
        said = self.diff(change, 1, "4 changes")
        self.assertEqual([line for line in said.splitlines() if not line.startswith(" ")], ["Verdicts", "Numbers", "4 changes"])
        self.assertLessEqual(max(map(len, said.splitlines())), 80)


class Markdown(WithResults):
    def test_changes_are_tables_that_no_text_breaks(self):
        def change(cases):
            cases[0]["claims"][SVM].update(verdict="fails", passed=False, message="a | b <i>")
        target = self.folder / "diff.md"
        done = run(ATTEST, "diff", self.old, self.changed(change), "--markdown", target)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        text = target.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("# attest: 1 change\n\n### Verdicts\n\n| case | claim | was | now | why |\n"), text)
        self.assertIn(r"| one | p-svm (0) | holds, proved | fails, proved | a \| b &lt;i&gt; |", text)

    def test_standard_output_holds_the_tables_alone(self):
        done = run(ATTEST, "diff", self.old, self.old, "--markdown", "-")
        self.assertEqual((done.returncode, done.stdout.strip(), done.stderr), (0, "# attest: nothing changed", "nothing changed\n"))


class Refusal(WithResults):
    def test_what_is_no_results_and_what_would_be_overwritten(self):
        other = self.folder / "other.json"
        other.write_text("[]", encoding="utf-8")
        before = self.old.read_bytes()
        for words, part in [((self.old, other), "other.json: $: found a list"), ((other, self.old), "other.json"),
                            ((self.old, self.folder / "nosuch.json"), "no such file"),
                            ((self.old, self.old, "--markdown", self.old), "is read"),
                            ((self.old, self.old, "--markdown", self.folder / "nosuch" / "x.md"), "nosuch"), ((self.old,), "NEW")]:
            with self.subTest(words=words):
                done = run(ATTEST, "diff", *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(part, done.stderr)
        self.assertEqual(self.old.read_bytes(), before)


class Verify(WithResults):
    def test_what_is_not_as_expected_is_grouped_by_cause(self):
        claims = [{"claim": "p-svm", "selection": [0], "objective": "51/101"}, {"claim": "derivatives", "grade": "proved"},
                  {"claim": "census", "expect": "fails"}]
        done = run(ATTEST, "verify", write_case(self.folder, small_case("wrong", claims)), "--markdown", self.folder / "wrong.md")
        self.assertEqual(done.returncode, 1)
        words = " ".join(done.stdout.split("\nNot as expected\n")[1].split())
        self.assertRegex(words, r"^Verdicts wrong: p-svm \(0\) expected holds, observed; found fails, proved: .*"
                                r"wrong: census expected fails, observed; found holds, proved: .*"
                                r"Grades wrong: derivatives expected holds, proved; found holds, observed: .*0 passed, 3 failed$")
        text = (self.folder / "wrong.md").read_text(encoding="utf-8")
        self.assertIn("## Not as expected\n\n### Verdicts\n\n| case | claim | expected | found | why |", text)
        self.assertIn("### Grades", text)

    def test_nothing_is_said_where_all_is_well(self):
        self.assertNotIn("Not as expected", run(ATTEST, "verify", write_case(self.folder, small_case("well", CLAIMS))).stdout)


class TheSchema(WithResults):
    def test_results_carry_the_hashes_of_their_data(self):
        schema = Schema(SOURCE / "docs" / "results.schema.json")
        self.assertEqual(schema.defects(self.results), [])
        self.assertEqual(sorted(self.results["cases"][0]["data_sha256"]), ["W", "labels", "loss", "tokens", "v"])
        changed = copy.deepcopy(self.results)
        changed["cases"][0]["data_sha256"]["v"] = 5
        self.assertEqual(len(schema.defects(changed)), 1)


def main():
    global ATTEST, SOURCE
    if len(sys.argv) < 3:
        sys.exit("usage: check_diff.py ATTEST SOURCE_DIR [TEST...]")
    ATTEST, SOURCE = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)


if __name__ == "__main__":
    main()
