#!/usr/bin/env python3
"""The rules of scripts/check_certificate.py for limits of descent, stationary points and first steps: certificates made by hand, and
for each clause one that fails at it alone.

usage: check_descent_rules.py PYTHON_CHECKER [UNITTEST ARGUMENT...]
"""

from __future__ import annotations

import copy
import importlib.util
import json
import math
import random
import sys
import unittest
from decimal import Decimal, localcontext
from fractions import Fraction
from types import ModuleType
from typing import Any

checker: ModuleType


def load_checker(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_certificate", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_certificate"] = module
    spec.loader.exec_module(module)
    return module


# Three samples whose rows are (1,1,0), (1,-1,0) and (2,0,1): w = (1,0,0), of which the first two rows are the support.
ROWS = [[["1", "1", "0"]], [["1", "-1", "0"]], [["2", "0", "1"]]]
HALVES = [[0, 1, "1/2"], [1, 1, "1/2"]]
LOSS = {"interval": ["-3", "3"], "slope_sup": "-1/25", "m0": "1/4", "m1": "1", "cuts": ["-1", "0", "1"]}


def negative(x: str) -> str:
    return str(-Fraction(x))


def problem(rows: list[list[list[str]]] = ROWS, v: tuple[str, ...] = ("1", "0", "0"), **more: Any) -> dict[str, Any]:
    """Token 0 of each sample is 0 and selected; the others are minus its rows."""
    tokens = [[["0"] * len(v), *([negative(x) for x in row] for row in sample)] for sample in rows]
    return {"tokens": tokens, "labels": [1] * len(tokens), "v": list(v), "loss": "logistic", **more}


def certificate(claim: str, data: dict[str, Any], statement: dict[str, Any], witness: dict[str, Any]) -> dict[str, Any]:
    whole = {"attest_certificate": 1, "claim": claim, "problem": data, "statement": statement, "witness": witness}
    return copy.deepcopy(whole)


