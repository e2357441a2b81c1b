#!/usr/bin/env python3
"""check_track.py ATTEST ATTEST_CHECK PYTHON_CHECKER: attest track, the claim trajectory, and runs that descent writes."""

import json
import math
import pathlib
import sys
import tempfile
import unittest
import zipfile

from make_bad import npy, npz
from support import run, small_case, write_case

ATTEST, ATTEST_CHECK, PYTHON_CHECKER = "", "", ""

# Token 0 scores 1, token 1 scores 0.9, token 2 scores 0; keys are the first two coordinates. Tokens 0 and 1 are locally optimal.
TOKENS = [[["-0.1", 1, 1], [1, 0, "9/10"], [0, 0, 0]]]
KEYS, SCORES = [(-0.1, 1.0), (1.0, 0.0), (0.0, 0.0)], [1.0, 0.9, 0.0]
# p^mm of token 0, by hand: the nearest point of the halfplane (-0.1, 1).p >= 1, at which the other row is slack; of token 1 likewise.
P_MM = {0: (-0.1 / 1.01, 1 / 1.01), 1: (1.0, 0.0)}


def data(**more):
    case = small_case("small", [], tokens=TOKENS, **more)
    del case["claims"]
    return case


def direction_error(a, b):
    return math.hypot(*(x / math.hypot(*a) - y / math.hypot(*b) for x, y in zip(a, b)))


def attention(p):
    logits = [k[0] * p[0] + k[1] * p[1] for k in KEYS]
    weights = [math.exp(x - max(logits)) for x in logits]
    return [w / sum(weights) for w in weights]


def loss(p):
    return math.log1p(math.exp(-sum(s * gamma for s, gamma in zip(attention(p), SCORES))))


def excess(p, best=0):
    """L - L* without cancellation: the gap of the scores first."""
    gap = sum(s * (SCORES[best] - gamma) for s, gamma in zip(attention(p), SCORES))
    return math.log1p(math.expm1(gap) / (1 + math.exp(SCORES[best])))


def path_point(radius):
    """The minimiser of the loss on a circle: a grid of angles, then golden sections."""
    at = lambda angle: (radius * math.cos(angle), radius * math.sin(angle))
    best = min((2 * math.pi * k / 2000 for k in range(2000)), key=lambda angle: excess(at(angle)))
    low, high = best - 0.01, best + 0.01
    for _ in range(80):
        third = (high - low) * 0.381966
        if excess(at(low + third)) < excess(at(high - third)):
            high = high - third
        else:
            low = low + third
    return at((low + high) / 2)


def along(direction, norms):
    """Checkpoints on a ray, as rows of three numbers."""
    length = math.hypot(*direction)
    return [[norm * x / length for x in direction] + [0.0] for norm in norms]


def p_array(rows, descr="<f8"):
    return npy((len(rows), len(rows[0])), [x for row in rows for x in row], descr)


class InAFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.data = write_case(self.folder, data())

    def archive(self, name="run.npz", **arrays):
        path = self.folder / name
        path.write_bytes(npz(**arrays))
        return path

    def track(self, run_file, *words, code=0, data_file=None):
        """The claim of the results, and what was printed."""
        out = self.folder / "out.json"
        done = run(ATTEST, "track", data_file or self.data, run_file, "--json", out, *words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        (case,) = json.loads(out.read_text(encoding="utf-8"))["cases"]
        (claim,) = case["claims"]
        return claim, done.stdout

    def refused(self, run_file, *parts, data_file=None):
        out = self.folder / "out.json"
        done = run(ATTEST, "track", data_file or self.data, run_file, "--json", out)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        for part in (*parts, pathlib.Path(run_file).name):
            self.assertIn(part, done.stderr)
        self.assertFalse(out.exists())


class Verdicts(InAFolder):
    def test_a_run_to_the_best_token_is_proved_and_both_checkers_agree(self):
        file = self.archive(p=p_array(along(P_MM[0], [1, 5, 20, 40])), step=npy((4,), [0, 10, 20, 30], "<i8"))
        claim, text = self.track(file, "--certificates", self.folder / "proofs")
        self.assertEqual((claim["verdict"], claim["grade"], claim["numbers"]["heads_for"]), ("holds", "proved", [0]))
        self.assertTrue(text.startswith("holds, proved: heads for α* = (0), the largest scores"), text)
        self.assertIn(claim["numbers"]["certain_from"], range(4))
        for checker in ([ATTEST_CHECK], [sys.executable, PYTHON_CHECKER]):
            done = run(*checker, claim["certificate"], "--case", self.data)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("accepted", done.stdout)

    def test_a_run_to_the_other_token_heads_there(self):
        claim, text = self.track(self.archive(p=p_array(along(P_MM[1], [1, 5, 20, 40]))))
        self.assertEqual((claim["verdict"], claim["numbers"]["heads_for"], claim["numbers"]["best"]), ("holds", [1], [0]))
        self.assertIn("heads for (1), not α* = (0), the largest scores", " ".join(text.split()))

    def test_a_run_that_no_longer_grows_is_told_so_and_not_that_its_norm_is_small(self):
        rows = along((1.0, 0.9), [0, 0.5, 1, 1.2, 1.25, 1.25, 1.25, 1.25, 1.25, 1.25])
        claim, text = self.track(self.archive(p=p_array(rows)), code=1)
        self.assertEqual((claim["verdict"], claim["grade"]), ("undecided", "observed"))
        self.assertIn("no longer grows", " ".join(text.split()))
        growing, _ = self.track(self.archive("other.npz", p=p_array(along((1.0, 0.9), [0.1 * k for k in range(10)]))), code=1)
        self.assertNotIn("no longer grows", growing["message"])

    def test_one_checkpoint_does_not_say_where_a_run_goes_unless_that_is_proved(self):
        claim, _ = self.track(self.archive(p=p_array(along((1.0, 0.9), [0.4]))), code=1)
        self.assertIn("one checkpoint does not say where it goes", claim["message"])

    def test_a_run_that_moves_away_again_is_told_so_though_its_limit_is_proved(self):
        away = along(P_MM[0], [5, 20, 40]) + [[10.0, 45.0, 0.0], [20.0, 50.0, 0.0]]
        claim, _ = self.track(self.archive(p=p_array(away), step=npy((5,), [0, 10, 20, 30, 40], "<i8")))
        self.assertEqual((claim["verdict"], claim["grade"]), ("holds", "proved"))
        self.assertRegex(claim["message"], r"since step \d+, where its error was .*, the run itself moves away from p\^mm")
        straight, _ = self.track(self.archive("other.npz", p=p_array(along(P_MM[0], [5, 20, 40]))))
        self.assertNotIn("moves away", straight["message"])

    def test_a_run_that_must_reach_another_token_fails(self):
        self.archive(p=p_array(along(P_MM[1], [1, 5, 20, 40])))
        for reaches, code, verdict in (([0], 1, "fails"), ([1], 0, "holds")):
            claim = {"claim": "trajectory", "run": {"file": "run.npz"}, "reaches": reaches}
            file = write_case(self.folder, {**data(), "claims": [claim]}, "case.json")
            out = self.folder / "verified.json"
            done = run(ATTEST, "verify", file, "--json", out)
            self.assertEqual(done.returncode, code, done.stdout)
            (found,) = json.loads(out.read_text(encoding="utf-8"))["cases"][0]["claims"]
            self.assertEqual((found["verdict"], found["grade"]), (verdict, "proved"))
            self.assertEqual(found["parameters"], {"reaches": reaches, "run": {"file": "run.npz"}})

    def test_a_run_of_small_norm_is_undecided_and_says_what_to_expect(self):
        rows = [[0.02, -0.6, 0.0], [0.03, -0.61, 0.0], [0.05, -0.62, 0.0]]
        claim, text = self.track(self.archive(p=p_array(rows)), code=1)
        self.assertEqual((claim["verdict"], claim["numbers"]["heads_for"], claim["numbers"]["certain_from"]), ("undecided", None, None))
        self.assertIn("too small to tell", " ".join(text.split()))

    def test_a_run_aside_of_the_direction_is_not_called_heading_there(self):
        turned = along((P_MM[1][0], P_MM[1][1] + 0.6), [1, 10, 20, 40])
        claim, _ = self.track(self.archive(p=p_array(turned), v=p_array([[0.0, 0.0, 1.0 + 1e-9]] * 4)), code=1)
        self.assertEqual((claim["verdict"], claim["grade"]), ("undecided", "observed"))

    def test_one_checkpoint_is_enough_for_a_proof_and_for_nothing_else(self):
        claim, _ = self.track(self.archive(p=p_array(along(P_MM[0], [30]))))
        self.assertEqual((claim["verdict"], claim["grade"], claim["numbers"]["certain_from"]), ("holds", "proved", 0))

    def test_a_head_that_moves_is_taken_from_the_last_checkpoint_and_proves_nothing(self):
        rows = along(P_MM[1], [1, 5, 20, 40])
        heads = p_array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.5], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
        claim, text = self.track(self.archive(p=p_array(rows), v=heads))
        self.assertEqual((claim["grade"], claim["numbers"]["v"], claim["numbers"]["certain_from"]), ("observed", "last checkpoint", None))
        self.assertEqual(claim["numbers"]["best"], [1])
        self.assertIn("v is that of the last checkpoint", " ".join(text.split()))

    def test_a_head_that_is_that_of_the_data_changes_nothing(self):
        rows = along(P_MM[0], [1, 5, 20, 40])
        with_head, _ = self.track(self.archive(p=p_array(rows), v=p_array([[0.0, 0.0, 1.0]] * 4)))
        without, _ = self.track(self.archive(p=p_array(rows)))
        with_head["seconds"] = without["seconds"]
        self.assertEqual(with_head, without)


