#!/usr/bin/env python3
"""check_audit.py ATTEST ATTEST_CHECK SOURCE_DIR: attest audit, its files, its exit codes, and the cases it saves."""

import fractions
import hashlib
import json
import pathlib
import sys
import tempfile
import unittest

from make_bad import npy, npz
from support import run, run_on_terminal, small_case, write_case

ATTEST, ATTEST_CHECK, SOURCE = "", "", pathlib.Path()

AUDIT_FIELDS = {"headline", "destinations", "names", "expected", "change", "shape", "sanity", "selections", "advice", "skipped"}

# Two samples of two tokens in two dimensions; both selected tokens are support vectors.
X = npy((2, 2, 2), [1, 0.5, 0, 1, 0, -1, 1, 1])
Y = npy((2,), [1, -1], "<i8")
V = npy((2,), [1, 0])
# One sample of one token: decided at once.
LONE = {"X": npy((1, 1, 2), [1, 2]), "Y": npy((1,), [1], "<i8")}


def no_claims(**more):
    case = small_case("small", [], **more)
    del case["claims"]
    return case


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)

    def archive(self, name="data.npz", **arrays):
        path = self.folder / name
        path.write_bytes(npz(**arrays))
        return str(path)

    def audit(self, data, *words, code=0):
        """The one case of the results."""
        file = self.folder / "results.json"
        done = run(ATTEST, "audit", data, "--json", file, *words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        found = json.loads(file.read_text(encoding="utf-8"))
        (case,) = found["cases"]
        self.assertEqual(found["summary"], {"passed": len(case["claims"]), "failed": 0})
        return case

    def entries(self, case, claim):
        return [entry for entry in case["claims"] if entry["claim"] == claim]


class Example:
    """One audit of the papers' example, with all its files; many tests look at it."""

    made = None

    def __new__(cls):
        if cls.made is None:
            cls.made = super().__new__(cls)
            cls.made.audit()
        return cls.made

    def audit(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.saved = self.folder / "saved.json"
        self.done = run(ATTEST, "audit", write_case(self.folder, no_claims()), "--json", self.folder / "out.json", "--save-case", self.saved,
                        "--certificates", self.folder / "proofs", "--html", self.folder / "out.html", "--junit", self.folder / "out.xml")
        (self.case,) = json.loads((self.folder / "out.json").read_text(encoding="utf-8"))["cases"]


class BadInput(InAFolder):
    def refused(self, data, *parts, words=()):
        done = run(ATTEST, "audit", data, "--json", self.folder / "out.json", *words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        for part in (*parts, str(data)):
            self.assertIn(part, done.stderr)
        self.assertFalse((self.folder / "out.json").exists())

    def test_archives_that_are_not_the_data(self):
        nan, three = float("nan"), npy((3,), [1, -1, 1], "<i8")
        for arrays, parts in [
            ({"Y": Y}, ("npz: X: found no such array", "beside Y")),
            ({"X": X}, ("npz: Y: found no such array",)),
            ({}, ("npz: X: found no such array",)),
            ({"X": npy((2, 4), [0] * 8), "Y": Y}, ("npz: X: found shape (2, 4)", "expected shape (n, T, d)")),
            ({"X": npy((0, 2, 2), []), "Y": Y}, ("npz: X: found shape (0, 2, 2)",)),
            ({"X": npy((2, 2, 2), [0] * 7 + [nan]), "Y": Y}, ("npz: X: found nan at [1][1][1]", "finite numbers")),
            ({"X": X, "Y": three}, ("npz: Y: found shape (3,)", "expected shape (2,)")),
            ({"X": X, "Y": npy((2,), [1, 0], "<i8")}, ("npz: Y: found 0 at [1]", "expected 1 or -1")),
            ({"X": X, "Y": Y, "v": npy((3,), [1, 2, 3])}, ("npz: v: found shape (3,)", "expected shape (2,)")),
            ({"X": X, "Y": Y, "W": npy((2,), [1, 2])}, ("npz: W: found shape (2,)", "expected shape (2, 2)")),
            ({"X": X, "Y": Y, "Z": npy((2, 3), [0] * 6)}, ("npz: Z: found shape (2, 3)", "expected shape (2, 2)")),
            ({"X": npy((2, 2, 2), [True] * 8, "|b1"), "Y": Y}, ("npz: X: found",)),
        ]:
            with self.subTest(parts=parts):
                self.refused(self.archive(**arrays), *parts)

    def test_the_sound_twin_is_accepted(self):
        self.audit(self.archive(X=X, Y=Y))

    def test_files_that_hold_no_data(self):
        garbage = self.folder / "garbage.npz"
        garbage.write_bytes(b"PK nothing")
        self.refused(garbage, "found")
        self.refused(self.folder / "nosuch.npz", "no such file")
        self.refused(self.folder / "nosuch.json", "no such file")
        self.refused(self.folder, "found")
        lone = self.folder / "x.npy"
        lone.write_bytes(X)
        self.refused(lone, "which holds one array")

    def test_cases_that_are_not_the_data(self):
        self.refused(write_case(self.folder, no_claims(labels=[2])), "$.labels[0]: found 2, expected 1 or -1")
        self.refused(write_case(self.folder, no_claims(lables=[1])), "did you mean labels?")

    def test_outputs_that_cannot_be_written(self):
        good = self.archive(X=X, Y=Y)
        for flag in ("--save-case", "--html", "--junit"):
            target = self.folder / "nosuch" / "out"
            done = run(ATTEST, "audit", good, flag, target)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(str(target), done.stderr)

    def test_outputs_that_would_replace_the_data_or_each_other(self):
        data = self.archive(X=X, Y=Y, v=V)
        before = pathlib.Path(data).read_bytes()
        same = self.folder / "same.json"
        (self.folder / "inner").mkdir()
        (self.folder / "linked.npz").hardlink_to(data)
        case = write_case(self.folder, no_claims(tokens={"file": "data.npz", "array": "X"}, labels=[1, -1], v=[1, 0], W=[[1, 0], [0, 1]]))
        for words, parts in [
            ((data, "--save-case", data), ("--save-case", "is read")),
            ((data, "--html", self.folder / "inner" / ".." / "data.npz"), ("--html", "is read")),
            ((data, "--json", self.folder / "linked.npz"), ("--json", "is read")),
            ((case, "--save-case", case), ("--save-case", "is read")),
            ((case, "--save-case", data), ("--save-case", "is read")),
            ((data, "--json", same, "--html", same), ("--json and --html", "the same file")),
            ((data, "--json", same, "--save-case", self.folder / "inner" / ".." / "same.json"), ("--json and --save-case", "the same file")),
            ((data, "--json", "-", "--save-case", "-"), ("--json and --save-case", "standard output")),
        ]:
            with self.subTest(words=words):
                done = run(ATTEST, "audit", *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                for part in parts:
                    self.assertIn(part, done.stderr)
                self.assertEqual(pathlib.Path(data).read_bytes(), before)
                self.assertFalse(same.exists())

    def test_bad_usage(self):
        for words in ([], ["--budget", "0"], ["--nosuch"]):
            self.assertEqual(run(ATTEST, "audit", *words).returncode, 2, words)


class Results(InAFolder):
    def test_the_papers_example_gets_every_kind_of_evidence(self):
        example = Example()
        self.assertEqual((example.done.returncode, example.done.stderr), (0, ""))
        case = example.case
        self.assertLessEqual(AUDIT_FIELDS, set(case["audit"]))
        self.assertEqual(case["audit"]["shape"], {"n": 1, "T": [3], "d": 3})
        self.assertEqual(case["audit"]["selections"][0], {"selection": [0], "why": "the largest scores under v; the largest label margin"})
        for claim in ("assumption-a", "census", "p-svm", "v-svm", "joint-svm", "w-svm", "assumption-b", "overparametrised"):
            for entry in self.entries(case, claim):
                self.assertEqual((entry["verdict"], entry["grade"]), ("holds", "proved"), entry)
            self.assertTrue(self.entries(case, claim), claim)
        for claim in ("gd-global", "gd-local", "path", "cross-validation", "tightness", "joint-path", "derivatives", "step-size"):
            self.assertEqual({entry["verdict"] for entry in self.entries(case, claim)}, {"holds"}, claim)
        self.assertEqual([entry["parameters"].get("norm") for entry in self.entries(case, "w-svm")], [None, "nuclear"])
        self.assertEqual(case["audit"]["advice"], [])
        self.assertEqual(case["audit"]["skipped"], [])

    def test_a_tie_makes_theorems_inapplicable_and_the_advice_names_it(self):
        # Scores 1, 1 and 9/10.
        case = self.audit(write_case(self.folder, no_claims(tokens=[[["-0.1", 1, 1], [1, 0, 1], [0, 0, "0.9"]]])))
        (theorem,) = self.entries(case, "gd-global")
        self.assertEqual(theorem["verdict"], "inapplicable")
        self.assertTrue(theorem["passed"])
        advice = [one["message"] for one in case["audit"]["advice"] if "gd-global" in one["theorem"]]
        self.assertTrue(any("token 1 of sample 0 scores the same: change v" in message for message in advice), advice)

    def test_an_infeasible_selection_is_explained_by_its_rows(self):
        # The best token lies between the others: no direction singles it out.
        tokens = [[[0, 0, 1], [1, 0, 0], [-1, 0, 0]]]
        case = self.audit(write_case(self.folder, no_claims(tokens=tokens)))
        self.assertEqual(self.entries(case, "p-svm")[0]["verdict"], "fails")
        (message,) = [one["message"] for one in case["audit"]["advice"] if "path" in one["theorem"].split(", ")]
        self.assertIn("rows [0,1], [0,2] contradict each other", message)

    def test_the_headline_says_where_training_goes(self):
        audit = Example().case["audit"]
        self.assertTrue(audit["headline"].startswith("from 0: α*, proved; of 100 starts of radius 1: α* 100 %"), audit["headline"])
        self.assertEqual(audit["names"]["α*"], [0])
        self.assertEqual([one["start"] for one in audit["destinations"]][:2], ["0", 1])
        self.assertEqual(audit["destinations"][0], {"selection": [0], "name": "α*", "start": "0", "starts": 1, "share": 1, "grade": "proved"})
        self.assertEqual([one["norm"] for one in audit["expected"]], [5, 10, 100])
        self.assertIsNone(audit["change"])
        self.assertEqual({one["name"] for one in audit["expected"]}, {"α*"})
        rate = audit["rate"]
        for one in audit["expected"]:
            if one["norm"] >= rate["from_norm"]:
                self.assertLessEqual(one["seen_error"], one["bound"])
                self.assertAlmostEqual(one["bound"], rate["constant"] / one["norm"])

    def test_the_map_of_starts_is_part_of_an_audit(self):
        (entry,) = self.entries(Example().case, "basins")
        self.assertEqual((entry["verdict"], entry["grade"], entry["numbers"]["starts"]), ("holds", "proved", 121))
        self.assertEqual(entry["numbers"]["plane_of"], [])  # that of the keys
        wide = self.archive(X=npy((2, 3, 3), [1, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 2, 1, 1, 1, 0, -1, 0]), Y=Y, v=npy((3,), [1, 0, 0]))
        (entry,) = self.entries(self.audit(wide), "basins")
        self.assertEqual(entry["numbers"]["plane_of"][0], [0, 0], entry["message"])  # of the p^mm of selections

    def test_shares_of_starts_of_one_norm_are_of_all_of_them(self):
        # Token 1 is locally optimal too: some starts go there.
        case = self.audit(write_case(self.folder, no_claims(tokens=[[["-0.1", 1, 1], [1, 0, "0.9"], [0, 0, 0]]])))
        audit = case["audit"]
        self.assertEqual(audit["names"], {"α*": [0], "α1": [1], **{name: one for name, one in audit["names"].items() if name not in ("α*", "α1")}})
        for radius in (1, 10, 100):
            shares = [one for one in audit["destinations"] if one["start"] == radius]
            self.assertAlmostEqual(sum(one["share"] for one in shares), 1)
            for one in shares:
                self.assertEqual(one["selection"] is None, one["name"] == "undecided")
                (entry,) = [claim for claim in self.entries(case, "destinations") if str(claim["parameters"].get("radius")) == str(radius)]
                if one["selection"]:
                    (same,) = [found for found in entry["numbers"]["destinations"] if found["selection"] == one["selection"]]
                    self.assertEqual((same["share"], same["grade"]), (one["share"], one["grade"]))
        self.assertIn("α1", {one["name"] for one in audit["destinations"]})

    def test_without_a_feasible_p_svm_it_says_what_happens_then(self):
        audit = self.audit(write_case(self.folder, no_claims(tokens=[[[0, 0, 1], [1, 0, 0], [-1, 0, 0]]])))["audit"]
        self.assertIn("no p prefers the tokens of α*", audit["without_svm"])
        self.assertIn("descent from 0: ", audit["without_svm"])
        both = [[[0, 0, 1], [1, 0, 0], [-1, 0, 0]], [[1, 1, 1], [0, 0, 0]]]
        audit = self.audit(write_case(self.folder, no_claims(tokens=both, labels=[1, 1])))["audit"]
        self.assertIn("without sample 0 one does: 1 of 2 samples, the largest part that was found", audit["without_svm"])
        self.assertEqual(Example().case["audit"]["without_svm"], "")

    def test_data_without_v_say_what_was_left_out(self):
        case = self.audit(self.archive(X=X, Y=Y))
        self.assertIn("v-svm", [entry["claim"] for entry in case["claims"]])
        left_out = {one["claim"]: one["reason"] for one in case["audit"]["skipped"]}
        for claim in ("gd-global", "path", "census", "assumption-a"):
            self.assertIn("needs v", left_out[claim])
        self.assertEqual(self.entries(case, "gd-global"), [])
        self.assertIn("without v", case["audit"]["headline"])
        self.assertEqual(case["audit"]["destinations"], [])

    def test_what_is_too_large_for_the_budget_is_said(self):
        numbers = [((7919 * k) % 1009) / 1009 - 0.5 for k in range(30 * 10 * 20)]
        data = self.archive(X=npy((30, 10, 20), numbers), Y=npy((30,), [1, -1] * 15, "<i8"))
        case = self.audit(data, "--budget", "2")
        left_out = {one["claim"]: one["reason"] for one in case["audit"]["skipped"]}
        self.assertIn("too large", left_out["assumption-b"])
        self.assertIn("--budget", left_out["assumption-b"])

    def test_lines_stay_within_80_columns_for_long_selections(self):
        data = self.archive(X=npy((40, 1, 2), [1, 2] * 40), Y=npy((40,), [1, -1] * 20, "<i8"), v=V)
        lines = run(ATTEST, "audit", data, "--verbose").stdout.splitlines()
        self.assertTrue(any("… 40 in all" in line for line in lines))
        self.assertEqual([line for line in lines if len(line) > 80], [])

    def test_claims_and_unknown_arrays_are_noted(self):
        case = self.audit(write_case(self.folder, small_case("small", [{"claim": "nonsense"}], tokens=[[[1, 2, 3]]])))
        self.assertIn("the claims of the case are not looked at", str(case["audit"]["sanity"]))
        case = self.audit(self.archive(**LONE, labels=Y))
        self.assertIn("the array labels of the archive is not looked at: known are X, Y, v, W, Z", str(case["audit"]["sanity"]))

    def test_two_audits_give_the_same_results(self):
        data = self.archive(X=X, Y=Y, v=V)
        first, second = (self.audit(data, "--jobs", jobs) for jobs in ("1", "3"))
        for case in (first, second):
            for entry in case["claims"]:
                del entry["seconds"]
        self.assertEqual(first, second)

    def test_another_seed_draws_other_points(self):
        data = self.archive(X=npy((1, 2, 2), [1, 0, 0, 1]), Y=LONE["Y"])
        first, other = (self.audit(data, "--seed", seed) for seed in ("0", "9"))
        self.assertNotEqual(self.entries(first, "derivatives")[0]["numbers"], self.entries(other, "derivatives")[0]["numbers"])

    def test_certificates_are_accepted(self):
        files = sorted((Example().folder / "proofs").glob("*.json"))
        self.assertGreaterEqual(len(files), 10)
        done = run(ATTEST_CHECK, *files)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_other_reports_are_written(self):
        for file in ("out.html", "out.xml"):
            self.assertIn("v-svm", (Example().folder / file).read_text(encoding="utf-8"))


class Printed(InAFolder):
    def test_one_screen_says_where_training_goes_and_which_theorems_hold(self):
        lines = Example().done.stdout.splitlines()
        self.assertTrue(all(len(line) <= 80 for line in lines), [line for line in lines if len(line) > 80])
        self.assertLessEqual(len(lines), 24)
        screen = "\n".join(lines)
        self.assertIn("1 sample of 3 tokens, d = 3", screen)
        self.assertIn("Where training goes\n  from 0: α*, proved\n  of 100 starts of radius 1: α* 100 %, proved\n", screen)
        self.assertRegex(" ".join(screen.split()), r"direction error to expect at norm 5, 10, 100 on the way to α\*: \S+, \S+, \S+ \(seen\); "
                         r"\S+, \S+, \S+ \(path\); at most \S+/norm from norm \S+ on \(proved\)")
        self.assertIn("  proved:        gd-global, gd-local, path", screen)
        self.assertIn("  α* = (0): the largest scores under v", screen)

    def test_verbose_prints_every_claim_with_its_evidence(self):
        done = run(ATTEST, "audit", self.archive(X=X, Y=Y, v=V), "--verbose")
        for part in ("Where training goes", "Assumptions", "Which selections are optimal", "Theorems", "Support vector machines", "Numerics"):
            self.assertIn(f"\n{part}\n", done.stdout)
        self.assertEqual([line for line in done.stdout.splitlines() if len(line) > 80], [])

    def test_colour_is_for_terminals_that_want_it(self):
        data = self.archive(**LONE)
        _, sent = run_on_terminal(ATTEST, "audit", data)
        self.assertIn("\x1b[1mWhere training goes\x1b[0m", sent)
        _, plain = run_on_terminal(ATTEST, "audit", data, env={"NO_COLOR": "1"})
        self.assertNotIn("\x1b[1m", plain)
        self.assertNotIn("\x1b", run(ATTEST, "audit", data).stdout)

    def test_claims_that_differ_in_a_parameter_are_told_apart(self):
        for name in ("mirror-descent q=3", "mirror-descent q=7/4", "joint-path over=support", "joint-path over=all"):
            self.assertIn(name, " ".join(Example().done.stdout.split()))
        titles = [(entry["label"], str(entry["selection"])) for entry in Example().case["claims"]]
        self.assertEqual(len(set(titles)), len(titles), titles)

    def test_standard_output_holds_what_is_sent_there_and_nothing_else(self):
        data = self.archive(**LONE)
        done = run(ATTEST, "audit", data, "--json", "-")
        self.assertEqual((done.returncode, json.loads(done.stdout)["cases"][0]["name"]), (0, "data"))
        self.assertIn("1 sample of 1 token", done.stderr)
        done = run(ATTEST, "audit", data, "--save-case", "-", cwd=self.folder)
        self.assertEqual(json.loads(done.stdout)["tokens"], {"file": "data.npz", "array": "X"})
        self.assertFalse((self.folder / "-").exists())

    def test_quiet_prints_nothing_when_all_ended_well(self):
        done = run(ATTEST, "audit", self.archive(**LONE), "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


class SavedCases(InAFolder):
    def saved(self, data, *words):
        target = self.folder / "saved.json"
        self.audit(data, "--save-case", target, *words)
        return target

    def check_passes(self, target):
        done = run(ATTEST, "verify", target)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(target.read_text(encoding="utf-8"))

    def test_verify_passes_on_what_was_saved(self):
        cases = SOURCE / "cases"
        self.assertGreater(len(self.check_passes(Example().saved)["claims"]), 20)
        for data in (self.archive(X=X, Y=Y, v=V), self.archive("noheads.npz", X=X, Y=Y, Z=npy((2, 2), [1, 0, 1, 1])),
                     cases / "joint" / "relaxed.json", cases / "selections" / "infeasible.json", cases / "losses" / "hinge.json"):
            with self.subTest(data=str(data)):
                saved = self.check_passes(self.saved(data))
                self.assertGreater(len(saved["claims"]), 5)
                self.assertNotIn("undecided", [claim["expect"] for claim in saved["claims"]])

    def test_verify_fails_when_the_data_change(self):
        case = json.loads(Example().saved.read_text(encoding="utf-8"))
        case["v"] = [1, 0, 0]
        self.assertEqual(run(ATTEST, "verify", write_case(self.folder, case)).returncode, 1)

    def verify(self, case):
        """The one case of the results, and what was printed."""
        file = self.folder / "verified.json"
        done = run(ATTEST, "verify", write_case(self.folder, case, "changed.json"), "--json", file, "--junit", self.folder / "verified.xml",
                   "--markdown", self.folder / "verified.md", "--html", self.folder / "verified.html")
        found = json.loads(file.read_text(encoding="utf-8"))
        self.assertEqual(done.returncode, 1 if found["summary"]["failed"] else 0, done.stderr)
        return found, done.stdout

    def kept(self, *claims):
        """The example's saved case, with these claims of it."""
        case = json.loads(Example().saved.read_text(encoding="utf-8"))
        case["claims"] = [claim for claim in case["claims"] if claim["claim"] in claims]
        return case

    def test_exact_numbers_are_pinned(self):
        claims = {claim["claim"]: claim for claim in self.kept("p-svm", "v-svm", "census", "locally-optimal", "globally-optimal", "assumption-b")["claims"]}
        self.assertEqual((claims["p-svm"]["objective"], claims["p-svm"]["support"]), ("50/101", [[0, 2]]))
        self.assertEqual(claims["v-svm"]["support"], [[0]])
        self.assertEqual((claims["census"]["count"], claims["census"]["selections"]), (1, [[0]]))
        self.assertEqual(claims["locally-optimal"]["neighbours"], claims["p-svm"]["support"])
        self.assertEqual(claims["globally-optimal"]["selection"], [0])
        if claims["assumption-b"]["expect"] == "holds":
            self.assertGreater(float(claims["assumption-b"]["nu_lower"]), 0)

    def test_the_pinned_data_are_those_of_the_documented_text(self):
        text = "3 3\n-1/10\n1\n1\n1\n0\n9/10\n0\n0\n9/10\n"
        self.assertEqual(self.kept()["data_sha256"]["tokens"], hashlib.sha256(text.encode()).hexdigest())

    def test_twice_the_tokens_are_other_data_and_have_other_objectives(self):
        case = self.kept("p-svm", "locally-optimal")
        case["tokens"] = [[[str(2 * fractions.Fraction(str(x))) for x in token] for token in sample] for sample in case["tokens"]]
        found, printed = self.verify(case)
        (entry,) = found["cases"]
        self.assertEqual(entry["data_changed"], ["tokens"])
        self.assertIn("the data changed since the audit: tokens", printed)
        wrong = [claim for claim in entry["claims"] if not claim["passed"]]
        self.assertEqual({claim["claim"] for claim in wrong}, {"p-svm"})
        self.assertIn("not 50/101", wrong[0]["message"])
        self.assertEqual(found["summary"]["failed"], len(wrong) + 1)
        for file in ("verified.xml", "verified.md", "verified.html"):
            self.assertIn("the data changed since the audit: tokens", (self.folder / file).read_text(encoding="utf-8"), file)
        self.assertEqual(run(ATTEST, "report", self.folder / "verified.json").returncode, 0)

    def test_a_change_that_no_verdict_sees_is_seen(self):
        case = self.kept("locally-optimal")
        case["v"] = [0, 0, 2]
        found, printed = self.verify(case)
        self.assertEqual((found["cases"][0]["data_changed"], found["summary"]), (["v"], {"passed": 1, "failed": 1}))
        self.assertIn("the data changed since the audit: v", printed)

    def test_the_same_numbers_written_otherwise_are_the_same_data(self):
        case = self.kept("locally-optimal")
        case["v"] = ["0/3", 0.0, "2/2"]
        found, _ = self.verify(case)
        self.assertNotIn("data_changed", found["cases"][0])
        self.assertEqual(found["summary"], {"passed": 1, "failed": 0})

    def test_the_checkers_take_a_saved_case(self):
        case = write_case(self.folder, self.kept("p-svm"), "kept.json")
        proofs = self.folder / "proofs"
        self.assertEqual(run(ATTEST, "verify", case, "--certificates", proofs).returncode, 0)
        for checker in ([ATTEST_CHECK], [sys.executable, "-B", SOURCE / "scripts" / "check_certificate.py"]):
            done = run(*checker, *proofs.iterdir(), "--case", case)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_an_archive_is_named_not_copied(self):
        target = self.saved(self.archive(**LONE))
        self.assertEqual(json.loads(target.read_text(encoding="utf-8"))["tokens"], {"file": "data.npz", "array": "X"})

    def test_numbers_stay_exact(self):
        target = Example().saved
        self.assertEqual(json.loads(target.read_text(encoding="utf-8"))["tokens"][0][0], ["-1/10", 1, 1])


def main():
    global ATTEST, ATTEST_CHECK, SOURCE
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    ATTEST, ATTEST_CHECK = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    SOURCE = pathlib.Path(sys.argv[3]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)


if __name__ == "__main__":
    main()