def changed(whole: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """With what the keys name put in place; a key with two underscores goes a level down."""
    result = copy.deepcopy(whole)
    for name, value in changes.items():
        *path, key = name.split("__")
        place = result
        for part in path:
            place = place[part]
        place[key] = value
    return result


def without(whole: dict[str, Any], part: str, key: str) -> dict[str, Any]:
    result = copy.deepcopy(whole)
    del result[part][key]
    return result


class Rules(unittest.TestCase):
    def accepts(self, whole: dict[str, Any]) -> None:
        try:
            found = checker.check_certificate(json.dumps(whole).encode())
        except checker.Rejected as why:
            self.fail(f"rejected: {why}")
        self.assertEqual(found, (whole["statement"]["kind"], whole["claim"]))

    def rejects(self, whole: dict[str, Any], why: str) -> None:
        with self.assertRaises(checker.Rejected) as caught:
            checker.check_certificate(json.dumps(whole).encode())
        self.assertIn(why, str(caught.exception))


def descent(kind: str, method: str) -> tuple[dict[str, Any], dict[str, Any]]:
    statement = {"kind": kind, "over": "p", "selection": [0, 0, 0], "method": method, "start": ["20", "1/4", "0"], "iterations": 0}
    if method != "flow":
        statement["step"] = "1/10"
    return statement, {"lambda": HALVES, "loss": LOSS, "bits": 128}


def cone(method: str = "normalised", data: dict[str, Any] | None = None) -> dict[str, Any]:
    statement, witness = descent("descent-cone", method)
    statement["rate"] = "3/4"
    witness["rho"] = "1/2"
    if method != "flow":
        witness["spectral"] = "11/10"
    return certificate("descent", data or problem(), statement, witness)


def basin(method: str = "constant", data: dict[str, Any] | None = None) -> dict[str, Any]:
    return certificate("gd-local", data or problem(), *descent("descent-basin", method))


def wedge(method: str = "normalised", data: dict[str, Any] | None = None) -> dict[str, Any]:
    statement, witness = descent("descent-wedge", method)
    return certificate("tightness", data or problem(), statement, {**witness, "delta": "1/5"})


def over_weights(whole: dict[str, Any]) -> dict[str, Any]:
    """The same certificate for matrices: with every query (1,0,0) the first column of a matrix is p."""
    columns = [[x, "0", "0"] for x in whole["statement"]["start"]]
    return changed(whole, claim="w-gd", problem__queries=[["1", "0", "0"]] * 3, statement__over="W", statement__start=columns)


class CommonFields(Rules):
    def test_each_method_is_accepted(self) -> None:
        for method in ("constant", "normalised", "flow"):
            self.accepts(cone(method))

    def test_a_step_goes_with_steps_alone(self) -> None:
        self.rejects(changed(cone("flow"), statement__step="1/10"), "statement: unknown key 'step'")
        self.rejects(without(cone(), "statement", "step"), "statement: key 'step' is missing")
        self.rejects(changed(cone(), statement__step="0"), "statement.step: not positive")
        self.rejects(changed(cone(), statement__method="heavy-ball"), "statement.method")

    def test_pieces_of_a_flow_have_a_length(self) -> None:
        pieces = {"statement__iterations": 3, "statement__step": "1/64"}
        for whole in (cone("flow"), basin("flow"), wedge("flow")):
            self.accepts(changed(whole, **pieces))
            self.rejects(changed(whole, statement__iterations=3), "statement: key 'step' is missing")
            self.rejects(changed(whole, statement__step="1/64"), "statement: unknown key 'step'")
            self.rejects(changed(whole, **{**pieces, "statement__step": "0"}), "statement.step: not positive")
            self.accepts(over_weights(whole))
            self.rejects(changed(over_weights(whole), **pieces), "statement.iterations: over W 0 is due for flow")

    def test_over_goes_with_the_claim(self) -> None:
        self.rejects(changed(cone(), claim="w-gd"), "statement.over: w-gd goes with 'W'")
        self.rejects(changed(over_weights(cone()), claim="descent"), "statement.over: descent goes with 'p'")
        self.rejects(changed(cone(), statement__over="q"), "statement.over: 'p' or 'W' is due")

    def test_zero_has_a_short_name_and_null_is_no_start(self) -> None:
        far = changed(basin(), statement__start="0", statement__iterations=0)
        self.rejects(far, "clause 4")
        self.accepts(changed(far, statement__iterations=60, statement__step="1"))
        self.rejects(changed(cone(), statement__start=None), "statement.start: null is not allowed")

    def test_work_and_bits_are_bounded(self) -> None:
        self.rejects(changed(cone(), statement__iterations=2**23), "refused: too much work")
        self.rejects(changed(cone(), witness__bits=63), "witness.bits")
        self.rejects(changed(cone(), witness__bits=2**15 + 1), "witness.bits")

    def test_the_loss_block_is_checked(self) -> None:
        self.rejects(changed(cone(), witness__loss__m0="1/5"), "witness.loss: the curvature")
        self.rejects(changed(cone(), witness__loss__m1="1/2"), "witness.loss: the slope is not proved to be at most m1")
        self.rejects(changed(cone(), witness__loss__slope_sup="-1/2"), "witness.loss: the slope is not proved to be at most slope_sup")
        self.rejects(changed(cone(), witness__loss__slope_sup="0"), "witness.loss: slope_sup is not negative")
        self.rejects(changed(cone(), witness__loss__interval=["-1", "3"], witness__loss__cuts=[]), "witness.loss: a score lies outside")
        self.rejects(changed(cone(), witness__loss__cuts=["0", "0"]), "witness.loss: cuts: not strictly increasing")

    def test_the_multipliers_must_solve_the_svm(self) -> None:
        self.rejects(changed(cone(), witness__lambda=[]), "witness.lambda: empty")
        self.rejects(changed(cone(), witness__lambda=[[0, 1, "1/2"], [1, 1, "1/3"]]), "is violated")
        self.rejects(changed(cone(), witness__lambda=[[0, 1, "1/2"], [1, 1, "1"]]), "has a multiplier but is not tight")
        self.rejects(changed(cone(), witness__lambda=[*HALVES, [2, 1, "1"]]), "has a multiplier but is not tight")

    def test_scores_are_due(self) -> None:
        self.rejects(without(cone(), "problem", "v"), "no v")


class Cone(Rules):
    def test_it_closes_also_after_steps_and_over_weights(self) -> None:
        for method in ("constant", "normalised"):
            stepped = changed(cone(method), statement__iterations=5)
            self.accepts(stepped)
            self.accepts(over_weights(stepped))
        self.accepts(over_weights(cone("flow")))

    def test_from_the_origin_it_closes_after_29_steps_and_not_before(self) -> None:
        late = changed(cone(), statement__start="0", statement__iterations=29, statement__rate="2")
        self.accepts(late)
        self.accepts(changed(late, witness__bits=64))
        self.rejects(changed(late, statement__iterations=28), "clause 10")
        self.rejects(changed(late, witness__rho="3/10"), "clause 10")
        self.rejects(changed(late, statement__rate="3/4"), "clause 11")
        self.rejects(changed(late, statement__step="1/11"), "clause 10")

    def test_clause_1(self) -> None:
        self.rejects(cone(data=problem([*ROWS[:2], [["1", "0", "1"]]])), "clause 1: row [2, 1] is tight but has no multiplier")
        self.rejects(cone(data=problem(v=("1", "1", "0"))), "clause 1: neighbour [1, 1] does not score less")

    def test_clause_2_rejects_dependent_rows(self) -> None:
        twice = problem([ROWS[0], [*ROWS[1], *ROWS[1]], ROWS[2]])
        thirds = [[0, 1, "1/2"], [1, 1, "1/4"], [1, 2, "1/4"]]
        self.rejects(changed(cone(data=twice), witness__lambda=thirds), "clause 2")

    def test_clause_3_rejects_the_other_side(self) -> None:
        self.rejects(changed(cone(), statement__start=["-20", "0", "0"]), "clause 3")

    def test_clause_6_rejects_what_is_near_the_origin(self) -> None:
        self.rejects(changed(cone(), statement__start=["1", "0", "0"]), "clause 6")

    def test_clause_7_rejects_a_loose_row_that_is_near(self) -> None:
        loose = cone(data=problem(v=("1", "0", "-3")))
        self.accepts(loose)
        self.rejects(changed(loose, statement__start=["20", "0", "-399/10"]), "clause 7")

    def test_clause_9(self) -> None:
        self.rejects(changed(cone(), witness__spectral="1"), "clause 9: spectral")
        self.rejects(changed(cone(), statement__step="2"), "clause 9: the step is too long")
        self.rejects(changed(cone("flow"), witness__spectral="2"), "witness: unknown key 'spectral'")
        self.accepts(changed(cone("constant"), statement__step="10"))

    def test_clause_10_wants_more_than_the_distance(self) -> None:
        self.accepts(changed(cone(), witness__rho="2500001/10000000"))
        self.rejects(changed(cone(), witness__rho="1/4"), "clause 10")
        self.rejects(changed(over_weights(cone()), witness__rho="1/4"), "clause 10")

    def test_clause_11_bounds_the_rate(self) -> None:
        self.accepts(changed(cone(), statement__rate="70711/100000"))
        for whole in (cone(), over_weights(cone())):
            self.rejects(changed(whole, statement__rate="707/1000"), "clause 11")
        self.accepts(changed(cone(), statement__start=["20", "1/4", "1"], statement__rate="213/100"))
        self.rejects(changed(cone(), statement__start=["20", "1/4", "1"], statement__rate="212/100"), "clause 11")
        self.rejects(changed(cone(), statement__rate="-2"), "statement.rate: not positive")


class Basin(Rules):
    def test_it_is_accepted_after_steps_and_over_weights(self) -> None:
        for whole in (basin(), basin("flow"), changed(basin(), statement__iterations=3)):
            self.accepts(whole)
            self.accepts(over_weights(whole))

    def test_normalised_steps_are_not_covered(self) -> None:
        self.rejects(basin("normalised"), "statement.method")

    def test_clause_1(self) -> None:
        self.rejects(basin(data=problem(v=("1", "1", "0"))), "clause 1: token [1, 1]")

    def test_clause_2_bounds_the_step(self) -> None:
        # L-bar = (1/3) (2 (1/64 + 1/4) 2 + 10 (1/32 + 1/4)) = 31/24
        self.accepts(changed(basin(), statement__step="47/31"))
        for whole in (basin(), over_weights(basin())):
            self.rejects(changed(whole, statement__step="48/31"), "clause 2")

    def test_clause_3_wants_one_sample_of_equal_scores(self) -> None:
        single = {"statement__start": None, "statement__selection": [0], "witness__lambda": [[0, 1, "1/2"], [0, 2, "1/2"]]}
        equal = changed(basin(data=problem([[*ROWS[0], *ROWS[1]]])), **single)
        self.accepts(equal)
        self.rejects(changed(equal, statement__iterations=1), "clause 3: no iterations")
        self.rejects(changed(basin(), statement__start=None), "clause 3: several samples")
        self.rejects(changed(equal, problem__v=["1", "1/2", "0"]), "clause 3: the other scores differ")

    def test_clause_4_wants_a_place_in_the_basin(self) -> None:
        self.rejects(changed(basin(), statement__start=["1/10", "0", "0"]), "clause 4")


class Wedge(Rules):
    def test_it_closes_for_each_method_and_over_weights(self) -> None:
        for method in ("constant", "normalised", "flow"):
            self.accepts(wedge(method))
            self.accepts(over_weights(wedge(method)))
        self.accepts(changed(wedge(), statement__iterations=4))

    def test_a_tight_row_may_go_without_a_multiplier(self) -> None:
        self.accepts(wedge(data=problem([*ROWS[:2], [["1", "0", "1"]]])))
        self.rejects(wedge(data=problem(v=("1", "1", "0"))), "neighbour [1, 1] does not score less")

    def test_clause_1(self) -> None:
        self.rejects(changed(wedge(), witness__delta="1"), "clause 1: the wedge is too wide")
        self.rejects(changed(wedge(), witness__loss__m0="1000000"), "clause 1: e_i < 1")
        self.rejects(changed(wedge(), statement__start=["-20", "0", "0"]), "h is not shown to be positive")

    def test_clause_2(self) -> None:
        both = problem([[*ROWS[0], *ROWS[2]], ROWS[1]], ("1", "-999999999999999/1000000000000000", "0"))
        self.rejects(changed(wedge(data=both), statement__selection=[0, 0]), "clause 2: a tight row")
        near = problem([*ROWS[:2], [["11/10", "0", "1"]]], ("1", "0", "-3"))
        self.rejects(wedge(data=near), "clause 2: k_c")

    def test_clause_3_bounds_what_pulls_away(self) -> None:
        self.rejects(wedge(data=problem([*ROWS[:2], [["187/100", "0", "1"]]], ("1", "0", "-3"))), "clause 3: xi_0")

    def test_clause_4_wants_steps_below_the_height(self) -> None:
        self.rejects(changed(wedge(), statement__step="20"), "clause 4")

    def test_clause_5_wants_the_wedge_closed(self) -> None:
        self.rejects(changed(wedge(), witness__delta="1/50"), "clause 5")
        self.rejects(changed(wedge(), statement__start=["20", "14", "0"]), "clause 5")
        self.rejects(changed(over_weights(wedge()), witness__delta="1/50"), "clause 5")


def decimals(values: list[str]) -> list[Decimal]:
    return [Decimal(Fraction(x).numerator) / Fraction(x).denominator for x in values]


def decimal_product(a: list[Decimal], b: list[Decimal]) -> Decimal:
    return sum((x * y for x, y in zip(a, b)), Decimal(0))


class PlainField:
    """-grad L with the logistic loss in decimals, by the plain formula of softmax. With queries the keys are the matrices x z^T, by rows."""

    def __init__(self, data: dict[str, Any]) -> None:
        tokens = [[decimals(token) for token in sample] for sample in data["tokens"]]
        v = decimals(data["v"])
        self.scores = [[label * decimal_product(v, token) for token in sample] for label, sample in zip(data["labels"], tokens)]
        self.keys = tokens
        if "queries" in data:
            self.keys = [[[x * y for x in token for y in decimals(z)] for token in sample] for sample, z in zip(tokens, data["queries"])]
        if "W" in data:
            matrix = [decimals(row) for row in data["W"]]
            self.keys = [[[decimal_product(row, token) for row in matrix] for token in sample] for sample in tokens]

    def downhill(self, p: list[Decimal]) -> list[Decimal]:
        result = [Decimal(0)] * len(p)
        for keys, scores in zip(self.keys, self.scores):
            weights = [decimal_product(key, p).exp() for key in keys]
            shares = [weight / sum(weights) for weight in weights]
            mean = decimal_product(shares, scores)
            slope = 1 / (1 + mean.exp())
            for share, score, key in zip(shares, scores, keys):
                result = [g + slope * share * (score - mean) * x / len(self.keys) for g, x in zip(result, key)]
        return result

    def unit(self, p: list[Decimal]) -> list[Decimal]:
        found = self.downhill(p)
        length = decimal_product(found, found).sqrt()
        return [x / length for x in found]


def decimal_run(data: dict[str, Any], start: list[str], method: str, step: str, steps: int) -> list[Decimal]:
    field, p, [length] = PlainField(data), decimals(start), decimals([step])
    for _ in range(steps):
        p = further(p, length, field.unit(p) if method == "normalised" else field.downhill(p))
    return p


def further(p: list[Decimal], factor: Decimal, direction: list[Decimal]) -> list[Decimal]:
    return [x + factor * y for x, y in zip(p, direction)]


def decimal_curve(data: dict[str, Any], start: list[Fraction], length: Fraction, parts: int) -> list[Fraction]:
    """The point of the curve of the flow at this length, by the classical method of Runge and Kutta with this many parts."""
    field, p, [h] = PlainField(data), decimals([str(x) for x in start]), decimals([str(length / parts)])
    for _ in range(parts):
        first = field.unit(p)
        second = field.unit(further(p, h / 2, first))
        third = field.unit(further(p, h / 2, second))
        fourth = field.unit(further(p, h, third))
        p = further(p, h / 6, [a + 2 * b + 2 * c + d for a, b, c, d in zip(first, second, third, fourth)])
    return [Fraction(x) for x in p]


class Runs(unittest.TestCase):
    START = ["1/3", "-2", "1/7"]
    DATA = problem([[["1", "1", "0"], ["-1/3", "2", "1"]], [["1", "-1", "0"]], [["2", "0", "1"], ["1", "1/7", "-2"]]], ("1", "1/2", "-2/3"))

    def last(self, data: dict[str, Any], method: str, steps: int, bits: int, over: str = "p", start: Any = None) -> Any:
        parsed = checker.read_problem(checker.load_json(json.dumps(data).encode()))
        rows = checker.Rows(parsed, (0, 0, 0), over)
        bounds = checker.LossBounds(Fraction(-9), Fraction(9), Fraction(-1), Fraction(1), Fraction(1))
        begin = [Fraction(x) for x in self.START] if start is None else start
        svm = checker.Svm(rows, {}, {})
        return checker.Descent(svm, bounds, method, Fraction(1, 5), begin, steps, bits).last()

    def assert_holds(self, enclosure: Any, value: Decimal, width: Fraction) -> None:
        lo, hi = (Fraction(m) * Fraction(2) ** e for m, e in (enclosure.lo, enclosure.hi))
        tolerance = Fraction(1, 10**90)
        self.assertLessEqual(lo - tolerance, Fraction(value))
        self.assertLessEqual(Fraction(value), hi + tolerance)
        self.assertLess(hi - lo, width)

    def test_the_enclosure_holds_what_plain_decimals_find(self) -> None:
        with localcontext() as context:
            context.prec = 120
            for method, steps, bits in (("constant", 40, 160), ("normalised", 40, 160), ("normalised", 90, 320)):
                found = self.last(self.DATA, method, steps, bits).components
                for enclosure, value in zip(found, decimal_run(self.DATA, self.START, method, "1/5", steps)):
                    self.assert_holds(enclosure, value, Fraction(1, 2**60))

    def test_the_enclosure_over_weights_holds_what_plain_decimals_find(self) -> None:
        data = {**self.DATA, "queries": [["1", "1/2", "0"], ["-1", "2", "1/3"], ["1/5", "0", "1"]], "labels": [1, -1, 1]}
        start = ["1/3", "0", "-1", "1/2", "1", "0", "0", "1/7", "-1/9"]
        matrix = [[Fraction(x) for x in start[3 * k:3 * k + 3]] for k in range(3)]
        with localcontext() as context:
            context.prec = 120
            for method in ("constant", "normalised"):
                found = self.last(data, method, 25, 192, "W", matrix)
                p = decimal_run(data, start, method, "1/5", 25)
                self.assert_holds(found.norm_squared, decimal_product(p, p), Fraction(1, 2**60))
                for (i, t), y in found.y.items():
                    images = [decimal_product(p[3 * k:3 * k + 3], decimals(data["queries"][i])) for k in range(3)]
                    first, other = (decimals(data["tokens"][i][token]) for token in (0, t))
                    gap = [a - b for a, b in zip(first, other)]
                    self.assert_holds(y, decimal_product(gap, images), Fraction(1, 2**60))

    def test_a_sample_of_equal_scores_moves_nothing(self) -> None:
        data = problem([[["1", "1", "0"]], [["0", "0", "1"]], [["0", "0", "2"]]], ("1", "0", "0"))
        far = self.last(data, "normalised", 2, 64, start=[Fraction(60), Fraction(60), Fraction(0)])
        moved = checker.Interval.of(60) + checker.Interval.of(Fraction(2, 5)) / checker.root_of(Fraction(2))
        for x in far.components[:2]:
            self.assertTrue(meet(x, moved))
        self.assertTrue(meet(far.components[2], checker.Interval.of(0)))

    def test_a_step_more_or_another_start_is_not_held(self) -> None:
        with localcontext() as context:
            context.prec = 120
            found = self.last(self.DATA, "normalised", 20, 160).components
            for steps, start in ((21, self.START), (20, ["1/3", "-2", "1000001/7000000"])):
                with self.assertRaises(AssertionError):
                    for enclosure, value in zip(found, decimal_run(self.DATA, start, "normalised", "1/5", steps)):
                        self.assert_holds(enclosure, value, Fraction(1))

    def test_over_weights_with_one_query_it_is_the_same_run(self) -> None:
        data = {**self.DATA, "queries": [["1", "0", "0"]] * 3}
        start = [[Fraction(x), Fraction(0), Fraction(5)] for x in self.START]
        for method in ("constant", "normalised"):
            vector, matrix = self.last(self.DATA, method, 30, 160), self.last(data, method, 30, 160, "W", start)
            for row, y in vector.y.items():
                self.assertTrue(meet(y, matrix.y[row]), row)
                self.assertLess(width_of(matrix.y[row]), Fraction(1, 2**60))
            self.assertTrue(meet(vector.norm_squared + checker.Interval.of(75), matrix.norm_squared))

    def test_a_loss_written_otherwise_goes_by_jets(self) -> None:
        other = {**self.DATA, "loss": {"expression": "log1p(exp(-u)) + 0*u"}}
        for method in ("constant", "normalised"):
            for first, second in zip(self.last(self.DATA, method, 6, 160).components, self.last(other, method, 6, 160).components):
                self.assertTrue(meet(first, second))
                self.assertLess(width_of(second), Fraction(1, 2**100))

    def test_the_exponential_loss_has_its_own_slope(self) -> None:
        other, same = {**self.DATA, "loss": "exponential"}, {**self.DATA, "loss": {"expression": "exp(-u)*1"}}
        for first, second in zip(self.last(other, "constant", 6, 160).components, self.last(same, "constant", 6, 160).components):
            self.assertTrue(meet(first, second))
        self.assertFalse(meet(self.last(other, "constant", 6, 160).components[0], self.last(self.DATA, "constant", 6, 160).components[0]))

    def test_a_run_through_a_stationary_point_is_rejected(self) -> None:
        with self.assertRaises(checker.Rejected) as caught:
            self.last({**self.DATA, "v": ["0", "0", "0"]}, "normalised", 1, 160)
        self.assertIn("stationary point", str(caught.exception))

    def test_a_ball_over_weights_of_too_few_bits_is_rejected(self) -> None:
        data = {**self.DATA, "queries": [["1", "0", "0"]] * 3}
        with self.assertRaisesRegex(checker.Rejected, "the run"):
            self.last(data, "normalised", 600, 32, "W", [[Fraction(x), Fraction(0), Fraction(0)] for x in self.START])


class MatrixRuns(unittest.TestCase):
    """What a run over W carries along with its coefficients."""

    def run_of(self, method: str, queries: list[list[str]]) -> Any:
        parsed = checker.read_problem(checker.load_json(json.dumps({**Runs.DATA, "queries": queries}).encode()))
        start = [[Fraction(j - k, 3) for k in range(3)] for j in range(3)]
        coordinates = checker.Coordinates(checker.Rows(parsed, (0, 0, 0), "W"), start)
        bounds = checker.LossBounds(Fraction(-9), Fraction(9), Fraction(-1), Fraction(1), Fraction(1))
        return checker.MatrixRun(coordinates, checker.Slopes(parsed, bounds), method, Fraction(1, 5), 96)

    def worst(self, run: Any) -> Fraction:
        """How far a product of a row with the point is off, over what it may be off."""
        coordinates = run.coordinates
        found = [abs(y - coordinates.at_start[c] * 2**run.x_bits - sum(a * x for a, x in zip(coordinates.gram[c], run.x)))
                 for c, y in zip(coordinates.rows.names, run.y)]
        return max(found) / run.y_off

    def test_the_products_of_rows_go_along_with_the_coefficients(self) -> None:
        for method in ("constant", "normalised"):
            run = self.run_of(method, [["1", "1/2", "0"], ["-1", "2", "1/3"], ["1/5", "0", "1"]])
            for _ in range(40):
                run.advance()
                self.assertLessEqual(self.worst(run), 1)
            self.assertGreater(run.y_off, 40)
            run.y[0] += 2 * run.y_off + 1
            self.assertGreater(self.worst(run), 1)

    def test_they_are_made_anew_before_they_are_off_by_much(self) -> None:
        run = self.run_of("normalised", [["1", "1/2", "0"], ["-1", "2", "1/3"], ["1/5", "0", "1"]])
        for off in (1 << checker.FINE_BITS, 5, (1 << checker.FINE_BITS) - 1):
            run.y_off = off
            run.advance()
            self.assertLess(run.y_off >> checker.FINE_BITS, 1)
            self.assertEqual(run.y_off == 2, off != 5)
            self.assertLessEqual(self.worst(run), 1)

    def test_a_packed_matrix_multiplies_as_any_other(self) -> None:
        draw = random.Random(15)
        for n in (1, 3, 8):
            for size in (1, 40, 300):
                matrix = [[draw.randint(-2**size, 2**size) for _ in range(n)] for _ in range(n)]
                packed = checker.PackedMatrix(matrix)
                for length in (200, 0, 5, 900, 190):
                    for x in ([draw.randint(-2**length, 2**length) for _ in range(n)], [-2**length] * n, [2**length - 1] * n, [0] * n):
                        self.assertEqual(packed.times(x), [sum(a * b for a, b in zip(row, x)) for row in matrix])
                extreme = checker.PackedMatrix([[-2**size] * n] * n)
                self.assertEqual(extreme.times([2**200] * n), [-n * 2**(size + 200)] * n)


def square_of(x: list[Any]) -> Any:
    return sum(value * value for value in x)


class Balls(unittest.TestCase):
    """Runs over p. What their balls are to hold is found with 120 digits."""

    START = [Fraction(x) for x in Runs.START]
    LOSSES = ("logistic", {"expression": "log1p(exp(-u)) + 0*u"})  # the second goes by jets

    def run_of(self, method: str, bits: int = 160, loss: Any = "logistic", start: list[Fraction] | None = None) -> Any:
        parsed = checker.read_problem(checker.load_json(json.dumps({**Runs.DATA, "loss": loss}).encode()))
        coordinates = checker.Coordinates(checker.Rows(parsed, (0, 0, 0), "p"), start or self.START)
        bounds = checker.LossBounds(Fraction(-9), Fraction(9), Fraction(-1), Fraction(1), Fraction(1))
        return checker.VectorRun(coordinates, checker.Slopes(parsed, bounds), method, Fraction(1, 5), bits)

    def true_point(self, start: list[Fraction], method: str, steps: int = 1) -> list[Fraction]:
        with localcontext() as context:
            context.prec = 120
            return [Fraction(x) for x in decimal_run(Runs.DATA, [str(x) for x in start], method, "1/5", steps)]

    def stretch(self, run: Any, p: list[Fraction]) -> Fraction:
        """The square of (the distance of p from the centre, over the radius)"""
        return square_of([x * 2**run.bits - m for x, m in zip(p, run.x)]) / run.radius**2

    def away(self, direction: list[float], length: Fraction) -> list[Fraction]:
        """A point at most this far from the start, and hardly less."""
        size = Fraction(math.sqrt(square_of(direction)) * (1 + 2**-40))
        return [x + length * Fraction(y) / size for x, y in zip(self.START, direction)]

    def test_the_ball_holds_the_run_and_stays_narrow(self) -> None:
        for method in ("constant", "normalised"):
            run = self.run_of(method, 192)
            for _ in range(400):
                run.advance()
            self.assertLessEqual(self.stretch(run, self.true_point(self.START, method, 400)), 1)
            self.assertLess(run.radius, 2**40)
            self.assertGreater(self.stretch(run, self.true_point(self.START, method, 399)), 1)

    def test_the_ball_holds_every_run_that_starts_in_it(self) -> None:
        draw = random.Random(3)
        for method in ("constant", "normalised"):
            for loss in self.LOSSES:
                for narrow in (14, 20, 60):
                    run = self.run_of(method, loss=loss)
                    run.radius = 2 ** (run.bits - narrow)
                    for _ in range(3):
                        run.advance()
                    for _ in range(6):
                        start = self.away([draw.gauss(0, 1) for _ in range(3)], Fraction(1, 2**narrow))
                        self.assertLessEqual(self.stretch(run, self.true_point(start, method, 3)), 1)

    def test_a_step_stretches_no_direction_more_than_it_says_and_one_as_much(self) -> None:
        draw, narrow = random.Random(4), 40
        for method in ("constant", "normalised"):
            for loss in self.LOSSES:
                run = self.run_of(method, loss=loss)
                run.radius = 2 ** (run.bits - narrow)
                run.advance()
                found = []
                for direction in (run.derivative.leading, *([draw.gauss(0, 1) for _ in range(3)] for _ in range(20))):
                    found.append(self.stretch(run, self.true_point(self.away(direction, Fraction(1, 2**narrow)), method)))
                self.assertLessEqual(max(found), 1)
                self.assertGreater(found[0], 1 - 2**-9)

    def test_the_derivative_is_that_of_the_step(self) -> None:
        small = Fraction(1, 2**60)
        for method in ("constant", "normalised"):
            for loss in self.LOSSES:
                run = self.run_of(method, loss=loss)
                matrix, off = run.derivative.enclosed(run.field())
                self.assertLess(off, 2**-30)
                before = self.true_point(self.START, method)
                for k in range(3):
                    moved = self.true_point([x + small * (j == k) for j, x in enumerate(self.START)], method)
                    for j in range(3):
                        self.assertAlmostEqual(matrix[j][k], float((moved[j] - before[j]) / small), delta=2**-38)

    def test_far_out_nothing_underflows(self) -> None:
        for bits in (64, 160, 2000):
            run = self.run_of("normalised", bits, start=[Fraction(3000), Fraction(9, 7), Fraction(5000)])
            for _ in range(20):
                run.advance()
            self.assertLess(run.radius, 2**30)

    def test_a_ball_that_is_too_wide_is_rejected(self) -> None:
        run = self.run_of("constant")
        run.radius = 2 ** (run.bits - 1)
        with self.assertRaisesRegex(checker.Rejected, "the run: its enclosure is too wide"):
            run.advance()
        run.radius = 2 ** (run.bits - 3)
        with self.assertRaisesRegex(checker.Rejected, "the run: its enclosure is too wide"):
            for _ in range(40):
                run.advance()

    def test_a_stationary_point_in_the_ball_is_rejected(self) -> None:
        """Keys -1, 0, 1 and scores 0, 1, 0: the mean score is largest at 0, which lies 1/1000 from the start."""
        data = {"tokens": [[["-1", "0"], ["0", "1"], ["1", "0"]]], "labels": [1], "v": ["0", "1"], "W": [["1", "0"], ["0", "0"]]}
        parsed = checker.read_problem(checker.load_json(json.dumps({**data, "loss": "logistic"}).encode()))
        coordinates = checker.Coordinates(checker.Rows(parsed, (1,), "p"), [Fraction(1, 1000), Fraction(0)])
        bounds = checker.LossBounds(Fraction(-9), Fraction(9), Fraction(-1), Fraction(1), Fraction(1))
        for narrow in (30, 9):
            run = checker.VectorRun(coordinates, checker.Slopes(parsed, bounds), "normalised", Fraction(1, 5), 160)
            run.radius = 2 ** (run.bits - narrow)
            if narrow == 30:
                run.advance()
                continue
            with self.assertRaisesRegex(checker.Rejected, "differ from 0 near it"):
                run.advance()

    def test_slopes_beyond_floats_are_rejected(self) -> None:
        run = self.run_of("constant", loss="exponential")
        run.slopes.node = checker.ExpressionParser("exp(-9999*u)").parse()
        run.slopes.fast = None
        with self.assertRaisesRegex(checker.Rejected, "too large for floats|too wide|exp"):
            run.advance()


class Flow(unittest.TestCase):
    """The curve of the flow over p. Where it goes is found by the method of Runge and Kutta with 40 digits."""

    DISTINCT = {"tokens": [[["-1/10", "1", "1"], ["1", "0", "9/10"], ["0", "0", "0"]]], "labels": [1], "v": ["0", "0", "1"],
                "W": [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "0"]], "loss": "logistic"}
    JETS = {"expression": "log1p(exp(-u)) + 0*u"}

    @staticmethod
    def drawn(seed: int = 13) -> tuple[dict[str, Any], list[Fraction]]:
        """A problem of 3 samples with 4 tokens each in 4 dimensions, and a start."""
        draw = random.Random(seed)

        def vector() -> list[str]:
            return [str(Fraction(draw.randint(-99, 99), 100)) for _ in range(4)]

        data = {"tokens": [[vector() for _ in range(4)] for _ in range(3)], "labels": [1, -1, 1], "v": vector(), "loss": "logistic"}
        return data, [Fraction(x) for x in vector()]

    def problems(self) -> list[tuple[dict[str, Any], list[Fraction]]]:
        return [(self.DISTINCT, [Fraction(0), Fraction(-3, 2), Fraction(0)]), self.drawn()]

    def run_of(self, data: dict[str, Any], start: list[Fraction], step: Fraction, bits: int = 160) -> Any:
        parsed = checker.read_problem(checker.load_json(json.dumps(data).encode()))
        coordinates = checker.Coordinates(checker.Rows(parsed, (0,) * parsed.n, "p"), start)
        bounds = checker.LossBounds(Fraction(-9), Fraction(9), Fraction(-1), Fraction(1), Fraction(1))
        return checker.FlowRun(coordinates, checker.Slopes(parsed, bounds), "flow", step, bits)

    def curve(self, data: dict[str, Any], start: list[Fraction], length: Fraction) -> list[Fraction]:
        with localcontext() as context:
            context.prec = 40
            found, other = (decimal_curve({**data, "loss": "logistic"}, start, length, parts) for parts in (48, 24))
        self.assertLess(square_of([x - y for x, y in zip(found, other)]), Fraction(1, 10**12))
        return found

    def distance(self, run: Any, p: list[Fraction]) -> float:
        """From the centre, over the radius"""
        return math.sqrt(square_of([x * 2**run.bits - m for x, m in zip(p, run.x)]) / run.radius**2)

    def test_the_ball_holds_the_curve_and_neither_less_nor_much_more(self) -> None:
        for data, start in self.problems():
            for step in (Fraction(1, 100), Fraction(1, 400)):
                run = self.run_of(data, start, step)
                for _ in range(int(2 / step)):
                    run.advance()
                found = self.distance(run, self.curve(data, start, Fraction(2)))
                self.assertLessEqual(found, 1)
                self.assertGreater(found, 1 / 30)
                self.assertGreater(self.distance(run, self.curve(data, start, 2 + 4 * step)), 1)

    def test_the_ball_holds_every_curve_that_starts_in_it(self) -> None:
        draw = random.Random(12)
        for data, start in self.problems():
            for loss in ("logistic", self.JETS):
                run = self.run_of({**data, "loss": loss}, start, Fraction(1, 256))
                run.radius = 2 ** (run.bits - 8)
                for _ in range(64):
                    run.advance()
                for _ in range(6):
                    direction = [draw.gauss(0, 1) for _ in start]
                    size = Fraction(math.sqrt(square_of(direction)) * (1 + 2**-40)) * 2**8
                    begin = [x + Fraction(y) / size for x, y in zip(start, direction)]
                    self.assertLessEqual(self.distance(run, self.curve(data, begin, Fraction(1, 4))), 1)

    def derivative(self, data: dict[str, Any], q: list[Fraction], step: Fraction) -> list[list[float]]:
        """F' - I at q, by differences"""
        small = Decimal(10) ** -20
        with localcontext() as context:
            context.prec = 60
            field, at = PlainField(data), decimals([str(x) for x in q])
            before = field.unit(at)
            columns = [field.unit([x + small * (j == k) for j, x in enumerate(at)]) for k in range(len(at))]
            return [[float((column[j] - before[j]) / small) * float(step) for column in columns] for j in range(len(at))]

    def test_a_piece_bends_as_much_as_its_ball_allows(self) -> None:
        start, step = [Fraction(-1), Fraction(2), Fraction(0)], Fraction(1, 4096)
        run = self.run_of(self.DISTINCT, start, step)
        run.advance()
        found = self.distance(run, self.curve(self.DISTINCT, start, step))
        self.assertLessEqual(found, 1)
        self.assertGreater(found, 0.95)

    def test_the_derivative_is_enclosed_on_the_ball_and_no_further(self) -> None:
        draw = random.Random(13)
        for data, start in self.problems():
            for loss in ("logistic", self.JETS):
                run = self.run_of({**data, "loss": loss}, start, Fraction(1, 1024))
                run.radius = 2 ** (run.bits - 10)
                changes = run.derivative.changes(run.field())
                growth, change = run.derivative.bounds(run.field())
                beyond = 0
                for length in [Fraction(1, 512)] * 20 + [Fraction(2)] * 5:
                    direction = [draw.gauss(0, 1) for _ in start]
                    size = Fraction(math.sqrt(square_of(direction)) * (1 + 2**-40))
                    found = self.derivative(data, [x + length * Fraction(y) / size for x, y in zip(start, direction)], Fraction(1, 1024))
                    inside = all(abs(x - m) <= r + 1e-15 for row, due in zip(found, changes) for x, (m, r) in zip(row, due))
                    if length == 2:
                        beyond += not inside
                        continue
                    self.assertTrue(inside)
                    self.assertLessEqual(math.sqrt(square_of(sum(found, []))), change)
                    for _ in range(20):
                        x = [draw.gauss(0, 1) for _ in start]
                        self.assertLessEqual(sum(a * y * b for a, row in zip(x, found) for y, b in zip(row, x)), growth * square_of(x))
                self.assertGreater(beyond, 0)

    def test_curves_with_the_exponential_loss_are_those_of_its_jets(self) -> None:
        for data, start in self.problems():
            runs = [self.run_of({**data, "loss": loss}, start, Fraction(1, 64)) for loss in ("exponential", {"expression": "exp(-u)*1"})]
            for run in runs:
                for _ in range(20):
                    run.advance()
            apart = square_of([m - n for m, n in zip(runs[0].x, runs[1].x)])
            self.assertLess(apart, 2**80)
            self.assertLess(abs(runs[0].radius / runs[1].radius - 1), 0.02)

    def test_a_larger_eigenvalue_is_not_bounded_by_a_smaller_number(self) -> None:
        draw = random.Random(14)
        for d in (1, 2, 5):
            for _ in range(20):
                matrix = [[draw.gauss(0, 0.01) for _ in range(d)] for _ in range(d)]
                matrix = [[matrix[max(j, k)][min(j, k)] for k in range(d)] for j in range(d)]
                most = checker.frobenius_bound(matrix)
                found = checker.largest_eigenvalue(matrix, most)
                exact = [[Fraction(x) for x in row] for row in matrix]
                self.assertTrue(Norms().is_above(exact, Fraction(found)))
                lower = found - most / 1000
                self.assertTrue(lower <= 0 or not Norms().is_above(exact, Fraction(lower)))

    def test_the_last_point_of_flow_is_on_the_curve_and_that_of_steps_is_not(self) -> None:
        data, start = self.problems()[0]
        point = self.curve(data, start, Fraction(2))
        parsed = checker.read_problem(checker.load_json(json.dumps(data).encode()))
        bounds = checker.LossBounds(Fraction(-9), Fraction(9), Fraction(-1), Fraction(1), Fraction(1))
        svm = checker.Svm(checker.Rows(parsed, (0,), "p"), {}, {})
        for method, due in (("flow", True), ("normalised", False)):
            last = checker.Descent(svm, bounds, method, Fraction(1, 64), start, 128, 160).last()
            held = [meet(x, checker.Interval.of(value)) for x, value in zip(last.components, point)]
            self.assertEqual(all(held), due)

    def stationary(self, start: Fraction, step: Fraction) -> Any:
        """Keys -1, 0, 1 and scores 0, 1, 0: the curve ends at 0, where the mean score is largest."""
        data = {"tokens": [[["-1", "0"], ["0", "1"], ["1", "0"]]], "labels": [1], "v": ["0", "1"], "W": [["1", "0"], ["0", "0"]]}
        return self.run_of({**data, "loss": "logistic"}, [start, Fraction(0)], step)

    def test_a_curve_through_a_stationary_point_is_rejected(self) -> None:
        run = self.stationary(Fraction(1), Fraction(1, 64))
        with self.assertRaisesRegex(checker.Rejected, "stationary point"):
            for _ in range(64):
                run.advance()
        self.assertGreater(run.x[0], 0)
        self.assertLess(run.x[0], 2 ** (run.bits - 2))
        with self.assertRaisesRegex(checker.Rejected, "stationary point"):
            self.stationary(Fraction(0), Fraction(1, 64)).advance()

    def test_a_piece_that_reaches_a_stationary_point_is_rejected(self) -> None:
        self.stationary(Fraction(1, 4), Fraction(1, 64)).advance()
        with self.assertRaisesRegex(checker.Rejected, "differ from 0 near it"):
            self.stationary(Fraction(1, 4), Fraction(1, 4)).advance()

    def test_a_ball_that_grows_beyond_1_is_rejected(self) -> None:
        data, start = self.problems()[0]
        run = self.run_of(data, start, Fraction(1, 64))
        run.radius = 2**run.bits - 1
        with self.assertRaisesRegex(checker.Rejected, "the run"):
            run.advance()


