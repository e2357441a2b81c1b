"""Small problems decided by brute force in rational numbers, without a solver and without a line of the programs that they test.

A problem is a dict like a case file: tokens, labels, v, and perhaps W and queries, all of Fractions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import lcm
from operator import mul
from typing import Any, Iterator, NamedTuple, Sequence

Vector = list[Fraction]
Row = tuple[int, ...]  # [i, t], or [i] of the v-SVM
Problem = dict[str, Any]


class Program(NamedTuple):
    """Minimise 1/2 |w|^2 subject to rows[c].w >= bounds[c]."""

    names: list[Row]
    rows: list[Vector]
    bounds: list[int]


class Solution(NamedTuple):
    w: Vector
    objective: Fraction
    support: list[Row]


def dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


def in_integers(rows: list[Vector]) -> tuple[list[list[int]], int]:
    """The rows times the least common multiple of their denominators, and it: integers are many times as quick as fractions."""
    scale = lcm(*(x.denominator for row in rows for x in row))
    return [[x.numerator * (scale // x.denominator) for x in row] for row in rows], scale


def reduced(matrix: list[list[int]]) -> tuple[list[list[int]], list[int], int]:
    """A positive multiple of the reduced row echelon form, its pivot columns, and the multiple: Gauss-Jordan without fractions, where the pivot
    before divides every entry (Bareiss)."""
    rows, pivots, scale = [list(row) for row in matrix], [], 1
    for column in range(len(rows[0]) if rows else 0):
        top = len(pivots)
        at = next((k for k in range(top, len(rows)) if rows[k][column]), None)
        if at is None:
            continue
        rows[top], rows[at] = rows[at], rows[top]
        pivot_row = rows[top]
        pivot = pivot_row[column]
        for k, row in enumerate(rows):
            if k != top:
                factor = row[column]
                rows[k] = [(pivot * x - factor * y) // scale for x, y in zip(row, pivot_row)]
        pivots.append(column)
        scale = pivot
    return (rows, pivots, scale) if scale > 0 else ([[-x for x in row] for row in rows], pivots, -scale)


def solve(program: Program) -> Solution | None:
    """The minimiser: of some independent set of tight rows it is the combination with multipliers above 0 (Caratheodory), so that
    trying all such sets decides the program; nothing where it is infeasible."""
    names, rows, bounds = program
    size = len(rows[0]) if rows else 0
    whole, scale = in_integers(rows)
    levels = [scale * bound for bound in bounds]
    products = [[sum(map(mul, a, b)) for b in whole] for a in whole]
    for count in range(min(len(rows), size) + 1):
        for chosen in combinations(range(len(rows)), count):
            found = tight_multipliers(products, levels, chosen)
            if found is None or any(x <= 0 for x in found[0]):
                continue
            multipliers, divisor = found
            # whole[c].w times the divisor, by products alone, less what is due
            slacks = [sum(x * line[k] for x, k in zip(multipliers, chosen)) - divisor * level for line, level in zip(products, levels)]
            if all(slack >= 0 for slack in slacks):
                w = [Fraction(sum(x * whole[k][j] for x, k in zip(multipliers, chosen)), divisor) for j in range(size)]
                return Solution(w, dot(w, w) / 2, sorted(name for name, slack in zip(names, slacks) if slack == 0))
    return None


def tight_multipliers(products: list[list[int]], levels: list[int], chosen: Sequence[int]) -> tuple[list[int], int] | None:
    """The multipliers for which the chosen rows are tight, over one divisor; nothing where the rows are dependent."""
    echelon, pivots, divisor = reduced([[products[a][b] for b in chosen] + [levels[a]] for a in chosen])
    if pivots != list(range(len(chosen))):
        return None
    return [row[-1] for row in echelon], divisor


def is_infeasible(program: Program) -> bool:
    """Some rows cancel with weights above 0 while their bounds do not (Farkas); least sets of such rows are tried."""
    _, rows, bounds = program
    size = len(rows[0]) if rows else 0
    whole, _ = in_integers(rows)
    for count in range(1, min(len(rows), size + 1) + 1):
        for chosen in combinations(range(len(rows)), count):
            echelon, pivots, scale = reduced([[whole[c][k] for c in chosen] for k in range(size)])
            if pivots != list(range(count - 1)):
                continue
            weights = [-echelon[k][count - 1] for k in range(count - 1)] + [scale]
            if all(x > 0 for x in weights) and sum(x * bounds[c] for x, c in zip(weights, chosen)) > 0:
                return True
    return False


def keys_of(problem: Problem) -> list[list[Vector]]:
    W = problem.get("W")
    return [[[dot(row, x) for row in W] if W else x for x in sample] for sample in problem["tokens"]]


def scores_of(problem: Problem) -> list[Vector]:
    return [[label * dot(problem["v"], x) for x in sample] for sample, label in zip(problem["tokens"], problem["labels"])]


def difference(a: Vector, b: Vector) -> Vector:
    return [x - y for x, y in zip(a, b)]


def row_names(problem: Problem, selection: Sequence[int]) -> list[Row]:
    return [(i, t) for i, sample in enumerate(problem["tokens"]) for t in range(len(sample)) if t != selection[i]]


def p_program(problem: Problem, selection: Sequence[int], samples: set[int] | None = None) -> Program:
    """p-SVM; with `samples` the joint one, in which only those need a margin of 1."""
    keys, names = keys_of(problem), row_names(problem, selection)
    rows = [difference(keys[i][selection[i]], keys[i][t]) for i, t in names]
    return Program(names, rows, [1 if samples is None or i in samples else 0 for i, _ in names])


def v_program(problem: Problem, selection: Sequence[int]) -> Program:
    chosen = zip(problem["tokens"], problem["labels"], selection)
    rows = [[label * x for x in sample[token]] for sample, label, token in chosen]
    return Program([(i,) for i in range(len(rows))], rows, [1] * len(rows))


def queries_of(problem: Problem) -> list[Vector]:
    return problem.get("queries") or [sample[0] for sample in problem["tokens"]]


def w_program(problem: Problem, selection: Sequence[int]) -> Program:
    names, queries = row_names(problem, selection), queries_of(problem)
    rows = []
    for i, t in names:
        a = difference(problem["tokens"][i][selection[i]], problem["tokens"][i][t])
        rows.append([x * z for x in a for z in queries[i]])
    return Program(names, rows, [1] * len(names))


def selections(problem: Problem) -> Iterator[tuple[int, ...]]:
    return product(*(range(len(sample)) for sample in problem["tokens"]))


def is_locally_optimal(problem: Problem, selection: Sequence[int]) -> bool:
    solution = solve(p_program(problem, selection))
    scores = scores_of(problem)
    return solution is not None and all(scores[i][selection[i]] > scores[i][t] for i, t in solution.support)
