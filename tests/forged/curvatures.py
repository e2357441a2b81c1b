"""Bounds of the curvature (docs/certificate.md §4.32): true ones, and for each clause a forgery that breaks it alone."""

from __future__ import annotations

import math
from typing import Iterator

from pieces import *
from reasons import *

LOOSER = Fraction(1, 2**30)  # of numbers that are not rational
ROOM = Fraction(1, 2**19)  # of the trace of a matrix
HALF: Callable[[Fraction], Fraction] = lambda x: x / 2
LESS: Callable[[Fraction], Fraction] = lambda x: x * (1 - Fraction(1, 1000))
Cell = tuple[Fraction, Fraction]


def logistic_sizes(cell: Cell) -> tuple[Fraction, Fraction]:
    """|l'| and |l''| of the logistic loss, from above."""
    x, y = map(float, cell)
    nearest = max(x, -y, 0.0)
    slope = lambda u: 1 / (1 + math.exp(u))
    return tuple(Fraction(z) * (1 + LOOSER) for z in (slope(x), slope(nearest) * (1 - slope(nearest))))


def correlation_sizes(cell: Cell) -> tuple[Fraction, Fraction]:
    return Fraction(1), Fraction(0)


def weight_of(cells: list[Cell], sizes: Callable[[Cell], tuple[Fraction, Fraction]], scores: Vector) -> Fraction:
    """The least c_i of clause 2."""
    a, b = min(scores), max(scores)
    g, weight = b - a, Fraction(0)
    for cell in cells:
        if g == 0 or cell[0] > b or cell[1] < a:
            continue
        m1, m0 = sizes(cell)
        alpha, beta = (max(cell[0], a) - a) / g, (min(cell[1], b) - a) / g
        v = Fraction(1, 4) if alpha <= Fraction(1, 2) <= beta else max(alpha * (1 - alpha), beta * (1 - beta))
        tau = min(alpha, 1 - beta)
        r = 1 - 2 * tau if tau <= Fraction(1, 4) else 1 / (8 * tau)
        weight = max(weight, g * v * (m0 * g * v + m1 * r))
    return weight


def largest_eigenvalue(terms: list[tuple[Fraction, Vector]], d: int) -> Fraction:
    """Of sum w y y^T, from above: by the power method, with room of 2^-19 of the trace."""
    matrix = [[float(sum(w * y[r] * y[c] for w, y in terms)) for c in range(d)] for r in range(d)]
    x = [1.0 + k / 7 for k in range(d)]
    size = 0.0
    for _ in range(5000):
        image = [sum(a * b for a, b in zip(row, x)) for row in matrix]
        size = math.sqrt(sum(a * a for a in image))
        if size == 0:
            return Fraction(0)
        x = [a / size for a in image]
    return Fraction(size) + ROOM * sum((w * dot(y, y) for w, y in terms), Fraction(0))


def curvature_bound(problem: Problem, over: str, cuts: list[str], forms: list[str]) -> Certificate:
    scores = [[problem.score(i, t) for t in range(len(sample))] for i, sample in enumerate(problem.tokens)]
    lo, hi = min(map(min, scores)), max(map(max, scores))
    ends = [lo, *map(Fraction, cuts), hi]
    sizes = correlation_sizes if problem.loss == "correlation" else logistic_sizes
    weights = [weight_of(list(zip(ends, ends[1:])), sizes, row) for row in scores]
    wide, spread = [], []
    for i, (weight, form, sample) in enumerate(zip(weights, forms, problem.tokens)):
        keys = [problem.key(i, t) for t in range(len(sample))] if over == "p" else sample
        z = problem.optional["queries"][i] if over == "W" else None
        if form == "width":
            distances = [dot(y, y) for k in keys for other in keys for y in [[a - b for a, b in zip(k, other)]]]
            wide.append((weight * max(distances), z))
        else:
            mean = [sum(column) / len(keys) for column in zip(*keys)]
            factor = 2 * weight * (dot(z, z) if z else 1)
            spread.extend((factor, [a - b for a, b in zip(k, mean)]) for k in keys)
    widths = largest_eigenvalue(wide, problem.d) if over == "W" else sum((w for w, _ in wide), Fraction(0))
    spreads = largest_eigenvalue(spread, problem.d)
    return certificate("step-size", "curvature-bound", problem, {"over": over, "bound": str((widths + spreads) / problem.n)},
                       {"interval": to_strings([lo, hi]), "cuts": cuts, "weights": to_strings(weights), "forms": forms,
                        "widths": str(widths), "spread": str(spreads)})


