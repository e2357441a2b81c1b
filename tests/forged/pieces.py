"""What make_forged.py and limits.py share: exact linear algebra, problems, and edits of certificates. It shares no code with either checker."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any, Callable, Iterator

from reasons import Reason

Vector = list[Fraction]
Row = tuple[int, ...]
Program = dict[Row, tuple[Vector, Fraction]]  # row -> (a_c, b_c)
Certificate = dict[str, Any]
TINY = Fraction(1, 10**30)

# ---------------------------------------------------------------------------------------------
# Exact linear algebra and programs


def dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def solve_columns(columns: list[Vector], target: Vector) -> Vector | None:
    """The only x with sum x_k columns[k] = target; None if there is none, or more than one."""
    rows = [[column[r] for column in columns] + [target[r]] for r in range(len(target))]
    for k in range(len(columns)):
        pivot = next((r for r in range(k, len(rows)) if rows[r][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(len(rows)):
            if r != k and rows[r][k] != 0:
                rows[r] = [x - rows[r][k] * y for x, y in zip(rows[r], rows[k])]
    if any(row[-1] != 0 for row in rows[len(columns):]):
        return None
    return [rows[k][-1] for k in range(len(columns))]


def subsets(program: Program, largest: int) -> Iterator[tuple[Row, ...]]:
    for size in range(min(largest, len(program)) + 1):
        yield from itertools.combinations(sorted(program), size)


def minimise(program: Program, d: int) -> tuple[Vector, dict[Row, Fraction]] | None:
    """The minimiser of ½|w|² with positive multipliers of independent rows (KKT); None if infeasible."""
    for chosen in subsets(program, d):
        gram = [[dot(program[r][0], program[s][0]) for r in chosen] for s in chosen]
        weights = solve_columns(gram, [program[r][1] for r in chosen])
        if weights is None or any(x <= 0 for x in weights):
            continue
        w = [sum((x * program[r][0][k] for x, r in zip(weights, chosen)), Fraction(0)) for k in range(d)]
        if all(dot(a, w) >= b for a, b in program.values()):
            return w, dict(zip(chosen, weights))
    return None


def farkas(program: Program, d: int) -> dict[Row, Fraction] | None:
    """Positive multipliers with sum lambda a = 0, sum lambda b = 1; None if the program is feasible."""
    for chosen in subsets(program, d + 1):
        weights = solve_columns([[*program[r][0], program[r][1]] for r in chosen], [Fraction(0)] * d + [Fraction(1)])
        if weights is not None and all(x > 0 for x in weights):
            return dict(zip(chosen, weights))
    return None


def tight(program: Program, w: Vector) -> list[Row]:
    return [row for row, (a, b) in sorted(program.items()) if dot(a, w) == b]


# ---------------------------------------------------------------------------------------------
# Problems


class Problem:
    """Data given as nested lists of numbers or rational strings, with what §2 derives from it."""

    def __init__(self, tokens: list, labels: list[int], loss: Any = "logistic", **optional: list) -> None:
        self.tokens = to_fractions(tokens)
        self.labels = labels
        self.loss = loss
        self.optional = {key: to_fractions(value) for key, value in optional.items()}
        self.n, self.d = len(tokens), len(tokens[0][0])

    def key(self, i: int, t: int) -> Vector:
        x = self.tokens[i][t]
        return [dot(row, x) for row in self.optional["W"]] if "W" in self.optional else x

    def score(self, i: int, t: int) -> Fraction:
        return self.labels[i] * dot(self.optional["v"], self.tokens[i][t])

    def p_rows(self, chosen: dict[int, int], margins: Callable[[int], int] = lambda i: 1) -> Program:
        """The rows of p-svm of the samples that `chosen` gives a token."""
        return {(i, t): ([x - y for x, y in zip(self.key(i, a), self.key(i, t))], Fraction(margins(i)))
                for i, a in chosen.items() for t in range(len(self.tokens[i])) if t != a}

    def v_rows(self, alpha: list[int]) -> Program:
        return {(i,): ([self.labels[i] * x for x in self.tokens[i][a]], Fraction(1)) for i, a in enumerate(alpha)}

    def w_rows(self, alpha: list[int]) -> Program:
        """The rows of the W-SVM, each matrix written as d² numbers."""
        return {(i, t): ([(x - y) * z for x, y in zip(self.tokens[i][a], self.tokens[i][t]) for z in self.optional.get("queries", [s[0] for s in self.tokens])[i]], Fraction(1))
                for i, a in enumerate(alpha) for t in range(len(self.tokens[i])) if t != a}

    def to_json(self) -> dict[str, Any]:
        return {"tokens": to_strings(self.tokens), "labels": self.labels, "loss": self.loss,
                **{key: to_strings(value) for key, value in self.optional.items()}}


def to_fractions(value: Any) -> Any:
    return [to_fractions(x) for x in value] if isinstance(value, list) else Fraction(value)


def to_strings(value: Any) -> Any:
    return [to_strings(x) for x in value] if isinstance(value, list) else str(value)


# ---------------------------------------------------------------------------------------------
# Certificates


def certificate(claim: str, kind: str, problem: Problem, statement: dict, witness: dict) -> Certificate:
    return {"attest_certificate": 1, "claim": claim, "problem": problem.to_json(),
            "statement": {"kind": kind, **statement}, "witness": witness}


def multipliers(weights: dict[Row, Fraction]) -> list:
    return [[*row, str(weight)] for row, weight in sorted(weights.items())]


def solution(program: Program, d: int) -> dict[str, Any]:
    w, weights = minimise(program, d)
    return {"w": to_strings(w), "lambda": multipliers(weights)}



# ---------------------------------------------------------------------------------------------
# Forgeries: edits of a certificate, or of its bytes

Edit = Callable[[Certificate], None]
ByteEdit = Callable[[bytes], bytes]
Forgery = tuple[str, str, str, Reason, Edit]  # (certificate, name, why it is false, what the checkers say, edit)
ByteForgery = tuple[str, str, str, Reason, ByteEdit]


def find(certificate: Certificate, path: str) -> tuple[Any, Any]:
    """The container and the key that a path such as `witness.lambda.0.2` names."""
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in parents:
        certificate = certificate[part]
    return certificate, last


def put(path: str, value: Any) -> Edit:
    def edit(certificate: Certificate) -> None:
        container, key = find(certificate, path)
        container[key] = value
    return edit


def drop(path: str) -> Edit:
    def edit(certificate: Certificate) -> None:
        container, key = find(certificate, path)
        del container[key]
    return edit


def insert(path: str, value: Any) -> Edit:
    """Puts the value into an array, before the index that ends the path."""
    def edit(certificate: Certificate) -> None:
        container, index = find(certificate, path)
        container.insert(index, value)
    return edit


def reverse(path: str) -> Edit:
    def edit(certificate: Certificate) -> None:
        container, key = find(certificate, path)
        container[key] = container[key][::-1]
    return edit


def change(path: str, function: Callable[[Fraction], Fraction]) -> Edit:
    """Applies a function to a rational, or to each of an array of them."""
    def edit(certificate: Certificate) -> None:
        container, key = find(certificate, path)
        old = container[key]
        container[key] = [str(function(Fraction(x))) for x in old] if isinstance(old, list) else str(function(Fraction(old)))
    return edit


def all_of(*edits: Edit) -> Edit:
    def edit(certificate: Certificate) -> None:
        for one in edits:
            one(certificate)
    return edit
