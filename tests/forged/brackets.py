"""Certificates from brackets (docs/certificate.md §4.31, and §4.6, §4.7, §4.16 from a bracket): true ones, made from the exact solution by
rounding its multipliers coarsely, and for each clause a forgery that breaks it alone."""

from __future__ import annotations

import math
from typing import Iterator

from pieces import *
from reasons import *

BITS = 20  # multipliers are rounded to so many bits: the brackets are wide enough to see
AIM = Fraction(1, 2**12)  # rows of bound 0 are aimed at this


def root_above(square: Fraction) -> Fraction:
    unit = 2**60
    return Fraction(math.isqrt(math.ceil(square * unit**2)) + 1, unit)


class Bracket:
    """A program with a rounded dual and all that follows from it."""

    def __init__(self, problem: Problem, claim: str, alpha: list[int], margins: Callable[[int], int] = lambda i: 1,
                 more: dict[Row, Fraction] | None = None) -> None:
        self.problem, self.claim, self.alpha = problem, claim, alpha
        self.size = problem.d**2 if claim == "w-svm" else problem.d
        if claim == "v-svm":
            self.program = problem.v_rows(alpha)
        elif claim == "w-svm":
            self.program = problem.w_rows(alpha)
        else:
            self.program = problem.p_rows(dict(enumerate(alpha)), margins)
        _, exact = minimise(self.program, self.size)
        chosen = sorted(exact)
        aimed = solve_columns(self.gram(chosen), [self.program[r][1] or AIM for r in chosen])
        self.weights = {r: Fraction(math.floor(x * 2**BITS), 2**BITS) for r, x in zip(chosen, aimed)} | (more or {})
        self.u = self.combination(self.weights)
        self.square = dot(self.u, self.u)
        self.bound = sum((x * self.program[r][1] for r, x in self.weights.items()), Fraction(0))
        self.scale = min(dot(a, self.u) for a, b in self.program.values() if b)
        assert self.scale > 0 and all(dot(a, self.u) >= 0 for a, _ in self.program.values())
        self.lower, self.upper = self.bound**2 / self.square / 2, self.square / self.scale**2 / 2
        self.distance = root_above(2 * (self.upper - self.lower))
        self.possible = [row for row in sorted(self.program) if not self.excluded(row)]
        self.support, self.directions = [], []
        for row in self.possible:
            direction = self.direction(row)
            if direction is not None:
                self.support.append(row)
                self.directions.append(direction)

    def gram(self, rows: list[Row]) -> list[Vector]:
        return [[dot(self.program[r][0], self.program[s][0]) for r in rows] for s in rows]

    def combination(self, weights: dict[Row, Fraction]) -> Vector:
        return [sum((x * self.program[r][0][k] for r, x in weights.items()), Fraction(0)) for k in range(self.size)]

    def reach_squared(self, row: Row) -> Fraction:
        i, chosen = row[0], self.problem.tokens[row[0]][self.alpha[row[0]]]
        if self.claim == "v-svm":
            return dot(chosen, chosen)
        difference = [x - y for x, y in zip(chosen, self.problem.tokens[i][row[1]])]
        square = dot(difference, difference)
        if self.claim == "w-svm":
            z = self.problem.optional.get("queries", [s[0] for s in self.problem.tokens])[i]
            return square * dot(z, z)
        return square * sum((dot(r, r) for r in self.problem.optional["W"]), Fraction(0)) if "W" in self.problem.optional else square

    def excluded(self, row: Row) -> bool:
        a, b = self.program[row]
        slack = dot(a, self.u) / self.scale - b
        return slack > 0 and slack**2 > self.reach_squared(row) * self.distance**2

    def direction(self, row: Row) -> Any:
        """Below 0 on the other possible rows by a part of the row's own multiplier."""
        if row not in self.weights:
            return None
        below = self.weights[row] / (4 * sum(self.weights.values()))
        x = solve_columns(self.gram(self.possible), [Fraction(1) if r == row else -below for r in self.possible])
        if x is None:
            return None
        e = self.combination(dict(zip(self.possible, x)))
        along = dot(e, self.u) / self.scale
        if not (along > 0 and along**2 > dot(e, e) * self.distance**2):
            return None
        return [[*r, str(y)] for r, y in zip(self.possible, x) if y] if self.claim == "w-svm" else to_strings(e)

    def independence(self) -> Fraction:
        """A third of a bound of the least eigenvalue from below: 1 over the trace of the inverse."""
        size = len(self.possible)
        columns = [solve_columns(self.gram(self.possible), [Fraction(int(j == k)) for j in range(size)]) for k in range(size)]
        return 1 / sum(columns[k][k] for k in range(size)) / 3

    def independent(self, **extra: Any) -> Certificate:
        """The same as `certificate`, all tight rows shown at once."""
        found = self.certificate(**extra)
        del found["witness"]["directions"]
        found["witness"]["independence"] = str(self.independence())
        return found

    def dual(self) -> dict[str, Any]:
        return {"lambda": multipliers(self.weights), "scale": str(self.scale)}

    def names(self, rows: list[Row]) -> list:
        return [list(row) for row in rows]

    def certificate(self, **extra: Any) -> Certificate:
        statement = {"selection": self.alpha, "lower": str(self.lower), "upper": str(self.upper), "distance": str(self.distance),
                     "support": self.names(self.support), "possible": self.names(self.possible)}
        return certificate(self.claim, "svm-bracket", self.problem, statement, {**self.dual(), "directions": self.directions, **extra})

    def local(self) -> Certificate:
        claim = "w-svm" if self.claim == "w-svm" else "locally-optimal"
        dual = {**self.dual(), "distance": str(self.distance)}
        rivals = [(k, (i, t)) for k, (i, t) in enumerate(self.support)
                  if self.problem.score(i, t) >= self.problem.score(i, self.alpha[i])]
        if not rivals:
            return certificate(claim, "locally-optimal", self.problem,
                               {"selection": self.alpha, "possible_neighbours": self.names(self.possible)}, dual)
        k, row = rivals[0]
        return certificate(claim, "not-locally-optimal", self.problem, {"selection": self.alpha},
                           {**dual, "possible": self.names(self.possible), "neighbour": list(row), "direction": self.directions[k]})


