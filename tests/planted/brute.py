"""Small problems decided by brute force in rational numbers, without a solver and without a line of the programs that they test.

A problem is a dict like a case file: tokens, labels, v, and perhaps W and queries, all of Fractions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
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
    multipliers: dict[Row, Fraction]  # those above 0
    objective: Fraction
    support: list[Row]


def dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


def combination(weights: Sequence[Fraction], vectors: Sequence[Vector], size: int) -> Vector:
    return [sum((weight * vector[k] for weight, vector in zip(weights, vectors)), Fraction(0)) for k in range(size)]


def reduced(matrix: list[Vector]) -> tuple[list[Vector], list[int]]:
    """The reduced row echelon form, and its pivot columns."""
    rows, pivots = [list(row) for row in matrix], []
    for column in range(len(rows[0]) if rows else 0):
        at = next((k for k in range(len(pivots), len(rows)) if rows[k][column]), None)
        if at is None:
            continue
        top = len(pivots)
        rows[top], rows[at] = rows[at], rows[top]
        inverse = 1 / rows[top][column]
        rows[top] = [x * inverse for x in rows[top]]
        for k, row in enumerate(rows):
            if k != top and row[column]:
                factor = row[column]
                rows[k] = [x - factor * y for x, y in zip(row, rows[top])]
        pivots.append(column)
    return rows, pivots


def rank(matrix: list[Vector]) -> int:
    return len(reduced(matrix)[1])


def solve(program: Program) -> Solution | None:
    """The minimiser: of some independent set of tight rows it is the combination with multipliers above 0 (Caratheodory), so that
    trying all such sets decides the program; nothing where it is infeasible."""
    names, rows, bounds = program
    size = len(rows[0]) if rows else 0
    products = [[dot(a, b) for b in rows] for a in rows]
    for count in range(min(len(rows), size) + 1):
        for chosen in combinations(range(len(rows)), count):
            multipliers = tight_multipliers(products, bounds, chosen)
            if multipliers is None or any(x <= 0 for x in multipliers):
                continue
            # rows[c].w, by products alone
            levels = [sum((x * products[c][k] for x, k in zip(multipliers, chosen)), Fraction(0)) for c in range(len(rows))]
            if all(level >= bound for level, bound in zip(levels, bounds)):
                w = combination(multipliers, [rows[k] for k in chosen], size)
                support = [name for name, level, bound in zip(names, levels, bounds) if level == bound]
                return Solution(w, {names[k]: x for x, k in zip(multipliers, chosen)}, dot(w, w) / 2, sorted(support))
    return None


def tight_multipliers(products: list[Vector], bounds: list[int], chosen: Sequence[int]) -> Vector | None:
    """The multipliers for which the chosen rows are tight; nothing where the rows are dependent."""
    system = [[products[a][b] for b in chosen] + [Fraction(bounds[a])] for a in chosen]
    echelon, pivots = reduced(system)
    if pivots != list(range(len(chosen))):
        return None
    return [row[-1] for row in echelon]


def farkas(program: Program) -> dict[Row, Fraction] | None:
    """Weights above 0 with which the rows cancel and the bounds do not, over a least set of rows."""
    names, rows, bounds = program
    size = len(rows[0]) if rows else 0
    for count in range(1, min(len(rows), size + 1) + 1):
        for chosen in combinations(range(len(rows)), count):
            echelon, pivots = reduced([[rows[c][k] for c in chosen] for k in range(size)])
            if len(pivots) != count - 1 or pivots != list(range(count - 1)):
                continue
            weights = [-echelon[k][count - 1] for k in range(count - 1)] + [Fraction(1)]
            if all(x > 0 for x in weights) and sum(x * bounds[c] for x, c in zip(weights, chosen)) > 0:
                return {names[c]: x for x, c in zip(weights, chosen)}
    return None


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