class FlowCertificates(Rules):
    """Whole certificates whose curves have pieces."""

    def cone(self) -> dict[str, Any]:
        return changed(cone("flow"), statement__start="0", statement__iterations=1024, statement__step="1/256", statement__rate="2")

    def test_a_cone_closes_after_a_piece_of_the_curve_and_not_before(self) -> None:
        self.accepts(self.cone())
        self.rejects(changed(self.cone(), statement__iterations=512), "clause 10")
        self.rejects(changed(self.cone(), statement__rate="1/2"), "clause 11")
        self.rejects(changed(self.cone(), statement__method="normalised"), "witness: key 'spectral' is missing")

    def test_wide_pieces_are_not_enough(self) -> None:
        self.rejects(changed(self.cone(), statement__iterations=16, statement__step="1/4"), "the run")

    def test_the_curve_reaches_basin_and_wedge(self) -> None:
        for whole, pieces, why in ((basin("flow"), 512, "clause 4"), (wedge("flow"), 2560, "h is not shown to be positive")):
            near = changed(whole, statement__start="0")
            self.rejects(near, why)
            self.accepts(changed(near, statement__iterations=pieces, statement__step="1/256"))
        self.rejects(changed(basin("flow"), statement__start=None, statement__iterations=1, statement__step="1/64"), "clause 3")

    def test_the_step_is_the_length_of_a_piece_alone(self) -> None:
        """Clause 2 of basins and clause 4 of wedges are about steps that are taken."""
        whole = changed(basin("flow"), witness__loss__m1="1000", statement__iterations=1, statement__step="1/64")
        self.accepts(whole)
        self.rejects(changed(whole, statement__method="constant"), "clause 2")
        place = {"statement__start": ["20", "0", "0"], "statement__iterations": 1, "statement__step": "1/8", "witness__delta": "77/1000"}
        self.accepts(changed(wedge("flow"), **place))
        self.rejects(changed(wedge("normalised"), **place), "clause 5")