def three_samples(**optional: Any) -> Problem:
    return Problem([[[2, 0, 0], [0, 0, 0], [1, 0, "1/2"]], [[0, 1, 0], [0, -1, 0]], [[0, 0, 3], [0, 0, 1], [0, "1/3", 1]]], [1, -1, 1],
                   v=[1, 1, "1/2"], **optional)


def true_certificates() -> dict[str, Certificate]:
    one = Problem([[[1, 0], [0, 1], [0, 0]]], [1], "correlation", v=[1, 0])
    queries = [["1/2", 0, 0], [0, "1/2", 0], ["1/4", 0, "1/2"]]
    return {
        "curvature-bound": curvature_bound(one, "p", [], ["width"]),
        "curvature-bound-cells": curvature_bound(one, "p", ["1/16", "1/8", "3/16", "1/4", "3/8", "1/2", "5/8", "3/4", "7/8"], ["width"]),
        "curvature-bound-tokens": curvature_bound(three_samples(), "p", ["-1/2", "1/2", "1"], ["tokens"] * 3),
        "curvature-bound-mixed": curvature_bound(three_samples(W=[[1, 0, 0], [0, 1, 0], [1, 0, 1]]), "p", ["0"], ["width", "tokens", "tokens"]),
        "curvature-bound-w": curvature_bound(three_samples(queries=queries), "W", ["0", "1"], ["width"] * 3),
        "curvature-bound-w-mixed": curvature_bound(three_samples(queries=queries), "W", ["0", "1"], ["tokens", "width", "tokens"]),
        "curvature-bound-one-token": curvature_bound(Problem([[[1, 2]], [[0, 1]]], [1, -1], v=[1, 1]), "p", [], ["width", "tokens"]),
    }


def forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    of = "curvature-bound"
    yield of, "curvature-bound-less", "The bound is too small by 1e-30.", CURVATURE_BOUND, change("statement.bound", lambda x: x - TINY)
    yield of, "curvature-bound-negative", "It is not negative.", NEGATIVE.at("statement.bound"), put("statement.bound", "-1")
    yield of, "curvature-weight-less", "The weight is too small by 1e-30.", CURVATURE_WEIGHT, change("witness.weights.0", lambda x: x - TINY)
    yield of, "curvature-weight-negative", "It is not negative.", NEGATIVE.at("witness.weights"), put("witness.weights.0", "-1")
    yield of, "curvature-weight-missing", "A sample has no weight.", WRONG_LENGTH.at("witness.weights"), put("witness.weights", [])
    yield of, "curvature-widths-less", "The widths are more by 1e-30.", CURVATURE_WIDTHS, change("witness.widths", lambda x: x - TINY)
    yield of, "curvature-widths-negative", "They are not negative.", NEGATIVE.at("witness.widths"), put("witness.widths", "-1")
    yield of, "curvature-interval", "A score lies outside.", SCORE_OUTSIDE, change("witness.interval.0", lambda x: x + TINY)
    yield of, "curvature-form", "There is no such form.", CURVATURE_FORM, put("witness.forms.0", "keys")
    yield of, "curvature-form-missing", "A sample has no form.", WRONG_LENGTH.at("witness.forms"), put("witness.forms", [])
    yield of, "curvature-over", "It is over p or W.", OVER.at("statement.over"), put("statement.over", "v")
    yield of, "curvature-over-missing", "A key is missing.", missing("over").at("statement"), drop("statement.over")
    yield of, "curvature-extra", "A key is not listed.", unknown("m0").at("witness"), put("witness.m0", "1")
    yield of, "curvature-no-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield of, "curvature-token", "A token is farther away.", CURVATURE_WIDTHS, put("problem.tokens.0.1.1", "2")
    yield of, "curvature-other-token", "A token farther away in the direction of v.", SCORE_OUTSIDE, put("problem.tokens.0.0.0", "2")
    yield of, "curvature-loss", "Another loss is steeper.", CURVATURE_WEIGHT, put("problem.loss", {"expression": "-2*u"})
    yield of, "curvature-loss-bent", "Another loss has curvature.", CURVATURE_WEIGHT, put("problem.loss", {"expression": "u^2/8 - u"})
    yield of, "curvature-loss-undefined", "The loss has no slope at 0.", SQRT, put("problem.loss", {"expression": "sqrt(u) - 2*u"})
    yield of, "curvature-claim", "The claim has no such kind.", no_kind("descent"), put("claim", "descent")
    of = "curvature-bound-cells"
    yield of, "curvature-cells-weight", "The weight is too small by 1e-30.", CURVATURE_WEIGHT, change("witness.weights.0", lambda x: x - TINY)
    yield of, "curvature-cells-less", "Without the cuts the weight is too small.", CURVATURE_WEIGHT, put("witness.cuts", [])
    yield of, "curvature-cells-order", "The cuts do not ascend.", CUTS.at("witness.cuts"), reverse("witness.cuts")
    yield of, "curvature-cells-outside", "A cut is an end.", CUTS.at("witness.cuts"), put("witness.cuts", ["0", "1/2"])
    yield of, "curvature-cells-label", "The other label turns the scores round.", SCORE_OUTSIDE, put("problem.labels", [-1])
    of = "curvature-bound-tokens"
    yield of, "curvature-spread-less", "The largest eigenvalue is more.", CURVATURE_SPREAD, change("witness.spread", LESS)
    yield of, "curvature-spread-zero", "It is not 0.", CURVATURE_SPREAD, put("witness.spread", "0")
    yield of, "curvature-spread-negative", "It is not negative.", NEGATIVE.at("witness.spread"), put("witness.spread", "-1")
    yield of, "curvature-spread-form", "A sample by its width needs room in widths.", CURVATURE_WIDTHS, put("witness.forms.1", "width")
    yield of, "curvature-spread-bound", "Half the bound.", CURVATURE_BOUND, change("statement.bound", HALF)
    yield of, "curvature-spread-token", "A token is farther away, with the same score.", CURVATURE_SPREAD, put("problem.tokens.0.1", ["3", "-3", "0"])
    yield of, "curvature-spread-weight", "The weight of the last sample is too small.", CURVATURE_WEIGHT, change("witness.weights.2", LESS)
    of = "curvature-bound-mixed"
    yield of, "curvature-mixed-widths", "The width of the first sample is more.", CURVATURE_WIDTHS, change("witness.widths", LESS)
    yield of, "curvature-mixed-spread", "The largest eigenvalue is more.", CURVATURE_SPREAD, change("witness.spread", LESS)
    yield of, "curvature-mixed-bound", "The widths alone are no bound.", CURVATURE_BOUND, change("statement.bound", HALF)
    yield of, "curvature-mixed-keys", "The keys are longer.", CURVATURE_WIDTHS, put("problem.W.1.0", "1")
    of = "curvature-bound-w"
    yield of, "curvature-w-widths", "The largest eigenvalue is more.", CURVATURE_WIDTHS, change("witness.widths", LESS)
    yield of, "curvature-w-query", "A query is longer.", CURVATURE_WIDTHS, put("problem.queries.2.0", "2")
    yield of, "curvature-w-first-tokens", "Without queries they are the first tokens.", CURVATURE_WIDTHS, drop("problem.queries")
    yield of, "curvature-w-as-p", "Over p widths add up.", CURVATURE_WIDTHS, put("statement.over", "p")
    of = "curvature-bound-w-mixed"
    yield of, "curvature-w-mixed-widths", "The largest eigenvalue is more.", CURVATURE_WIDTHS, change("witness.widths", LESS)
    yield of, "curvature-w-mixed-spread", "The largest eigenvalue is more.", CURVATURE_SPREAD, change("witness.spread", LESS)
    yield of, "curvature-w-mixed-query", "A query is longer.", CURVATURE_SPREAD, put("problem.queries.2.2", "2")
    of = "curvature-bound-one-token"
    yield of, "curvature-one-token-two", "With a second token there is something to bound.", CURVATURE_WEIGHT, insert("problem.tokens.0.1", ["0", "1"])
