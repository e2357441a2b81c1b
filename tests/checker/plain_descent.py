"""Descent by the plain formulas in decimals, which the balls of a run are held against."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any


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