class Norms(unittest.TestCase):
    """Bounds of spectral norms, against exact arithmetic."""

    def matrices(self) -> list[list[list[float]]]:
        draw = random.Random(5)
        result = []
        for d in (1, 2, 3, 6):
            for scale in (0.01, 0.2, 3):
                result.append([[(j == k) + draw.gauss(0, scale) for k in range(d)] for j in range(d)])
            result.append([[draw.gauss(0, 1) * draw.gauss(0, 1) ** 9 for _ in range(d)] for _ in range(d)])
        return result

    @staticmethod
    def exact_gram(matrix: list[list[float]]) -> list[list[Fraction]]:
        columns = [[Fraction(x) for x in column] for column in zip(*matrix)]
        return [[sum(x * y for x, y in zip(a, b)) for b in columns] for a in columns]

    @staticmethod
    def is_definite(matrix: list[list[Fraction]]) -> bool:
        rest = [list(row) for row in matrix]
        for k, row in enumerate(rest):
            if row[k] <= 0:
                return False
            for other in rest[k + 1:]:
                factor = other[k] / row[k]
                for c in range(k, len(rest)):
                    other[c] -= factor * row[c]
        return True

    def is_above(self, gram: list[list[Fraction]], square: Fraction) -> bool:
        return self.is_definite([[(j == k) * square - x for k, x in enumerate(row)] for j, row in enumerate(gram)])

    def test_a_bound_is_one_and_hardly_more(self) -> None:
        for matrix in self.matrices():
            gram = self.exact_gram(matrix)
            bound, _ = checker.norm_bound(matrix, [1.0] * len(matrix))
            self.assertTrue(self.is_above(gram, Fraction(bound) ** 2))
            self.assertFalse(self.is_above(gram, Fraction(bound / (1 + 2**-10)) ** 2))
            self.assertLessEqual(bound, checker.frobenius_bound(matrix) * (1 + 2**-10))

    def test_what_is_shown_to_be_above_is_above(self) -> None:
        near = 0
        for matrix in self.matrices():
            exact = self.exact_gram(matrix)
            gram = [[float(x) for x in row] for row in exact]
            low, high = 0.0, 2 * checker.frobenius_bound(matrix) ** 2
            while (middle := (low + high) / 2) not in (low, high):
                low, high = (low, middle) if self.is_above(exact, Fraction(middle)) else (middle, high)
            for k in range(-40, 40, 3):
                square = high * (1 + k * 2**-52)
                if checker.is_above_gram(gram, square):
                    self.assertTrue(self.is_above(exact, Fraction(square)))
                near += self.is_above(exact, Fraction(square))
            self.assertTrue(checker.is_above_gram(gram, high * (1 + 2**-30)))
            self.assertFalse(checker.is_above_gram(gram, high * (1 - 2**-30)))
        self.assertGreater(near, 50)

    def test_a_gram_matrix_that_is_rounded_down_is_not_trusted(self) -> None:
        """d x is the norm of the matrix whose entries are all x. Without the margin of the rounding smaller numbers would pass."""
        for d in (4, 10, 30):
            for x in (0.1, 0.3, 0.7, 1.1):
                rounded = checker.product_sum([x] * d, [x] * d)
                for k in range(-60, 10):
                    square = rounded * d * (1 + k * 2**-52)
                    if Fraction(square) < (d * Fraction(x)) ** 2:
                        self.assertFalse(checker.is_above_gram([[rounded] * d] * d, square))

    def test_what_is_no_number_is_no_bound(self) -> None:
        nan, inf = float("nan"), float("inf")
        for broken in (nan, inf, -inf, 1e300):
            matrix = [[1.0, broken], [0.0, 1.0]]
            bound, vector = checker.norm_bound(matrix, [1.0, 1.0])
            self.assertFalse(bound <= checker.MOST_FLOAT)
            self.assertEqual(vector, [1.0, 1.0])
            self.assertFalse(checker.is_above_gram([[1.0, 0.0], [0.0, broken]], 2.0))
        for square in (nan, inf, 0.0, -1.0, 1e-200):
            self.assertFalse(checker.is_above_gram([[0.0]], square))
        self.assertLess(checker.norm_bound([[0.0, 0.0], [0.0, 0.0]], [1.0, 1.0])[0], 2**-200)