def joint_bracket(problem: Problem, alpha: list[int], exact_v: bool) -> Certificate:
    v = Bracket(problem, "v-svm", alpha)
    assert v.support == v.possible
    due = {i for i, in v.support}
    bracket = Bracket(problem, "joint-svm", alpha, lambda i: int(i in due))
    if exact_v:
        return bracket.certificate(v=solution(v.program, problem.d))
    return bracket.certificate(v={**v.dual(), "distance": str(v.distance), "support": v.names(v.support), "directions": v.directions})


def independent_joint(problem: Problem, alpha: list[int]) -> Certificate:
    """Of both programs the tight rows are shown at once."""
    v = Bracket(problem, "v-svm", alpha)
    due = {i for i, in v.support}
    shown = {**v.dual(), "distance": str(v.distance), "support": v.names(v.support), "independence": str(v.independence())}
    return Bracket(problem, "joint-svm", alpha, lambda i: int(i in due)).independent(v=shown)


def plane(**optional: list) -> Problem:
    """Keys by W; two tight rows, one that comes near, two that are far."""
    return Problem([[[3, 1], [2, "1/2"], [-1, 0]], [[1, 4], [1, "5/2"], [0, "7/3"]], [[2, 2], [-4, -4]]], [1, -1, 1], **optional)


def leaning() -> Problem:
    """The third sample is no support vector of v-svm, and its row has a multiplier in joint-svm though its bound is 0."""
    return Problem([[[1, "1/7"], [0, 0]], [["1/3", -1], [0, 0]], [[3, -4], [5, -3]]], [1, 1, 1])


def queried(v: list) -> Problem:
    return Problem([[[1, 0], [0, 1], ["1/2", "-3/2"]], [[1, 2], [0, 0], [-1, 1]]], [1, 1], queries=[[1, 1], [1, -2]], v=v)


