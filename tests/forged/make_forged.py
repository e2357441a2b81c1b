#!/usr/bin/env python3
"""Writes true/*.json, certificates that prove what they state, *.json, forgeries of them, and
index.json, which says of each forgery why it must be rejected (docs/certificate.md), and in which words the checkers do so.

usage: make_forged.py [FOLDER]     (default: the folder of this file)

The output is the same on every run; it is committed. The solver here is brute force over sets of
rows in exact arithmetic, and shares no code with either checker.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable, Iterator

import brackets
import curvatures
import limit_forgeries
import limits
from pieces import *  # problems and edits
from reasons import *  # the names of the faults

HERE = Path(__file__).resolve().parent

# ---------------------------------------------------------------------------------------------
# True certificates


def svm_program(claim: str, problem: Problem, alpha: list[int]) -> tuple[Program, dict[str, Any]]:
    """The program, and what a witness must add to it."""
    if claim == "p-svm":
        return problem.p_rows(dict(enumerate(alpha))), {}
    rows = problem.v_rows(alpha)
    if claim == "v-svm":
        return rows, {}
    support = tight(rows, minimise(rows, problem.d)[0])
    return problem.p_rows(dict(enumerate(alpha)), lambda i: int((i,) in support)), {"v": solution(rows, problem.d)}


def svm(claim: str, problem: Problem, alpha: list[int]) -> Certificate:
    program, extra = svm_program(claim, problem, alpha)
    found = minimise(program, problem.d)
    if found is None:
        return certificate(claim, "svm-infeasible", problem, {"selection": alpha},
                           {"lambda": multipliers(farkas(program, problem.d)), **extra})
    w, _ = found
    statement = {"selection": alpha, "objective": str(dot(w, w) / 2), "support": [list(r) for r in tight(program, w)]}
    return certificate(claim, "svm-optimal", problem, statement, {**solution(program, problem.d), **extra})


def w_svm(problem: Problem, alpha: list[int]) -> Certificate:
    program, size = problem.w_rows(alpha), problem.d**2
    found = minimise(program, size)
    if found is None:
        return certificate("w-svm", "svm-infeasible", problem, {"selection": alpha}, {"lambda": multipliers(farkas(program, size))})
    w, weights = found
    statement = {"selection": alpha, "objective": str(dot(w, w) / 2), "support": [list(r) for r in tight(program, w)]}
    return certificate("w-svm", "svm-optimal", problem, statement, {"lambda": multipliers(weights)})


def nuclear(problem: Problem, alpha: list[int], lower: str, upper: str, a: list, b: list, weights: dict[Row, Fraction],
            root: list | None = None) -> Certificate:
    witness = {"a": to_strings(to_fractions(a)), "b": to_strings(to_fractions(b)), "lambda": multipliers(weights)}
    return certificate("w-svm", "nuclear-bracket", problem, {"selection": alpha, "lower": lower, "upper": upper},
                       witness if root is None else {**witness, "root": root})


def full_rank(problem: Problem) -> Certificate:
    return certificate("overparametrised", "rank", problem,
                       {"token_ranks": [len(sample) - 1 for sample in problem.tokens], "query_rank": problem.n}, {})


def every_selection(problem: Problem) -> Certificate:
    """A matrix for each selection, from the minimiser of its W-SVM."""
    d, matrices = problem.d, []
    for alpha in itertools.product(*(range(len(sample)) for sample in problem.tokens)):
        w, _ = minimise(problem.w_rows(list(alpha)), d * d)
        matrices.append(to_strings([w[r * d:(r + 1) * d] for r in range(d)]))
    return certificate("overparametrised", "every-selection", problem, {"count": len(matrices)}, {"matrices": matrices})


def leaf(problem: Problem, alpha: list[int]) -> dict[str, Any]:
    """A solution of p-svm(alpha), with a neighbour if one scores at least as much."""
    program = problem.p_rows(dict(enumerate(alpha)))
    w, _ = minimise(program, problem.d)
    result = solution(program, problem.d)
    for i, t in tight(program, w):
        if problem.score(i, t) >= problem.score(i, alpha[i]):
            return {**result, "neighbour": [i, t]}
    return result


def local(problem: Problem, alpha: list[int]) -> Certificate:
    program = problem.p_rows(dict(enumerate(alpha)))
    found = minimise(program, problem.d)
    if found is None:
        witness = {"farkas": multipliers(farkas(program, problem.d))}
    else:
        witness = leaf(problem, alpha)
        if "neighbour" not in witness:
            statement = {"selection": alpha, "neighbours": [list(r) for r in tight(program, found[0])]}
            return certificate("locally-optimal", "locally-optimal", problem, statement, witness)
    return certificate("locally-optimal", "not-locally-optimal", problem, {"selection": alpha}, witness)


def census(problem: Problem, order: list[int]) -> Certificate:
    conflicts: list = []
    selections: list[list[int]] = []

    def node(chosen: dict[int, int]) -> Any:
        weights = farkas(problem.p_rows(chosen), problem.d)
        if weights is not None:
            conflicts.append([[i, chosen[i], t, str(weight)] for (i, t), weight in sorted(weights.items())])
            return len(conflicts) - 1
        if len(chosen) < problem.n:
            i = order[len(chosen)]
            return [node({**chosen, i: t}) for t in range(len(problem.tokens[i]))]
        alpha = [chosen[i] for i in range(problem.n)]
        result = leaf(problem, alpha)
        if "neighbour" not in result:
            selections.append(alpha)
        return result

    tree = node({})
    return certificate("census", "census", problem, {"count": len(selections), "selections": sorted(selections)},
                       {"order": order, "conflicts": conflicts, "tree": tree})


def touched_census(centre: bool) -> Certificate:
    """Keys are the first coordinate, scores the second. One conflict of each form: infeasible, pairs beside weights, with a centre. (2, 0) is the
    only locally optimal selection; at the minimiser of (1, 1) token 1 of sample 1 touches token 0, which scores more: a leaf, or closed by a centre."""
    problem = Problem([[[0, 0], [1, 1], [-5, 5]], [[0, 0], [Fraction(1, 2), -1]]], [1, 1], v=[0, 1], W=[[1, 0], [0, 0]])
    conflicts = [[[0, 0, 1, "5"], [0, 0, 2, "1"]], [[0, 1, 0, "1"], [1, 0, 1, "2"]], [[0, 2], [1, 1, 0, "1"]],
                 {"terms": [[0, 1], [1, 1, 0, "2"]], "centre": ["1", "0"]}]
    tree = [[0, 1, leaf(problem, [2, 0])], [0, 3 if centre else leaf(problem, [1, 1]), 2]]
    return certificate("census", "census", problem, {"count": 1, "selections": [[2, 0]]},
                       {"order": [1, 0], "conflicts": conflicts[:4 if centre else 3], "tree": tree})


def globally(problem: Problem, alpha: list[int]) -> Certificate:
    gaps = [problem.score(i, a) - problem.score(i, t) for i, a in enumerate(alpha)
            for t in range(len(problem.tokens[i])) if t != a]
    gap = min(gaps, default=None)
    return certificate("globally-optimal", "globally-optimal", problem,
                       {"selection": alpha, "unique": gap is None or gap > 0, "gap": None if gap is None else str(gap)}, {})


def not_globally(problem: Problem, alpha: list[int], unique: bool, sample: int, token: int) -> Certificate:
    return certificate("globally-optimal", "not-globally-optimal", problem, {"selection": alpha, "unique": unique},
                       {"sample": sample, "token": token})


def loss_bounds(problem: Problem, interval: list[str], slope_sup: str, m0: str, m1: str, covers: bool,
                cuts: list[str]) -> Certificate:
    return certificate("assumption-a", "loss-bounds", problem,
                       {"interval": interval, "slope_sup": slope_sup, "m0": m0, "m1": m1, "covers_scores": covers},
                       {"cuts": cuts})


def not_decreasing(problem: Problem, interval: list[str], a: str, b: str, covers: bool, by: str) -> Certificate:
    return certificate("assumption-a", "loss-not-decreasing", problem,
                       {"interval": interval, "a": a, "b": b, "covers_scores": covers}, {"by": by})


def scores_equal(problem: Problem, alpha: list[int]) -> Certificate:
    return certificate("gd-global", "equal-scores", problem, {"selection": alpha}, {})


def w_local(problem: Problem, alpha: list[int]) -> Certificate:
    program, size = problem.w_rows(alpha), problem.d**2
    found = minimise(program, size)
    if found is None:
        witness: dict[str, Any] = {"farkas": multipliers(farkas(program, size))}
    else:
        w, weights = found
        rows = tight(program, w)
        witness = {"lambda": multipliers(weights)}
        better = [[i, t] for i, t in rows if problem.score(i, t) >= problem.score(i, alpha[i])]
        if not better:
            return certificate("w-svm", "locally-optimal", problem, {"selection": alpha, "neighbours": [list(r) for r in rows]}, witness)
        witness["neighbour"] = better[0]
    return certificate("w-svm", "not-locally-optimal", problem, {"selection": alpha}, witness)


def better_neighbour(problem: Problem, alpha: list[int], neighbour: list[int]) -> Certificate:
    return certificate("tightness", "better-neighbour", problem, {"selection": alpha},
                       {**solution(problem.p_rows(dict(enumerate(alpha))), problem.d), "neighbour": neighbour})


def no_better_neighbour(problem: Problem, alpha: list[int]) -> Certificate:
    return certificate("tightness", "no-better-neighbour", problem, {"selection": alpha},
                       solution(problem.p_rows(dict(enumerate(alpha))), problem.d))


def independent_rows(problem: Problem, alpha: list[int]) -> Certificate:
    program = problem.p_rows(dict(enumerate(alpha)))
    rows = [list(row) for row in tight(program, minimise(program, problem.d)[0])]
    return certificate("tightness", "independent-rows", problem, {"selection": alpha, "rows": rows}, solution(program, problem.d))


def slack_tokens(problem: Problem, alpha: list[int], **free: int) -> Certificate:
    """With a sample and a token it is the contrary."""
    return certificate("joint-path", "no-slack-tokens" if free else "slack-tokens", problem, {"selection": alpha},
                       {"v": solution(problem.v_rows(alpha), problem.d), **free})


def logistic(loss: Any) -> Certificate:
    return certificate("joint-path", "logistic-loss", one_input(loss=loss), {}, {})


def not_logistic(loss: Any, u: str) -> Certificate:
    return certificate("joint-path", "not-logistic", one_input(loss=loss), {"u": u}, {})


def loss_flat(problem: Problem, sample: int, token: int, by: str) -> Certificate:
    return certificate("assumption-a", "loss-flat", problem,
                       {"sample": sample, "token": token, "at": str(problem.score(sample, token))}, {"by": by})


class Cells:
    """Assumption B by brute force: a node is closed by weights that are known, or the first open sample is branched."""

    def __init__(self, problem: Problem, alpha: list[int], nu: Fraction) -> None:
        self.problem, self.alpha, self.nu = problem, alpha, nu
        rows = problem.v_rows(alpha)
        self.v, multipliers_of_v = minimise(rows, problem.d)
        self.support = [i for i, in tight(rows, self.v)]
        self.gamma_squared = 1 / dot(self.v, self.v)
        self.weights: list[dict[int, Fraction]] = self.duals(rows)

    def duals(self, rows: Program) -> list[dict[int, Fraction]]:
        """The vertices of Lambda."""
        target = [self.gamma_squared * x for x in self.v]
        found = []
        for chosen in subsets({(i,): rows[i,] for i in self.support}, self.problem.d):
            x = solve_columns([rows[r][0] for r in chosen], target) if chosen else None
            if x is not None and all(weight > 0 for weight in x):
                found.append({i: weight for (i,), weight in zip(chosen, x)})
        return found

    def points(self, j: int, delta: Fraction) -> list[list[Vector]]:
        offers = []
        for i, sample in enumerate(self.problem.tokens):
            share = delta if i in self.support else Fraction(1)
            offers.append([[self.problem.labels[i] * (o + share * (x - o)) for o, x in zip(sample[self.alpha[i]], token)]
                           for t, token in enumerate(sample) if (i, t) != (j, self.alpha[j])])
        return offers

    def bound(self, offers: list[list[Vector]], weights: dict[int, Fraction], assigned: dict[int, int]) -> Fraction:
        c = {i: offers[i][assigned[i]] if i in assigned else [sum(x) / len(offers[i]) for x in zip(*offers[i])] for i in weights}
        e = {i: [[x - y for x, y in zip(point, c[i])] for point in offers[i]] for i in weights if i not in assigned}
        centre = [sum((weights[i] * c[i][k] for i in weights), Fraction(0)) for k in range(self.problem.d)]
        return dot(centre, centre) + sum(
            (max(2 * weights[i] * dot(x, centre) + weights[i] ** 2 * dot(x, x)
                 + sum(weights[i] * weights[k] * max(dot(x, y) for y in e[k]) for k in e if k != i) for x in e[i]) for i in e), Fraction(0))

    def closes(self, j: int, delta: Fraction, weights: dict[int, Fraction], assigned: dict[int, int]) -> bool:
        a, b, c = self.bound(self.points(j, delta), weights, assigned), self.gamma_squared, self.nu * delta
        return c * c <= b and a <= b + c * c and (b + c * c - a) ** 2 >= 4 * c * c * b

    def nearest(self, j: int, delta: Fraction, assigned: dict[int, int]) -> dict[int, Fraction]:
        """Weights at which the margin of a full assignment is attained."""
        rows = {(i,): (self.points(j, delta)[i][assigned[i]], Fraction(1)) for i in assigned}
        solved = minimise(rows, self.problem.d)
        weights = farkas(rows, self.problem.d) if solved is None else solved[1]
        return {i: weight / sum(weights.values()) for (i,), weight in weights.items()}

    def tree(self, j: int, a: Fraction, b: Fraction, assigned: dict[int, int]) -> Any:
        full = len(assigned) == self.problem.n
        if full and a > 0:
            weights = self.nearest(j, (a + b) / 2, assigned)
            if weights not in self.weights:
                self.weights.append(weights)
        for index, weights in enumerate(self.weights):
            if self.closes(j, a, weights, assigned) and self.closes(j, b, weights, assigned):
                return index
        if full:
            return None
        i = min(i for i in range(self.problem.n) if i not in assigned)
        children = [self.tree(j, a, b, {**assigned, i: t}) for t in range(len(self.points(j, b)[i]))]
        return None if None in children else [i, *children]

    def cells(self, j: int) -> list[dict[str, Any]]:
        cells, a, b = [], Fraction(0), Fraction(1)
        while a < 1:
            tree = self.tree(j, a, b, {})
            if tree is None:
                b = (a + b) / 2
                assert b - a > Fraction(1, 1000), "nu is too large"
                continue
            cells.append({"upto": str(b), "tree": tree})
            a, b = b, Fraction(1)
        return cells

    def witness(self) -> dict[str, Any]:
        samples = [{"sample": j, "cells": self.cells(j)} for j in self.support if len(self.problem.tokens[j]) > 1]
        return {"v": solution(self.problem.v_rows(self.alpha), self.problem.d), "samples": samples,
                "weights": [multipliers({(i,): weight for i, weight in weights.items()}) for weights in self.weights]}


def assumption_b(problem: Problem, alpha: list[int], over: str, nu: str, cover: list | None = None, kappa: int = 1) -> Certificate:
    cells = Cells(problem, alpha, kappa * Fraction(nu))
    extra = {} if cover is None else {"cover": cover}
    return certificate("assumption-b", "assumption-b", problem,
                       {"selection": alpha, "over": over, "nu": nu, "gamma_squared": str(cells.gamma_squared)},
                       {**cells.witness(), **extra})


def assumption_b_refuted(problem: Problem, alpha: list[int], over: str, by: str, p: list, **extra: Any) -> Certificate:
    return certificate("assumption-b", "assumption-b-refuted", problem, {"selection": alpha, "over": over},
                       {"v": solution(problem.v_rows(alpha), problem.d), "by": by, "p": to_strings(to_fractions(p)), **extra})


def one_input(third: str = "9/10", loss: Any = "logistic") -> Problem:
    return Problem([[["-1/10", 1, 1], [1, 0, "9/10"], [0, 0, third]]], [1], loss,
                   W=[[1, 0, 0], [0, 1, 0], [0, 0, 0]], v=[0, 0, 1])


def joint(x3: list, **optional: list) -> Problem:
    return Problem([[[0, 0], [1, 1]], [[0, 0], [1, -1]], [[0, 0], x3]], [1, -1, 1], **optional)


def random_problem(seed: int) -> Problem:
    """Small and full of ties; the samples have different numbers of tokens."""
    rng = random.Random(seed)

    def vector() -> list[Fraction]:
        return [Fraction(rng.randint(-2, 2), rng.choice([1, 1, 2, 3])) for _ in range(2)]

    return Problem([[vector() for _ in range(size)] for size in (3, 2, 3)], [1, -1, 1], "exponential",
                   v=vector(), W=[[1, "1/2"], [0, 1]], queries=[vector() for _ in range(3)])


def one_and_two(expression: str) -> Problem:
    """Scores 1, 0 on the key (1, 0) and 2, 0 on (0, 1)."""
    return Problem([[[1, 0], [0, 0]], [[0, 1], [0, 0]]], [1, 1], {"expression": expression}, v=[1, 2])


def opposed_queries() -> Problem:
    return Problem([[[1, 0], [0, 1]]] * 2, [1, 1], queries=[[1, 2], ["-1/2", -1]])


def crossed_queries() -> Problem:
    """Three samples, of 3, 2 and 1 tokens; W and v play no part."""
    return Problem([[[1, 0], [0, 1], ["1/2", "1/3"]], [[1, 2], [0, 0]], [[5, 7]]], [1, -1, 1],
                   queries=[[1, 1], [1, -2], [0, 0]], v=[1, 1], W=[[0, 1], [1, 0]])


def true_certificates() -> dict[str, Certificate]:
    first, tight_joint = one_input(), joint([Fraction(1, 2), 1], v=[0, 1])
    # The second sample of `flat` is no support vector of v-svm, and its rows are a and -a.
    flat = Problem([[[1, 0], ["1/2", 0]], [[3, 1], [3, 2], [3, 0]]], [1, 1])
    between = Problem([[[1, 0], [2, 0], [3, 0]]], [1], v=[1, 0])
    twins = Problem([[[0, 0], [1, 1], [1, 0]]] * 2, [1, 1], "correlation", v=[1, 2])
    tie = Problem([[[1, 0], [1, 3], [0, 1]], [[5, 5]]], [1, -1], v=[1, 0])
    sigmoid = one_input(loss={"expression": "1/(1 + exp(u)) - 1e-1*u"})
    bowl = one_input(loss={"expression": "exp(-u) + u/2"})
    tied = random_problem(60)
    relaxed = joint([Fraction(1, 2), Fraction(3, 2)])
    # The first sample of `sheltered` is the support and covers the rows of the second. Gamma is sqrt(2).
    sheltered = Problem([[[1, 1], ["1/2", "1/2"], [0, 1]], [[4, 4], [3, 3], [3, 4], ["13/4", "15/4"]]], [1, 1], W=[[2, 0], ["1/2", 1]])
    # Two tokens of another selection are better together; one alone is worse.
    rival = Problem([[[1, 0], [0, 2]], [[1, 0], [0, 2]], [[5, 5], [6, 6]]], [1, 1, 1])
    # The second sample is no support vector, and its first two tokens have the same key.
    copies = Problem([[[2, 0], [-1, 0]], [[3, 0], [3, 1], [-1, 0]]], [1, 1], W=[[1, 0], [0, 0]])
    # The second sample is tight, yet its multiplier is 0.
    idle = Problem([[[1, 0], [-1, 0]], [[1, 1], [0, 0]], [[-9, 0]]], [1, 1, -1])
    mixture = Problem([[[1, 0], [3, 0], [1, 2]], [[2, 1], [1, -1]]], [1, 1], W=[[1, "1/3"], [0, 2]])
    single = Problem([[[1, 2]], [[3, -1]]], [1, 1])
    level = Problem([[[1, 0], [0, 1], [0, 2]], [["1/2", 1], ["1/2", 4], [3, 0]], [[1, 1]]], [1, 1, -1], v=[1, 0])
    tie_of_all = Problem([[[1, 0], [1, 3], [1, 1]]], [-1], v=[1, 0])
    crossed = crossed_queries()
    crossed.labels, crossed.optional["v"] = [1, 1, 1], to_fractions([1, 0])
    opposed = Problem([[[1, 0], [0, 1]]] * 2, [1, 1], queries=[[1, 2], ["-1/2", -1]], v=[1, 1])
    return {
        "one-input-p-svm": svm("p-svm", first, [0]),
        "one-input-local": local(first, [0]),
        "one-input-not-local": local(first, [1]),
        "one-input-2-local": local(one_input("0"), [1]),
        "one-input-global": globally(first, [0]),
        "one-input-not-global": not_globally(first, [1], False, 0, 0),
        "single-token-global": globally(Problem([[[1]], [[2]]], [1, -1], v=[1]), [0, 0]),
        "tie-global": globally(tie, [1, 0]),
        "tie-not-unique": not_globally(tie, [1, 0], True, 0, 0),
        "joint-tight-v-svm": svm("v-svm", tight_joint, [1, 1, 1]),
        "joint-tight-p-svm": svm("p-svm", tight_joint, [1, 1, 1]),
        "joint-tight-joint-svm": svm("joint-svm", tight_joint, [1, 1, 1]),
        "joint-tight-census": census(tight_joint, [2, 0, 1]),
        "joint-relaxed-joint-svm": svm("joint-svm", joint([Fraction(1, 2), Fraction(3, 2)]), [1, 1, 1]),
        "flat-joint-svm": svm("joint-svm", flat, [0, 0]),
        "between-joint-svm": svm("joint-svm", between, [1]),
        "between-p-svm": svm("p-svm", between, [1]),
        "between-not-local": local(between, [1]),
        "opposed-v-svm": svm("v-svm", Problem([[[1, 1]], [[1, 1]]], [1, -1]), [0, 0]),
        "twins-p-svm": svm("p-svm", twins, [1, 1]),
        "random-census": census(tied, [1, 2, 0]),
        "touched-census": touched_census(False),
        "centre-census": touched_census(True),
        "b-exact": assumption_b(Problem([[[1], [0]]], [1]), [0], "all", "1"),
        "b-tight": assumption_b(tight_joint, [1, 1, 1], "all", "2/5"),
        "b-relaxed-support": assumption_b(relaxed, [1, 1, 1], "support", "2/5"),
        "b-cover": assumption_b(sheltered, [0, 0], "all", "1/12", [
            {"row": [1, 1], "lambda": [[0, 1, "2"]]}, {"row": [1, 2], "lambda": [[0, 2, "1"]]},
            {"row": [1, 3], "lambda": [[0, 1, "1/2"], [0, 2, "1/2"]]}], 3),
        "b-single": assumption_b(single, [0, 0], "all", "7"),
        "b-refuted-soft-row": assumption_b_refuted(relaxed, [1, 1, 1], "all", "soft-row", [1, 0]),
        "b-refuted-limit": assumption_b_refuted(rival, [0, 0, 0], "support", "limit", [-1, 2], u=["0", "1/2"]),
        "b-refuted-twins": assumption_b_refuted(copies, [0, 0], "all", "limit", [1, 0], u=["1/2", "0"]),
        "b-refuted-weightless": assumption_b_refuted(idle, [0, 0, 0], "support", "weightless", [1, 0], sample=1, y=["0", "1"]),
        "b-refuted-point": assumption_b_refuted(mixture, [0, 0], "all", "point", ["1/3", 1], u=["1", "1/3"]),
        "w-svm": w_svm(crossed_queries(), [0, 0, 0]),
        "w-svm-degenerate": w_svm(Problem([[[1, 0], [0, 1]]] * 2, [1, 1], queries=[[1, 2]] * 2), [0, 0]),
        # Rows 4 e₁e₁ᵀ and 9 e₂e₂ᵀ: W = diag(1/4, 1/9), and M is the identity.
        "nuclear-exact": nuclear(Problem([[[1, 0], [0, 0]], [[0, 2], [0, 0]]], [1, 1], queries=[[4, 0], [0, "9/2"]]), [0, 0], "13/36", "13/36",
                                 [["1/2", 0], [0, "1/3"]], [["1/2", 0], [0, "1/3"]], {(0, 1): Fraction(1, 4), (1, 1): Fraction(1, 9)}),
        # The same with M = I/2: I − MᵀM = 3/4 I, and less a root's square it is diagonally dominant.
        "nuclear-root": nuclear(Problem([[[1, 0], [0, 0]], [[0, 2], [0, 0]]], [1, 1], queries=[[4, 0], [0, "9/2"]]), [0, 0], "13/72", "13/36",
                                [["1/2", 0], [0, "1/3"]], [["1/2", 0], [0, "1/3"]], {(0, 1): Fraction(1, 8), (1, 1): Fraction(1, 18)},
                                [["4/5"], ["1/100", "4/5"]]),
        # In three dimensions two queries have a form of their own, diag(12, 243/16).
        "nuclear-root-queries": nuclear(Problem([[[1, 0, 0], [0, 0, 0]], [[0, 2, 0], [0, 0, 0]]], [1, 1], queries=[[4, 0, 0], [0, "9/2", 0]]),
                                        [0, 0], "13/72", "13/36", [["1/2", 0], [0, "1/3"], [0, 0]], [["1/2", 0], [0, "1/3"], [0, 0]],
                                        {(0, 1): Fraction(1, 8), (1, 1): Fraction(1, 18)}, [["3"], ["1/10", "15/4"]]),
        "full-rank": full_rank(Problem([[[1, 0, 0], [0, 1, 0], ["1/2", "1/3", 1]], [[1, 2, 1], [0, 0, 0]]], [1, -1],
                                       queries=[[1, 1, 0], [1, 1, "1/7"]])),
        "every-selection": every_selection(Problem([[[1, 0], [0, 1]], [[2, 0], [0, "1/2"], [-1, -1]], [[7, 7]]], [1, -1, 1],
                                                   queries=[[1, 0], [1, 1], [2, 2]])),
        "w-svm-infeasible": w_svm(opposed_queries(), [0, 0]),
        "w-svm-self": w_svm(Problem([[[1, "1/2"], [0, 1]], [[2, -1], [1, 1], [0, 0]]], [1, -1]), [0, 0]),
        "w-svm-no-rows": w_svm(Problem([[[1, 2]]], [1], queries=[[0, 1]]), [0]),
        "loss-bounds-logistic": loss_bounds(first, ["9/10", "1"], "-1/4", "1/4", "3/10", True, ["19/20"]),
        "loss-bounds-correlation": loss_bounds(twins, ["-1", "3"], "-1", "0", "1", True, []),
        "loss-bounds-sigmoid": loss_bounds(sigmoid, ["-1", "1"], "-1/4", "1/4", "2/5", True,
                                           [str(Fraction(k, 8)) for k in range(-7, 8)]),
        "loss-not-decreasing-slope": not_decreasing(bowl, ["9/10", "1"], "9/10", "1", True, "slope"),
        "loss-not-decreasing-values": not_decreasing(bowl, ["0", "4"], "0", "3", False, "values"),
        "equal-scores": scores_equal(level, [0, 2, 0]),
        "equal-scores-tie": scores_equal(tie_of_all, [1]),
        "w-local": w_local(crossed, [0, 0, 0]),
        "w-local-degenerate": w_local(Problem([[[1, 0], [0, 1]]] * 2, [1, 1], queries=[[1, 2]] * 2, v=[1, 0]), [0, 0]),
        "w-local-no-rows": w_local(Problem([[[1, 2]]], [1], queries=[[0, 1]], v=[1, 1]), [0]),
        "w-not-local": w_local(crossed, [1, 0, 0]),
        "w-not-local-infeasible": w_local(opposed, [0, 0]),
        "better-neighbour": better_neighbour(one_input("1"), [1], [0, 2]),
        "no-better-neighbour": no_better_neighbour(first, [1]),
        "no-better-neighbour-less": no_better_neighbour(tight_joint, [1, 1, 1]),
        "independent-rows": independent_rows(tight_joint, [1, 1, 1]),
        "independent-rows-keys": independent_rows(first, [0]),
        "independent-rows-none": independent_rows(single, [0, 0]),
        "slack-tokens": slack_tokens(relaxed, [1, 1, 1]),
        "slack-tokens-all-support": slack_tokens(tight_joint, [1, 1, 1]),
        "no-slack-tokens": slack_tokens(sheltered, [0, 0], sample=1, token=1),
        "no-slack-tokens-level": slack_tokens(Problem([[[1, 0], [0, 0]], [[2, 0], [1, 5]]], [1, 1]), [0, 0], sample=1, token=1),
        "logistic-loss": logistic("logistic"),
        "logistic-loss-log1p": logistic({"expression": " +log1p((exp(-(u))))"}),
        "logistic-loss-log": logistic({"expression": "log(1 + exp(-u))"}),
        "logistic-loss-turned": logistic({"expression": "log(exp(-u) + 10e-1)"}),
        "not-logistic": not_logistic("exponential", "0"),
        "not-logistic-below": not_logistic({"expression": "log(1 + exp(-2*u))"}, "1"),
        # On [-10, 10] the slope is at most -1/(1 + e^10) = -0.0000453979, in one cell.
        "loss-bounds-softplus": loss_bounds(one_input(loss={"expression": "log(exp(-u) + 1)"}), ["-10", "10"], "-453978/10000000000", "1/4", "1", True, []),
        "loss-bounds-softplus-of-square": loss_bounds(one_input(loss={"expression": "log(1.0 + exp(-u^2/2)) + log1p(exp(-u)) - u"}), ["-1", "2"], "-1/2", "5/2", "3", True, []),
        "loss-flat-rational": loss_flat(one_and_two("-(u-1)^3"), 0, 0, "rational"),
        "loss-flat-quotient": loss_flat(one_and_two("(2-u)^3/(1+u^2) - 0*u^-2"), 1, 0, "rational"),
        "loss-flat-enclosure": loss_flat(one_and_two("exp(u - 1/3) - tanh(u)"), 0, 0, "enclosure"),
    }


def problem_of(name: str) -> Edit:
    """Takes the data of another certificate."""
    return lambda certificate: certificate.update(problem=copy.deepcopy(TRUE[name]["problem"]))


def substitute(old: bytes, new: bytes) -> ByteEdit:
    def edit(data: bytes) -> bytes:
        assert old in data, old
        return data.replace(old, new, 1)
    return edit


GROW: Callable[[Fraction], Fraction] = lambda x: x * (1 + TINY)
SHIFT: Callable[[Fraction], Fraction] = lambda x: x + TINY
TRUE = true_certificates()
TRUE |= limits.true_certificates(TRUE["b-tight"], joint([Fraction(1, 2), 1]))
TRUE |= brackets.true_certificates()
TRUE |= curvatures.true_certificates()


def file_forgeries() -> Iterator[ByteForgery]:
    """§1: what is no certificate file at all."""
    of = "one-input-p-svm"
    yield of, "empty", "The file is empty.", syntax("the text ends too early"), lambda data: b""
    yield of, "blank", "The file holds white space alone.", syntax("the text ends too early"), lambda data: b" \n"
    yield of, "truncated", "The last brace is cut off.", syntax("expected ',' or the end of a container"), lambda data: data.rstrip()[:-1]
    yield of, "truncated-half", "The second half of the file is missing.", syntax("a string has no end"), lambda data: data[:len(data) // 2]
    yield of, "array-around", "The file holds an array, not an object.", NOT_AN_OBJECT, lambda data: b"[" + data.strip() + b"]\n"
    yield (of, "byte-order-mark", "A byte order mark is not JSON.", syntax("expected a value", "starts with a byte order mark"),
           lambda data: b"\xef\xbb\xbf" + data)
    yield of, "utf-16", "The file is UTF-16.", syntax("expected a key"), lambda data: data.decode().encode("utf-16-le")
    yield of, "invalid-utf-8", "A byte of the claim is not UTF-8.", NOT_UTF_8, substitute(b"p-svm", b"p\xffsvm")
    yield of, "overlong-utf-8", "A slash is written as an overlong UTF-8 sequence.", NOT_UTF_8, substitute(b"50/101", b"50\xc0\xaf101")
    yield of, "trailing-object", "A second object follows.", syntax("bytes after the end of the value"), lambda data: data + b"{}\n"
    yield of, "surrogate-utf-8", "UTF-8 does not encode surrogates.", NOT_UTF_8, substitute(b"p-svm", b"p-svm\xed\xa0\x80")
    yield of, "form-feed", "A form feed is not white space of JSON.", syntax("expected a value"), lambda data: b"\x0c" + data
    yield (of, "capital-true", "JSON writes true and false in small letters.", syntax("expected a value"),
           substitute(b'"selection":[0]', b'"selection":[False]'))
    yield of, "trailing-nul", "A NUL byte follows the object.", syntax("bytes after the end of the value"), lambda data: data + b"\0"
    yield (of, "trailing-comma", "A comma follows the last entry of an array.", syntax("expected a value"),
           substitute(b'"labels":[1]', b'"labels":[1,]'))
    yield of, "comment", "JSON has no comments.", syntax("expected a value"), lambda data: b"// forged\n" + data
    yield of, "single-quotes", "JSON strings have double quotes.", syntax("expected a key"), lambda data: data.replace(b'"', b"'")
    yield (of, "raw-newline", "A raw line feed stands inside of a string.", syntax("control character in a string"),
           substitute(b'"50/101"', b'"50/101\n"'))
    yield (of, "duplicate-key-same", "The key claim occurs twice, with one value.", TWICE["claim"],
           substitute(b'"claim":', b'"claim":"p-svm","claim":'))
    yield (of, "duplicate-key-other", "The key claim occurs twice, with two values.", TWICE["claim"],
           substitute(b'"claim":', b'"claim":"v-svm","claim":'))
    yield (of, "duplicate-key-escaped", "The key claim occurs twice, once with an escape.", TWICE["claim"],
           substitute(b'"claim":', b'"cl\\u0061im":"p-svm","claim":'))
    yield of, "duplicate-key-inside", "The key w occurs twice in the witness.", TWICE["w"], substitute(b'"w":', b'"w":["1","0","0"],"w":')
    yield (of, "lone-surrogate", "An escape in the claim is half of a surrogate pair.", syntax("half a surrogate pair", "not JSON: half a surrogate pair"),
           substitute(b"p-svm", b"p-svm\\ud800"))
    yield of, "unknown-escape", "JSON has no such escape.", syntax("unknown escape"), substitute(b"p-svm", b"p\\-svm")
    yield of, "short-escape", "An escape has four hexadecimal digits.", syntax("expected four hex digits"), substitute(b"p-svm", b"p-svm\\u00")
    yield of, "colon-missing", "A colon is due after a key.", syntax("expected ':'"), substitute(b'"claim":', b'"claim" ')
    yield (of, "version-2", "The version is not 1.", OTHER_VERSION.at("attest_certificate"),
           substitute(b'"attest_certificate":1', b'"attest_certificate":2'))
    yield (of, "version-float", "The version is 1.0, not the integer 1.", OTHER_VERSION.at("attest_certificate"),
           substitute(b'"attest_certificate":1', b'"attest_certificate":1.0'))
    yield (of, "version-exponent", "The version is 1e0, not the integer 1.", OTHER_VERSION.at("attest_certificate"),
           substitute(b'"attest_certificate":1', b'"attest_certificate":1e0'))
    yield (of, "version-true", "The version is true, not the integer 1.", OTHER_VERSION.at("attest_certificate"),
           substitute(b'"attest_certificate":1', b'"attest_certificate":true'))
    yield (of, "version-string", "The version is a string.", OTHER_VERSION.at("attest_certificate"),
           substitute(b'"attest_certificate":1', b'"attest_certificate":"1"'))
    yield of, "nan", "NaN is not JSON.", syntax("expected a value", "NaN is not JSON"), substitute(b'"50/101"', b"NaN")
    yield of, "infinity", "-Infinity is not JSON.", syntax("expected a digit", "-Infinity is not JSON"), substitute(b'"50/101"', b"-Infinity")
    yield (of, "leading-zero", "A JSON number has no leading zero.", syntax("expected ',' or the end of a container"),
           substitute(b'"selection":[0]', b'"selection":[00]'))
    yield (of, "minus-zero-index", "An index has no sign.", NOT_AN_INDEX.at("statement.selection[0]"),
           substitute(b'"selection":[0]', b'"selection":[-0]'))
    yield (of, "float-index", "An index has no fraction.", NOT_AN_INDEX.at("statement.selection[0]"),
           substitute(b'"selection":[0]', b'"selection":[0.0]'))
    yield (of, "exponent-index", "An index has no exponent.", NOT_AN_INDEX.at("statement.selection[0]"),
           substitute(b'"selection":[0]', b'"selection":[0e0]'))
    yield (of, "huge-exponent-index", "An index has no exponent, let alone this one.", NOT_AN_INDEX.at("statement.selection[0]"),
           substitute(b'"selection":[0]', b'"selection":[1e999999999]'))
    yield of, "float-label", "A label is written 1 or -1.", NOT_A_LABEL.at("problem.labels"), substitute(b'"labels":[1]', b'"labels":[1.0]')
    yield (of, "number-objective", "A JSON number is never a rational.", NO_RATIONAL_STRING.at("statement.objective"),
           substitute(b'"50/101"', b"0.49504950495049504951"))
    yield (of, "deep-nesting", "The nesting is deeper than 10 000.", syntax("nesting deeper than 10000", "nested deeper than 10000"),
           substitute(b'"labels":[1]', b'"labels":' + b"[" * 10_001 + b"1" + b"]" * 10_001))


def format_forgeries() -> Iterator[Forgery]:
    """§1 and §2: keys, numbers and shapes."""
    of = "one-input-p-svm"
    yield of, "unknown-key", "The certificate has a key that the specification does not list.", unknown("note"), put("note", "trust me")
    yield of, "unknown-key-witness", "The witness brings a tolerance.", unknown("tolerance").at("witness"), put("witness.tolerance", "1/1000")
    yield of, "unknown-key-problem", "The problem has a key that is not listed.", unknown("name").at("problem"), put("problem.name", "one-input")
    yield (of, "unknown-key-statement", "The statement has a key that is not listed.", unknown("neighbours").at("statement"),
           put("statement.neighbours", [[0, 2]]))
    yield of, "missing-claim", "The claim is missing.", missing("claim"), drop("claim")
    yield of, "missing-witness", "The witness is missing.", missing("witness"), drop("witness")
    yield of, "missing-loss", "The loss is not optional.", missing("loss").at("problem"), drop("problem.loss")
    yield (of, "missing-kind", "The kind is missing.", Reason("the key \"kind\" is missing", "not a kind of p-svm").at("statement"),
           drop("statement.kind"))
    yield of, "missing-support", "The support is missing.", missing("support").at("statement"), drop("statement.support")
    yield (of, "unknown-claim", "No such claim exists.", Reason("the claim \"q-svm\" has no kind \"svm-optimal\"", "claim: not a known claim"),
           put("claim", "q-svm"))
    yield (of, "kind-of-another-claim", "A locally-optimal certificate cannot be of kind svm-optimal.", no_kind("locally-optimal"),
           put("claim", "locally-optimal"))
    yield of, "statement-null", "The statement is null.", NOT_AN_OBJECT.at("statement"), put("statement", None)
    yield of, "decimal-string", "A decimal is not a rational.", NOT_A_RATIONAL.at("witness.w[2]"), put("witness.w.2", "0.0")
    yield of, "exponent-string", "An exponent is not part of a rational.", NOT_A_RATIONAL.at("witness.w[2]"), put("witness.w.2", "0e5")
    yield (of, "huge-exponent-string", "A rational has no exponent, and this one would fill the memory.", NOT_A_RATIONAL.at("statement.objective"),
           put("statement.objective", "1e999999999"))
    yield of, "zero-denominator", "The denominator is zero.", ZERO_DENOMINATOR.at("statement.objective"), put("statement.objective", "50/0")
    yield of, "zero-over-zero", "The denominator is zero.", ZERO_DENOMINATOR.at("witness.w[2]"), put("witness.w.2", "0/000")
    yield of, "plus-sign", "A rational has no plus sign.", NOT_A_RATIONAL.at("statement.objective"), put("statement.objective", "+50/101")
    yield of, "leading-space", "A rational has no white space.", NOT_A_RATIONAL.at("statement.objective"), put("statement.objective", " 50/101")
    yield (of, "trailing-newline", "A rational has no white space, not even at its end.", NOT_A_RATIONAL.at("statement.objective"),
           put("statement.objective", "50/101\n"))
    yield (of, "negative-denominator", "The sign stands before the numerator alone.", NOT_A_RATIONAL.at("statement.objective"),
           put("statement.objective", "-50/-101"))
    yield of, "two-slashes", "A rational has one slash.", NOT_A_RATIONAL.at("statement.objective"), put("statement.objective", "50/101/1")
    yield of, "no-denominator", "Digits are due after the slash.", NOT_A_RATIONAL.at("witness.w[2]"), put("witness.w.2", "0/")
    yield of, "empty-rational", "Digits are due.", NOT_A_RATIONAL.at("witness.w[2]"), put("witness.w.2", "")
    yield of, "arabic-digits", "The digits of a rational are ASCII.", NOT_A_RATIONAL.at("witness.w[2]"), put("witness.w.2", "\u0660")
    yield of, "hexadecimal", "The digits of a rational are decimal.", NOT_A_RATIONAL.at("witness.w[2]"), put("witness.w.2", "0x0")
    yield of, "null-rational", "null is not a rational.", NO_RATIONAL_STRING.at("witness.w[2]"), put("witness.w.2", None)
    yield (of, "too-long-rational", "The rational has more than 10^6 characters.", Reason("not a rational string", "rational too long").at("witness.w[2]"),
           put("witness.w.2", "0" * (10**6 + 1)))
    yield of, "false-as-index", "false is not the index 0.", NOT_AN_INTEGER.at("statement.support"), put("statement.support.0.0", False)
    yield "joint-tight-p-svm", "true-as-index", "true is not the index 1.", NOT_AN_INTEGER.at("witness.lambda"), put("witness.lambda.0.0", True)
    yield of, "string-as-index", "A string is not an index.", NOT_AN_INTEGER.at("statement.selection[0]"), put("statement.selection.0", "0")
    yield of, "index-2-to-31", "An index is at most 2^31 - 1.", NOT_AN_INDEX.at("witness.lambda"), put("witness.lambda.0.0", 2**31)
    yield (of, "index-2-to-32", "An index that is 0 modulo 2^32 is not 0.", NOT_AN_INDEX.at("statement.selection[0]"),
           put("statement.selection.0", 2**32))
    yield (of, "index-2-to-64", "An index that is 0 modulo 2^64 is not 0.", NOT_AN_INDEX.at("statement.selection[0]"),
           put("statement.selection.0", 2**64))
    yield of, "selection-out-of-range", "The sample has three tokens.", NO_SUCH_TOKEN.at("statement.selection[0]"), put("statement.selection.0", 3)
    yield of, "selection-negative", "An index is not negative.", NOT_AN_INDEX.at("statement.selection[0]"), put("statement.selection.0", -1)
    yield of, "selection-empty", "The selection has no entry for the sample.", WRONG_LENGTH.at("statement.selection"), put("statement.selection", [])
    yield of, "selection-too-long", "The selection has an entry too many.", WRONG_LENGTH.at("statement.selection"), put("statement.selection", [0, 0])
    yield of, "label-zero", "A label is 1 or -1.", NOT_A_LABEL.at("problem.labels"), put("problem.labels.0", 0)
    yield of, "labels-too-many", "There is one sample.", WRONG_LENGTH.at("problem.labels"), put("problem.labels", [1, 1])
    yield (of, "no-samples", "At least one sample is due.", Reason("no sample", "a sample and a token in each are due").at("problem.tokens"),
           all_of(put("problem.tokens", []), put("problem.labels", [])))
    yield (of, "no-tokens", "At least one token a sample is due.", Reason("no token", "a sample and a token in each are due").at("problem.tokens"),
           put("problem.tokens.0", []))
    yield (of, "dimension-differs", "All tokens have one dimension.", Reason("has 2 entries, not 3", "the tokens are not all of one dimension d >= 1").at("problem.tokens"),
           put("problem.tokens.0.2", ["0", "0"]))
    yield (of, "no-components", "At least one component a token is due.", Reason("no component", "the tokens are not all of one dimension d >= 1").at("problem.tokens"),
           put("problem.tokens.0", [[], [], []]))
    yield of, "tokens-object", "The tokens are an array.", NOT_AN_ARRAY.at("problem.tokens"), put("problem.tokens", {})
    yield of, "dimension-of-v", "v has d entries.", WRONG_LENGTH.at("problem.v"), put("problem.v", ["0", "0", "1", "0"])
    yield of, "rows-of-w", "W has d rows.", WRONG_LENGTH.at("problem.W"), drop("problem.W.2")
    yield of, "columns-of-w", "Each row of W has d entries.", WRONG_LENGTH.at("problem.W[2]"), drop("problem.W.2.2")
    yield (of, "queries-too-many", "There is one sample, so one query is due.", WRONG_LENGTH.at("problem.queries"),
           put("problem.queries", [["0", "0", "0"]] * 2))
    yield (of, "unknown-loss", "No such loss exists.", Reason("unknown loss \"hinge\"", "not a known loss").at("problem.loss"),
           put("problem.loss", "hinge"))
    yield of, "loss-null", "null is not a loss.", NOT_AN_OBJECT.at("problem.loss"), put("problem.loss", None)
    yield (of, "unused-loss-malformed", "The expression is outside of the grammar, though the kind does not use it.", NO_OPERAND,
           put("problem.loss", {"expression": "exp("}))


def svm_forgeries() -> Iterator[Forgery]:
    """§4.5."""
    of = "joint-tight-p-svm"
    yield of, "negative-multiplier", "A multiplier is negative.", NOT_POSITIVE.at("witness.lambda"), put("witness.lambda.0.2", "-7/9")
    yield ("joint-tight-v-svm", "zero-multiplier", "A multiplier is zero, though its row is tight.", NOT_POSITIVE.at("witness.lambda"),
           insert("witness.lambda.2", [2, "0"]))
    yield ("one-input-p-svm", "saddle", "w is feasible and a combination of tight rows, but a multiplier is negative and w not the minimiser.", NOT_POSITIVE.at("witness.lambda"),
           all_of(
        put("witness", {"w": ["0", "1", "0"], "lambda": [[0, 1, "-1/10"], [0, 2, "11/10"]]}),
        put("statement", {"kind": "svm-optimal", "selection": [0], "objective": "1/2", "support": [[0, 1], [0, 2]]})))
    yield of, "violated-row", "w minimises over one row, and violates the others.", VIOLATED, all_of(
        put("witness", {"w": ["1/2", "-1/2"], "lambda": [[1, 0, "1/2"]]}),
        put("statement", {"kind": "svm-optimal", "selection": [1, 1, 1], "objective": "1/4", "support": [[1, 0]]}))
    yield of, "dropped-row", "Without the row the combination is not w.", NOT_THE_COMBINATION.at("witness"), drop("witness.lambda.0")
    yield (of, "extra-row", "The row is not tight, and the combination is not w.", ROW_AND_COMBINATION.at("witness"),
           insert("witness.lambda.0", [0, 0, "1"]))
    yield of, "duplicate-row", "A row occurs twice, each time with half of its weight.", NOT_ASCENDING.at("witness.lambda"), all_of(
        put("witness.lambda.0.2", "7/18"), insert("witness.lambda.0", [1, 0, "7/18"]))
    yield of, "unsorted-rows", "The rows do not ascend.", NOT_ASCENDING.at("witness.lambda"), reverse("witness.lambda")
    yield of, "row-of-the-selected", "The selected token has no row.", SELECTED_ROW.at("witness.lambda"), insert("witness.lambda.0", [0, 1, "1"])
    yield (of, "row-of-no-sample", "There is no such sample.", Reason("there is no sample 3", "[3, 0] is not a row").at("witness.lambda"),
           insert("witness.lambda.2", [3, 0, "1"]))
    yield of, "row-too-short", "A row of p-svm has two indices.", WRONG_LENGTH.at("witness.lambda"), put("witness.lambda.0", [1, "7/9"])
    yield (of, "row-empty", "A row of the list is empty.", Reason("has 0 entries, not 3", "an empty entry").at("witness.lambda"),
           insert("witness.lambda.0", []))
    yield of, "support-not-tight", "The row is not tight.", LISTED_NOT_TIGHT, insert("statement.support.0", [0, 0])
    yield of, "support-missing", "A tight row is missing.", LEFT_OUT, drop("statement.support.1")
    yield of, "support-unsorted", "The rows do not ascend.", NOT_ASCENDING.at("statement.support"), reverse("statement.support")
    yield of, "support-twice", "A row occurs twice.", NOT_ASCENDING.at("statement.support"), insert("statement.support.0", [1, 0])
    yield of, "scaled-solution", "w is longer than the minimiser by a factor of 1 + 1e-30.", NOT_TIGHT.at("witness"), all_of(
        change("witness.w", GROW), change("witness.lambda.0.2", GROW), change("witness.lambda.1.2", GROW),
        change("statement.objective", lambda x: GROW(GROW(x))))
    yield of, "shrunk-solution", "w violates its rows by 1e-30.", VIOLATED, all_of(
        change("witness.w", lambda x: x * (1 - TINY)), change("witness.lambda.0.2", lambda x: x * (1 - TINY)),
        change("witness.lambda.1.2", lambda x: x * (1 - TINY)), change("statement.objective", lambda x: x * (1 - TINY) ** 2))
    yield of, "objective-off", "The objective is too large by 1e-30.", OBJECTIVE, change("statement.objective", SHIFT)
    yield of, "objective-not-halved", "The objective is w.w, not half of it.", OBJECTIVE, change("statement.objective", lambda x: 2 * x)
    yield of, "w-off", "w is not the combination of the rows, by 1e-30.", ROW_AND_COMBINATION.at("witness"), change("witness.w.0", SHIFT)
    yield of, "w-too-short", "w has d entries.", WRONG_LENGTH.at("witness.w"), drop("witness.w.1")
    yield of, "other-selection", "The solution is that of another selection.", VIOLATED, put("statement.selection.0", 0)
    yield (of, "data-relaxed", "With the data of joint relaxed the row [2, 0] is not tight.", ROW_AND_COMBINATION.at("witness"),
           problem_of("joint-relaxed-joint-svm"))
    yield (of, "token-off", "A token is moved by 1e-30, so that its row is not tight.", ROW_AND_COMBINATION.at("witness"),
           change("problem.tokens.2.1.0", SHIFT))
    yield of, "as-v-svm", "The rows of v-svm have one index.", WRONG_LENGTH.at("witness.lambda"), put("claim", "v-svm")
    yield of, "as-joint-svm", "A joint-svm certificate needs a solution of v-svm.", missing("v").at("witness"), put("claim", "joint-svm")
    yield of, "as-infeasible", "The program is feasible, and the combination is not 0.", NOT_ZERO.at("witness.lambda"), all_of(
        put("statement", {"kind": "svm-infeasible", "selection": [1, 1, 1]}), drop("witness.w"))
    yield (of, "v-in-p-svm", "A p-svm certificate has no v in its witness.", unknown("v").at("witness"),
           put("witness.v", TRUE["joint-tight-joint-svm"]["witness"]["v"]))

    of = "joint-tight-v-svm"
    yield of, "swapped-labels", "With these labels w violates rows.", VIOLATED_AND_COMBINATION, put("problem.labels", [-1, 1, 1])
    yield (of, "v-in-v-svm", "A v-svm certificate has no v in its witness.", unknown("v").at("witness"),
           put("witness.v", TRUE["joint-tight-joint-svm"]["witness"]["v"]))
    yield of, "v-svm-support-missing", "A tight row without a multiplier is missing from the support.", LEFT_OUT, drop("statement.support.0")
    yield of, "v-svm-as-p-svm", "The rows of p-svm have two indices.", WRONG_LENGTH.at("witness.lambda"), put("claim", "p-svm")

    yield ("one-input-p-svm", "without-w", "Without W the keys are the tokens, and the combination is not w.", NOT_THE_COMBINATION.at("witness"), drop("problem.W"))
    yield ("twins-p-svm", "degenerate-support", "The tight row has no multiplier, but it is tight.", LEFT_OUT, drop("statement.support.0"))
    yield "random-census", "transposed-w", "W is transposed.", VIOLATED_AND_COMBINATION, put("problem.W", [["1", "0"], ["1/2", "1"]])

    of = "joint-tight-joint-svm"
    yield of, "joint-without-v", "A joint-svm certificate needs a solution of v-svm.", missing("v").at("witness"), drop("witness.v")
    yield (of, "joint-v-scaled", "The v is longer than the minimiser of v-svm by a factor of 1 + 1e-30.", ROW_AND_COMBINATION.at("witness.v"),
           change("witness.v.w", GROW))
    yield (of, "joint-v-multiplier-negative", "A multiplier of the v is negative.", NOT_POSITIVE.at("witness.v.lambda"),
           change("witness.v.lambda.0.1", lambda x: -x))
    yield of, "joint-v-unknown-key", "The v has a key that is not listed.", unknown("objective").at("witness.v"), put("witness.v.objective", "1/2")
    yield of, "joint-v-null", "The v is null.", NOT_AN_OBJECT.at("witness.v"), put("witness.v", None)
    yield (of, "joint-v-of-another-selection", "With token 0 of sample 2 selected the v solves nothing.", VIOLATED, put("statement.selection.2", 0))

    of = "flat-joint-svm"
    other = svm("joint-svm", Problem(TRUE[of]["problem"]["tokens"], [1, 1]), [1, 0])
    yield (of, "joint-v-too-long", "The v is the solution of another selection's v-svm.", ROW_AND_COMBINATION.at("witness.v"),
           put("witness.v", other["witness"]["v"]))
    yield (of, "joint-margin-0-support", "A row of a sample that is no support vector has margin 0, and is tight here.", LEFT_OUT,
           drop("statement.support.1"))
    yield of, "farkas-without-margin", "All rows of the combination have margin 0: nothing is refuted.", NO_MARGIN.at("witness.lambda"), all_of(
        put("statement", {"kind": "svm-infeasible", "selection": [0, 0]}),
        put("witness", {"lambda": [[1, 1, "1"], [1, 2, "1"]], "v": TRUE[of]["witness"]["v"]}))
    yield of, "flat-as-p-svm", "In p-svm all rows have margin 1, and w violates two.", VIOLATED, all_of(put("claim", "p-svm"), drop("witness.v"))

    of = "between-joint-svm"
    yield of, "farkas-not-zero", "The combination of rows is not 0, by 1e-30.", NOT_ZERO.at("witness.lambda"), change("witness.lambda.0.2", SHIFT)
    yield of, "farkas-one-row", "The combination of rows is not 0.", NOT_ZERO.at("witness.lambda"), drop("witness.lambda.1")
    yield of, "farkas-empty", "The combination of right-hand sides is not positive.", NO_MARGIN.at("witness.lambda"), put("witness.lambda", [])
    yield of, "farkas-negative", "The multipliers are negative.", NOT_POSITIVE.at("witness.lambda"), all_of(
        change("witness.lambda.0.2", lambda x: -x), change("witness.lambda.1.2", lambda x: -x))
    yield of, "farkas-unsorted", "The rows do not ascend.", NOT_ASCENDING.at("witness.lambda"), reverse("witness.lambda")
    yield of, "farkas-other-selection", "The rows are those of another selection.", SELECTED_ROW.at("witness.lambda"), all_of(
        put("statement.selection.0", 0), put("witness.v", {"w": ["1", "0"], "lambda": [[0, "1"]]}))
    yield of, "farkas-with-w", "An infeasible program has no w.", unknown("w").at("witness"), put("witness.w", ["0", "0"])
    yield (of, "farkas-with-objective", "An infeasible program has no objective.", unknown("objective").at("statement"),
           put("statement.objective", "0"))
    of = "between-p-svm"
    yield of, "p-farkas-not-zero", "The combination of rows is not 0, by 1e-30.", NOT_ZERO.at("witness.lambda"), change("witness.lambda.0.2", SHIFT)
    yield of, "p-farkas-empty", "The combination of right-hand sides is not positive.", NO_MARGIN.at("witness.lambda"), put("witness.lambda", [])
    yield of, "p-farkas-negative", "The multipliers are negative.", NOT_POSITIVE.at("witness.lambda"), all_of(
        change("witness.lambda.0.2", lambda x: -x), change("witness.lambda.1.2", lambda x: -x))
    yield of, "p-farkas-feasible", "The selection is the first token, whose program is feasible.", NOT_ZERO.at("witness.lambda"), all_of(
        put("statement.selection.0", 0), put("witness.lambda", [[0, 1, "1"], [0, 2, "1"]]))
    yield of, "p-farkas-one-way", "With this token both rows point one way.", NOT_ZERO.at("witness.lambda"), put("problem.tokens.0.2", ["0", "0"])
    yield (of, "p-farkas-with-v", "A p-svm certificate has no v in its witness.", unknown("v").at("witness"),
           put("witness.v", TRUE["between-joint-svm"]["witness"]["v"]))
    yield of, "p-farkas-as-joint-svm", "A joint-svm certificate needs a solution of v-svm.", missing("v").at("witness"), put("claim", "joint-svm")
    yield ("opposed-v-svm", "opposed-labels-equal", "With equal labels the combination is not 0.", NOT_ZERO.at("witness.lambda"),
           put("problem.labels", [1, 1]))
    yield ("opposed-v-svm", "opposed-row-names", "The rows of v-svm have one index.", WRONG_LENGTH.at("witness.lambda"),
           put("witness.lambda", [[0, 0, "1"], [1, 0, "1"]]))


def optimality_forgeries() -> Iterator[Forgery]:
    """§4.3, §4.4, §4.6, §4.7."""
    of = "one-input-local"
    yield of, "neighbours-missing-one", "A tight row is missing.", NEIGHBOUR_LEFT_OUT, put("statement.neighbours", [])
    yield of, "neighbours-not-tight", "The row [0, 1] is not tight.", NEIGHBOUR_NOT_TIGHT, insert("statement.neighbours.0", [0, 1])
    yield of, "neighbours-other", "The tight row is another.", NEIGHBOUR_NOT_TIGHT, put("statement.neighbours.0.1", 1)
    yield of, "local-without-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield of, "local-negative-v", "With this v the neighbour scores more.", NEIGHBOUR_BEATS, put("problem.v", ["0", "0", "-1"])
    yield of, "local-label-flipped", "With this label the neighbour scores more.", NEIGHBOUR_BEATS, put("problem.labels.0", -1)
    yield of, "local-tie", "With this token the neighbour scores the same.", NEIGHBOUR_BEATS, put("problem.tokens.0.2.2", "1")
    yield of, "local-kind-not", "The kind says the contrary, and a neighbour is missing.", missing("neighbour").at("witness"), all_of(
        put("statement.kind", "not-locally-optimal"), drop("statement.neighbours"))
    yield ("one-input-2-local", "local-other-data", "On the data of one-input the neighbour scores the same.", NEIGHBOUR_BEATS,
           problem_of("one-input-local"))

    of = "one-input-not-local"
    yield (of, "neighbour-not-tight", "The row [0, 0] is not tight.", Reason("the row [0,0] is not tight", "not a tight row").at("witness.neighbour"),
           put("witness.neighbour", [0, 0]))
    yield (of, "neighbour-scores-less", "On the data of one-input-2 the neighbour scores less.", NEIGHBOUR_LESS.at("witness.neighbour"),
           problem_of("one-input-2-local"))
    yield (of, "neighbour-by-1e-30-less", "The neighbour scores less by 1e-30.", NEIGHBOUR_LESS.at("witness.neighbour"),
           change("problem.tokens.0.2.2", lambda x: x - TINY))
    yield of, "neighbour-is-selected", "The selected token is no row.", SELECTED_ROW.at("witness.neighbour"), put("witness.neighbour", [0, 1])
    yield of, "neighbour-out-of-range", "The sample has three tokens.", NO_SUCH_ROW.at("witness.neighbour"), put("witness.neighbour", [0, 3])
    yield of, "neighbour-missing", "The neighbour is missing.", missing("neighbour").at("witness"), drop("witness.neighbour")
    yield (of, "neighbour-and-farkas", "A witness is a neighbour or a Farkas combination, not both.", unknown("lambda").at("witness"),
           put("witness.farkas", []))
    yield of, "not-local-solution-scaled", "w is longer than the minimiser by a factor of 1 + 1e-30.", NOT_TIGHT.at("witness"), all_of(
        change("witness.w", GROW), change("witness.lambda.0.2", GROW))
    yield (of, "not-local-farkas-empty", "The combination of right-hand sides is not positive.", NO_MARGIN.at("witness.farkas"),
           put("witness", {"farkas": []}))
    yield of, "not-local-as-local", "The neighbour does not score less.", NEIGHBOUR_BEATS, all_of(
        put("statement", {"kind": "locally-optimal", "selection": [1], "neighbours": [[0, 2]]}), drop("witness.neighbour"))
    yield "between-not-local", "not-local-farkas-off", "The combination is not 0.", NOT_ZERO.at("witness.farkas"), put("witness.farkas.0.2", "2")
    yield ("between-not-local", "not-local-farkas-negative", "A multiplier is negative, and the program is feasible.", NOT_POSITIVE.at("witness.farkas"),
           all_of(
        put("statement.selection", [0]), put("witness.farkas", [[0, 1, "2"], [0, 2, "-1"]])))

    of = "one-input-global"
    yield of, "gap-off", "The gap is too large by 1e-30.", OTHER_GAP, change("statement.gap", SHIFT)
    yield of, "gap-null", "The gap is null, but the sample has other tokens.", OTHER_GAP, put("statement.gap", None)
    yield of, "gap-number", "A JSON number is never a rational.", NO_RATIONAL_STRING.at("statement.gap"), put("statement.gap", 0)
    yield of, "gap-missing", "The gap is missing.", missing("gap").at("statement"), drop("statement.gap")
    yield of, "unique-false", "All inequalities are strict.", NOT_UNIQUE, put("statement.unique", False)
    yield of, "unique-number", "1 is not a boolean.", NOT_A_BOOLEAN.at("statement.unique"), put("statement.unique", 1)
    yield of, "unique-null", "null is not a boolean.", NOT_A_BOOLEAN.at("statement.unique"), put("statement.unique", None)
    yield (of, "global-other-selection", "Token 0 scores more.", SCORES_MORE,
           all_of(put("statement.selection.0", 1), put("statement.gap", "-1/10"), put("statement.unique", False)))
    yield of, "global-without-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield of, "global-witness-not-empty", "The witness is empty.", unknown("sample").at("witness"), put("witness.sample", 0)
    yield of, "global-witness-array", "The witness is an object.", NOT_AN_OBJECT.at("witness"), put("witness", [])
    yield of, "global-label-flipped", "With this label the other tokens score more.", SCORES_MORE, put("problem.labels.0", -1)
    yield "single-token-global", "gap-without-others", "No sample has another token, so the gap is null.", OTHER_GAP, put("statement.gap", "0")
    yield ("single-token-global", "not-unique-without-others", "No sample has another token, so the selection is unique.", NOT_UNIQUE,
           put("statement.unique", False))
    yield "tie-global", "unique-true-at-a-tie", "Another token scores the same.", NOT_UNIQUE, put("statement.unique", True)

    of = "one-input-not-global"
    yield of, "not-global-token-tied", "The token scores the same, which is not more.", NOT_ENOUGH, put("witness.token", 2)
    yield (of, "not-global-token-selected", "The token is the selected one.", IS_SELECTED,
           all_of(put("witness.token", 1), put("statement.unique", True)))
    yield of, "not-global-token-out-of-range", "The sample has three tokens.", NO_SUCH_TOKEN.at("witness.token"), put("witness.token", 3)
    yield of, "not-global-sample-out-of-range", "There is one sample.", NO_SUCH_SAMPLE.at("witness.sample"), put("witness.sample", 1)
    yield (of, "not-global-of-the-best", "The selected token scores most.", NOT_ENOUGH,
           all_of(put("statement.selection.0", 0), put("witness.token", 1)))
    yield ("tie-not-unique", "not-unique-unique-false", "The token scores the same, which refutes uniqueness alone.", NOT_ENOUGH,
           put("statement.unique", False))
    yield "tie-not-unique", "not-unique-scores-less", "The token scores less.", NOT_ENOUGH, put("witness.token", 2)
    yield ("tie-not-unique", "not-unique-single-token", "The sample has one token, the selected one.", IS_SELECTED,
           put("witness", {"sample": 1, "token": 0}))


def census_forgeries() -> Iterator[Forgery]:
    """§4.8."""
    of = "random-census"
    tree, conflicts = TRUE[of]["witness"]["tree"], TRUE[of]["witness"]["conflicts"]
    order = TRUE[of]["witness"]["order"]
    paths = dict(walk(tree))
    full = len(order)
    used = next(path for path, node in paths.items() if isinstance(node, int))
    infeasible = next(path for path, node in paths.items() if isinstance(node, int) and len(path) == full)
    leaf_path = next(path for path, node in paths.items() if isinstance(node, dict) and "neighbour" not in node)
    neighbour_path = next(path for path, node in paths.items() if isinstance(node, dict) and "neighbour" in node)
    inner = next(path for path, node in paths.items() if isinstance(node, list) and len(path) == full - 1)

    def holds(conflict: list, path: tuple[int, ...]) -> bool:
        partial = dict(zip(order, path))
        return all(partial.get(i) == a for i, a, *_ in conflict)

    foreign = next(k for k, conflict in enumerate(conflicts) if not holds(conflict, used))
    at = lambda path: ".".join(["witness.tree", *map(str, path)])

    yield of, "census-child-missing", "A child is missing.", WRONG_LENGTH.at("witness.tree"), drop(at((*inner, 0)))
    yield (of, "census-child-extra", "The sample has fewer tokens than the node has children.", WRONG_LENGTH.at("witness.tree"),
           insert(at((*inner, 0)), paths[used]))
    yield of, "census-no-children", "The root is an empty array.", WRONG_LENGTH.at("witness.tree"), put("witness.tree", [])
    yield (of, "census-foreign-conflict", "The conflict's tokens are not those of the partial selection.", ELSEWHERE.at("witness.tree"),
           put(at(used), foreign))
    yield of, "census-conflict-at-root", "At the root no token is chosen.", ELSEWHERE.at("witness.tree"), all_of(
        put("witness.tree", 0), put("statement.count", 0), put("statement.selections", []))
    yield (of, "census-conflict-out-of-range", "There is no such conflict.", Reason("there is no such conflict", "9 is out of range").at("witness.tree"),
           put(at(used), len(conflicts)))
    yield of, "census-conflict-negative", "An index is not negative.", NOT_AN_INDEX.at("witness.tree"), put(at(used), -1)
    yield of, "census-conflict-true", "true is not an index.", NO_NODE.at("witness.tree"), put(at(used), True)
    yield of, "census-conflict-null", "null is no node.", NO_NODE.at("witness.tree"), put(at(used), None)
    yield of, "census-conflict-string", "A string is no node.", NO_NODE.at("witness.tree"), put(at(used), "0")
    prune = lambda branch, conflict: all_of(insert(f"witness.conflicts.{len(conflicts)}", conflict),
                                            put(f"witness.tree{branch}", len(conflicts)))
    nothing = put("statement", {"kind": "census", "count": 0, "selections": []})  # branch 0 holds none in truth
    yield (of, "census-two-tokens-first", "The conflict gives sample 1 two tokens, the first that of the branch.", TWO_TOKENS.at("witness.conflicts[9]"),
           prune(
        ".0", [[1, 0, 1, "1"], [1, 1, 0, "1"]]))
    yield (of, "census-two-tokens-last", "The conflict gives sample 1 two tokens, the last that of the branch.", TWO_TOKENS.at("witness.conflicts[9]"),
           all_of(
        nothing, prune(".1", [[1, 0, 1, "1"], [1, 1, 0, "1"]])))
    yield (of, "census-token-against-itself", "The conflict sets a token against itself.", Reason("the two tokens are the same", "a token conflicts with itself").at("witness.conflicts[9]"),
           all_of(
        nothing, prune(".1", [[1, 1, 1, "1"]])))
    yield (of, "census-zero-conflict", "The conflict's multiplier is zero.", NOT_POSITIVE.at("witness.conflicts[9]"),
           all_of(nothing, prune(".1", [[1, 1, 0, "0"]])))
    yield (of, "census-empty-conflict", "An empty conflict rules out nothing.", Reason("an empty conflict", "empty").at("witness.conflicts[9]"),
           all_of(nothing, prune("", [])))
    yield (of, "census-conflict-off", "The conflict's combination is not 0, by 1e-30, and the score rises along it.", NO_RISE.at("witness.conflicts[0]"),
           change("witness.conflicts.0.0.3", SHIFT))
    yield of, "census-conflict-negative-weights", "The conflict's multipliers are negative.", NOT_POSITIVE.at("witness.conflicts[0]"), put(
        "witness.conflicts.0", [[i, a, t, str(-Fraction(x))] for i, a, t, x in conflicts[0]])
    yield (of, "census-conflict-zero-weight", "A multiplier of the conflict is zero.", NOT_POSITIVE.at("witness.conflicts[0]"),
           put("witness.conflicts.0.0.3", "0"))
    yield (of, "census-conflict-unsorted", "The conflict's rows do not ascend.", NOT_ASCENDING.at("witness.conflicts[0]"),
           reverse("witness.conflicts.0"))
    yield (of, "census-conflict-no-token", "The conflict names a token that does not exist.", NO_SUCH_TOKEN.at("witness.conflicts[0]"),
           put("witness.conflicts.0.0.2", 3))
    yield (of, "census-conflict-no-sample", "The conflict names a sample that does not exist.", NO_SUCH_SAMPLE.at("witness.conflicts[0]"),
           put("witness.conflicts.0.0.0", 3))
    yield (of, "census-conflict-short", "An entry of a conflict has two or four parts.", WRONG_LENGTH.at("witness.conflicts[0]"),
           drop("witness.conflicts.0.0.3"))
    yield of, "census-unused-conflict-broken", "A conflict that no node uses is none.", NO_RISE.at("witness.conflicts[9]"), insert(
        f"witness.conflicts.{len(conflicts)}", [[0, 0, 1, "1"]])
    yield (of, "census-count-off", "The count is too large by 1.", OTHER_COUNT.at("statement.count"),
           put("statement.count", TRUE[of]["statement"]["count"] + 1))
    yield (of, "census-count-float", "A count has no fraction.", NOT_AN_INDEX.at("statement.count"),
           put("statement.count", float(TRUE[of]["statement"]["count"])))
    yield of, "census-selection-missing", "A locally optimal selection is missing.", NOT_FOUND.at("statement.selections"), all_of(
        drop("statement.selections.0"), put("statement.count", TRUE[of]["statement"]["count"] - 1))
    yield of, "census-selection-extra", "A selection is listed that is not locally optimal.", NOT_FOUND.at("statement.selections"), all_of(
        insert("statement.selections.0", [0, 0, 0]), put("statement.count", TRUE[of]["statement"]["count"] + 1))
    yield of, "census-selection-twice", "A selection is listed twice.", NOT_ASCENDING.at("statement.selections"), all_of(
        insert("statement.selections.0", TRUE[of]["statement"]["selections"][0]), put("statement.count", TRUE[of]["statement"]["count"] + 1))
    yield of, "census-selections-unsorted", "The selections do not ascend.", NOT_ASCENDING.at("statement.selections"), reverse("statement.selections")
    yield (of, "census-order-not-a-permutation", "A sample occurs twice in the order.", Reason("not a permutation of the samples", "not a permutation of the samples").at("witness.order"),
           put("witness.order", [order[0], order[0], order[2]]))
    yield of, "census-order-too-short", "A sample is missing from the order.", WRONG_LENGTH.at("witness.order"), drop("witness.order.2")
    yield of, "census-order-changed", "With the order changed the nodes are those of other selections.", ELSEWHERE.at("witness.tree"), put(
        "witness.order", [order[0], order[2], order[1]])
    yield (of, "census-leaf-too-early", "An object stands where the selection is not full.", Reason("a solution above the last level", "a leaf above a full selection").at("witness.tree"),
           put(at(inner), paths[leaf_path]))
    yield (of, "census-array-too-late", "An array stands where the selection is full.", BELOW_THE_LEAVES.at("witness.tree"),
           put(at(leaf_path), [paths[leaf_path]]))
    yield (of, "census-empty-array-too-late", "An empty array stands where the selection is full.", BELOW_THE_LEAVES.at("witness.tree"),
           put(at(leaf_path), []))
    yield (of, "census-leaf-solution-off", "w is not the combination of the rows, by 1e-30.", ROW_AND_COMBINATION.at("witness.tree"),
           change(f"{at(leaf_path)}.w.0", SHIFT))
    yield (of, "census-leaf-unknown-key", "A leaf has a key that is not listed.", unknown("locally_optimal").at("witness.tree"),
           put(f"{at(leaf_path)}.locally_optimal", True))
    yield of, "census-leaf-neighbour-added", "The neighbour scores less.", NEIGHBOUR_LESS.at("witness.tree"), put(
        f"{at(leaf_path)}.neighbour", lowest_tight_row(TRUE[of], leaf_path))
    yield of, "census-neighbour-dropped", "The leaf is not locally optimal.", NEIGHBOUR_BEATS, drop(f"{at(neighbour_path)}.neighbour")
    yield of, "census-neighbour-not-tight", "The selected token is no neighbour.", SELECTED_ROW.at("witness.tree"), put(
        f"{at(neighbour_path)}.neighbour", [order[0], neighbour_path[0]])
    yield of, "census-without-v", "A census needs v.", NO_V, drop("problem.v")
    yield (of, "census-other-v", "With this v other selections are locally optimal.", Reason("[0,1] scores less than the selected token", "neighbour [0, 1] does not score less"),
           change("problem.v", lambda x: -x))
    yield of, "census-leaf-for-a-conflict", "An infeasible selection has no solution.", VIOLATED, put(at(infeasible), {"w": ["0", "0"], "lambda": []})
    yield ("joint-tight-census", "census-other-data", "A conflict is that of other data.", NO_RISE.at("witness.conflicts[1]"),
           put("problem.tokens.2.1", ["1/2", "3/2"]))
    yield from wider_conflict_forgeries()


def wider_conflict_forgeries() -> Iterator[Forgery]:
    """§4.8: pairs without weights, and centres."""
    of, bare, centred = "touched-census", "witness.conflicts.2", "witness.conflicts.3"
    at_bare, at_centred = "witness.conflicts[2]", "witness.conflicts[3]"
    yield of, "census-pair-dropped", "A sample without its pair scores more where the point falls.", NO_RISE.at(at_bare), drop(f"{bare}.0")
    yield of, "census-pair-other", "The score rises along the combination at the token of the pair.", NO_RISE.at(at_bare), put(f"{bare}.0", [0, 1])
    yield of, "census-pair-elsewhere", "The pair without a weight is not that of the partial selection.", ELSEWHERE.at("witness.tree"), put(
        "witness.tree.1.0", 2)
    yield of, "census-pairs-only", "A conflict without a multiplier.", NO_ENTRY_MULTIPLIER.at(at_bare), put(bare, [[0, 2], [1, 1]])
    yield of, "census-pair-twice", "A pair stands twice.", BARE_PAIR.at(at_bare), insert(f"{bare}.0", [0, 2])
    yield of, "census-pair-before-term", "A sample has a pair and then a term.", BARE_PAIR.at(at_bare), insert(f"{bare}.1", [1, 1])
    yield of, "census-pair-after-term", "A sample has a term and then a pair.", BARE_PAIR.at(at_bare), insert(f"{bare}.2", [1, 1])
    yield of, "census-pair-second-token", "A pair gives its sample a second token.", BARE_PAIR.at(at_bare), insert(f"{bare}.1", [0, 1])
    yield of, "census-pair-unsorted", "The entries do not ascend.", NOT_ASCENDING.at(at_bare), reverse(bare)
    yield of, "census-pair-no-token", "A pair names a token that does not exist.", NO_SUCH_TOKEN.at(at_bare), put(f"{bare}.0", [0, 3])
    yield of, "census-pair-no-sample", "A pair names a sample that does not exist.", NO_SUCH_SAMPLE.at(at_bare), insert(f"{bare}.2", [2, 0])
    yield of, "census-pair-short", "An entry of one part.", WRONG_LENGTH.at(at_bare), put(f"{bare}.0", [0])
    yield of, "census-pair-negative", "The multiplier beside a pair is negative.", NOT_POSITIVE.at(at_bare), put(f"{bare}.1.3", "-1")
    yield of, "census-pair-other-v", "With other scores the score rises along the combination.", NO_RISE.at(at_bare), put("problem.v", ["0", "-1"])
    of = "centre-census"
    yield of, "census-centre-dropped", "Without its centre the combination must not rise.", NO_RISE.at(at_centred), put(
        centred, TRUE[of]["witness"]["conflicts"][3]["terms"])
    yield of, "census-centre-pair-dropped", "A sample without its pair is not ranked by the point.", NO_RISE.at(at_centred), drop(f"{centred}.terms.0")
    yield of, "census-centre-short", "A generator is below 1.", NO_RISE.at(at_centred), put(f"{centred}.centre.0", "99/100")
    yield of, "census-centre-long", "The square of the centre is the sum of the multipliers.", LONG_CENTRE.at(at_centred), put(f"{centred}.terms.1.3", "1")
    yield of, "census-centre-optimal", "A locally optimal selection: the square of the centre is the sum.", LONG_CENTRE.at(at_centred), all_of(
        put(centred, {"terms": [[0, 2], [1, 0, 1, "4"]], "centre": ["-2", "0"]}), put("witness.tree.0.2", 3),
        put("statement", {"kind": "census", "count": 0, "selections": []}))
    yield of, "census-centre-negative", "A multiplier is negative.", NOT_POSITIVE.at(at_centred), put(f"{centred}.terms.1.3", "-2")
    yield of, "census-centre-pairs-only", "A conflict without a multiplier.", NO_ENTRY_MULTIPLIER.at(at_centred), put(f"{centred}.terms", [[0, 1], [1, 1]])
    yield of, "census-centre-empty", "A conflict without entries.", Reason("an empty conflict", "empty").at(at_centred), put(f"{centred}.terms", [])
    yield of, "census-centre-wrong-length", "The centre has d numbers.", WRONG_LENGTH.at(at_centred), drop(f"{centred}.centre.1")
    yield of, "census-centre-number", "Rationals are strings.", NO_RATIONAL_STRING.at(at_centred), put(f"{centred}.centre.0", 1)
    yield of, "census-centre-missing", "The object has no centre.", missing("centre").at(at_centred), drop(f"{centred}.centre")
    yield of, "census-centre-terms-missing", "The object has no terms.", missing("terms").at(at_centred), drop(f"{centred}.terms")
    yield of, "census-centre-unknown-key", "A conflict has a key that is not listed.", unknown("scale").at(at_centred), put(f"{centred}.scale", "1")
    yield of, "census-centre-elsewhere", "The conflict's tokens are not those of the partial selection.", ELSEWHERE.at("witness.tree"), put(
        "witness.tree.1.2", 3)
    yield of, "census-conflict-is-a-string", "A conflict is an array or an object.", NOT_AN_ARRAY.at(at_centred), put(centred, "0")


def walk(node: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    yield path, node
    if isinstance(node, list):
        for t, child in enumerate(node):
            yield from walk(child, (*path, t))


def lowest_tight_row(certificate: Certificate, path: tuple[int, ...]) -> list[int]:
    data = certificate["problem"]
    problem = Problem(data["tokens"], data["labels"], v=data["v"], W=data["W"])
    rows = problem.p_rows(dict(zip(certificate["witness"]["order"], path)))
    return list(tight(rows, minimise(rows, problem.d)[0])[0])


def weight_forgeries() -> Iterator[Forgery]:
    """§4.11 to §4.14: programs over weight matrices."""
    of = "w-svm"
    yield (of, "w-svm-without-queries", "Without queries the first tokens are meant, which belong to another matrix.", VIOLATED,
           drop("problem.queries"))
    yield of, "w-svm-other-query", "With another query the multipliers belong to another matrix.", NOT_TIGHT, put("problem.queries.0", ["1", "2"])
    yield of, "w-svm-other-token", "With another token the multipliers belong to another matrix.", VIOLATED, put("problem.tokens.0.0", ["1", "1/5"])
    yield of, "w-svm-negative", "A multiplier is negative.", NOT_POSITIVE.at("witness.lambda"), change("witness.lambda.0.2", lambda x: -x)
    yield of, "w-svm-zero", "A multiplier is 0.", NOT_POSITIVE.at("witness.lambda"), put("witness.lambda.0.2", "0")
    yield of, "w-svm-too-large", "The matrix is too large, so a listed row is not tight.", NOT_TIGHT, change("witness.lambda.0.2", lambda x: x + TINY)
    yield of, "w-svm-too-small", "The matrix is too small and violates a row.", VIOLATED, change("witness.lambda.0.2", lambda x: x - TINY)
    yield of, "w-svm-short", "A row is left out.", VIOLATED, drop("witness.lambda.0")
    yield of, "w-svm-empty", "The zero matrix violates every row.", VIOLATED, put("witness.lambda", [])
    yield of, "w-svm-unsorted", "The rows do not ascend.", NOT_ASCENDING.at("witness.lambda"), reverse("witness.lambda")
    yield of, "w-svm-selected-token", "The selected token has no row.", SELECTED_ROW.at("witness.lambda"), put("witness.lambda.0.1", 0)
    yield (of, "w-svm-objective-off", "The objective is 1e-30 too large.", Reason("not half the sum of the multipliers", "the objective is another"),
           change("statement.objective", lambda x: x + TINY))
    yield of, "w-svm-support-short", "A tight row is left out.", LEFT_OUT, drop("statement.support.0")
    yield of, "w-svm-support-long", "A row is not tight.", LISTED_NOT_TIGHT, put("statement.support", [[0, 1], [0, 2], [1, 1]])
    yield of, "w-svm-with-w", "The witness has a key that is not listed.", unknown("w").at("witness"), put("witness.w", ["0"] * 4)
    yield of, "w-svm-as-p-svm", "As a p-SVM certificate it has no w.", missing("w").at("witness"), put("claim", "p-svm")
    yield of, "w-svm-as-infeasible", "The sum of multiplier times row is not 0.", NOT_ZERO, all_of(
        put("statement.kind", "svm-infeasible"), drop("statement.objective"), drop("statement.support"))
    yield ("w-svm-degenerate", "w-svm-degenerate-support", "A tight row without a multiplier is left out.", LEFT_OUT,
           put("statement.support", [[0, 1]]))
    yield "w-svm-no-rows", "w-svm-no-rows-row", "There is no row.", SELECTED_ROW.at("witness.lambda"), put("witness.lambda", [[0, 0, "1"]])
    yield "w-svm-no-rows", "w-svm-no-rows-infeasible", "An empty combination proves nothing.", EMPTY.at("witness.lambda"), all_of(
        put("statement.kind", "svm-infeasible"), drop("statement.objective"), drop("statement.support"))
    of = "nuclear-exact"
    yield (of, "nuclear-without-queries", "Without queries the first tokens are meant, which belong to another matrix.", VIOLATED,
           drop("problem.queries"))
    yield of, "nuclear-lower-too-large", "The multipliers sum to 13/36.", LOWER.at("statement.lower"), change("statement.lower", lambda x: x + TINY)
    yield of, "nuclear-upper-too-small", "The factors show 13/36.", UPPER.at("statement.upper"), change("statement.upper", lambda x: x - TINY)
    yield of, "nuclear-norm-above-one", "M has norm 1 + 4e-30.", NORM, all_of(change("witness.lambda.0.2", lambda x: x + TINY))
    yield of, "nuclear-second-norm-above-one", "M has norm 1 + 9e-30.", NORM, all_of(change("witness.lambda.1.2", lambda x: x + TINY))
    yield of, "nuclear-infeasible-factor", "The first row is at 1 - 2e-30.", VIOLATED, change("witness.a.0.0", lambda x: x - TINY)
    yield of, "nuclear-infeasible-right", "The second row is at 1 - 3e-30.", VIOLATED, change("witness.b.1.1", lambda x: x - TINY)
    yield (of, "nuclear-large-factor", "The factors are too large for the upper bound.", UPPER.at("statement.upper"),
           change("witness.a.0.1", lambda x: x + TINY))
    yield of, "nuclear-ragged-a", "The rows of a have one length.", WRONG_LENGTH.at("witness.a"), drop("witness.a.1.1")
    yield of, "nuclear-ragged-b", "a and b have one number of columns.", WRONG_LENGTH.at("witness.b"), drop("witness.b.1.1")
    yield of, "nuclear-short-a", "a has d rows.", WRONG_LENGTH.at("witness.a"), drop("witness.a.1")
    yield of, "nuclear-no-columns", "W = 0 violates every row.", VIOLATED, all_of(put("witness.a", [[], []]), put("witness.b", [[], []]))
    yield of, "nuclear-negative", "A multiplier is negative.", NOT_POSITIVE.at("witness.lambda"), change("witness.lambda.0.2", lambda x: -x)
    yield of, "nuclear-no-multipliers", "Without multipliers the lower bound is 0.", LOWER.at("statement.lower"), put("witness.lambda", [])
    yield of, "nuclear-other-query", "With a larger query M is larger.", NORM, put("problem.queries.0.0", "5")
    yield of, "nuclear-smaller-query", "With a smaller query W violates a row.", VIOLATED, put("problem.queries.0.0", "3")
    yield of, "nuclear-other-selection", "Another selection has other rows.", VIOLATED, put("statement.selection", [1, 0])
    yield (of, "nuclear-with-objective", "The statement has a key that is not listed.", unknown("objective").at("statement"),
           put("statement.objective", "13/36"))
    yield of, "nuclear-as-overparametrised", "nuclear-bracket is a kind of w-svm.", no_kind("overparametrised"), put("claim", "overparametrised")
    of = "nuclear-root"
    yield of, "nuclear-root-norm-above-one", "M has norm 1 + 4e-30.", ROOT.at("witness.root"), put("witness.lambda.0.2", str(Fraction(1, 4) + TINY))
    yield of, "nuclear-root-too-large", "3/4 - 81/100 is negative.", ROOT.at("witness.root"), put("witness.root.0.0", "9/10")
    yield of, "nuclear-root-crooked", "1/5 off the diagonal is more than 11/100 on it.", ROOT.at("witness.root"), put("witness.root.1.0", "1/4")
    yield of, "nuclear-root-ragged", "Line k has k + 1 numbers.", WRONG_LENGTH.at("witness.root"), drop("witness.root.1.1")
    yield of, "nuclear-root-square", "Line k has k + 1 numbers.", WRONG_LENGTH.at("witness.root"), put("witness.root.0", ["4/5", "0"])
    yield of, "nuclear-root-short", "It has d lines, or n.", ROOT_SIDE.at("witness.root"), drop("witness.root.1")
    yield of, "nuclear-root-empty", "It has d lines, or n.", ROOT_SIDE.at("witness.root"), put("witness.root", [])
    yield "nuclear-exact", "nuclear-root-singular", "The form is 0, which no root shows.", ROOT.at("witness.root"), put("witness.root", [["1/9"], ["0", "0"]])
    of = "nuclear-root-queries"
    yield of, "nuclear-root-longer-query", "With a query twice as long M has norm 1, and the form is 0.", ROOT.at("witness.root"), put("problem.queries.0.0", "8")
    yield of, "nuclear-root-of-space", "Of three lines it is about I - M^T M.", ROOT.at("witness.root"), put("witness.root", [["3"], ["0", "3"], ["0", "0", "1/2"]])
    of = "full-rank"
    yield (of, "rank-dependent-queries", "The queries are dependent.", Reason("the queries are dependent", "not the full rank of the queries").at("statement.query_rank"),
           put("problem.queries.1", ["2", "2", "0"]))
    yield (of, "rank-nearly-dependent", "The third token lies on the line through the first two.", TOKENS_DEPENDENT.at("statement.token_ranks[0]"),
           put("problem.tokens.0.2", ["1/3", "2/3", "0"]))
    yield (of, "rank-equal-tokens", "Two tokens are equal.", TOKENS_DEPENDENT.at("statement.token_ranks[1]"),
           put("problem.tokens.1.1", ["1", "2", "1"]))
    yield of, "rank-too-small", "The rank of the first sample is 2.", TOKEN_RANK.at("statement.token_ranks[0]"), put("statement.token_ranks.0", 1)
    yield of, "rank-too-large", "The rank of the second sample is 1.", TOKEN_RANK.at("statement.token_ranks[1]"), put("statement.token_ranks.1", 2)
    yield of, "rank-short", "A sample is left out.", WRONG_LENGTH.at("statement.token_ranks"), put("statement.token_ranks", [2])
    yield (of, "rank-queries-off", "The rank of the queries is 2.", Reason("not the number of samples", "not the full rank of the queries").at("statement.query_rank"),
           put("statement.query_rank", 1))
    yield of, "rank-with-witness", "The witness has a key that is not listed.", unknown("ranks").at("witness"), put("witness.ranks", [2, 1])
    yield of, "rank-as-w-svm", "rank is not a kind of w-svm.", no_kind("w-svm"), put("claim", "w-svm")
    of = "every-selection"
    yield (of, "every-selection-without-queries", "Without queries the first tokens are meant.", NOT_SEPARATED.at("witness.matrices"),
           drop("problem.queries"))
    yield of, "every-selection-short", "A selection is left out.", NOT_SEPARATED.at("witness.matrices"), drop("witness.matrices.0")
    yield of, "every-selection-count-off", "There are six selections.", OTHER_COUNT.at("statement.count"), put("statement.count", 5)
    yield (of, "every-selection-fewer", "There are six selections, not five.", OTHER_COUNT.at("statement.count"),
           all_of(put("statement.count", 5), drop("witness.matrices.5")))
    yield of, "every-selection-twice", "A selection is there twice and another is not.", NOT_SEPARATED.at("witness.matrices"), all_of(
        drop("witness.matrices.1"), insert("witness.matrices.4", [["1", "0"], ["0", "1"]]), drop("witness.matrices.0"),
        insert("witness.matrices.4", [["1", "0"], ["0", "1"]]))
    yield (of, "every-selection-zero", "The zero matrix prefers no token.", Reason("does not tell the best tokens of a sample apart", "two tokens are level").at("witness.matrices[0]"),
           put("witness.matrices.0", [["0", "0"], ["0", "0"]]))
    yield of, "every-selection-shape", "A matrix has d rows.", WRONG_LENGTH.at("witness.matrices[0]"), drop("witness.matrices.0.1")
    yield of, "every-selection-columns", "A row has d entries.", WRONG_LENGTH.at("witness.matrices[0]"), drop("witness.matrices.0.1.1")
    yield of, "every-selection-opposite", "The opposite matrix prefers other tokens.", NOT_SEPARATED.at("witness.matrices"), all_of(
        change("witness.matrices.0.0", lambda x: -x), change("witness.matrices.0.1", lambda x: -x))
    of = "w-svm-infeasible"
    yield of, "w-svm-farkas-off", "The combination of rows is not 0.", NOT_ZERO, change("witness.lambda.0.2", lambda x: x + TINY)
    yield of, "w-svm-farkas-empty", "An empty combination proves nothing.", EMPTY.at("witness.lambda"), put("witness.lambda", [])
    yield (of, "w-svm-farkas-other-selection", "Another selection has other rows.", SELECTED_ROW.at("witness.lambda"),
           put("statement.selection", [1, 1]))
    yield of, "w-svm-farkas-other-query", "With another query the combination is not 0.", NOT_ZERO, put("problem.queries.1.0", "1/2")
    yield ("w-svm-self", "w-svm-self-with-queries", "The queries are not the first tokens.", NOT_TIGHT,
           put("problem.queries", [["3", "1/2"], ["2", "-2"]]))
    yield "w-svm-self", "w-svm-self-tokens-swapped", "Another first token is another query.", VIOLATED, reverse("problem.tokens.1")
    yield of, "w-svm-farkas-as-p-svm", "The rows of the p-SVM do not sum to 0.", NOT_ZERO.at("witness.lambda"), put("claim", "p-svm")


def loss_forgeries() -> Iterator[Forgery]:
    """§3, §4.1, §4.2. On [9/10, 1] the slope of the logistic loss is from -0.28905 to -0.26894, its curvature at most 0.20551."""
    of = "loss-bounds-logistic"
    yield of, "slope-zero", "slope_sup is not negative.", SLOPE_SUP_SIGN, put("statement.slope_sup", "0")
    yield of, "slope-positive", "slope_sup is not negative.", SLOPE_SUP_SIGN, put("statement.slope_sup", "1/4")
    yield (of, "slope-too-steep", "The slope reaches 1/(1 + e) = 0.268941..., 1e-6 above slope_sup.", SLOPE_SUP,
           put("statement.slope_sup", "-268942421/1000000000"))
    yield of, "slope-far-too-steep", "The slope at 1 is above slope_sup.", SLOPE_SUP, put("statement.slope_sup", "-27/100")
    yield of, "m0-too-small", "The curvature reaches 0.2055 at 9/10.", M0, put("statement.m0", "1/5")
    yield of, "m0-concave", "The curvature is -2.", M0_BELOW, all_of(
        put("problem.loss", {"expression": "-u^2"}), put("statement.m0", "1"), put("statement.m1", "2"))
    yield of, "m0-negative", "A bound on a size is not negative.", M0, put("statement.m0", "-1/4")
    yield of, "m1-too-small", "The slope reaches 0.28905 in size at 9/10.", M1, put("statement.m1", "289/1000")
    yield of, "m1-below-slope", "m1 is below the size of slope_sup.", M1, put("statement.m1", "1/5")
    yield (of, "interval-reversed", "The ends are reversed.", Reason("the ends are out of order", "its ends are reversed").at("statement.interval"),
           all_of(reverse("statement.interval"), put("witness.cuts", [])))
    yield (of, "interval-three-ends", "An interval has two ends.", WRONG_LENGTH.at("statement.interval"),
           put("statement.interval", ["9/10", "19/20", "1"]))
    yield of, "cut-outside", "A cut lies outside of the interval.", CUTS.at("witness.cuts"), put("witness.cuts", ["19/20", "2"])
    yield of, "cut-at-the-end", "A cut lies at an end of the interval.", CUTS.at("witness.cuts"), put("witness.cuts", ["9/10", "19/20"])
    yield of, "cut-twice", "A cut occurs twice.", CUTS.at("witness.cuts"), put("witness.cuts", ["19/20", "19/20"])
    yield of, "cuts-unsorted", "The cuts do not ascend.", CUTS.at("witness.cuts"), put("witness.cuts", ["24/25", "23/25"])
    yield of, "cuts-missing", "The cuts are missing.", missing("cuts").at("witness"), drop("witness.cuts")
    yield of, "cut-in-a-point", "An interval of one point has no cuts.", CUTS.at("witness.cuts"), all_of(
        put("statement.interval", ["1", "1"]), put("statement.covers_scores", False), put("witness.cuts", ["1"]))
    yield of, "score-outside", "The score 9/10 lies outside of the interval.", SCORE_OUTSIDE, all_of(
        put("statement.interval.0", "91/100"))
    yield (of, "score-outside-by-1e-30", "The score 1 lies outside of the interval, by 1e-30.", SCORE_OUTSIDE,
           put("statement.interval.1", str(1 - TINY)))
    yield of, "covers-without-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield of, "covers-number", "1 is not a boolean.", NOT_A_BOOLEAN.at("statement.covers_scores"), put("statement.covers_scores", 1)
    yield of, "bounds-other-loss", "The bounds are those of another loss.", M1, put("problem.loss", "exponential")
    yield of, "bounds-wide-interval", "On the wider interval the slope is above slope_sup.", SLOPE_SUP, put("statement.interval.1", "100")

    def expression(name: str, text: str, why: str, reason: Reason) -> Forgery:
        wide = all_of(put("statement.m0", "1000"), put("statement.m1", "1000"), put("statement.slope_sup", "-1/1000"))
        return of, f"loss-{name}", why, reason, all_of(wide, put("problem.loss", {"expression": text}))

    yield expression("unknown-function", "-sin(u)", "The grammar has no sin.", Reason("unknown name or sign", "expression: unknown name 'sin'"))
    yield expression("power-of-u", "-2^u", "An exponent must not hold u.", Reason("the exponent holds u or a function", "expression: u in an exponent"))
    yield expression("power-65", "-u^65", "An exponent is at most 64.", EXPONENT_RANGE)
    yield expression("power-minus-65", "u^-65", "An exponent is at least -64.", EXPONENT_RANGE)
    yield expression("power-half", "-u^(1/2)", "An exponent is an integer.", EXPONENT_RANGE)
    yield expression("power-function", "-u^exp(0)", "An exponent is made by rational arithmetic alone.", Reason("the exponent holds u or a function", "expression: exp in an exponent"))
    yield expression("power-bomb", "-u^((((((9e4999)^64)^64)^64)^64)^64)", "The exponent is far above 64.", Reason("an exponent with huge numbers", "expression: exponent too long"))
    yield expression("power-over-zero", "-u^(0^-1)", "The exponent divides by zero.", Reason("division by zero in an exponent", "expression: division by zero in an exponent"))
    yield expression("unbalanced", "-(u", "A parenthesis is not closed.", UNCLOSED)
    yield expression("unbalanced-left", "-u)", "A parenthesis is not opened.", OUT_OF_PLACE)
    yield expression("empty", "", "The expression is empty.", NO_OPERAND)
    yield expression("two-operands", "-u 1", "An operator is due between two operands.", OUT_OF_PLACE)
    yield expression("implicit-product", "-2u", "An operator is due between two operands.", OUT_OF_PLACE)
    yield expression("point-without-digits", "-1.*u", "Digits are due after the point.", UNKNOWN_REST)
    yield expression("exponent-without-digits", "-1e*u", "Digits are due in an exponent.", OUT_OF_PLACE)
    yield expression("huge-number", "-u*1e5001/1e5001", "The exponent of a number is at most 5000.", HUGE_DECIMAL)
    yield expression("number-bomb", "-u*1e999999999/1e999999999", "The exponent of a number is at most 5000.", HUGE_DECIMAL)
    yield expression("capital", "-U", "The variable is u.", UNKNOWN_SIGN)
    yield expression("unicode-minus", "\u2212u", "The grammar is ASCII.", UNKNOWN_SIGN)
    yield expression("no-break-space", "-u\u00a0", "A no-break space is not in the grammar.", UNKNOWN_REST)
    yield expression("bare-function", "-exp", "A function needs an argument.", Reason("expected '('", "expression: '(' is due after exp"))
    yield expression("double-star", "-u**3", "The power is written ^.", Reason("unknown name or sign", "expression: '*' is out of place"))
    yield expression("deep", "-" + "(" * 201 + "u" + ")" * 201, "The nesting is deeper than 200.", Reason("nesting deeper than 200", "expression: nested too deeply"))
    yield expression("too-long", "-u" + " " * 9999, "The expression has more than 10 000 characters.", Reason("longer than 10000 characters", "expression: too long"))
    yield expression("log-of-negative", "log(u - 5)", "The logarithm is of a negative number.", LOG)
    yield expression("log-of-zero", "-u + 0*log(u - 9/10)", "The logarithm is of 0 at 9/10.", LOG)
    yield expression("log1p-of-minus-one", "-log1p(u - 2)", "The argument of log1p is -1 at 1.", LOG1P)
    yield expression("sqrt-at-zero", "-sqrt(u - 9/10)", "The square root has no derivative at 0.", SQRT)
    yield expression("sqrt-of-negative", "-u + 0*sqrt(-u)", "The square root is of a negative number.", SQRT)
    yield expression("pole", "1/(u - 19/20)", "The loss has a pole in the interval.", DIVISION)
    yield expression("zero-over-zero", "-u + 0/0", "The division is by zero.", DIVISION)
    yield expression("undefined-to-the-zero", "-u + log(-1)^0", "The operand of the power is undefined.", LOG)
    yield expression("increasing", "u", "The loss increases.", SLOPE_SUP)
    yield expression("flat", "1", "The loss is constant.", SLOPE_SUP)
    yield expression("minus-binds-weaker", "-u^2 + 2*u^2", "The loss is u^2, which increases: -u^2 is -(u^2).", SLOPE_SUP)
    yield expression("power-binds-right", "-(1/u)^2^3", "The loss is -u^-8, which increases.", SLOPE_SUP)
    yield expression("exp-bomb", "-exp(exp(exp(exp(9*u))))", "exp is taken of more than 2^20.", EXP_BEYOND)
    yield of, "loss-number", "An expression is a string.", NOT_A_STRING.at("problem.loss.expression"), put("problem.loss", {"expression": 1})
    yield of, "loss-two-keys", "An expression has one key.", unknown("m0").at("problem.loss"), put("problem.loss", {"expression": "-u", "m0": "0"})
    yield ("loss-bounds-correlation", "correlation-slope-off", "The slope is -1, 1e-30 above slope_sup.", SLOPE_SUP,
           change("statement.slope_sup", lambda x: x - TINY))
    yield "loss-bounds-correlation", "correlation-m1-off", "The slope is 1 in size, 1e-30 above m1.", M1, change("statement.m1", lambda x: x - TINY)
    yield "loss-bounds-correlation", "correlation-m0-off", "The curvature is 0, which is above m0.", M0, change("statement.m0", lambda x: x - TINY)

    def at_point(name: str, text: str, why: str, reason: Reason) -> Forgery:
        point = all_of(put("statement.interval", ["0", "0"]), put("statement.covers_scores", False), put("witness.cuts", []),
                       put("statement.slope_sup", "-1/1000"), put("statement.m0", "1000"), put("statement.m1", "1000"))
        return of, f"point-{name}", why, reason, all_of(point, put("problem.loss", {"expression": text}))

    yield at_point("root-of-root", "10*sqrt(sqrt(u^4)) - u", "The loss is 10|u| - u, which has no slope at 0.", SQRT)
    yield of, "point-root-curved", "The loss is u^2 - u, whose curvature at 0 is 2.", SQRT, all_of(
        put("statement", {"kind": "loss-bounds", "interval": ["0", "0"], "slope_sup": "-1", "m0": "0", "m1": "1", "covers_scores": False}),
        put("witness.cuts", []), put("problem.loss", {"expression": "sqrt(u^4) - u"}))
    yield at_point("root-one-sided", "-u - sqrt(u^3)", "The loss is undefined below 0.", SQRT)
    yield at_point("root-of-zero", "-u + sqrt(0)", "The square root needs a positive number.", SQRT)
    yield at_point("root-of-difference", "-u + sqrt(u - u)", "The square root needs a positive number.", SQRT)
    yield at_point("root-to-the-zero", "-u + sqrt(u^4)^0", "The operand of the power is undefined at 0.", SQRT)
    yield at_point("log-at-zero", "-u + 0*log(u^4)", "The logarithm is of 0.", LOG)
    yield at_point("log1p-at-minus-one", "-u + 0*log1p(u^3 - 1)", "The argument of log1p is -1.", LOG1P)
    yield at_point("quotient", "-2*u + u^4/u^3", "The quotient is undefined at 0.", DIVISION)
    yield at_point("negative-power", "-2*u + u^4*u^-3", "The power is undefined at 0.", DIVISION)
    yield at_point("reciprocal-to-the-zero", "-u + (1/u)^0", "The operand of the power is undefined at 0.", DIVISION)

    of = "loss-bounds-softplus"
    yield of, "softplus-slope-off", "The slope at 10 is above slope_sup.", SLOPE_SUP, put("statement.slope_sup", "-453979/10000000000")
    yield of, "softplus-m0-off", "The curvature at 0 is 1/4.", M0, change("statement.m0", lambda x: x - TINY)
    yield of, "softplus-m1-off", "The slope at -10 is 0.9999546 in size.", M1, put("statement.m1", "9999/10000")
    yield of, "softplus-wider", "The slope at 11 is above slope_sup.", SLOPE_SUP, put("statement.interval.1", "11")
    yield of, "softplus-score-outside", "The score 1 lies outside of the interval.", SCORE_OUTSIDE, put("statement.interval.1", "9/10")

    def sum_of(name: str, text: str, why: str, reason: Reason) -> Forgery:
        return "loss-bounds-softplus", f"softplus-{name}", why, reason, put("problem.loss", {"expression": text})

    yield sum_of("one-and-a-half", "log(1.5 + exp(-u))", "The slope at 10 is two thirds as large in size.", SLOPE_SUP)
    yield sum_of("twice-one", "log(1 + 1 + exp(-u))", "The slope at 10 is half as large in size.", SLOPE_SUP)
    yield sum_of("one-last-of-three", "log(exp(-u) + 1 + 1)", "The slope at 10 is half as large in size.", SLOPE_SUP)
    yield sum_of("one-times-two", "log(1*2 + exp(-u))", "The slope at 10 is half as large in size.", SLOPE_SUP)
    yield sum_of("negative-one", "log(exp(-u) + -1)", "The logarithm is of a negative number.", LOG)
    yield sum_of("minus-exp", "log(1 - exp(-u))", "The logarithm is of a negative number.", LOG)
    yield sum_of("exp-squared", "log(1 + exp(-u)^2)", "The slope at 10 is -4e-9.", SLOPE_SUP)
    yield sum_of("exp-doubled", "log1p(2*exp(-u)) - u", "The slope at -10 is near -2.", M1)
    yield sum_of("increasing", "log1p(exp(u))", "The loss increases.", SLOPE_SUP)
    yield sum_of("two-exps", "log(exp(-u) + exp(u))", "The loss increases from 0 on.", SLOPE_SUP)
    yield sum_of("exp-beyond", "log1p(exp(-200000*u))", "exp is taken of more than 2^20.", EXP_BEYOND)
    yield "loss-bounds-softplus-of-square", "softplus-square-m0-off", "The curvature at 2 is 0.405.", M0, put("statement.m0", "1/5")

    of = "loss-flat-rational"
    yield of, "flat-at-off", "The score is 1, not 1 + 1e-30.", NOT_THE_SCORE.at("statement.at"), change("statement.at", SHIFT)
    yield of, "flat-at-other-score", "The score of the token is 1, not 2.", NOT_THE_SCORE.at("statement.at"), put("statement.at", "2")
    yield of, "flat-other-token", "The score of the token is 0, not 1.", NOT_THE_SCORE.at("statement.at"), put("statement.token", 1)
    yield of, "flat-other-sample", "The score of the token is 2, not 1.", NOT_THE_SCORE.at("statement.at"), put("statement.sample", 1)
    yield of, "flat-steep-sample", "The slope at 2 is -3.", SLOPE_NEGATIVE, all_of(put("statement.sample", 1), put("statement.at", "2"))
    yield (of, "flat-not-best", "The slope is 0 at 0, but the other token scores more.", Reason("token [0,1] is not the best of its sample", "another token of the sample scores more"),
           all_of(
        put("statement.token", 1), put("statement.at", "0"), put("problem.loss", {"expression": "-u^3"})))
    yield of, "flat-no-sample", "There is no sample 2.", NO_SUCH_SAMPLE.at("statement.sample"), put("statement.sample", 2)
    yield of, "flat-no-token", "There is no token 2.", NO_SUCH_TOKEN.at("statement.token"), put("statement.token", 2)
    yield of, "flat-slope-negative", "The slope is -1e-30.", SLOPE_NEGATIVE, put("problem.loss", {"expression": "-(u-1)^3 - 1e-30*u"})
    yield of, "flat-label", "With the label -1 the token scores -1.", NOT_THE_SCORE.at("statement.at"), put("problem.labels", [-1, 1])
    yield of, "flat-without-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield (of, "flat-with-interval", "The statement has a key that is not listed.", unknown("interval").at("statement"),
           put("statement.interval", ["0", "2"]))
    yield of, "flat-as-other-claim", "The kind is one of assumption-a.", no_kind("globally-optimal"), put("claim", "globally-optimal")
    yield (of, "flat-by-unknown", "by is rational or enclosure.", one_of("neither rational nor enclosure", "rational", "enclosure").at("witness.by"),
           put("witness.by", "values"))
    yield of, "flat-by-array", "by is a string.", one_of("not a string", "rational", "enclosure").at("witness.by"), put("witness.by", ["rational"])
    yield of, "flat-by-missing", "by is missing.", missing("by").at("witness"), drop("witness.by")
    yield of, "flat-function", "tanh is not rational.", NOT_RATIONAL, put("problem.loss", {"expression": "-tanh(u-1)^3"})
    yield of, "flat-unused-function", "log is not rational.", NOT_RATIONAL, put("problem.loss", {"expression": "-(u-1)^3 + 0*log(u)"})
    yield of, "flat-softplus", "log1p(exp(u)) is not rational.", NOT_RATIONAL, put("problem.loss", {"expression": "log1p(exp(u))"})
    yield of, "flat-pole", "The loss is undefined at 1.", RATIONAL_DIVISION, put("problem.loss", {"expression": "-1/(u-1)"})
    yield of, "flat-pole-times-zero", "The loss is undefined at 1.", RATIONAL_DIVISION, put("problem.loss", {"expression": "-(u-1)^3 + 0/(u-1)"})
    yield (of, "flat-pole-to-the-zero", "The operand of the power is undefined at 1.", RATIONAL_DIVISION,
           put("problem.loss", {"expression": "-(u-1)^3 + (1/(u-1))^0"}))
    yield of, "flat-negative-power", "The loss is undefined at 1.", RATIONAL_DIVISION, put("problem.loss", {"expression": "(u-1)^4*(u-1)^-1"})
    yield (of, "flat-bomb", "The slope is -1; the numbers in between are huge.", Reason("by rational: huge numbers", "by rational: huge numbers"),
           put("problem.loss", {"expression": "-u + 0*((((2+u)^64)^64)^64)^64"}))
    of = "loss-flat-enclosure"
    yield (of, "flat-enclosure-negative", "The slope is negative.", Reason("by enclosure: l' >= 0 is not shown", "the slope is not proved to be at least 0"),
           put("problem.loss", "exponential"))
    yield of, "flat-enclosure-undefined", "The loss is 2u + |u - 1|, which has no slope at 1.", SQRT, put(
        "problem.loss", {"expression": "2*u + sqrt(sqrt((u-1)^4))"})
    yield of, "flat-enclosure-not-rational", "exp is not rational.", NOT_RATIONAL, put("witness.by", "rational")

    of = "loss-not-decreasing-values"
    yield of, "points-reversed", "a is not below b.", POINTS, all_of(put("statement.a", "3"), put("statement.b", "0"))
    yield of, "points-equal", "a is not below b.", POINTS, put("statement.b", "0")
    yield of, "a-outside", "a lies outside of the interval.", POINTS, put("statement.a", "-1")
    yield of, "b-outside", "b lies outside of the interval.", POINTS, put("statement.b", str(4 + TINY))
    yield of, "values-false", "loss(0) = 1 is above loss(1) = 0.8678....", NOT_BY_VALUES, put("statement.b", "1")
    yield of, "slope-false", "The slope is negative at 0.", NOT_BY_SLOPE, put("witness.by", "slope")
    yield (of, "by-unknown", "by is values or slope.", one_of("neither values nor slope", "values", "slope").at("witness.by"),
           put("witness.by", "trust"))
    yield of, "by-array", "by is a string.", one_of("not a string", "values", "slope").at("witness.by"), put("witness.by", ["values"])
    yield of, "covers-too-much", "The interval is wider than that of the scores.", NOT_THE_RANGE, put("statement.covers_scores", True)
    yield of, "values-of-a-decreasing-loss", "The logistic loss decreases.", NOT_BY_VALUES, put("problem.loss", "logistic")
    yield of, "values-undefined", "The loss is undefined at 0.", LOG, put("problem.loss", {"expression": "log(u)"})
    yield "loss-not-decreasing-slope", "slope-of-a-decreasing-loss", "The slope is negative.", NOT_BY_SLOPE, put("problem.loss", "exponential")
    yield "loss-not-decreasing-slope", "covers-not-exactly", "The least score is 9/10, not 4/5.", NOT_THE_RANGE, put("statement.interval.0", "4/5")
    yield "loss-not-decreasing-slope", "not-decreasing-without-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield ("loss-not-decreasing-slope", "not-decreasing-with-m0", "The statement has a key that is not listed.", unknown("m0").at("statement"),
           put("statement.m0", "1"))


def assumption_b_forgeries() -> Iterator[Forgery]:
    """§4.9"""
    yield "b-exact", "b-nu-off", "nu is 1e-30 larger than the largest constant.", OPEN_NODE.at("witness.samples[0]"), change("statement.nu", SHIFT)
    yield ("b-exact", "b-gamma-off", "Gamma is 1; its square is not 1 + 1e-30.", GAMMA.at("statement.gamma_squared"),
           change("statement.gamma_squared", SHIFT))
    yield "b-exact", "b-slope-of-other-data", "The margin loses 1 - 1e-30 on this data, less than nu.", OPEN_NODE.at("witness.samples[0]"), change(
        "problem.tokens.0.1.0", SHIFT)

    of = "b-tight"
    yield (of, "b-over-unknown", "The maximum is over all or support.", one_of("neither all nor support", "all", "support").at("statement.over"),
           put("statement.over", "some"))
    yield (of, "b-over-number", "The maximum is over all or support.", one_of("not a string", "all", "support").at("statement.over"),
           put("statement.over", 1))
    yield of, "b-over-missing", "A key is missing.", missing("over").at("statement"), drop("statement.over")
    yield of, "b-nu-zero", "nu must be positive.", NU_SIGN.at("statement.nu"), put("statement.nu", "0")
    yield of, "b-nu-negative", "nu must be positive.", NU_SIGN.at("statement.nu"), put("statement.nu", "-2/5")
    yield of, "b-nu-beyond", "The largest constant is 1/2.", OPEN_NODE.at("witness.samples[0]"), put("statement.nu", "3/5")
    yield "b-cover", "b-gamma-inverted", "Gamma squared is 1/(v.v).", GAMMA.at("statement.gamma_squared"), put("statement.gamma_squared", "1/2")
    yield of, "b-other-selection", "v does not solve the v-svm of this selection.", VIOLATED_AND_COMBINATION, put("statement.selection", [0, 1, 1])
    yield of, "b-v-scaled", "v is longer than the minimiser.", ROW_AND_COMBINATION.at("witness.v"), change("witness.v.w", lambda x: 2 * x)
    yield (of, "b-v-negative-multiplier", "A multiplier of v is negative.", NOT_POSITIVE.at("witness.v.lambda"),
           put("witness.v.lambda", [[0, "-1/2"], [1, "1/6"], [2, "4/3"]]))
    yield of, "b-v-missing", "A key is missing.", missing("v").at("witness"), drop("witness.v")
    yield (of, "b-token-moved", "On this data another selection has a larger margin.", OPEN_NODE.at("witness.samples[0]"),
           put("problem.tokens.0.0", ["5", "5"]))
    yield of, "b-label-flipped", "v does not solve the v-svm of this data.", VIOLATED_AND_COMBINATION, put("problem.labels.1", 1)

    yield of, "b-weights-sum", "The weights sum to 1 + 1e-30.", WEIGHT_SUM.at("witness.weights[3]"), change("witness.weights.3.0.1", SHIFT)
    yield (of, "b-weights-sum-less", "The weights sum to less than 1.", WEIGHT_SUM.at("witness.weights[0]"),
           change("witness.weights.0.0.1", lambda x: x - TINY))
    yield (of, "b-weight-negative", "A weight is negative.", WEIGHT_SIGN.at("witness.weights[3]"),
           put("witness.weights.3", [[0, "17/16"], [1, "-1/16"]]))
    yield of, "b-weight-zero", "A listed weight is positive.", WEIGHT_SIGN.at("witness.weights[0]"), insert("witness.weights.0.2", [2, "0"])
    yield of, "b-weights-unsorted", "The samples are not ascending.", NOT_ASCENDING.at("witness.weights[0]"), reverse("witness.weights.0")
    yield (of, "b-weights-twice", "A sample is listed twice.", NOT_ASCENDING.at("witness.weights[2]"),
           put("witness.weights.2", [[2, "1/2"], [2, "1/2"]]))
    yield of, "b-weights-no-sample", "There is no sample 3.", NO_SUCH_SAMPLE.at("witness.weights[2]"), put("witness.weights.2.0.0", 3)
    yield of, "b-weights-empty", "The weights sum to 0.", WEIGHT_SUM.at("witness.weights[2]"), put("witness.weights.2", [])
    yield of, "b-weights-short", "An entry is a sample and a weight.", WRONG_LENGTH.at("witness.weights[2]"), put("witness.weights.2.0", ["1"])
    yield (of, "b-unused-weights-broken", "A list that no leaf uses is not valid.", WEIGHT_SUM.at("witness.weights[2]"),
           put("witness.weights.2.0.1", "2"))
    yield of, "b-weights-swapped", "The lists are not those of the leaves.", OPEN_NODE.at("witness.samples[0]"), reverse("witness.weights")

    yield (of, "b-sample-missing", "Sample 2 is a support vector too.", Reason("sample 2 is missing", "3 entries are due, not 2").at("witness.samples"),
           drop("witness.samples.2"))
    yield (of, "b-sample-first-missing", "Sample 0 is a support vector too.", Reason("sample 0 is due", "3 entries are due, not 2").at("witness.samples"),
           drop("witness.samples.0"))
    yield of, "b-samples-reversed", "The samples are not ascending.", SAMPLE_DUE.at("witness.samples[0]"), reverse("witness.samples")
    yield of, "b-sample-twice", "A sample is listed twice.", SAMPLE_DUE.at("witness.samples[1]"), all_of(
        put("witness.samples.1.sample", 0), put("witness.samples.1.cells", TRUE[of]["witness"]["samples"][0]["cells"]))
    yield of, "b-sample-swapped", "The cells are those of another sample.", CHILDREN.at("witness.samples[0]"), all_of(
        put("witness.samples.0.cells", TRUE[of]["witness"]["samples"][1]["cells"]),
        put("witness.samples.1.cells", TRUE[of]["witness"]["samples"][0]["cells"]))
    yield of, "b-sample-no-key", "A key is missing.", missing("sample").at("witness.samples[0]"), drop("witness.samples.0.sample")
    yield of, "b-sample-extra-key", "A key is not listed.", unknown("nu").at("witness.samples[0]"), put("witness.samples.0.nu", "1/2")

    yield (of, "b-cells-none", "There are no cells.", Reason("no cell", "the cells do not end at 1").at("witness.samples[2]"),
           put("witness.samples.2.cells", []))
    yield of, "b-cell-last-missing", "The cells end at 1/2.", NOT_TO_ONE.at("witness.samples[0]"), drop("witness.samples.0.cells.1")
    yield (of, "b-cell-first-missing", "The leaves of the second cell do not hold from 0.", OPEN_NODE.at("witness.samples[0]"),
           drop("witness.samples.0.cells.0"))
    yield (of, "b-cell-gap-to-one", "The cells end 1e-30 below 1.", NOT_TO_ONE.at("witness.samples[0]"),
           change("witness.samples.0.cells.1.upto", lambda x: x - TINY))
    yield ("b-cover", "b-cell-beyond-one", "The cells end 1e-30 beyond 1.", NOT_TO_ONE.at("witness.samples[0]"),
           change("witness.samples.0.cells.0.upto", SHIFT))
    yield "b-cover", "b-cells-descend", "The cells are not ascending.", CELLS_NOT_ASCENDING.at("witness.samples[0]"), put(
        "witness.samples.0.cells", [{"upto": "1", "tree": 0}, {"upto": "1/2", "tree": 0}, {"upto": "1", "tree": 0}])
    yield (of, "b-cell-empty", "A cell reaches from 1/2 to 1/2.", CELLS_NOT_ASCENDING.at("witness.samples[0]"),
           insert("witness.samples.0.cells.1", {"upto": "1/2", "tree": 0}))
    yield (of, "b-cell-at-zero", "A cell reaches from 0 to 0.", CELLS_NOT_ASCENDING.at("witness.samples[0]"),
           insert("witness.samples.0.cells.0", {"upto": "0", "tree": 0}))
    yield of, "b-cell-too-wide", "The root is not closed at 1.", OPEN_NODE.at("witness.samples[0]"), all_of(
        drop("witness.samples.0.cells.1"), put("witness.samples.0.cells.0.upto", "1"))
    yield (of, "b-cell-number", "A JSON number is never a rational.", NO_RATIONAL_STRING.at("witness.samples[2]"),
           put("witness.samples.2.cells.0.upto", 1))
    yield of, "b-cell-tree-missing", "A key is missing.", missing("tree").at("witness.samples[2]"), drop("witness.samples.2.cells.0.tree")
    yield of, "b-cell-extra-key", "A key is not listed.", unknown("from").at("witness.samples[2]"), put("witness.samples.2.cells.0.from", "0")

    tree = "witness.samples.0.cells.1.tree"
    yield of, "b-leaf-not-closed", "The weights 0 do not close this leaf.", OPEN_NODE.at("witness.samples[0]"), put(f"{tree}.1.2.2", 0)
    yield of, "b-branch-missing", "A leaf stands where the tree must branch.", OPEN_NODE.at("witness.samples[0]"), put(f"{tree}.1.2", 0)
    yield of, "b-root-not-closed", "A leaf stands where the tree must branch.", OPEN_NODE.at("witness.samples[0]"), put(tree, 0)
    yield (of, "b-leaf-not-at-zero", "The weights close the first cell at 1/2, but not at 0.", OPEN_NODE.at("witness.samples[0]"),
           put("witness.samples.0.cells.0.tree", 3))
    yield of, "b-child-missing", "A child is missing.", CHILDREN.at("witness.samples[0]"), drop(f"{tree}.1.2.1")
    yield of, "b-child-extra", "Sample 1 has two tokens.", CHILDREN.at("witness.samples[0]"), insert(f"{tree}.1.1", 0)
    yield of, "b-child-of-selected", "Sample 0 does not offer its selected token here.", CHILDREN.at("witness.samples[0]"), insert(f"{tree}.2", 0)
    yield of, "b-no-children", "The children are missing.", CHILDREN.at("witness.samples[0]"), put(tree, [0])
    yield of, "b-empty-node", "A node names its sample.", Reason("an empty array", "an empty array").at("witness.samples[0]"), put(tree, [])
    yield ("b-cover", "b-sample-assigned-twice", "Sample 1 is assigned above.", Reason("sample 1 is assigned above", "sample 1 is assigned above").at("witness.samples[0]"),
           put(
        "witness.samples.0.cells.0.tree", [1, [1, 0, 0, 0, 0], 0, 0, 0]))
    yield of, "b-branch-on-another", "The children are those of sample 2.", OPEN_NODE.at("witness.samples[0]"), put(f"{tree}.1.2", [2, 3, 1])
    yield of, "b-branch-no-sample", "There is no sample 3.", NO_SUCH_SAMPLE.at("witness.samples[0]"), put(f"{tree}.1.2.0", 3)
    yield (of, "b-leaf-out-of-range", "There is no such weight list.", Reason("there is no such weight list", "5 is out of range").at("witness.samples[0]"),
           put(f"{tree}.1.2.2", 5))
    yield of, "b-leaf-negative", "An index has no sign.", NOT_AN_INDEX.at("witness.samples[0]"), put(f"{tree}.1.2.2", -1)
    yield of, "b-leaf-string", "A leaf is an integer.", NOT_AN_INTEGER.at("witness.samples[0]"), put(f"{tree}.1.2.2", "3")
    yield of, "b-leaf-object", "A leaf is an integer.", NOT_AN_INTEGER.at("witness.samples[0]"), put(f"{tree}.1.2.2", {"weights": 3})
    yield of, "b-leaf-null", "A leaf is an integer.", NOT_AN_INTEGER.at("witness.samples[0]"), put(f"{tree}.1.2.2", None)
    yield of, "b-cover-not-due", "There is no sample outside of the support.", COVER_NOT_DUE.at("witness"), put("witness.cover", [])
    yield of, "b-as-refuted", "A proof is no refutation.", unknown("gamma_squared").at("statement"), put("statement.kind", "assumption-b-refuted")

    of = "b-relaxed-support"
    yield (of, "b-cover-missing", "Over all samples the cover is due.", Reason("the key \"cover\" is missing", "due exactly when a sample outside S counts").at("witness"),
           put("statement.over", "all"))
    yield (of, "b-cover-none", "The row [2, 0] is not there.", WRONG_LENGTH.at("witness.cover"),
           all_of(put("statement.over", "all"), put("witness.cover", [])))
    yield of, "b-cover-not-the-row", "The combination is another vector.", NOT_THE_ROW.at("witness.cover"), all_of(
        put("statement.over", "all"), put("witness.cover", [{"row": [2, 0], "lambda": [[0, 0, "1/2"], [1, 0, "1/2"]]}]))
    yield of, "b-cover-negative-weight", "A multiplier is negative.", NOT_POSITIVE.at("witness.cover"), all_of(
        put("statement.over", "all"), put("witness.cover", [{"row": [2, 0], "lambda": [[0, 0, "1"], [1, 0, "-1/2"]]}]))
    yield of, "b-cover-for-support", "Over the support there is no cover.", COVER_NOT_DUE.at("witness"), put("witness.cover", [])
    yield of, "b-not-the-support", "Sample 2 is no support vector.", SAMPLE_TOO_MANY.at("witness.samples"), insert(
        "witness.samples.2", {"sample": 2, "cells": [{"upto": "1", "tree": 0}]})
    yield of, "b-weight-outside-support", "The weights are not optimal at 0.", OPEN_NODE.at("witness.samples[0]"), put(
        "witness.weights.0", [[0, "1/4"], [1, "1/2"], [2, "1/4"]])

    of = "b-cover"
    yield of, "b-cover-factor", "Three rows of a sample cost a factor of 3.", OPEN_NODE.at("witness.samples[0]"), put("statement.nu", "1/4")
    yield of, "b-cover-row-missing", "The row [1, 3] is missing.", WRONG_LENGTH.at("witness.cover"), drop("witness.cover.2")
    yield (of, "b-cover-row-twice", "A row is there twice.", WRONG_LENGTH.at("witness.cover"),
           insert("witness.cover.1", {"row": [1, 1], "lambda": [[0, 1, "1"]]}))
    yield (of, "b-cover-rows-reversed", "The rows are not ascending.", Reason("the row [1,1] is due", "another row").at("witness.cover"),
           reverse("witness.cover"))
    yield (of, "b-cover-sum", "The multipliers sum to 1 - 1e-30.", Reason("the multipliers sum to less than 1", "the multipliers sum to less than 1").at("witness.cover"),
           all_of(
        put("witness.cover.0.lambda.0.2", str(1 - TINY)),
        put("problem.tokens.1.1", [str(4 - (1 - TINY) / 2)] * 2)))
    yield (of, "b-cover-negative", "A multiplier is negative.", NOT_POSITIVE.at("witness.cover"),
           put("witness.cover.2.lambda", [[0, 1, "3/2"], [0, 2, "-1/2"]]))
    yield (of, "b-cover-row-of-its-own", "A row outside of the support is no evidence.", Reason("the row [1,1] is not of S", "[1, 1] is not a row").at("witness.cover"),
           put("witness.cover.0.lambda", [[1, 1, "1"]]))
    yield (of, "b-cover-off", "The combination is another vector.", NOT_THE_ROW.at("witness.cover"),
           put("witness.cover.2.lambda", [[0, 1, "1/3"], [0, 2, "2/3"]]))
    yield of, "b-cover-unsorted", "The multipliers are not ascending.", NOT_ASCENDING.at("witness.cover"), reverse("witness.cover.2.lambda")
    yield of, "b-cover-other-keys", "With W the rows are others.", NOT_THE_ROW.at("witness.cover"), put("problem.tokens.1.3", ["13/4", "4"])
    yield of, "b-cover-row-key-missing", "A key is missing.", missing("row").at("witness.cover"), drop("witness.cover.0.row")

    of = "b-single"
    yield of, "b-single-nu-zero", "nu must be positive.", NU_SIGN.at("statement.nu"), put("statement.nu", "0")
    yield of, "b-single-with-cells", "The sample has one token, so it has no cells.", SAMPLE_TOO_MANY.at("witness.samples"), put(
        "witness.samples", [{"sample": 0, "cells": [{"upto": "1", "tree": 0}]}])


def assumption_b_refuted_forgeries() -> Iterator[Forgery]:
    """§4.10"""
    of = "b-refuted-soft-row"
    yield of, "b-soft-row-negative", "A row is negative.", ROW_SIGN.at("witness.p"), put("witness.p", ["-1", "0"])
    yield of, "b-soft-row-zero", "The row [1, 0] is 0.", ROW_SIGN.at("witness.p"), put("witness.p", ["1", "1"])
    yield of, "b-soft-row-costs", "The least row is [1, 0], which costs margin.", LOWERS.at("witness.p"), put("witness.p", ["1", "1/2"])
    yield of, "b-soft-row-tie", "The row [1, 0] is least too, and costs margin.", LOWERS.at("witness.p"), put("witness.p", ["1", "1/5"])
    yield of, "b-soft-row-tie-by-1e-30", "The row [1, 0] is less than the soft one by 1e-30.", LOWERS.at("witness.p"), put(
        "witness.p", ["1", str(Fraction(1, 5) + TINY)])
    yield of, "b-soft-row-support", "Over the support the least rows cost margin.", LOWERS.at("witness.p"), put("statement.over", "support")
    yield of, "b-soft-row-tight-data", "On this data every sample is a support vector.", LOWERS.at("witness.p"), problem_of("b-tight")
    yield of, "b-soft-row-no-rows", "No sample has a second token.", NO_SECOND_TOKEN, all_of(
        problem_of("b-single"), put("statement.selection", [0, 0]), put("witness.v", TRUE["b-single"]["witness"]["v"]))
    yield (of, "b-by-unknown", "There is no such witness.", Reason("not a way to refute", "not a way to refute").at("witness.by"),
           put("witness.by", "trust"))
    yield of, "b-by-array", "by is a string.", Reason("not a string", "not a way to refute").at("witness.by"), put("witness.by", ["soft-row"])
    yield of, "b-by-missing", "A key is missing.", Reason("the key \"by\" is missing", "not a way to refute").at("witness"), drop("witness.by")
    yield of, "b-by-other", "A witness by a limit has other keys.", missing("u").at("witness"), put("witness.by", "limit")
    yield of, "b-p-missing", "A key is missing.", missing("p").at("witness"), drop("witness.p")
    yield of, "b-p-short", "p has two components.", WRONG_LENGTH.at("witness.p"), put("witness.p", ["1"])
    yield of, "b-refuted-extra-key", "A key is not listed.", unknown("u").at("witness"), put("witness.u", ["1", "0"])
    yield of, "b-refuted-with-nu", "A key is not listed.", unknown("nu").at("statement"), put("statement.nu", "1/2")
    yield of, "b-refuted-v-scaled", "v is longer than the minimiser.", ROW_AND_COMBINATION.at("witness.v"), change("witness.v.w", lambda x: 2 * x)
    yield (of, "b-refuted-over", "The maximum is over all or support.", one_of("neither all nor support", "all", "support").at("statement.over"),
           put("statement.over", ""))
    yield of, "b-refuted-as-proof", "A refutation is no proof.", missing("nu").at("statement"), put("statement.kind", "assumption-b")

    of = "b-refuted-limit"
    yield of, "b-limit-tied", "Attention is shared with tokens of less margin.", BELOW_ONE.at("witness.u"), put("witness.p", ["2", "1"])
    yield of, "b-limit-elsewhere", "Attention goes to a token of less margin.", BELOW_ONE.at("witness.u"), put("problem.tokens.1.1", ["0", "1"])
    yield (of, "b-limit-same", "Attention goes to the selection.", TO_THE_SELECTION.at("witness.p"),
           all_of(put("witness.p", ["1", "-2"]), put("witness.u", ["1", "0"])))
    yield (of, "b-limit-outside-support", "Attention goes elsewhere in sample 2 alone, which is no support vector.", TO_THE_SELECTION.at("witness.p"),
           all_of(
        put("witness.p", ["3", "1"]), put("witness.u", ["1", "0"])))
    yield (of, "b-limit-too-long", "u is longer than v by 1e-30.", Reason("longer than v: the margin is smaller", "longer than v").at("witness.u"),
           put("witness.u", ["0", str(1 + TINY)]))
    yield of, "b-limit-below-one", "u.z is below 1 by 1e-30.", BELOW_ONE.at("witness.u"), put("witness.u", ["0", str(Fraction(1, 2) - TINY)])
    yield of, "b-limit-u-missing", "A key is missing.", missing("u").at("witness"), drop("witness.u")
    yield of, "b-limit-label-flipped", "u does not separate the labels.", BELOW_ONE.at("witness.u"), all_of(
        put("problem.labels.2", -1), put("problem.tokens.2.0", ["-5", "-5"]))
    of = "b-refuted-twins"
    yield of, "b-twins-support", "Sample 1 is no support vector.", TO_THE_SELECTION.at("witness.p"), put("statement.over", "support")
    yield (of, "b-twins-apart", "p tells the twins apart once their keys differ.", TO_THE_SELECTION.at("witness.p"),
           put("problem.tokens.1.1", ["2", "1"]))
    yield of, "b-twin-of-less-margin", "The second twin has less margin than Gamma.", BELOW_ONE.at("witness.u"), all_of(
        put("problem.W", [["1", "1"], ["0", "0"]]), put("problem.tokens.1.1", ["1", "2"]))

    of = "b-refuted-weightless"
    yield of, "b-weightless-tie", "A row of sample 0 is least too.", OTHER_SAMPLES_ROW.at("witness.p"), put("witness.p", ["1", "1"])
    yield of, "b-weightless-other-row", "The least row is one of sample 0.", OTHER_SAMPLES_ROW.at("witness.p"), put("witness.p", ["1", "2"])
    yield of, "b-weightless-not-separating", "A row is 0.", ROW_SIGN.at("witness.p"), put("witness.p", ["1", "-1"])
    yield (of, "b-weightless-has-weight", "Sample 0 has all the weight.", Y_TOO_SMALL.at("witness.y"),
           all_of(put("witness.sample", 0), put("witness.p", ["1", "2"])))
    yield (of, "b-weightless-not-support", "Sample 2 is no support vector.", Reason("not a support vector", "not in the support").at("witness.sample"),
           put("witness.sample", 2))
    yield (of, "b-weightless-not-orthogonal", "y.v is not 0.", Reason("not orthogonal to v", "not orthogonal to v").at("witness.y"),
           put("witness.y", ["1/1000", "1"]))
    yield of, "b-weightless-too-small", "y.z is below 1 by 1e-30.", Y_TOO_SMALL.at("witness.y"), put("witness.y", ["0", str(1 - TINY)])
    yield of, "b-weightless-other-negative", "y.z is negative for sample 1.", Y_TOO_SMALL.at("witness.y"), all_of(
        put("problem.tokens", to_strings([[[1, 1], [0, 1]], [[1, -1], [-1, -1]], [[-9, 0]]])), put("witness.sample", 0),
        put("witness.v.lambda", [[0, "1/2"], [1, "1/2"]]))
    yield of, "b-weightless-no-sample", "There is no sample 3.", NO_SUCH_SAMPLE.at("witness.sample"), put("witness.sample", 3)

    of = "b-refuted-point"
    yield (of, "b-point-no-margin", "The margin is far below Gamma there.", Reason("no margin for sample 1", "no margin of Gamma is shown for sample 1"),
           put("witness.p", ["1/3", "-5"]))
    yield of, "b-point-negative", "u points the other way.", NO_MARGIN_AT_POINT, put("witness.u", ["-1", "-1/3"])
    yield of, "b-point-zero", "u is 0.", Reason("is 0", "is 0").at("witness.u"), put("witness.u", ["0", "0"])
    yield of, "b-point-too-far", "exp is taken of less than -2^20.", EXP_BEYOND, put("witness.p", ["1000000000", "1"])
    yield of, "b-point-other-data", "On this data the margin falls.", NO_MARGIN_AT_POINT, put("problem.tokens.0.2", ["-9", "2"])
    yield of, "b-point-no-rows", "No attention can move.", NO_SECOND_TOKEN, all_of(
        put("problem", {"tokens": [[["1"]]], "labels": [1], "loss": "logistic"}), put("statement.selection", [0]),
        put("witness", {"v": {"w": ["1"], "lambda": [[0, "1"]]}, "by": "point", "p": ["0"], "u": ["1"]}))


def hypothesis_forgeries() -> Iterator[Forgery]:
    """§4.15 to §4.18"""
    of = "equal-scores"
    yield of, "equal-scores-off", "A score differs by 1e-30.", DIFFERENT_SCORES, change("problem.tokens.0.2.0", SHIFT)
    yield of, "equal-scores-first-two", "The first and the last token of sample 1 differ.", DIFFERENT_SCORES, put("statement.selection.1", 1)
    yield (of, "equal-scores-not-the-selected", "The selected token is not exempt where another is selected.", DIFFERENT_SCORES,
           put("statement.selection.0", 1))
    yield of, "equal-scores-without-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield of, "equal-scores-witness", "The witness has no keys.", unknown("sample").at("witness"), put("witness.sample", 0)
    yield of, "equal-scores-no-selection", "The selection is missing.", missing("selection").at("statement"), drop("statement.selection")
    yield of, "equal-scores-other-claim", "The claim has no such kind.", no_kind("globally-optimal"), put("claim", "globally-optimal")
    of = "w-local"
    yield of, "w-local-neighbour-missing", "A tight row is missing.", NEIGHBOUR_LEFT_OUT, drop("statement.neighbours.0")
    yield of, "w-local-neighbour-not-tight", "There is no such tight row.", NEIGHBOUR_NOT_TIGHT, put("statement.neighbours", [[0, 1], [0, 2], [1, 1]])
    yield of, "w-local-scaled", "W is longer than the minimiser, and no row is tight.", NOT_TIGHT, all_of(
        change("witness.lambda.0.2", GROW), change("witness.lambda.1.2", GROW))
    yield of, "w-local-row-missing", "Without the row W violates it.", VIOLATED, drop("witness.lambda.0")
    yield of, "w-local-negative-v", "With this v a neighbour scores more.", NEIGHBOUR_BEATS, put("problem.v", ["-1", "-1"])
    yield of, "w-local-without-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield of, "w-local-label-flipped", "With this label the neighbours score more.", NEIGHBOUR_BEATS, put("problem.labels.0", -1)
    yield of, "w-local-other-query", "With another query W is another.", NOT_TIGHT, put("problem.queries.0", ["1", "2"])
    yield of, "w-local-with-w", "W is written by its multipliers alone.", unknown("w").at("witness"), put("witness.w", ["0", "0", "0", "0"])
    yield of, "w-local-as-p", "The rows of p-svm are others, and the witness needs w.", missing("w").at("witness"), put("claim", "locally-optimal")
    yield (of, "w-local-as-not", "The neighbour is missing.", missing("neighbour").at("witness"),
           all_of(put("statement.kind", "not-locally-optimal"), drop("statement.neighbours")))
    yield ("w-local-degenerate", "w-local-tight-without-multiplier", "The tight row without a multiplier is missing.", NEIGHBOUR_LEFT_OUT,
           drop("statement.neighbours.1"))
    yield "w-local-degenerate", "w-local-tie", "With this v the neighbours score the same.", NEIGHBOUR_BEATS, put("problem.v", ["1", "1"])
    yield "w-local-no-rows", "w-local-no-rows-without-v", "A statement about scores needs v, also where nothing is tight.", NO_V, drop("problem.v")
    of = "w-not-local"
    yield of, "w-not-local-less", "The neighbour scores less.", NEIGHBOUR_LESS.at("witness.neighbour"), put("problem.v", ["0", "1"])
    yield (of, "w-not-local-not-tight", "The row is not tight.", Reason("not a tight row", "not a tight row").at("witness.neighbour"),
           put("witness.neighbour", [0, 0]))
    yield of, "w-not-local-not-a-row", "The selected token is no row.", SELECTED_ROW.at("witness.neighbour"), put("witness.neighbour", [0, 1])
    yield of, "w-not-local-out-of-range", "The sample has three tokens.", NO_SUCH_ROW.at("witness.neighbour"), put("witness.neighbour", [0, 3])
    yield of, "w-not-local-scaled", "W is longer than the minimiser, and no row is tight.", NOT_TIGHT, lambda c: c["witness"].update(
        {"lambda": [[i, t, str(2 * Fraction(x))] for i, t, x in c["witness"]["lambda"]]})
    yield of, "w-not-local-without-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield (of, "w-not-local-both", "A witness is a neighbour or a Farkas combination, not both.", unknown("lambda").at("witness"),
           put("witness.farkas", [[0, 1, "1"]]))
    yield of, "w-not-local-as-local", "The neighbour does not score less.", NEIGHBOUR_BEATS, all_of(
        put("statement", {"kind": "locally-optimal", "selection": [1, 0, 0],
                          "neighbours": w_svm(crossed_queries(), [1, 0, 0])["statement"]["support"]}), drop("witness.neighbour"))
    of = "w-not-local-infeasible"
    yield of, "w-not-local-farkas-empty", "An empty list refutes nothing.", EMPTY.at("witness.farkas"), put("witness.farkas", [])
    yield of, "w-not-local-farkas-off", "The combination is not 0, by 1e-30.", NOT_ZERO, change("witness.farkas.0.2", SHIFT)
    yield (of, "w-not-local-farkas-negative", "A multiplier is negative.", NOT_POSITIVE.at("witness.farkas"),
           change("witness.farkas.0.2", lambda x: -x))
    yield of, "w-not-local-farkas-without-v", "A statement about scores needs v.", NO_V, drop("problem.v")

    of = "better-neighbour"
    yield (of, "better-neighbour-tie", "The neighbour scores the same.", DOES_NOT_SCORE_MORE.at("witness.neighbour"),
           put("problem.tokens.0.2.2", "9/10"))
    yield of, "better-neighbour-less", "The neighbour scores less.", DOES_NOT_SCORE_MORE.at("witness.neighbour"), put("problem.tokens.0.2.2", "0")
    yield (of, "better-neighbour-not-tight", "The row is not tight and has no multiplier.", NO_MULTIPLIER.at("witness.neighbour"),
           put("witness.neighbour", [0, 0]))
    yield of, "better-neighbour-selected", "The selected token is no row.", SELECTED_ROW.at("witness.neighbour"), put("witness.neighbour", [0, 1])
    yield of, "better-neighbour-missing", "The neighbour is missing.", missing("neighbour").at("witness"), drop("witness.neighbour")
    yield (of, "better-neighbour-scaled", "w is longer than the minimiser.", NOT_TIGHT.at("witness"),
           all_of(change("witness.w", GROW), change("witness.lambda.0.2", GROW)))
    yield of, "better-neighbour-without-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield of, "better-neighbour-as-none", "The neighbour scores more.", NEIGHBOUR_MORE, all_of(
        put("statement.kind", "no-better-neighbour"), drop("witness.neighbour"))
    yield of, "better-neighbour-without-weight", "The tight row [0, 0] has no multiplier.", NO_MULTIPLIER.at("witness.neighbour"), all_of(
        put("problem", {"tokens": [[["1", "9"], ["0", "1"], ["1", "8"]]], "labels": [1], "loss": "logistic", "v": ["1", "1"],
                        "W": [["1", "0"], ["0", "0"]]}),
        put("witness", {"w": ["-1", "0"], "lambda": [[0, 2, "1"]], "neighbour": [0, 0]}))
    of = "no-better-neighbour"
    yield of, "no-better-neighbour-by-1e-30", "The neighbour scores more by 1e-30.", NEIGHBOUR_MORE, change("problem.tokens.0.2.2", SHIFT)
    yield of, "no-better-neighbour-scaled", "w is longer than the minimiser, and no row is tight.", NOT_TIGHT.at("witness"), all_of(
        change("witness.w", GROW), change("witness.lambda.0.2", GROW))
    yield of, "no-better-neighbour-shrunk", "w violates its rows.", VIOLATED, all_of(
        change("witness.w", lambda x: x / 2), change("witness.lambda.0.2", lambda x: x / 2))
    yield of, "no-better-neighbour-without-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield of, "no-better-neighbour-extra", "A key is not listed.", unknown("neighbour").at("witness"), put("witness.neighbour", [0, 2])
    yield ("no-better-neighbour-less", "no-better-neighbour-flipped", "With this v the neighbours score more.", NEIGHBOUR_MORE,
           put("problem.v", ["0", "-1"]))
    of = "independent-rows"
    yield of, "independent-rows-missing", "A tight row is missing.", LEFT_OUT, drop("statement.rows.0")
    yield of, "independent-rows-not-tight", "The row is not tight.", LISTED_NOT_TIGHT, insert("statement.rows.0", [0, 0])
    yield of, "independent-rows-unsorted", "The rows do not ascend.", NOT_ASCENDING.at("statement.rows"), reverse("statement.rows")
    yield of, "independent-rows-scaled", "w is longer than the minimiser.", ROW_AND_COMBINATION.at("witness"), change("witness.w", GROW)
    yield of, "independent-rows-no-rows", "The rows are missing.", missing("rows").at("statement"), drop("statement.rows")
    yield of, "independent-rows-dependent", "The two rows are one vector.", DEPENDENT, lambda c: c.update(
        independent_rows(Problem([[[0, 0], [1, 1]]] * 2, [1, 1]), [1, 1]))
    yield of, "independent-rows-three", "Three rows in two dimensions are dependent.", DEPENDENT, lambda c: c.update(
        independent_rows(Problem([[[1, 0], [0, 0]], [[0, 1], [0, 0]], [["1/2", "1/2"], [0, 0]]], [1, 1, 1]), [0, 0, 0]))
    yield ("independent-rows-keys", "independent-rows-of-keys", "As tokens the rows are independent, as keys they are not.", DEPENDENT,
           lambda c: c.update(
        independent_rows(Problem([[[1, 0], [0, 0], [0, 1]]], [1], W=[[1, 0], [0, 0]]), [0])))

    of = "slack-tokens"
    yield of, "slack-tokens-at-one", "A label margin is exactly 1.", NOT_SLACK, put("problem.tokens.2.0", ["5", "1"])
    yield of, "slack-tokens-scaled", "The v is longer than the minimiser.", ROW_AND_COMBINATION.at("witness.v"), change("witness.v.w", GROW)
    yield of, "slack-tokens-other-selection", "The v solves another program.", VIOLATED, put("statement.selection.2", 0)
    yield of, "slack-tokens-no-v", "The v is missing.", missing("v").at("witness"), drop("witness.v")
    yield of, "slack-tokens-v-extra", "The v has a key that is not listed.", unknown("support").at("witness.v"), put("witness.v.support", [])
    yield of, "slack-tokens-extra", "A key is not listed.", unknown("sample").at("witness"), put("witness.sample", 2)
    of = "no-slack-tokens"
    yield of, "no-slack-tokens-as-slack", "A token has a label margin above 1.", NOT_SLACK, all_of(
        put("statement.kind", "slack-tokens"), drop("witness.sample"), drop("witness.token"))
    yield of, "no-slack-tokens-support", "Sample 0 is a support vector.", SUPPORT_SAMPLE, put("witness.sample", 0)
    yield (of, "no-slack-tokens-selected", "The token is the selected one.", Reason("is the selected token", "not another token of a sample that is no support vector"),
           put("witness.token", 0))
    yield (of, "no-slack-tokens-out-of-range", "The sample has four tokens.", Reason("sample 1 has no token 4", "not another token of a sample that is no support vector"),
           put("witness.token", 4))
    yield (of, "no-slack-tokens-no-sample", "There are two samples.", Reason("there is no sample 2", "not another token of a sample that is no support vector"),
           put("witness.sample", 2))
    yield of, "no-slack-tokens-scaled", "The v is longer than the minimiser.", ROW_AND_COMBINATION.at("witness.v"), change("witness.v.w", GROW)
    yield of, "no-slack-tokens-label", "With this label the v solves nothing.", VIOLATED, put("problem.labels.1", -1)
    yield ("no-slack-tokens-level", "no-slack-tokens-below", "The label margin is below 1 by 1e-30.", Reason("has a label margin below 1", "the label margin is below 1"),
           change("problem.tokens.1.1.0", lambda x: x - TINY))
    yield "no-slack-tokens-level", "no-slack-tokens-support-token", "The tokens of a support vector do not count.", SUPPORT_SAMPLE, all_of(
        put("problem.tokens.0.1", ["1", "0"]), put("witness.sample", 0))

    of = "logistic-loss"
    yield of, "logistic-loss-name", "The loss has another name.", WRITTEN_OTHERWISE, put("problem.loss", "exponential")
    yield of, "logistic-loss-statement", "A key is not listed.", unknown("selection").at("statement"), put("statement.selection", [0])
    yield of, "logistic-loss-witness", "A key is not listed.", unknown("u").at("witness"), put("witness.u", "0")
    yield of, "logistic-loss-as-not", "The u is missing.", missing("u").at("statement"), put("statement.kind", "not-logistic")
    of = "logistic-loss-log"
    for name, text, why in (
            ("sign", "log(1 + exp(u))", "The sign of u is another."), ("minus", "log(1 - exp(-u))", "The sum is a difference."),
            ("log1p", "log1p(1 + exp(-u))", "The function is another."), ("two", "log(2 + exp(-u))", "The number is another."),
            ("nearly-one", "log(1.000000000000000000000000000001 + exp(-u))", "The number is not 1."),
            ("scaled", "log(1 + exp(-2*u))", "The argument is scaled."), ("twice", "2*log(1 + exp(-u))", "The loss is doubled."),
            ("rest", "log(1 + exp(-u)) + 1e-30", "A number is added."), ("power", "log(1 + exp(-u))^2", "The loss is squared."),
            ("simplified", "log(1 + exp(0 - u))", "Nothing is simplified."), ("power-1", "log(1 + exp(-u)^1)", "Nothing is simplified."),
            ("log1p-missing", "log(exp(-u))", "The 1 is missing.")):
        yield of, f"logistic-loss-{name}", why, WRITTEN_OTHERWISE, put("problem.loss", {"expression": text})
    yield of, "logistic-loss-unclosed", "The expression is outside of the grammar.", UNCLOSED, put(
        "problem.loss", {"expression": "log(1 + exp(-u)"})
    of = "not-logistic"
    yield of, "not-logistic-logistic", "The loss is the logistic one.", NO_DIFFERENCE, put("problem.loss", "logistic")
    yield of, "not-logistic-written", "The loss is the logistic one.", NO_DIFFERENCE, put("problem.loss", {"expression": "log(1 + exp(-u))"})
    yield of, "not-logistic-close", "The difference is below 2^-40.", NO_DIFFERENCE, put("statement.u", "20")
    yield of, "not-logistic-closer", "The loss is off by 1e-13 alone.", NO_DIFFERENCE, put("problem.loss", {"expression": "log1p(exp(-u)) + 1e-13"})
    yield of, "not-logistic-undefined", "exp is taken of more than 2^20.", EXP_BEYOND, put("statement.u", "-1048577")
    yield of, "not-logistic-undefined-loss", "The loss is not defined at 0.", DIVISION, put("problem.loss", {"expression": "1/u"})
    yield of, "not-logistic-no-u", "The u is missing.", missing("u").at("statement"), drop("statement.u")
    yield of, "not-logistic-number", "A JSON number is never a rational.", NO_RATIONAL_STRING.at("statement.u"), put("statement.u", 0)
    yield "not-logistic-below", "not-logistic-crossing", "There the two losses agree.", NO_DIFFERENCE, put("statement.u", "0")


def serialised(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def odd_but_legal(data: bytes) -> bytes:
    """The same certificate with white space, escapes and rationals that are not in lowest terms."""
    odd = b" \r\n\t" + data.strip().replace(b",", b" ,\n") + b"\t\r\n"
    for old, new in ((b'"claim"', b'"cl\\u0061im"'), (b'"9/10"', b'"0018/020"'), (b'"2/5"', b'"4\\/10"'), (b'"0"', b'"-0/7"')):
        assert old in odd, old
        odd = odd.replace(old, new)
    return odd


def write_all(folder: Path) -> None:
    files: dict[str, bytes] = {f"true/{name}.json": serialised(certificate) for name, certificate in TRUE.items()}
    files["true/loss-bounds-sigmoid.json"] = odd_but_legal(files["true/loss-bounds-sigmoid.json"])
    index = []

    def add(of: str, name: str, why: str, reason: Reason, data: bytes) -> None:
        assert f"{name}.json" not in files and data != files[f"true/{of}.json"], name
        files[f"{name}.json"] = data
        index.append({"file": f"{name}.json", "of": f"true/{of}.json", "why": why,
                      "at": reason.place, "cpp": reason.cpp, "python": reason.python})

    for of, name, why, reason, byte_edit in file_forgeries():
        add(of, name, why, reason, byte_edit(files[f"true/{of}.json"]))
    for group in (format_forgeries, svm_forgeries, optimality_forgeries, census_forgeries, loss_forgeries,
                  assumption_b_forgeries, assumption_b_refuted_forgeries, weight_forgeries, hypothesis_forgeries, lambda: limit_forgeries.forgeries(TRUE),
                  lambda: brackets.forgeries(TRUE), lambda: curvatures.forgeries(TRUE)):
        for of, name, why, reason, edit in group():
            forged = copy.deepcopy(TRUE[of])
            edit(forged)
            add(of, name, why, reason, serialised(forged))

    (folder / "true").mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("*.json"), *folder.glob("true/*.json")):
        old.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    entries = ",\n".join(json.dumps(entry, sort_keys=True) for entry in sorted(index, key=lambda entry: entry["file"]))
    (folder / "index.json").write_text(f"[\n{entries}\n]\n")
    print(f"{len(TRUE)} true certificates, {len(index)} forged ones")


if __name__ == "__main__":
    write_all(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