def meet(x: Any, y: Any) -> bool:
    """The intervals meet."""
    return not checker.less(x.hi, y.lo) and not checker.less(y.hi, x.lo)


def width_of(x: Any) -> Fraction:
    lo, hi = (Fraction(m) * Fraction(2) ** e for m, e in (x.lo, x.hi))
    return hi - lo


class FixedPoint(unittest.TestCase):
    def test_exp_is_within_what_it_says(self) -> None:
        draw = random.Random(7)
        for bits in (64, 200, 900, 3000):
            exp = checker.FixedExp(bits)
            for size in (2**-30, 1, 1, 1, 50, 700):
                x = int(draw.uniform(-size, size) * 2**60) << bits >> 60 | draw.getrandbits(8)
                e, off = exp(x)
                with checker.precision(bits + 1200):
                    m, r = checker.fixed_ball(checker.exp_at((x, -bits)), bits + 40)
                self.assertLessEqual(abs((e << 40) - m) + r, off << 40)
                self.assertLessEqual(off, 2 + (e >> (bits + 20)))

    def test_exp_of_a_ball_holds_its_ends(self) -> None:
        exp = checker.FixedExp(128)
        for middle, radius in ((0, 1), (3 << 127, 1 << 127), (-(5 << 128), 1 << 100)):
            m, r = exp.ball((middle, radius))
            for end in (middle - radius, middle + radius):
                e, off = exp(end)
                self.assertLessEqual(abs(e - m), r + off)
        with self.assertRaises(checker.Rejected):
            exp.ball((0, 1 << 128))

    def test_quotients_want_a_positive_divisor_and_exp_a_bound(self) -> None:
        m, r = checker.ball_quotient((-5 << 64, 3), (3 << 64, 5), 64)
        for end in (Fraction((-5 << 64) - 3, (3 << 64) - 5), Fraction((-5 << 64) + 3, (3 << 64) + 5)):
            self.assertLessEqual(abs(end * 2**64 - m), r)
        with self.assertRaisesRegex(checker.Rejected, "divisor"):
            checker.ball_quotient((1, 0), (5, 5), 64)
        with self.assertRaisesRegex(checker.Rejected, "exp of more"):
            checker.FixedExp(64)(1 << 86)

    def test_log_of_2(self) -> None:
        with checker.precision(1000):
            m, r = checker.fixed_ball(checker.log_of_2(), 900)
        self.assertLessEqual(abs(checker.fixed_log_of_2(900) - m), r + 2)

    def test_factors_show_definite_matrices_alone(self) -> None:
        def factors(rows: list[list[int]]) -> Any:
            return checker.factors_of([[checker.Interval.of(x) for x in row] for row in rows])

        self.assertIsNone(factors([[1, 2], [2, 4]]))
        self.assertIsNone(factors([[1, 2], [2, 3]]))
        inverse = factors([[2, 1, 0], [1, 3, 1], [0, 1, 4]]).inverse()
        for found, due in zip(sum(inverse, []), (11, -4, 1, -4, 8, -2, 1, -2, 5)):
            self.assertTrue(meet(found, checker.Interval.of(Fraction(due, 18))))
            self.assertLess(width_of(found), Fraction(1, 2**200))


