"""Random problems, small enough for brute force. What is drawn depends on the random numbers alone."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import brute

MOST_ROWS = 6


def number(rng: random.Random, law: str) -> Fraction:
    if law == "grid":  # many ties, repeated tokens and degenerate programs
        return Fraction(rng.randint(-2, 2))
    if law == "decimal":
        return Fraction(rng.randint(-30, 30), 10)
    if law == "double":
        return Fraction(rng.gauss(0, 1)).limit_denominator(2**20)
    return Fraction(rng.randint(-9, 9), rng.randint(1, 7))


def vector(rng: random.Random, law: str, size: int) -> brute.Vector:
    return [number(rng, law) for _ in range(size)]


def nonzero(rng: random.Random, law: str, size: int) -> brute.Vector:
    while True:
        drawn = vector(rng, law, size)
        if any(drawn):
            return drawn


def problem(rng: random.Random, dimension: int | None = None, samples: int | None = None, queries: bool = False,
            most_rows: int = MOST_ROWS) -> brute.Problem:
    """Tokens, labels and v; sometimes W, and queries where they are asked for."""
    law = rng.choice(["grid", "grid", "decimal", "fraction", "double"])
    d = dimension or rng.randint(1, 3)
    n = samples or rng.choice([1, 1, 2, 2, 3])
    counts = [rng.randint(1, 4) for _ in range(n)]
    while sum(counts) - n > most_rows or sum(counts) == n:
        counts = [rng.randint(1, 4) for _ in range(n)]
    drawn: brute.Problem = {
        "tokens": [[vector(rng, law, d) for _ in range(count)] for count in counts],
        "labels": [rng.choice([1, -1]) for _ in range(n)],
        "v": vector(rng, law, d),
    }
    if rng.random() < 0.3:
        drawn["W"] = [vector(rng, law, d) for _ in range(d)]
    if queries and rng.random() < 0.7:
        drawn["queries"] = [vector(rng, law, d) for _ in range(n)]
    if rng.random() < 0.2:  # a token that is the mean of two others: no direction selects it
        sample = rng.choice(drawn["tokens"])
        if len(sample) >= 3:
            a, b, c = rng.sample(range(len(sample)), 3)
            sample[a] = [(x + y) / 2 for x, y in zip(sample[b], sample[c])]
    return drawn


def of_any_size(rng: random.Random, drawn: brute.Problem) -> brute.Problem:
    """The problem, or one in eight with keys whose squares are beyond doubles. In half of these the tokens are far out along a direction that
    W takes to 0 and v too, so that in doubles keys and scores are rounding."""
    if rng.random() < 7 / 8:
        return drawn
    size = len(drawn["v"])
    keys = drawn.get("W") or [[Fraction(a == b) for b in range(size)] for a in range(size)]
    if rng.random() < 0.5:
        far = Fraction(2**60)
        drawn["tokens"] = [[[x + far for x in token] + [far] for token in sample] for sample in drawn["tokens"]]
        drawn["v"] = [*drawn["v"], -sum(drawn["v"])]
        keys = [[*row, -sum(row)] for row in keys] + [[Fraction(0)] * (size + 1)]
    factor = Fraction(10) ** rng.choice([-300, -170, 165, 200, 300])
    drawn["W"] = [[factor * entry for entry in row] for row in keys]
    return drawn


def selection(rng: random.Random, drawn: brute.Problem) -> list[int]:
    """One at random, or the one of the largest scores."""
    if rng.random() < 0.5:
        return [row.index(max(row)) for row in brute.scores_of(drawn)]
    return [rng.randrange(len(sample)) for sample in drawn["tokens"]]


def best_selection(drawn: brute.Problem) -> list[int] | None:
    """The globally optimal one, where it is unique."""
    chosen = [row.index(max(row)) for row in brute.scores_of(drawn)]
    ties = any(row.count(max(row)) > 1 for row in brute.scores_of(drawn))
    return None if ties else chosen


def written(value: Any) -> Any:
    """As a case file writes it: rationals as text."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {key: written(item) for key, item in value.items()}
    return [written(item) for item in value] if isinstance(value, (list, tuple)) else value
