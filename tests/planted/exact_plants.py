"""Plants whose truth is known exactly, by brute force or by construction. A plant is a case, and for each of its claims a judge that says
of the claim's entry in the results whether it is right."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Callable

import brute
import draw

Entry = dict[str, Any]
Judge = Callable[[Entry], Any]  # "right", "undecided", "observed" or "not seen", or what is to be followed; raises Wrong

EXPANDED = 0.03  # so many losses are sums of powers, of which cells show little, however small: they take as much time as is allowed


class Wrong(Exception):
    """The programs say something that is not so."""


@dataclass
class Plant:
    case: dict[str, Any]
    judges: list[Judge] = field(default_factory=list)

    def ask(self, claim: dict[str, Any], judge: Judge) -> None:
        self.case.setdefault("claims", []).append(claim)
        self.judges.append(judge)


def demand(holds: bool, what: str) -> None:
    if not holds:
        raise Wrong(what)


def rows_of(value: Any) -> list[tuple[int, ...]]:
    return sorted(tuple(row) for row in value)


def decided(entry: Entry, verdict: str) -> str | None:
    """Nothing where the claim is proved and as it is due; else what became of it."""
    if entry["verdict"] == "undecided":
        return "undecided"
    demand(entry["verdict"] == verdict, f"{entry['claim']}: {entry['verdict']} ({entry['grade']}), while it {verdict}: {entry['message']}")
    return None if entry["grade"] == "proved" else "observed"


def judge_solution(solution: brute.Solution | None) -> Judge:
    def judge(entry: Entry) -> str:
        if (end := decided(entry, "fails" if solution is None else "holds")) or solution is None:
            return end or "right"
        numbers = entry["numbers"]
        demand(Fraction(numbers["objective_exact"]) == solution.objective, f"objective {numbers['objective_exact']}, not {solution.objective}")
        demand(rows_of(numbers["support"]) == solution.support, f"support {numbers['support']}, not {solution.support}")
        return "right"
    return judge


def judge_verdict(verdict: str) -> Judge:
    return lambda entry: decided(entry, verdict) or "right"


def svm(rng: random.Random) -> Plant:
    """p-, v- and joint SVMs of one selection, and its optimality."""
    problem = draw.of_any_size(rng, draw.problem(rng))
    chosen = draw.selection(rng, problem)
    plant = Plant(draw.written(problem))
    p = brute.solve(brute.p_program(problem, chosen))
    v = brute.solve(brute.v_program(problem, chosen))
    plant.ask({"claim": "p-svm", "selection": chosen}, judge_solution(p))
    plant.ask({"claim": "v-svm", "selection": chosen}, judge_solution(v))
    joint = {"claim": "joint-svm", "selection": chosen}
    if v is None:
        plant.ask(joint, judge_verdict("inapplicable"))
    else:
        plant.ask(joint, judge_solution(brute.solve(brute.p_program(problem, chosen, {row[0] for row in v.support}))))
    scores = brute.scores_of(problem)
    local = p is not None and all(scores[i][chosen[i]] > scores[i][t] for i, t in p.support)
    plant.ask({"claim": "locally-optimal", "selection": chosen}, judge_local(p, local))
    plant.ask({"claim": "globally-optimal", "selection": chosen}, judge_global(scores, chosen, False))
    plant.ask({"claim": "globally-optimal", "selection": chosen, "unique": True}, judge_global(scores, chosen, True))
    return plant


def judge_local(solution: brute.Solution | None, holds: bool) -> Judge:
    def judge(entry: Entry) -> str:
        end = decided(entry, "holds" if holds else "fails")
        if end is None and solution is not None:
            demand(rows_of(entry["numbers"]["neighbours"]) == solution.support, f"neighbours {entry['numbers']['neighbours']}")
        return end or "right"
    return judge


def judge_global(scores: list[brute.Vector], chosen: list[int], unique: bool) -> Judge:
    gaps = [row[a] - x for row, a in zip(scores, chosen) for t, x in enumerate(row) if t != a]
    holds = min(gaps) > 0 if unique else min(gaps) >= 0

    def judge(entry: Entry) -> str:
        end = decided(entry, "holds" if holds else "fails")
        if end is None:
            demand(Fraction(entry["numbers"]["gap_exact"]) == min(gaps), f"gap {entry['numbers']['gap_exact']}, not {min(gaps)}")
        return end or "right"
    return judge


def census(rng: random.Random) -> Plant:
    problem = draw.of_any_size(rng, draw.problem(rng, samples=rng.choice([1, 2, 2, 3, 3])))
    truth = [list(chosen) for chosen in brute.selections(problem) if brute.is_locally_optimal(problem, chosen)]

    def judge(entry: Entry) -> str:
        end = decided(entry, "holds")
        if end is None:
            demand(entry["numbers"]["selections"] == truth, f"census {entry['numbers']['selections']}, not {truth}")
        return end or "right"

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "census"}, judge)
    return plant


def weights(rng: random.Random) -> Plant:
    """W-SVM of one selection in the Frobenius norm, and whether every selection is feasible."""
    problem = draw.problem(rng, dimension=rng.choice([1, 2, 2]), queries=True)
    chosen = draw.selection(rng, problem)
    plant = Plant(draw.written(problem))
    plant.ask({"claim": "w-svm", "selection": chosen}, judge_solution(brute.solve(brute.w_program(problem, chosen))))
    every = not any(brute.is_infeasible(brute.w_program(problem, one)) for one in brute.selections(problem))
    plant.ask({"claim": "overparametrised"}, judge_verdict("holds" if every else "fails"))
    return plant


def nuclear(rng: random.Random) -> Plant:
    """With one sample the least nuclear norm is that of p z^T/|z|^2, p the solution of p-SVM without W: |p|/|z|."""
    problem = draw.problem(rng, samples=1, queries=True)
    problem.pop("W", None)
    chosen = draw.selection(rng, problem)
    z = brute.queries_of(problem)[0]
    solution = brute.solve(brute.p_program(problem, chosen)) if any(z) else None

    def judge(entry: Entry) -> str:
        if (end := decided(entry, "fails" if solution is None else "holds")) or solution is None:
            return end or "right"
        square = brute.dot(solution.w, solution.w) / brute.dot(z, z)
        lower, upper = Fraction(entry["numbers"]["lower"]), Fraction(entry["numbers"]["upper"])
        demand(lower <= upper and max(lower, Fraction(0))**2 <= square <= upper**2, f"[{lower}, {upper}] has not the root of {square}")
        return "right"

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "w-svm", "selection": chosen, "norm": "nuclear"}, judge)
    return plant


@dataclass
class PlantedLoss:
    """A loss by its text, with l' and l'' as functions, and where l' may be extreme beside the ends of an interval: it is monotone between."""

    text: str
    first: Callable[[Fraction], Fraction]
    second: Callable[[Fraction], Fraction]
    turns: list[Fraction]
    is_flat: bool  # l' = 0 everywhere


def text_of(x: Fraction) -> str:
    return f"({x.numerator})/{x.denominator}"


def cubic(c: Fraction, e: Fraction, r: Fraction, expanded: bool) -> PlantedLoss:
    """l' = -c (u - r)^2 - e"""
    coefficients = [Fraction(0), -c * r * r - e, c * r, -c / 3]
    by_powers = "+".join(f"{text_of(x)}*u^{k}" for k, x in enumerate(coefficients))
    around_r = f"{text_of(-c / 3)}*(u-{text_of(r)})^3+{text_of(-e)}*u"
    return PlantedLoss(by_powers if expanded else around_r, lambda u: -c * (u - r)**2 - e, lambda u: -2 * c * (u - r), [r], c == e == 0)