class SharedPieces(unittest.TestCase):
    def program(self) -> Any:
        return checker.Rows(checker.read_problem(checker.load_json(json.dumps(problem()).encode())), (0, 0, 0), "p").program

    def test_coefficients_may_be_negative_but_not_0(self) -> None:
        self.assertEqual(checker.read_coefficients([], "x", self.program()), {})
        entry = [checker.Number("0"), checker.Number("1"), "-1/2"]
        self.assertEqual(checker.read_coefficients([entry], "x", self.program()), {(0, 1): Fraction(-1, 2)})
        for broken, why in (([[*entry[:2], "0"]], "a coefficient is 0"), ([entry, entry], "not strictly ascending"),
                            ([[*entry[:1], checker.Number("0"), "1"]], "is not a row"), ([entry[:2]], "3 entries are due")):
            with self.assertRaisesRegex(checker.Rejected, why):
                checker.read_coefficients(broken, "x", self.program())

    def test_roots_and_logarithms_know_their_domains(self) -> None:
        self.assertTrue(meet(checker.root_of(Fraction(9, 4)), checker.Interval.of(Fraction(3, 2))))
        self.assertEqual(checker.root(checker.Interval.of(-1, 4)).lo, checker.ZERO)
        for broken in (lambda: checker.root_of(Fraction(-1)), lambda: checker.logarithm(checker.Interval.of(0, 1), "it")):
            with self.assertRaises(checker.Rejected):
                broken()

    def test_exp_is_cut_below_and_refused_above(self) -> None:
        low = checker.exponential(checker.Interval.of(-2**21, -2**20 - 1), "it")
        self.assertEqual(low.lo, checker.ZERO)
        self.assertTrue(meet(checker.exponential(checker.Interval.of(0), "it"), checker.Interval.of(1)))
        above = checker.exp_above(checker.Interval.of(-5000), "it")
        self.assertEqual((above.lo, above.hi), (checker.ZERO, checker.exp_at((-4096, 0)).hi))
        for broken in (checker.exponential, checker.exp_above):
            with self.assertRaisesRegex(checker.Rejected, "exp of more"):
                broken(checker.Interval.of(2**20 + 1), "it")


