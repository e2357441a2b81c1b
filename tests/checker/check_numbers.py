#!/usr/bin/env python3
"""The numbers of scripts/check_certificate.py: bounds of norms, fixed point, intervals.

usage: check_numbers.py PYTHON_CHECKER [UNITTEST ARGUMENT...]
"""

from __future__ import annotations

import json
import random
import sys
import unittest
from fractions import Fraction
from typing import Any

from hand_made import checker, meet, problem, width_of


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

    def test_a_larger_eigenvalue_is_not_bounded_by_a_smaller_number(self) -> None:
        draw = random.Random(14)
        for d in (1, 2, 5):
            for _ in range(20):
                matrix = [[draw.gauss(0, 0.01) for _ in range(d)] for _ in range(d)]
                matrix = [[matrix[max(j, k)][min(j, k)] for k in range(d)] for j in range(d)]
                most = checker.frobenius_bound(matrix)
                found = checker.largest_eigenvalue(matrix, most)
                exact = [[Fraction(x) for x in row] for row in matrix]
                self.assertTrue(self.is_above(exact, Fraction(found)))
                lower = found - most / 1000
                self.assertTrue(lower <= 0 or not self.is_above(exact, Fraction(lower)))


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


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
