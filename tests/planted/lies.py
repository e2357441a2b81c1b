"""Lies: true entries of results, forged. What a judge accepts of them shows how much it would miss."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any, Callable, NamedTuple

from exact_plants import Entry


class Lie(NamedTuple):
    name: str
    seen: float  # the least share of entries in which its judge must see it: 1 where what is forged is false, less where it may still be true
    forge: Callable[[Entry], bool]  # in place; nothing to forge: false


def number(name: str, change: Callable[[Any], Any]) -> Callable[[Entry], bool]:
    """Changes a number that is there."""
    def forge(entry: Entry) -> bool:
        numbers = entry.get("numbers") or {}
        if numbers.get(name) is None:
            return False
        before = copy.deepcopy(numbers[name])
        numbers[name] = change(numbers[name])
        return numbers[name] != before
    return forge


def exact(change: Callable[[Fraction], Fraction]) -> Callable[[str], str]:
    return lambda text: str(change(Fraction(text)))


def other_verdict(entry: Entry) -> bool:
    if entry["verdict"] not in ("holds", "fails"):
        return False
    entry["verdict"], entry["grade"] = "fails" if entry["verdict"] == "holds" else "holds", "proved"
    return True


def a_little_more(x: Fraction) -> Fraction:
    return x + max(abs(x), Fraction(1)) / 10**12


def without_last(items: list[Any]) -> list[Any]:
    return items[:-1]


def bracket(upwards: bool) -> Callable[[Entry], bool]:
    """Both ends beyond the one that they must not pass, by little."""
    def forge(entry: Entry) -> bool:
        numbers = entry.get("numbers") or {}
        if not numbers.get("upper"):
            return False
        end, step = (numbers["upper"], 1 + 1e-7) if upwards else (numbers["lower"], 1 - 1e-7)
        numbers["lower"], numbers["upper"] = sorted((end * step, end * step * step))
        return True
    return forge


def envelope(change: Callable[[dict[str, Any]], None]) -> Callable[[Entry], bool]:
    def forge(entry: Entry) -> bool:
        entries = (entry.get("numbers") or {}).get("envelope") or []
        for one in entries:
            change(one)
        return bool(entries)
    return forge


def scaled(factor: float, *names: str) -> Callable[[dict[str, Any]], None]:
    def change(one: dict[str, Any]) -> None:
        one.update({name: one[name] * factor for name in names if one[name] is not None})
    return change


def run(change: Callable[[dict[str, Any]], bool]) -> Callable[[Entry], bool]:
    def forge(entry: Entry) -> bool:
        runs = (entry.get("numbers") or {}).get("runs") or []
        return bool(runs) and bool(runs[0].get("proved_by")) and change(runs[0])
    return forge


def other_selection(one: dict[str, Any]) -> bool:
    one["selection"][0] = 1 - one["selection"][0] if one["selection"][0] < 2 else 0
    return True


def faster(one: dict[str, Any]) -> bool:
    if one["rate_constant"] is None:
        return False
    one["rate_constant"] /= 10
    return True


VERDICT = Lie("the other verdict", 1, other_verdict)
MARGIN = Lie("another norm", 1, number("objective_exact", exact(a_little_more)))
SUPPORT = Lie("a tight row less", 1, number("support", without_last))
BRACKET = [Lie("a bracket above", 1, bracket(True)), Lie("a bracket below", 1, bracket(False))]
BOUNDS = ("bound", "sqrt_bound", "rate")

LIES: dict[str, list[Lie]] = {
    "svm": [VERDICT, MARGIN, SUPPORT, Lie("a neighbour less", 1, number("neighbours", without_last)),
            Lie("another gap", 1, number("gap_exact", exact(a_little_more)))],
    "census": [VERDICT, Lie("an optimum less", 1, number("selections", without_last)),
               Lie("an optimum twice", 1, number("selections", lambda found: found + found[:1]))],
    "weights": [VERDICT, MARGIN, SUPPORT],
    "nuclear": [VERDICT, *BRACKET],
    # Of sums of powers the bounds that are proved may be far from the best ones.
    "loss": [VERDICT, Lie("twice as steep", 0.9, number("slope_sup_exact", exact(lambda x: 2 * x))),
             Lie("half of M1", 0.9, number("m1_exact", exact(lambda x: x / 2))), Lie("half of M0", 0.9, number("m0_exact", exact(lambda x: x / 2)))],
    "path": [VERDICT, Lie("a tenth of the envelope", 0.6, envelope(scaled(0.1, *BOUNDS))),
             Lie("a hundredth of the envelope", 0.8, envelope(scaled(0.01, *BOUNDS))),
             Lie("from a quarter of the radius on", 0.5, envelope(scaled(0.25, "radius")))],
    "sparsity": [VERDICT, *BRACKET, Lie("twice the lower bound", 1, number("lower", lambda x: 2 * x))],
    "first-step": [VERDICT],
    "stationary": [Lie("the opposite direction", 1, number("direction", lambda u: [-x for x in u])),
                   Lie("a point beside", 1, number("point", lambda p: [x + 1e-3 for x in p]))],
    "assumption-b": [Lie("twice nu", 0.5, number("nu_lower", lambda x: 2 * x)), Lie("ten times nu", 0.9, number("nu_lower", lambda x: 10 * x))],
    "limits": [VERDICT, Lie("another selection", 0.5, run(other_selection))],
    "descent": [Lie("another selection", 1, run(other_selection)), Lie("a tenth of the constant", 0.8, run(faster))],
}