def true_certificates() -> dict[str, Certificate]:
    W = [[1, "-1/3"], ["1/5", "3/4"]]
    found = {
        "bracket-p-svm": Bracket(plane(W=W), "p-svm", [0, 0, 0]).certificate(),
        "bracket-p-svm-tokens": Bracket(plane(), "p-svm", [0, 0, 0]).certificate(),
        # Two samples share a row: neither is shown to be tight, both may be.
        "bracket-p-svm-twins": Bracket(Problem([[[1, 2], [0, 0]], [[1, 2], [0, 0]], [[2, "1/3"], [0, 0]]], [1, 1, 1]), "p-svm", [0, 0, 0]).certificate(),
        # A row that is far from tight has a small multiplier.
        "bracket-p-svm-far": Bracket(plane(), "p-svm", [0, 0, 0], more={(2, 1): Fraction(1, 2**30)}).certificate(),
        "bracket-independent": Bracket(plane(W=W), "p-svm", [0, 0, 0]).independent(),
        "bracket-independent-tokens": Bracket(plane(), "p-svm", [0, 0, 0]).independent(),
        "bracket-independent-v-svm": Bracket(Problem([[[1, 2]], [[-2, "5/3"]], [[4, 5]]], [1, -1, 1]), "v-svm", [0, 0, 0]).independent(),
        "bracket-independent-joint-svm": independent_joint(leaning(), [0, 0, 0]),
        "bracket-independent-w-svm": Bracket(queried([1, 0]), "w-svm", [0, 0]).independent(),
        "bracket-v-svm": Bracket(Problem([[[1, 2]], [[-2, "5/3"]], [[4, 5]]], [1, -1, 1]), "v-svm", [0, 0, 0]).certificate(),
        "bracket-joint-svm": joint_bracket(leaning(), [0, 0, 0], False),
        "bracket-joint-svm-exact": joint_bracket(leaning(), [0, 0, 0], True),
        "bracket-w-svm": Bracket(queried([1, 0]), "w-svm", [0, 0]).certificate(),
        "bracket-w-svm-self": Bracket(plane(), "w-svm", [0, 0, 0]).certificate(),
        "bracket-local": Bracket(plane(W=W, v=[2, -1]), "p-svm", [0, 0, 0]).local(),
        "bracket-not-local": Bracket(plane(W=W, v=[-2, 1]), "p-svm", [0, 0, 0]).local(),
        "bracket-w-local": Bracket(queried([3, "1/2"]), "w-svm", [0, 0]).local(),
        "bracket-w-not-local": Bracket(queried([-3, "-1/2"]), "w-svm", [0, 0]).local(),
    }
    return found


HALF: Callable[[Fraction], Fraction] = lambda x: x / 2
MORE: Callable[[Fraction], Fraction] = lambda x: x + TINY


def narrower(end: str) -> Edit:
    """One end of the bracket moves to its middle."""
    def edit(forged: Certificate) -> None:
        statement = forged["statement"]
        statement[end] = str((Fraction(statement["lower"]) + Fraction(statement["upper"])) / 2)
    return edit


def negate_direction(forged: Certificate) -> None:
    first = forged["witness"]["directions"][0]
    forged["witness"]["directions"][0] = [str(-Fraction(x)) for x in first]


def dual_forgeries(of: str, short: str, distance: str) -> Iterator[Forgery]:
    """What every bracket is asked; `distance` says where it stands."""
    yield of, f"{short}-scale-large", "The point violates a row by 1e-30.", SCALE_TOO_LARGE.at("witness.scale"), change("witness.scale", MORE)
    yield of, f"{short}-scale-zero", "The scale is 0.", SCALE_SIGN.at("witness.scale"), put("witness.scale", "0")
    yield (of, f"{short}-scale-negative", "The scale is negative, and the multipliers prove nothing.", SCALE_SIGN.at("witness.scale"),
           change("witness.scale", lambda x: -x))
    yield of, f"{short}-distance-halved", "The gap does not prove so small a distance.", DISTANCE.at(distance), change(distance, HALF)
    yield of, f"{short}-distance-negative", "Its square would do, but it is negative.", DISTANCE_SIGN.at(distance), change(distance, lambda x: -x)
    yield of, f"{short}-multiplier-negative", "A multiplier is negative.", NOT_POSITIVE.at("witness.lambda"), change("witness.lambda.0.2", lambda x: -x)
    yield of, f"{short}-row-left-out", "Without the row the sum violates it.", SCALE_TOO_LARGE.at("witness.scale"), drop("witness.lambda.0")


def forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    of = "bracket-p-svm"
    yield from dual_forgeries(of, "bracket", "statement.distance")
    yield of, "bracket-lower-halved", "Half the width is cut off below.", LOWER_END, narrower("lower")
    yield of, "bracket-upper-halved", "Half the width is cut off above.", UPPER_END, narrower("upper")
    yield of, "bracket-lower-more", "lower is too large by 1e-30.", LOWER_END, change("statement.lower", MORE)
    yield of, "bracket-upper-less", "upper is too small by 1e-30.", UPPER_END, change("statement.upper", lambda x: x - TINY)
    yield of, "bracket-possible-missing", "A row that may be tight is left out.", NOT_EXCLUDED.at("statement.possible"), drop("statement.possible.0")
    yield of, "bracket-possible-empty", "No row is said to be possible.", NOT_EXCLUDED.at("statement.possible"), put("statement.possible", [])
    yield (of, "bracket-possible-unsorted", "The rows do not ascend.", NOT_ASCENDING.at("statement.possible"), reverse("statement.possible"))
    yield (of, "bracket-support-unshown", "A row is said to be tight, and there is no direction for it.", WRONG_LENGTH.at("witness.directions"),
           drop("witness.directions.0"))
    yield (of, "bracket-direction-other", "The directions are exchanged.", NOT_SHOWN.at("witness.directions"), reverse("witness.directions"))
    yield of, "bracket-direction-back", "The direction is reversed.", NOT_SHOWN.at("witness.directions"), negate_direction
    yield of, "bracket-direction-zero", "The direction is 0.", NOT_STRICT.at("witness.directions"), put("witness.directions.0", ["0", "0"])
    yield (of, "bracket-direction-long", "The direction has three numbers.", WRONG_LENGTH.at("witness.directions"), insert("witness.directions.0.0", "1"))
    yield (of, "bracket-direction-weak", "e.w > 0, but not by what the distance asks for.", NOT_STRICT.at("witness.directions"),
           put("witness.directions.0", weak_direction(true[of])))
    far = next([i, t] for i, sample in enumerate(true[of]["problem"]["tokens"]) for t in range(len(sample))
               if t != 0 and [i, t] not in true[of]["statement"]["possible"])
    yield (of, "bracket-support-impossible", "The row is excluded, yet said to be tight.", NOT_POSSIBLE.at("statement.support"),
           all_of(lambda c: c["statement"]["support"].append(far), lambda c: c["statement"]["support"].sort(),
                  insert("witness.directions.0", ["1", "0"])))
    twins = "bracket-p-svm-twins"
    yield (twins, "bracket-possible-to-certain", "A row that may be tight is said to be, by a direction that its twin contradicts.", NOT_SHOWN.at("witness.directions"),
           all_of(insert("statement.support.0", [0, 1]), insert("witness.directions.0", ["1", "-1/2"])))
    yield of, "bracket-problem-v", "A p-svm has no v.", unknown("v"), put("witness.v", {"w": [], "lambda": []})
    yield of, "bracket-no-scale", "The scale is missing.", missing("scale"), drop("witness.scale")
    yield of, "bracket-no-directions", "The directions are missing.", missing("directions"), drop("witness.directions")
    yield of, "bracket-no-distance", "The distance is missing.", missing("distance"), drop("statement.distance")
    yield from program_forgeries(true)
    yield from local_forgeries()
    yield from independence_forgeries(true)


def weak_direction(true: Certificate) -> list[str]:
    """Along the second tight row's direction, turned until e.w is barely positive."""
    first, second = ([Fraction(x) for x in e] for e in true["witness"]["directions"][:2])
    problem = Problem(true["problem"]["tokens"], true["problem"]["labels"], W=true["problem"]["W"])
    bracket = Bracket(problem, "p-svm", true["statement"]["selection"])
    turn = dot(first, bracket.u) / dot(second, bracket.u) * (1 - Fraction(1, 10**6))
    return [str(x - turn * y) for x, y in zip(first, second)]


