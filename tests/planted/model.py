"""The attention model in doubles, for data of brute.py: what proofs are held against by sampling and by long runs. NumPy: of one problem at many
points, or of many problems at a point each."""

from __future__ import annotations

from typing import Sequence

import numpy as np

import brute

Array = np.ndarray


def doubles(rows: Sequence[Sequence[brute.Fraction]]) -> Array:
    return np.array([[float(x) for x in row] for row in rows])


def norms(vectors: Array) -> Array:
    return np.sqrt((vectors * vectors).sum(-1))


def direction_errors(points: Array, w: Array) -> Array:
    return norms(points / norms(points)[..., None] - w / norms(w)[..., None])


def log_sum(logs: Array) -> Array:
    """log of the sum of exponentials along the first axis."""
    top = logs.max(0)
    return top + np.log(np.exp(logs - top).sum(0))


class Model:
    """Logistic loss. Arrays by problem, sample and token; samples and tokens that a problem has not are filled up, and have no attention. Points
    are an array by problem too, or of one problem as many as are wanted."""

    def __init__(self, problems: Sequence[brute.Problem]):
        samples = max(len(problem["tokens"]) for problem in problems)
        most = max(len(sample) for problem in problems for sample in problem["tokens"])
        size = len(problems[0]["tokens"][0][0])
        shape = (len(problems), samples, most)
        self.keys, self.tokens, self.scores = np.zeros((*shape, size)), np.zeros((*shape, size)), np.zeros(shape)
        self.floor = np.full(shape, -np.inf)  # added to logits: no attention to what is not there
        self.floor[:, :, 0] = 0  # a sample that is not there has one token, and pulls nowhere
        self.is_sample = np.zeros((len(problems), samples))
        self.labels = np.ones((len(problems), samples))
        for b, problem in enumerate(problems):
            for i, (keys, scores) in enumerate(zip(brute.keys_of(problem), brute.scores_of(problem))):
                self.keys[b, i, :len(keys)] = doubles(keys)
                self.tokens[b, i, :len(keys)] = doubles(problem["tokens"][i])
                self.scores[b, i, :len(keys)] = [float(x) for x in scores]
                self.floor[b, i, :len(keys)] = 0
                self.is_sample[b, i], self.labels[b, i] = 1, problem["labels"][i]

    def of(self, chosen: Array) -> Model:
        """Of some of the problems."""
        part = object.__new__(Model)
        part.__dict__ = {name: value[chosen] for name, value in self.__dict__.items()}
        return part

    def logits(self, points: Array) -> Array:
        return np.matmul(self.keys, points[:, None, :, None])[..., 0] + self.floor

    def attention(self, points: Array) -> Array:
        logits = self.logits(points)
        weights = np.exp(logits - logits.max(-1, keepdims=True))
        return weights / weights.sum(-1, keepdims=True)

    def descent_directions(self, points: Array) -> Array:
        """-grad L / |grad L|, relative to the token of largest logit and scaled by the largest exponential: right at any norm."""
        logits = self.logits(points)
        largest = logits.argmax(-1)[..., None]
        logs = logits - np.take_along_axis(logits, largest, -1)
        e = np.exp(logs)
        gaps = np.take_along_axis(self.scores, largest, -1) - self.scores
        whole = e.sum(-1, keepdims=True)
        mean = (e * gaps).sum(-1, keepdims=True) / whole
        slope = self.is_sample[..., None] / (1 + np.exp(np.minimum(700.0, np.take_along_axis(self.scores, largest, -1) - mean)))
        np.put_along_axis(logs, largest, -np.inf, -1)  # its row is 0
        factors = np.exp(logs - logs.max((-1, -2), keepdims=True)) * slope / whole * (gaps - mean)
        rows = np.take_along_axis(self.keys, largest[..., None], -2) - self.keys
        pull = (factors[..., None] * rows).sum((-2, -3))
        return pull / norms(pull)[..., None]

    def pulls(self, points: Array) -> tuple[Array, Array]:
        """-n grad L at each point, as a sum over pairs of tokens, of which no part cancels where all scores and keys are in one order; and the sum of
        the pairs' sizes."""
        attention = self.attention(points)
        slope = self.is_sample / (1 + np.exp((attention * self.scores).sum(-1)))
        gaps = self.scores[..., :, None] - self.scores[..., None, :]
        factors = slope[..., None, None] * attention[..., :, None] * attention[..., None, :] * gaps / 2
        rows = self.keys[..., :, None, :] - self.keys[..., None, :, :]
        return (factors[..., None] * rows).sum((1, 2, 3)), (np.abs(factors) * norms(rows)).sum((1, 2, 3))


class Excess:
    """log of n (L(p) - L*) for the globally optimal selection, however small. Points by coordinate first."""

    def __init__(self, problem: brute.Problem, selection: Sequence[int]):
        self.samples = []
        for keys, scores, a in zip(brute.keys_of(problem), brute.scores_of(problem), selection):
            others = [t for t in range(len(keys)) if t != a]
            if others:
                rows = doubles([brute.difference(keys[t], keys[a]) for t in others])
                gaps = np.array([float(scores[a] - scores[t]) for t in others])
                self.samples.append((rows, np.log(gaps), 1 / (1 + np.exp(float(scores[a])))))
        self.longest = max(norms(rows).max() for rows, _, _ in self.samples)

    def __call__(self, points: Array) -> Array:
        parts = []
        for rows, log_gaps, weight in self.samples:
            logs = np.tensordot(rows, points, 1)
            raised = logs + log_gaps.reshape(-1, *[1] * (points.ndim - 1))
            log_gap = log_sum(raised) - np.logaddexp(0, log_sum(logs))  # of the score that attention loses
            rise = weight * np.expm1(np.exp(log_gap))
            tiny = rise < 1e-12
            parts.append(np.where(tiny, log_gap + np.log(weight), np.log(np.log1p(np.where(tiny, 1.0, rise)))))
        return log_sum(np.stack(parts))
