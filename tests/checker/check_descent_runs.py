#!/usr/bin/env python3
"""Runs of descent and flow in scripts/check_certificate.py: their balls hold what decimals find.

usage: check_descent_runs.py PYTHON_CHECKER [UNITTEST ARGUMENT...]
"""

from __future__ import annotations

import json
import math
import random
import sys
import unittest
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from hand_made import checker, meet, problem, width_of
from plain_descent import PlainField, decimal_curve, decimal_product, decimal_run, decimals


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


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