def program_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    """v-svm, joint-svm, w-svm."""
    of = "bracket-v-svm"
    yield of, "bracket-v-lower", "Half the width is cut off below.", LOWER_END, narrower("lower")
    yield of, "bracket-v-possible", "A row that may be tight is left out.", NOT_EXCLUDED.at("statement.possible"), drop("statement.possible.0")
    yield of, "bracket-v-label", "The label of a row is another.", DISTANCE.at("statement.distance"), put("problem.labels.1", 1)
    of = "bracket-joint-svm"
    yield of, "bracket-joint-upper", "Half the width is cut off above.", UPPER_END, narrower("upper")
    yield of, "bracket-joint-scale", "The point violates a row by 1e-30.", SCALE_TOO_LARGE.at("witness.scale"), change("witness.scale", MORE)
    yield of, "bracket-joint-zero-row", "The row with bound 0 is violated.", SCALE_TOO_LARGE.at("witness.scale"), change("witness.lambda.1.2", HALF)
    yield of, "bracket-joint-v-support", "A support vector is left out.", NOT_EXCLUDED.at("witness.v.support"), all_of(
        drop("witness.v.support.0"), drop("witness.v.directions.0"))
    yield of, "bracket-joint-v-more", "A sample that is no support vector is called one.", NOT_SHOWN.at("witness.v.directions"), all_of(
        insert("witness.v.support.2", [2]), insert("witness.v.directions.2", ["1", "-1"]))
    yield of, "bracket-joint-v-scale", "The bracket of v is not valid.", SCALE_TOO_LARGE.at("witness.v.scale"), change("witness.v.scale", MORE)
    yield of, "bracket-joint-v-distance", "The distance of v is not proved.", DISTANCE.at("witness.v.distance"), change("witness.v.distance", HALF)
    yield of, "bracket-joint-no-v", "The support vectors are not decided.", missing("v"), drop("witness.v")
    yield "bracket-joint-svm-exact", "bracket-joint-v-off", "v is off.", NOT_THE_COMBINATION.at("witness.v"), change("witness.v.lambda.0.1", MORE)
    of = "bracket-w-svm"
    yield from dual_forgeries(of, "bracket-w", "statement.distance")
    yield of, "bracket-w-lower", "Half the width is cut off below.", LOWER_END, narrower("lower")
    yield of, "bracket-w-upper", "Half the width is cut off above.", UPPER_END, narrower("upper")
    yield of, "bracket-w-possible", "A row that may be tight is left out.", NOT_EXCLUDED.at("statement.possible"), drop("statement.possible.0")
    yield of, "bracket-w-direction", "The directions are exchanged.", NOT_SHOWN.at("witness.directions"), reverse("witness.directions")
    yield of, "bracket-w-direction-empty", "The direction is 0.", NOT_STRICT.at("witness.directions"), put("witness.directions.0", [])
    yield (of, "bracket-w-direction-zero", "A coefficient is 0.", COEFFICIENT_ZERO.at("witness.directions"), put("witness.directions.0.0.2", "0"))
    yield of, "bracket-w-query", "The query of a sample is another.", SCALE_TOO_LARGE.at("witness.scale"), put("problem.queries.0.0", "-1")


def local_forgeries() -> Iterator[Forgery]:
    of = "bracket-local"
    yield from dual_forgeries(of, "bracket-local", "witness.distance")
    yield (of, "bracket-local-possible", "A row that may be tight is left out.", NOT_EXCLUDED.at("statement.possible_neighbours"),
           drop("statement.possible_neighbours.0"))
    yield of, "bracket-local-scores", "A neighbour scores more.", NEIGHBOUR_BEATS, put("problem.v", ["-2", "1"])
    yield of, "bracket-local-tie", "A neighbour scores the same.", NEIGHBOUR_BEATS, put("problem.v", ["0", "0"])
    yield of, "bracket-local-no-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield (of, "bracket-local-neighbours", "A bracket does not say which rows are tight.",
           Reason(missing("possible_neighbours").cpp, unknown("neighbours").python),
           lambda c: c["statement"].update(neighbours=c["statement"].pop("possible_neighbours")))
    of = "bracket-not-local"
    yield from dual_forgeries(of, "bracket-not-local", "witness.distance")
    yield of, "bracket-not-local-possible", "A row that may be tight is left out.", NOT_EXCLUDED.at("witness.possible"), drop("witness.possible.0")
    yield of, "bracket-not-local-scores", "The neighbour scores less.", NEIGHBOUR_LESS.at("witness.neighbour"), put("problem.v", ["2", "-1"])
    yield (of, "bracket-not-local-direction", "The direction is 0.", NOT_STRICT.at("witness.direction"), put("witness.direction", ["0", "0"]))
    yield (of, "bracket-not-local-neighbour", "The row is excluded.", NO_NEIGHBOUR.at("witness.neighbour"), put("witness.neighbour", [2, 1]))
    yield of, "bracket-not-local-no-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    of = "bracket-w-local"
    yield (of, "bracket-w-local-possible", "A row that may be tight is left out.", NOT_EXCLUDED.at("statement.possible_neighbours"),
           drop("statement.possible_neighbours.0"))
    yield of, "bracket-w-local-scores", "A neighbour scores more.", NEIGHBOUR_BEATS, put("problem.v", ["-3", "-1/2"])
    of = "bracket-w-not-local"
    yield of, "bracket-w-not-local-scores", "The neighbour scores less.", NEIGHBOUR_LESS.at("witness.neighbour"), put("problem.v", ["3", "1/2"])
    yield of, "bracket-w-not-local-direction", "The direction is 0.", NOT_STRICT.at("witness.direction"), put("witness.direction", [])
    yield of, "bracket-w-not-local-possible", "A row that may be tight is left out.", NOT_EXCLUDED.at("witness.possible"), drop("witness.possible.0")