class Numbers(InAFolder):
    def test_checkpoints_are_as_computed_apart(self):
        rows = [[0.3, 0.8, 0.7], [-0.2, 2.5, -0.7], [-0.5, 6.0, 0.2], [-1.1, 11.5, 0.0]]
        claim, _ = self.track(self.archive(p=p_array(rows), step=npy((4,), [0, 0.5, 2, 4])))
        checkpoints = claim["numbers"]["checkpoints"]
        self.assertEqual([one["step"] for one in checkpoints], [0, 0.5, 2, 4])
        for row, one in zip(rows, checkpoints):
            self.assertAlmostEqual(one["norm"], math.hypot(*row), delta=1e-12)
            self.assertAlmostEqual(one["loss"], loss(row), delta=1e-12)
            self.assertAlmostEqual(one["log_excess"], math.log(excess(row)), delta=1e-9)
            self.assertEqual(one["selection"], [max(range(3), key=lambda t: attention(row)[t])])
            self.assertAlmostEqual(one["attention"], max(attention(row)), delta=1e-12)
            self.assertAlmostEqual(one["direction_error"], direction_error(row, (*P_MM[0], 0.0)), delta=1e-12)
            self.assertEqual(one["best_error"], one["direction_error"])
            self.assertAlmostEqual(one["path_error"], direction_error(path_point(math.hypot(*row)), P_MM[0]), delta=1e-6)

    def test_the_loss_is_true_where_softmax_is_1_in_doubles(self):
        claim, _ = self.track(self.archive(p=p_array(along(P_MM[0], [100, 1000, 5000]))))
        for one in claim["numbers"]["checkpoints"]:
            # L - L* = -l'(1) (1 - s) (1 - 0) with 1 - s = e^-(lead): both rows, the tight one dominates.
            lead = one["norm"] * math.hypot(0.1, 1)
            self.assertAlmostEqual(one["log_excess"], math.log(1 / (1 + math.e)) - lead, delta=1e-6 * lead)

    def test_a_thousand_checkpoints_of_many_are_looked_at(self):
        rows = along(P_MM[0], [1 + 0.02 * k for k in range(2500)])
        claim, text = self.track(self.archive(p=p_array(rows)))
        indices = [one["checkpoint"] for one in claim["numbers"]["checkpoints"]]
        self.assertEqual((len(indices), indices[0], indices[-1]), (1000, 0, 2499))
        self.assertLess(len(text.splitlines()), 40)

    def test_nothing_is_wider_than_80_columns(self):
        rows = [[1e-9 * x for x in row] for row in along((1, 1), [1, 2])] + along(P_MM[0], [1e4, 1e5])
        _, text = self.track(self.archive(p=p_array(rows), step=npy((4,), [0, 1, 1e6, 123456789])))
        self.assertLessEqual(max(map(len, text.splitlines())), 80, text)