class StationaryPoints(Rules):
    def absent(self, by: str, over: str = "p", **more: Any) -> dict[str, Any]:
        data = problem() if over == "p" else problem(queries=[["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]])
        return certificate("no-stationary-point", data, {"kind": "no-stationary-point", "over": over}, {"loss": LOSS, "by": by, **more})

    def test_no_stationary_point_by_a_direction(self) -> None:
        along = self.absent("direction", u=["1", "0", "0"])
        self.accepts(along)
        self.accepts(changed(along, witness__u=["1", "1", "0"]))
        self.rejects(changed(along, witness__u=["1", "2", "0"]), "witness.u: it orders the tokens of sample 1 otherwise")
        self.rejects(changed(along, witness__u=["0", "0", "0"]), "witness.u: no pair")
        self.rejects(changed(along, witness__loss__m1="1/2"), "witness.loss")
        for by in ("guess", None, []):
            self.rejects(changed(along, witness__by=by), "witness.by")
            self.rejects(changed(self.origin(), witness__by=by), "witness.by")
        matrix = self.absent("direction", "W", u=[["1", "1", "1"], ["0", "0", "0"], ["0", "0", "0"]])
        self.accepts(matrix)
        self.rejects(changed(matrix, witness__u=[["1", "-1", "1"], ["0", "0", "0"], ["0", "0", "0"]]), "of sample 1 otherwise")

    def test_no_stationary_point_by_a_query(self) -> None:
        query = self.absent("query", "W", q=["1", "1", "0"])
        self.accepts(query)
        self.rejects(changed(query, witness__q=["1", "-1", "0"]), "witness.q: negative")
        self.rejects(changed(query, witness__q=["0", "0", "0"]), "witness.q: positive for no sample")
        self.rejects(changed(query, problem__labels=[1, -1, 1]), "witness.q: negative")
        self.rejects(changed(query, statement__over="p"), "witness.by: 'query' is for W alone")

    def test_no_stationary_point_by_rank(self) -> None:
        rank = self.absent("rank", "W")
        self.accepts(rank)
        self.rejects(changed(rank, problem__queries=[["1", "0", "0"]] * 3), "dependent")
        self.rejects(changed(rank, problem__v=["0", "0", "0"]), "no sample has scores that differ")
        self.rejects(changed(rank, statement__over="p"), "witness.by: 'rank' is for W alone")

    def origin(self) -> dict[str, Any]:
        """Keys and scores are independent of each other."""
        corners = [["1", "1"], ["-1", "1"], ["1", "-1"], ["-1", "-1"]]
        data = {"tokens": [corners], "labels": [1], "v": ["0", "1"], "W": [["1", "0"], ["0", "0"]], "loss": "logistic"}
        return certificate("no-stationary-point", data, {"kind": "stationary-point", "over": "p", "centre": ["0", "0"]}, {"by": "origin"})

    def test_a_stationary_point_at_the_origin(self) -> None:
        self.accepts(self.origin())
        self.rejects(changed(self.origin(), statement__centre=["1", "0"]), "statement.centre: not 0")
        self.rejects(changed(self.origin(), problem__v=["1", "1"]), "do not cancel")
        self.rejects(changed(self.origin(), problem__loss={"expression": "-log(u)"}), "loss undefined")
        self.rejects(changed(self.origin(), statement__over="W", statement__centre=["0"] * 4), "do not cancel")

    def krawczyk(self) -> dict[str, Any]:
        """Keys -1, 0, 1 and scores 0, 1, 0: the mean score is largest at 0."""
        tokens, first_alone = [[["-1", "0"], ["0", "1"], ["1", "0"]]], [["1", "0"], ["0", "0"]]
        data = {"tokens": tokens, "labels": [1], "v": ["0", "1"], "W": first_alone, "loss": "logistic"}
        witness = {"by": "krawczyk", "basis": [["1", "0"]], "radius": ["1/50"], "inverse": [["1078/100"]]}
        return certificate("no-stationary-point", data, {"kind": "stationary-point", "over": "p", "centre": ["1/1000", "3"]}, witness)

    def test_a_stationary_point_in_a_box(self) -> None:
        self.accepts(self.krawczyk())
        self.rejects(changed(self.krawczyk(), witness__radius=["1/1001"]), "clause 4")
        self.rejects(changed(self.krawczyk(), statement__centre=["1/10", "0"]), "clause 4")
        self.rejects(changed(self.krawczyk(), witness__inverse=[["-1078/100"]]), "clause 4")
        self.rejects(changed(self.krawczyk(), witness__radius=["0"]), "witness.radius: not positive")

    def test_the_basis_spans_the_differences(self) -> None:
        self.rejects(changed(self.krawczyk(), witness__basis=[["0", "1"]]), "clause 1: the basis does not span")
        two = {"witness__radius": ["1/50"] * 2, "witness__inverse": [["1078/100", "0"], ["0", "1"]]}
        self.rejects(changed(self.krawczyk(), witness__basis=[["1", "0"], ["2", "0"]], **two), "clause 1: the columns")
        self.rejects(changed(self.krawczyk(), witness__basis=[["1", "0"], ["0", "1"]], **two), "clause 1: the basis does not span")
        none = changed(self.krawczyk(), witness__basis=[], witness__radius=[], witness__inverse=[])
        self.rejects(none, "clause 1: the basis does not span")


class FirstStep(Rules):
    def first(self, over: str = "p", **more: Any) -> dict[str, Any]:
        start = ["0", "0", "0"] if over == "p" else [["0", "0", "0"]] * 3
        data = problem() if over == "p" else problem(queries=[["1", "0", "0"]] * 3)
        return certificate("first-step", data, {"kind": "first-step", "over": over, "selection": [0, 0, 0], "start": start, **more}, {})

    def test_the_first_step_raises_every_row(self) -> None:
        for over in ("p", "W"):
            self.accepts(self.first(over))
            self.rejects(changed(self.first(over), statement__selection=[1, 0, 0]), "the first step is not shown to raise row [0, 0]")
        self.rejects(changed(self.first(), problem__v=["0", "0", "0"]), "not shown to raise")
        self.rejects(without(self.first(), "problem", "v"), "no v")

    def test_a_row_is_not_raised(self) -> None:
        for over in ("p", "W"):
            for by in ("enclosure", "origin"):
                lowered = changed(self.first(over, kind="not-first-step", row=[0, 0]), witness={"by": by}, statement__selection=[1, 0, 0])
                self.accepts(lowered)
                up = changed(lowered, statement__row=[1, 1])
                self.rejects(up, "not shown to lower row [1, 1]" if by == "enclosure" else "raise the row")

    def test_a_level_row_is_for_the_origin_alone(self) -> None:
        level = changed(self.first(kind="not-first-step", row=[0, 1]), problem__v=["0", "0", "0"], witness={"by": "origin"})
        self.accepts(level)
        self.rejects(changed(level, witness__by="enclosure"), "not shown to lower")
        self.rejects(changed(level, statement__start=["1", "0", "0"]), "statement.start: not 0")
        self.rejects(changed(level, problem__loss={"expression": "u"}), "not shown to be negative")
        self.rejects(changed(level, statement__row=[0, 0]), "is not a row")


if __name__ == "__main__":
    checker = load_checker(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
