#!/usr/bin/env python3
"""check_report.py ATTEST SOURCE_DIR: saved results rendered again, refused when they are not results, and their schema."""

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
    {"claim": "globally-optimal", "selection": [0], "grade": "proved"},
    {"claim": "derivatives", "points": 3},
    {"claim": "descent", "iterations": 300},
    {"claim": "gd-local", "selection": [1], "expect": "inapplicable", "grade": "proved"},
    {"claim": "path", "radius": 64, "grade": "proved"},
    {"claim": "globally-optimal", "selection": [1]},
]


class WithResults(unittest.TestCase):
    """One run of verify with all its files, kept for every test."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        cls.case = write_case(cls.folder, small_case("one <b>", CLAIMS, about="About | it", source="[MM]"))
        cls.files = {form: cls.folder / f"verify.{form}" for form in ("json", "html", "junit", "markdown")}
        flags = [word for form, file in cls.files.items() for word in (f"--{form}", file)]
        done = run(ATTEST, "verify", cls.case, *flags, "--certificates", cls.folder / "proofs", "--quiet")
        assert done.returncode == 1, done.stderr
        cls.results = json.loads(cls.files["json"].read_text(encoding="utf-8"))

    def saved(self, results, name="changed.json"):
        file = self.folder / name
        file.write_text(results if isinstance(results, str) else json.dumps(results), encoding="utf-8")
        return file


class Rendering(WithResults):
    def test_every_form_is_the_one_that_verify_wrote_byte_by_byte(self):
        for form in ("html", "junit", "markdown"):
            with self.subTest(form=form):
                target = self.folder / f"again.{form}"
                done = run(ATTEST, "report", self.files["json"], f"--{form}", target)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
                self.assertEqual(target.read_bytes(), self.files[form].read_bytes())

    def test_results_that_differ_give_another_page(self):
        changed = copy.deepcopy(self.results)
        changed["cases"][0]["claims"][0]["message"] = "another message"
        target = self.folder / "other.html"
        self.assertEqual(run(ATTEST, "report", self.saved(changed), "--html", target).returncode, 0)
        self.assertNotEqual(target.read_bytes(), self.files["html"].read_bytes())

    def test_without_a_file_to_write_the_table_is_printed(self):
        done = run(ATTEST, "report", self.files["json"])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("5 passed, 1 failed", done.stdout)
        self.assertEqual(sum(line.startswith("  pass  ") for line in done.stdout.splitlines()), 5)

    def test_a_link_to_a_certificate_leads_there_from_the_page(self):
        target = self.folder / "deeper" / "page.html"
        target.parent.mkdir(exist_ok=True)
        run(ATTEST, "report", self.files["json"], "--html", target)
        self.assertIn('href="./../proofs/', target.read_text(encoding="utf-8"))
        self.assertIn('href="./proofs/', self.files["html"].read_text(encoding="utf-8"))

    def test_results_without_anything_optional_are_rendered(self):
        least = {
            "attest": {"version": self.results["attest"]["version"]},
            "summary": {"passed": 1, "failed": 1},
            "cases": [{"name": "least", "claims": [
                {"claim": "new-claim", "verdict": "holds", "grade": "proved", "passed": True},
                {"claim": "p-svm", "verdict": "fails", "grade": "observed", "passed": False, "later": {"version": 1}},
            ]}],
        }
        target = self.folder / "least"
        for form in ("html", "junit", "markdown"):
            done = run(ATTEST, "report", self.saved(least), f"--{form}", target)
            self.assertEqual((done.returncode, done.stderr), (0, ""), form)
            self.assertIn("new-claim", target.read_text(encoding="utf-8"))
        self.assertIn("1 passed, 1 failed", run(ATTEST, "report", self.saved(least)).stdout)

    def test_hypotheses_of_older_results_without_certificates_are_rendered(self):
        changed = copy.deepcopy(self.results)
        hypotheses = [one for claim in changed["cases"][0]["claims"] for one in claim.get("hypotheses", [])]
        links = self.files["html"].read_text(encoding="utf-8").count(">proof</a>")
        self.assertEqual(links, sum(one["certificate"] is not None for one in hypotheses))
        self.assertGreater(links, 0)
        for one in hypotheses:
            del one["certificate"]
        target = self.folder / "older.html"
        done = run(ATTEST, "report", self.saved(changed), "--html", target)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn(">proof</a>", target.read_text(encoding="utf-8"))

    def test_numbers_of_any_shape_are_rendered(self):
        for numbers in (
            {"trace": 3, "points": "x", "runs": [1, {"trace": [1]}, None], "singular_values": [None], "correlation": []},
            {"runs": [{"selection": {"a": 1}, "positions": [[1], [1, 2]], "limit": "x", "attention": {"norm": [1], "samples": [[[]], 4]}}]},
            {"trace": [{"norm": 0, "direction_error": -1}, {"norm": 1e308, "direction_error": 1e-308}], "nu_lower": "0", "gamma": -1},
            {"singular_values": [0, 0], "correlation": {"q": [1, 2], "rows": [[1, "x"], 5]}, "points": [{"radius": None, "direction_error": 1}] * 3},
            {"trace": {"norm": [1, 2, 3], "direction_error": [1]}, "gamma": 1, "nu_lower": 0, "nu_upper": None},
            {"view": {"tokens": [[0, 1], 3], "margin": [1, 2], "gap": [0, None], "across": [0, 0], "norm": 0}, "neighbours": 4},
            {"radius": 1, "ticks": [0], "map": [7], "limits": [3], "loss": {"ticks": [1, 2], "log_excess": [1, 2, 3, "x"]}, "plane": 1, "descent": [[1]]},
        ):
            with self.subTest(numbers=numbers):
                changed = copy.deepcopy(self.results)
                changed["cases"][0]["claims"][0]["numbers"] = numbers
                changed["cases"][0]["data"] = {"scores": [[], [None], 3], "labels": 1, "T": ["x"], "n": "many"}
                changed["cases"][0]["audit"] = {"sanity": [1, {"level": 2}], "shape": [], "selections": {}, "advice": [{}],
                                               "destinations": [{"share": "x"}, {"share": 7, "start": "0"}, 3]}
                done = run(ATTEST, "report", self.saved(changed), "--html", self.folder / "odd.html", "--markdown", self.folder / "odd.md",
                           "--figures", self.folder / "odd")
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_figures_are_files_with_safe_names_that_differ_whatever_the_cases_are_called(self):
        changed = copy.deepcopy(self.results)
        for name in ("../../up", "a b/c", "a b/c", "ü"):
            changed["cases"].append({**copy.deepcopy(changed["cases"][0]), "name": name})
        claims = [claim for case in changed["cases"] for claim in case["claims"]]
        changed["summary"] = {"passed": sum(one["passed"] for one in claims), "failed": sum(not one["passed"] for one in claims)}
        target = self.folder / "new" / "figures"
        done = run(ATTEST, "report", self.saved(changed), "--figures", target)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        names = sorted(file.name for file in target.iterdir())
        self.assertEqual(len(names) % 5, 0)
        self.assertGreater(len(names), 10)
        self.assertEqual(sum(name.endswith("~2.svg") for name in names), len(names) // 5)
        for name in names:
            self.assertRegex(name, r"^[A-Za-z0-9_~-]+\.svg$")

    def test_an_audit_is_shown_on_the_page_and_in_markdown(self):
        changed = copy.deepcopy(self.results)
        changed["cases"][0]["audit"] = {
            "shape": {"n": 1, "T": [3], "d": 3}, "sanity": [{"level": "warning", "message": "two tokens are equal"}, {"level": "note", "message": "small"}],
            "selections": [{"selection": [0], "why": "the largest scores"}], "advice": [{"theorem": "gd-global", "message": "make scores equal"}],
            "skipped": [{"claim": "w-svm", "selection": [0], "reason": "no queries"}],
        }
        page, text = self.folder / "audit.html", self.folder / "audit.md"
        run(ATTEST, "report", self.saved(changed), "--html", page, "--markdown", text)
        for file in (page, text):
            shown = file.read_text(encoding="utf-8")
            for part in ("two tokens are equal", "small", "the largest scores", "make scores equal", "no queries", "n = 1, T = "):
                self.assertIn(part, shown, file.name)
        self.assertNotIn("two tokens are equal", self.files["html"].read_text(encoding="utf-8"))

    def test_markdown_is_tables_that_no_text_breaks(self):
        changed = copy.deepcopy(self.results)
        changed["cases"][0]["claims"][0]["message"] = "a | b\n<script> *c* `d` [e](f)"
        text = self.folder / "hostile.md"
        run(ATTEST, "report", self.saved(changed), "--markdown", text)
        shown = text.read_text(encoding="utf-8")
        self.assertIn(r"a \| b &lt;script&gt; \*c\* \`d\` \[e\](f)", shown)
        rows = [line for line in shown.splitlines() if line.startswith("| pass") or line.startswith("| **FAIL**")]
        self.assertEqual([row.replace(r"\|", "").count("|") for row in rows], [5] * 6)


class Refusal(WithResults):
    def refused(self, file, *says):
        target = self.folder / "kept.html"
        target.write_text("as it was", encoding="utf-8")
        done = run(ATTEST, "report", file, "--html", target)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        for part in (str(file), *says):
            self.assertIn(part, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertEqual(target.read_text(encoding="utf-8"), "as it was")

    def test_what_is_no_results_file_is_refused(self):
        self.refused(self.folder / "nosuch.json", "no such file")
        self.refused(self.folder, "a folder")
        self.refused(self.saved(""), "no JSON")
        self.refused(self.saved('{"attest": {"version": "9\\u001b[31m"}}'), r"9\x1b[31m")
        self.refused(self.saved('{"attest": 1e999}'), "a number beyond the range of doubles")
        self.refused(self.saved('{"attest": '), "no JSON")
        self.refused(self.saved("[" * 100000 + "]" * 100000), "levels")
        self.refused(self.saved("[]"), "$: found a list")
        self.refused(self.saved("{}"), "$: found no \"attest\"")
        self.refused(self.case, "$: found no \"attest\"")

    def test_every_wrong_field_is_named_by_its_path(self):
        claim = ("cases", 0, "claims", 1)
        for where, value, says in [
            (("attest", "version"), "9.0.0", ("$.attest.version: found 9.0.0", "expected 0.x")),
            (("attest", "version"), 1, ("$.attest.version: found 1",)),
            (("summary", "passed"), "5", ("$.summary.passed: found \"5\"",)),
            (("summary", "passed"), 4, ("$.summary.passed: found 4, expected 5",)),
            (("summary", "failed"), -1, ("$.summary.failed",)),
            (("cases",), {}, ("$.cases: found an object, expected a list",)),
            (("cases", 0), 3, ("$.cases[0]: found 3",)),
            (("cases", 0, "name"), None, ("$.cases[0].name",)),
            (("cases", 0, "audit"), [], ("$.cases[0].audit: found a list",)),
            (("cases", 0, "data"), "x", ("$.cases[0].data",)),
            (("cases", 0, "claims"), None, ("$.cases[0].claims",)),
            (claim, [], ("$.cases[0].claims[1]: found a list",)),
            ((*claim, "claim"), 7, ("$.cases[0].claims[1].claim: found 7, expected text",)),
            ((*claim, "verdict"), "maybe", ("$.cases[0].claims[1].verdict: found \"maybe\", expected holds, fails",)),
            ((*claim, "grade"), "sure", ("$.cases[0].claims[1].grade", "proved or observed")),
            ((*claim, "passed"), "yes", ("$.cases[0].claims[1].passed", "true or false")),
            ((*claim, "selection"), [0, -1], ("$.cases[0].claims[1].selection",)),
            ((*claim, "numbers"), [], ("$.cases[0].claims[1].numbers: found a list, expected an object",)),
            ((*claim, "seconds"), -1, ("$.cases[0].claims[1].seconds",)),
            ((*claim, "certificate"), True, ("$.cases[0].claims[1].certificate",)),
            (("cases", 0, "claims", 3, "hypotheses", 1, "verdict"), 1, ("$.cases[0].claims[3].hypotheses[1].verdict",)),
            (("cases", 0, "claims", 3, "hypotheses", 1), "x", ("$.cases[0].claims[3].hypotheses[1]: found \"x\"",)),
            (("cases", 0, "claims", 3, "hypotheses", 1, "certificate"), 1, ("$.cases[0].claims[3].hypotheses[1].certificate: found 1",)),
        ]:
            with self.subTest(where=where, value=value):
                changed = copy.deepcopy(self.results)
                place = changed
                for step in where[:-1]:
                    place = place[step]
                place[where[-1]] = value
                self.refused(self.saved(changed), *says)

    def test_what_is_demanded_may_not_lack(self):
        for where, key in [((), "summary"), ((), "cases"), (("attest",), "version"), (("cases", 0), "name"), (("cases", 0), "claims"),
                           (("cases", 0, "claims", 0), "verdict"), (("cases", 0, "claims", 0), "passed")]:
            with self.subTest(key=key):
                changed = copy.deepcopy(self.results)
                place = changed
                for step in where:
                    place = place[step]
                del place[key]
                self.refused(self.saved(changed), f'no "{key}"')

    def test_a_page_that_cannot_be_written_is_refused(self):
        done = run(ATTEST, "report", self.files["json"], "--html", self.folder / "nosuch" / "page.html")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nosuch", done.stderr)


    def test_a_folder_of_figures_that_cannot_be_made_is_refused_and_nothing_is_written(self):
        done = run(ATTEST, "report", self.saved(self.results), "--html", self.folder / "beside.html", "--figures", self.files["html"])
        self.assertEqual(done.returncode, 2)
        self.assertIn(str(self.files["html"]), done.stderr)
        self.assertFalse((self.folder / "beside.html").exists())


class TheSchema(WithResults):
    def setUp(self):
        self.schema = Schema(SOURCE / "docs" / "results.schema.json")

    def test_real_results_fit(self):
        self.assertEqual(self.schema.defects(self.results), [])

    def test_results_of_every_kind_of_claim_fit(self):
        file = self.folder / "more.json"
        cases = [SOURCE / "cases" / name for name in ("joint/relaxed.json", "selections", "losses", "one-input/tie.json")]
        self.assertEqual(run(ATTEST, "verify", *cases, "--json", file, "--quiet").returncode, 0)
        self.assertEqual(self.schema.defects(json.loads(file.read_text(encoding="utf-8"))), [])

    def test_what_the_program_refuses_does_not_fit(self):
        for where, value in [
            (("summary", "passed"), "5"), (("cases",), {}), (("cases", 0, "name"), None), (("cases", 0, "claims", 1, "verdict"), "maybe"),
            (("cases", 0, "claims", 1, "passed"), 1), (("cases", 0, "claims", 1, "selection"), [0, -1]), (("cases", 0, "claims", 1, "seconds"), -1),
            (("cases", 0, "claims", 2, "numbers", "runs"), 3), (("cases", 0, "data", "labels"), [0]), (("attest", "version"), "new"),
        ]:
            with self.subTest(where=where):
                changed = copy.deepcopy(self.results)
                place = changed
                for step in where[:-1]:
                    place = place[step]
                place[where[-1]] = value
                self.assertEqual(len(self.schema.defects(changed)), 1)

    def test_a_field_that_lacks_is_seen(self):
        changed = copy.deepcopy(self.results)
        del changed["cases"][0]["claims"][0]["grade"]
        self.assertEqual(self.schema.defects(changed), ["$.cases[0].claims[0]: has no grade"])


class Data(WithResults):
    def test_a_case_carries_its_data_and_what_it_is_about(self):
        (case,) = self.results["cases"]
        self.assertEqual((case["about"], case["source"]), ("About | it", "[MM]"))
        data = case["data"]
        self.assertEqual((data["n"], data["T"], data["d"], data["labels"], data["loss"]), (1, [3], 3, [1], "logistic"))
        self.assertEqual(data["scores"], [[1.0, 0.9, 0.9]])
        self.assertEqual(data["tokens"], [[[-0.1, 1.0, 1.0], [1.0, 0.0, 0.9], [0.0, 0.0, 0.9]]])

    def test_a_run_carries_what_its_pictures_need(self):
        (one,) = self.results["cases"][0]["claims"][2]["numbers"]["runs"]
        self.assertEqual(len(one["limit"]), 3)
        self.assertLessEqual(len(one["positions"]), 20)
        self.assertEqual([round(value, 3) for value in one["positions"][-1]], [round(value, 3) for value in one["final"]])
        norms, (sample,) = one["attention"]["norm"], one["attention"]["samples"]
        self.assertEqual(len(norms), len(sample))
        for weights in sample:
            self.assertAlmostEqual(sum(weights), 1, places=3)
        self.assertEqual(max(range(3), key=sample[-1].__getitem__), one["selection"][0])


def main():
    global ATTEST, SOURCE
    if len(sys.argv) < 3:
        sys.exit("usage: check_report.py ATTEST SOURCE_DIR [TEST...]")
    ATTEST, SOURCE = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)


if __name__ == "__main__":
    main()