class Weights(InAFolder):
    def setUp(self):
        super().setUp()
        case = {"name": "pair", "tokens": [[[1, 0, 1], [0, 0, 0]], [[-2, 1, 1], [0, 0, 0]]], "labels": [1, 1], "v": [0, 0, 1],
                "queries": [[1, 0, 0], [1, 0, 0]]}
        self.data = write_case(self.folder, case)
        # min |w| with w1 + w3 >= 1 and -2 w1 + w2 + w3 >= 1: both tight, w = (0, 0, 1) + (a combination that is orthogonal to the rest).
        gram = [[2, -1], [-1, 6]]
        determinant = 11
        first, second = (6 + 1) / determinant, (2 + 1) / determinant
        self.solution = [first - 2 * second, second, first + second]
        self.assertAlmostEqual(gram[0][0] * first + gram[0][1] * second, 1)

    def matrices(self, norms):
        return [[[norm * x, 0.0, 0.0] for x in self.solution] for norm in norms]

    def test_a_run_over_w_is_judged_by_the_w_svm(self):
        flat = [x for one in self.matrices([1, 8, 16, 32]) for row in one for x in row]
        claim, _ = self.track(self.archive(W=npy((4, 3, 3), flat)))
        self.assertEqual((claim["verdict"], claim["numbers"]["trained"], claim["numbers"]["heads_for"]), ("holds", "W", [0, 0]))
        self.assertLess(claim["numbers"]["direction_error"], 1e-12)

    def test_a_run_over_factors_is_their_product_and_is_observed(self):
        keys = [x for norm in [1, 8, 16, 32] for value in self.solution for x in (norm * value, 0.0)]
        queries = [x for _ in range(4) for row in ((1.0, 0.0), (0.0, 0.0), (0.0, 0.0)) for x in row]
        claim, _ = self.track(self.archive(K=npy((4, 3, 2), keys), Q=npy((4, 3, 2), queries)))
        self.assertEqual((claim["verdict"], claim["grade"], claim["numbers"]["trained"]), ("holds", "observed", "K, Q"))
        self.assertLess(claim["numbers"]["direction_error"], 1e-4)


class BadRuns(InAFolder):
    def test_runs_that_are_none(self):
        nan = float("nan")
        good = p_array(along(P_MM[0], [1, 2]))
        for arrays, parts in [
            ({}, ("no arrays", "exactly one of p", "numpy.savez")),
            ({"q": good}, ("the arrays q", "exactly one of p")),
            ({"p": good, "W": npy((2, 3, 3), [0] * 18)}, ("exactly one of p",)),
            ({"p": npy((2, 2), [1, 2, 3, 4])}, (": p: found shape (2, 2)", "shape (steps, 3)", "numpy.savez")),
            ({"p": npy((3,), [1, 2, 3])}, (": p: found shape (3,)",)),
            ({"p": npy((0, 3), [])}, (": p: found shape (0, 3)",)),
            ({"p": npy((2, 3), [1, 2, 3, 4, nan, 6])}, (": p: found nan at [1][1]", "finite numbers")),
            ({"W": npy((2, 9), [0] * 18)}, (": W: found shape (2, 9)", "(steps, 3, 3)")),
            ({"K": npy((2, 3, 2), [0] * 12)}, (": Q: found no such array",)),
            ({"K": npy((2, 3, 2), [0] * 12), "Q": npy((2, 3, 1), [0] * 6)}, (": Q: found shape (2, 3, 1)", "(2, 3, 2)")),
            ({"p": good, "v": npy((1, 3), [1, 2, 3])}, (": v: found shape (1, 3)", "(2, 3)")),
            ({"p": good, "step": npy((3,), [1, 2, 3])}, (": step: found shape (3,)",)),
            ({"p": good, "step": npy((2,), [1, 1])}, (": step: found no ascent from [0]",)),
        ]:
            with self.subTest(parts=parts):
                self.refused(self.archive(**arrays), *parts)

    def test_a_run_without_any_head_is_refused_and_one_with_its_own_is_not(self):
        headless = data()
        del headless["v"]
        file = write_case(self.folder, headless, "headless.json")
        rows = along(P_MM[0], [1, 20, 40])
        self.refused(self.archive(p=p_array(rows)), ": v: found no such array, and no v in the data", data_file=file)
        claim, _ = self.track(self.archive(p=p_array(rows), v=p_array([[0.0, 0.0, 1.0]] * 3)), data_file=file)
        self.assertEqual(claim["numbers"]["v"], "last checkpoint")

    def test_files_that_are_no_archives(self):
        self.refused(self.folder / "nosuch.npz", "no such file")
        garbage = self.folder / "garbage.npz"
        garbage.write_bytes(b"PK nothing")
        self.refused(garbage, "found")

    def test_an_output_that_would_replace_the_run_is_refused(self):
        file = self.archive(p=p_array(along(P_MM[0], [1, 2])))
        before = file.read_bytes()
        done = run(ATTEST, "track", self.data, file, "--html", file)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("is read", done.stderr)
        self.assertEqual(file.read_bytes(), before)

    def test_a_claim_with_a_bad_run_names_the_place(self):
        for value, parts in (({"file": "nosuch.npz"}, ("$.claims[0].run", "no such file (nosuch.npz)")), ({"fiel": "a"}, ("did you mean file?",)),
                             ("run.npz", ("$.claims[0].run", 'found "run.npz"'))):
            file = write_case(self.folder, {**data(), "claims": [{"claim": "trajectory", "run": value}]}, "case.json")
            done = run(ATTEST, "verify", file)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            for part in parts:
                self.assertIn(part, done.stderr)