def weak_independence(true: Certificate) -> str:
    """The largest kappa that does not show the row with the largest multiplier: equality is not enough."""
    largest = max(Fraction(entry[-1]) for entry in true["witness"]["lambda"])
    return str((Fraction(true["witness"]["scale"]) * Fraction(true["statement"]["distance"]) / largest)**2)


def beyond_independence(true: Certificate) -> str:
    """Above the least eigenvalue, which is at most any diagonal entry, and below the trace: rows are tokens less tokens here."""
    tokens, chosen = true["problem"]["tokens"], true["statement"]["selection"]
    squares = []
    for i, t in true["statement"]["possible"]:
        row = [Fraction(x) - Fraction(y) for x, y in zip(tokens[i][chosen[i]], tokens[i][t])]
        squares.append(dot(row, row))
    return str(min(squares) * (1 + TINY))


def independence_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    of, where = "bracket-independent", "witness.independence"
    yield of, "bracket-independence-zero", "kappa is 0.", SCALE_SIGN.at(where), put(where, "0")
    yield of, "bracket-independence-negative", "kappa is negative.", SCALE_SIGN.at(where), change(where, lambda x: -x)
    yield of, "bracket-independence-weak", "kappa shows no row to be tight.", NOT_STRICT.at(where), put(where, weak_independence(true[of]))
    yield of, "bracket-independence-huge", "kappa exceeds the trace.", NOT_INDEPENDENT.at(where), put(where, "1000000")
    yield (of, "bracket-independence-and-directions", "There is one way to show it, not two.", unknown("directions"), put("witness.directions", []))
    tokens = "bracket-independent-tokens"
    yield (tokens, "bracket-independence-large", "kappa exceeds the least eigenvalue, not the trace.", NOT_INDEPENDENT.at(where),
           put(where, beyond_independence(true[tokens])))
    yield (of, "bracket-independence-no-multiplier", "A row without a multiplier is said to be tight.", NOT_STRICT.at(where),
           all_of(insert("statement.possible.4", [2, 1]), lambda c: c["statement"]["possible"].sort(),
                  lambda c: c["statement"]["support"].append([2, 1]), lambda c: c["statement"]["support"].sort()))
    yield (of, "bracket-independence-dependent", "Three rows of a plane depend on each other.", NOT_INDEPENDENT.at(where),
           all_of(lambda c: c["statement"]["possible"].append([2, 1]), lambda c: c["statement"]["possible"].sort()))
    yield ("bracket-p-svm-far", "bracket-independence-far", "A row that is excluded has a multiplier.", FAR_MULTIPLIER.at(where),
           all_of(drop("witness.directions"), put("witness.independence", true[tokens]["witness"]["independence"])))
    twins = "bracket-p-svm-twins"
    yield (twins, "bracket-independence-twins", "Twins depend on each other.", NOT_INDEPENDENT.at(where),
           all_of(drop("witness.directions"), put("witness.independence", "1/100")))
    yield ("bracket-independent-w-svm", "bracket-independence-w-huge", "kappa exceeds the trace.", NOT_INDEPENDENT.at(where), put(where, "1000000"))
    yield ("bracket-independent-v-svm", "bracket-independence-v-zero", "kappa is 0.", SCALE_SIGN.at(where), put(where, "0"))
    joint, inner = "bracket-independent-joint-svm", "witness.v.independence"
    yield joint, "bracket-independence-joint-v-huge", "kappa of v exceeds the trace.", NOT_INDEPENDENT.at(inner), put(inner, "1000000")
    yield joint, "bracket-independence-joint-v-zero", "kappa of v is 0.", SCALE_SIGN.at(inner), put(inner, "0")
