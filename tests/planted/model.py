"""The attention model in doubles, for data of brute.py: what proofs are held against by sampling and by long runs."""

from __future__ import annotations

import math
from typing import Sequence

import brute

Point = list[float]


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b))


def norm(a: Sequence[float]) -> float:
    return math.sqrt(dot(a, a))


def softmax(logits: Sequence[float]) -> list[float]:
    top = max(logits)
    weights = [math.exp(x - top) for x in logits]
    whole = math.fsum(weights)
    return [x / whole for x in weights]


def direction_error(p: Point, w: Point) -> float:
    a, b = norm(p), norm(w)
    return norm([x / a - y / b for x, y in zip(p, w)])


class Model:
    """Logistic loss; the data as doubles."""

    def __init__(self, problem: brute.Problem):
        self.keys = [[[float(x) for x in key] for key in sample] for sample in brute.keys_of(problem)]
        self.tokens = [[[float(x) for x in token] for token in sample] for sample in problem["tokens"]]
        self.labels = problem["labels"]
        self.scores = [[float(x) for x in row] for row in brute.scores_of(problem)]
        self.size = len(self.keys[0][0])

    def attention(self, p: Point) -> list[list[float]]:
        return [softmax([dot(key, p) for key in sample]) for sample in self.keys]

    def descent_direction(self, p: Point) -> Point:
        """-grad L / |grad L|, relative to the token of largest logit and scaled by the largest exponential: right at any norm."""
        terms: list[tuple[float, Point, float]] = []  # the logarithm of an exponential, its row, and the rest
        top = -math.inf
        for sample, scores in zip(self.keys, self.scores):
            logits = [dot(key, p) for key in sample]
            r = max(range(len(logits)), key=logits.__getitem__)
            others = [t for t in range(len(logits)) if t != r]
            gaps = [scores[r] - scores[t] for t in others]
            logs = [dot([a - b for a, b in zip(sample[t], sample[r])], p) for t in others]
            e = [math.exp(x) for x in logs]
            whole = 1 + math.fsum(e)
            mean = math.fsum(x * g for x, g in zip(e, gaps)) / whole
            slope = 1 / (1 + math.exp(min(700.0, scores[r] - mean)))
            for t, log, gap in zip(others, logs, gaps):
                terms.append((log, [a - b for a, b in zip(sample[r], sample[t])], slope / whole * (gap - mean)))
                top = max(top, log)
        g = [0.0] * self.size
        for log, row, pull in terms:
            factor = math.exp(log - top) * pull
            g = [x + factor * a for x, a in zip(g, row)]
        length = norm(g)
        return [x / length for x in g] if length > 0 else g

    def descent_product(self, p: Point, u: Point) -> float:
        """-n grad L . u"""
        total = []
        for sample, scores, s in zip(self.keys, self.scores, self.attention(p)):
            f = dot(s, scores)
            slope = 1 / (1 + math.exp(f))
            total.append(slope * math.fsum(x * (score - f) * dot(key, u) for x, score, key in zip(s, scores, sample)))
        return math.fsum(total)

    def log_excess(self, p: Point, selection: Sequence[int]) -> float:
        """log of n (L(p) - L*) for the globally optimal selection, however small."""
        parts = []
        for sample, scores, a in zip(self.keys, self.scores, selection):
            logs = [dot([x - y for x, y in zip(sample[t], sample[a])], p) for t in range(len(sample)) if t != a]
            gaps = [scores[a] - scores[t] for t in range(len(sample)) if t != a]
            if not logs:
                continue
            top = max(0.0, *logs)
            whole = math.exp(-top) + math.fsum(math.exp(x - top) for x in logs)
            scale = max(x + math.log(g) for x, g in zip(logs, gaps))
            log_g = scale + math.log(math.fsum(math.exp(x + math.log(g) - scale) for x, g in zip(logs, gaps))) - top - math.log(whole)
            gap = math.exp(log_g)
            ratio = math.expm1(gap) / gap if gap > 0 else 1.0
            weight = 1 / (1 + math.exp(scores[a]))
            rise = weight * gap * ratio
            parts.append(log_g + math.log(weight * ratio) + (math.log(math.log1p(rise) / rise) if rise > 0 else 0.0))
        top = max(parts)
        return top + math.log(math.fsum(math.exp(x - top) for x in parts))