def pole(c: Fraction, e: Fraction, at: Fraction) -> PlantedLoss:
    """l' = -c/(u - at)^2 - e, on one side of its pole"""
    text = f"{text_of(c)}/(u-{text_of(at)})+{text_of(-e)}*u"
    return PlantedLoss(text, lambda u: -c / (u - at)**2 - e, lambda u: 2 * c / (u - at)**3, [], c == e == 0)


def logarithm(c: Fraction, e: Fraction, at: Fraction) -> PlantedLoss:
    """l' = -c/(u - at) - e, for u above its pole"""
    text = f"{text_of(-c)}*log(u-{text_of(at)})+{text_of(-e)}*u"
    return PlantedLoss(text, lambda u: -c / (u - at) - e, lambda u: c / (u - at)**2, [], c == e == 0)


def loss(rng: random.Random) -> Plant:
    """A loss whose slope and curvature are rational, and extreme on an interval at its ends or where they turn."""
    c, e = Fraction(rng.randint(0, 6), rng.randint(1, 5)), Fraction(rng.randint(-3, 6), rng.randint(1, 5))
    low = Fraction(rng.randint(-12, 12), rng.randint(1, 4))
    high = low + Fraction(rng.randint(0, 12), rng.randint(1, 4))
    family = rng.random()
    if family < 0.6:
        planted = cubic(c, e, Fraction(rng.randint(-8, 8), rng.randint(1, 4)), family < EXPANDED)
    else:
        planted = (pole if family < 0.8 else logarithm)(c, e, low - Fraction(rng.randint(1, 12), rng.randint(1, 4)))
    points = [low, high] + [u for u in planted.turns if low <= u <= high]
    slopes, curvatures = [planted.first(u) for u in points], [planted.second(u) for u in points]

    def judge(entry: Entry) -> str:
        numbers = entry["numbers"]
        if max(slopes) < 0:
            if end := decided(entry, "holds"):
                return end
            demand(max(slopes) <= Fraction(numbers["slope_sup_exact"]) < 0, f"slope_sup {numbers['slope_sup_exact']}, at least {max(slopes)}")
            demand(Fraction(numbers["m1_exact"]) >= -min(slopes), f"m1 {numbers['m1_exact']}, at least {-min(slopes)}")
            demand(Fraction(numbers["m0_exact"]) >= max(map(abs, curvatures)), f"m0 {numbers['m0_exact']}, at least {max(map(abs, curvatures))}")
            return "right"
        demand(entry["verdict"] != "holds", f"holds, though the slope is {max(slopes)} somewhere")
        if entry["verdict"] == "undecided":
            return "undecided"
        # Where the slope only touches 0 the loss is strictly decreasing all the same.
        demand(low < high and (max(slopes) > 0 or planted.is_flat), "fails, though the loss is strictly decreasing")
        return "right"

    tokens = [[[Fraction(0)], [Fraction(1)]]]
    plant = Plant(draw.written({"tokens": tokens, "labels": [1]}) | {"loss": {"expression": planted.text}})
    plant.ask({"claim": "assumption-a", "interval": [str(low), str(high)]}, judge)
    return plant


PLANTS: dict[str, Callable[[random.Random], Plant]] = {
    "svm": svm, "census": census, "weights": weights, "nuclear": nuclear, "loss": loss}