class Traces(InAFolder):
    def case(self, *claims):
        return write_case(self.folder, {**data(), "claims": list(claims)}, "descent.json")

    def descend(self, file, *words, code=0):
        out = self.folder / "descent-out.json"
        done = run(ATTEST, "verify", file, "--json", out, *words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(out.read_text(encoding="utf-8"))["cases"][0]["claims"]

    def test_a_run_that_descent_writes_is_judged_as_descent_judges_it(self):
        for start in ([0, 1, 0], [0, -1.5, 0]):
            trace = self.folder / "trace.npz"
            file = self.case({"claim": "descent", "starts": [start], "step": 0.1, "iterations": 1000})
            (descent,) = self.descend(file, "--trace", trace)
            claim, _ = self.track(trace, data_file=file)
            (one,) = descent["numbers"]["runs"]
            self.assertEqual((claim["verdict"], claim["numbers"]["heads_for"]), (descent["verdict"], one["selection"]))
            self.assertEqual([point["step"] for point in claim["numbers"]["checkpoints"]], one["trace"]["iteration"])
            for mine, theirs in (("norm", "norm"), ("log_excess", "log_excess"), ("direction_error", "direction_error")):
                for point, value in zip(claim["numbers"]["checkpoints"], one["trace"][theirs]):
                    self.assertAlmostEqual(point[mine], value, delta=1e-10 * max(1, abs(value)))

    def test_a_short_run_that_descent_leaves_open_is_open(self):
        trace = self.folder / "trace.npz"
        file = self.case({"claim": "descent", "starts": [[0, "-0.7", 0]], "step": "0.001", "iterations": 20, "expect": "undecided"})
        (descent,) = self.descend(file, "--trace", trace)
        claim, _ = self.track(trace, data_file=file, code=1)
        self.assertEqual((claim["verdict"], descent["verdict"]), ("undecided", "undecided"))

    def test_the_file_is_an_archive_that_others_read(self):
        trace = self.folder / "trace.npz"
        self.descend(self.case({"claim": "descent", "iterations": 100}), "--trace", trace)
        with zipfile.ZipFile(trace) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(), ["p.npy", "step.npy"])
            header = archive.read("p.npy")[:128]
        self.assertTrue(header.startswith(b"\x93NUMPY\x01\x00"))
        self.assertEqual((header.index(b"\n") + 1) % 64, 0)
        self.assertIn(b"'descr': '<f8', 'fortran_order': False, 'shape': (", header)

    def test_each_start_has_its_file(self):
        trace = self.folder / "trace.npz"
        self.descend(self.case({"claim": "descent", "starts": [[0, 1, 0], [0, -1.5, 0]], "iterations": 1000}), "--trace", trace)
        found = [self.track(self.folder / name)[0]["numbers"]["heads_for"] for name in ("trace.npz", "trace-1.npz")]
        self.assertEqual(found, [[0], [1]])

    def test_traces_that_cannot_be(self):
        one = {"claim": "descent", "iterations": 10, "expect": "undecided"}
        for claims, words, part in [
            ([{"claim": "census"}], ("trace.npz",), "found 0 claims `descent`"),
            ([one, {**one, "iterations": 20}], ("trace.npz",), "found 2 claims `descent`"),
            ([one], ("trace.npy",), "a file named .npz"),
            ([one], ("nosuch/trace.npz",), "nosuch"),
        ]:
            done = run(ATTEST, "verify", self.case(*claims), "--trace", self.folder / words[0])
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(part, done.stderr)
            self.assertFalse((self.folder / "trace.npz").exists())


class Outputs(InAFolder):
    def test_all_reports_are_written(self):
        file = self.archive(p=p_array(along(P_MM[0], [1, 5, 20, 40])))
        targets = {flag: self.folder / f"out.{flag}" for flag in ("html", "markdown", "junit")}
        done = run(ATTEST, "track", self.data, file, "--quiet", *[word for flag, target in targets.items() for word in (f"--{flag}", target)])
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        for target in targets.values():
            self.assertIn("trajectory", target.read_text(encoding="utf-8"))


if __name__ == "__main__":
    ATTEST, ATTEST_CHECK, PYTHON_CHECKER = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
    unittest.main(verbosity=2)
