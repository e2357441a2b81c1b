"""True certificates of the kinds for limits (docs/certificate.md §4.19 to §4.30). The numbers that a rule compares with enclosures are
computed here in decimals of 100 digits and then rounded to the safe side with a slack of 2^-34; it shares no code with either checker."""

from __future__ import annotations

import copy
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, getcontext
from fractions import Fraction
from typing import Any

from pieces import *

getcontext().prec = 100
SLACK = Fraction(1, 2**34)
ONE = Decimal(1)


def dec(x: Fraction | int) -> Decimal:
    return Decimal(Fraction(x).numerator) / Decimal(Fraction(x).denominator)


def above(x: Decimal, slack: Fraction = SLACK) -> Fraction:
    """A little more than x, of 25 digits."""
    return Fraction(Context(prec=25, rounding=ROUND_CEILING).plus(x + abs(x) * dec(slack)))


def below(x: Decimal, slack: Fraction = SLACK) -> Fraction:
    return Fraction(Context(prec=25, rounding=ROUND_FLOOR).plus(x - abs(x) * dec(slack)))


def slope(u: Decimal | Fraction) -> Decimal:
    """-l'(u) of the logistic loss, which all of these problems have."""
    return ONE / (ONE + (u if isinstance(u, Decimal) else dec(u)).exp())


def value(u: Decimal) -> Decimal:
    return (ONE + (-u).exp()).ln()


class Rows:
    """The rows of a selection over p or W as vectors of d or d^2 numbers, and the solution of their SVM."""

    def __init__(self, problem: Problem, alpha: list[int], over: str) -> None:
        self.problem, self.alpha, self.over = problem, alpha, over
        self.program = problem.p_rows(dict(enumerate(alpha))) if over == "p" else problem.w_rows(alpha)
        self.size = problem.d if over == "p" else problem.d**2
        self.w, self.lam = minimise(self.program, self.size)
        self.names = sorted(self.program)
        self.theta = {c: dot(self.program[c][0], self.w) for c in self.names}
        self.N = dot(self.w, self.w)
        self.Theta = ONE / dec(self.N).sqrt()
        self.hat = {c: x / self.N for c, x in self.lam.items()}
        scores = {(i, t): problem.score(i, t) for i, sample in enumerate(problem.tokens) for t in range(len(sample))} if "v" in problem.optional else {}
        self.scores = scores
        self.gap = {(i, t): scores[i, alpha[i]] - scores[i, t] for i, t in self.names} if scores else {}

    def product(self, c: Row, e: Row) -> Fraction:
        return dot(self.program[c][0], self.program[e][0])

    def across(self, c: Row) -> Decimal:
        return dec(self.product(c, c) - self.theta[c] ** 2 / self.N).sqrt()

    def of(self, i: int) -> list[Row]:
        return [c for c in self.names if c[0] == i]

    def moving(self) -> list[int]:
        return sorted({i for i, _ in self.names})

    def at(self, i: int) -> Fraction:
        return self.scores[i, self.alpha[i]]

    def loss_block(self) -> dict[str, Any]:
        return logistic_block(min(self.scores.values()), max(self.scores.values()))

    def slopes(self, reach: Fraction, both: bool = False) -> list:
        found: list = []
        for i, sample in enumerate(self.problem.tokens):
            own = [self.scores[i, t] for t in range(len(sample))]
            hi = min(self.at(i) + reach, max(own)) if both else self.at(i)
            found.append(None if len(sample) == 1 else [below(slope(hi)), above(slope(max(self.at(i) - reach, min(own))))])
        return found


def logistic_block(lo: Fraction, hi: Fraction) -> dict[str, Any]:
    return {"interval": [str(lo), str(hi)], "slope_sup": str(-below(slope(hi))), "m0": "1/4", "m1": str(above(slope(lo))), "cuts": []}


def coefficients(x: dict[Row, Fraction]) -> list:
    return [[*c, str(value)] for c, value in sorted(x.items()) if value]


# ---------------------------------------------------------------------------------------------
# §4.24 to §4.26 Paths


class Envelope:
    def __init__(self, rows: Rows) -> None:
        self.rows, self.block = rows, rows.loss_block()
        self.mu, self.m0, self.m1 = -Fraction(self.block["slope_sup"]), Fraction(self.block["m0"]), Fraction(self.block["m1"])

    def shift(self, x: dict[Row, Fraction]) -> tuple[dict[Row, Decimal], Decimal]:
        rows = self.rows
        inner = {c: sum((y * rows.product(c, e) for e, y in x.items()), Fraction(0)) for c in rows.names}
        b = sum((lam * inner[c] for c, lam in rows.lam.items()), Fraction(0)) / rows.N
        square = sum((y * inner[c] for c, y in x.items()), Fraction(0)) - b * b * rows.N
        return {c: dec(inner[c] - b * rows.theta[c]) for c in rows.names}, dec(square)

    def competitor(self, omega: dict[Row, Decimal], square: Decimal, R: Decimal) -> tuple[dict[Row, Decimal], Decimal]:
        rows, rho = self.rows, (R * R - square).sqrt()
        drop = square / (R + rho)
        return {c: (-omega[c] + rows.Theta * dec(rows.theta[c]) * drop - R * rows.Theta * dec(rows.theta[c] - 1)).exp() for c in rows.names}, rho

    def height(self, kappa: dict[Row, Decimal]) -> Decimal:
        return sum(dec(share) * (kappa[c] / dec(share)).ln() for c, share in self.rows.hat.items())

    def sharp(self) -> tuple[dict[Row, Decimal], dict[Row, Decimal], Decimal]:
        """The coefficients and the rows of the omega of the 1/R form, and log psi."""
        rows, listed = self.rows, sorted(self.rows.lam)
        logs = {c: (slope(rows.at(c[0])) * dec(rows.gap[c]) / dec(rows.hat[c])).ln() for c in listed}
        psi = sum(dec(rows.hat[c]) * logs[c] for c in listed)
        gram = [[rows.product(c, e) for c in listed] for e in listed]
        inverse = [solve_columns(gram, [Fraction(int(k == r)) for k in range(len(listed))]) for r in range(len(listed))]
        x = {c: sum(dec(inverse[k][r]) * (logs[e] - psi) for k, e in enumerate(listed)) for r, c in enumerate(listed)}
        return x, {c: sum(dec(rows.product(c, e)) * y for e, y in x.items()) for c in rows.names}, psi

    def best_shift(self) -> dict[Row, Fraction]:
        return {c: Fraction(round(x * 2**40), 2**40) for c, x in self.sharp()[0].items()}

    def global_entry(self, radius: Fraction, x: dict[Row, Fraction]) -> tuple[Decimal, dict[str, Any]]:
        rows, R = self.rows, dec(radius)
        e, _ = self.competitor(*self.shift(x), R)
        reach = above(dec(self.m1 / self.mu) * (-R * rows.Theta).exp() * sum(dec(rows.gap[c]) * e[c] for c in rows.names))
        slopes = rows.slopes(reach)
        kappa = {c: dec(slopes[c[0]][0] * (rows.gap[c] - reach)) for c in rows.lam}
        D = sum(dec(slopes[c[0]][1] * rows.gap[c]) * e[c] for c in rows.names).ln() - self.height(kappa)
        return D, {"shift": coefficients(x), "reach": str(reach), "slopes": to_json(slopes)}

    def cone_entry(self, radius: Fraction, x: dict[Row, Fraction], cone: tuple[Fraction, Fraction], floor: Fraction) -> tuple[Decimal, dict[str, Any]]:
        rows, R, tau, at = self.rows, dec(radius), dec(cone[1]), dec(floor)
        sigma = {c: (rows.Theta * dec(rows.theta[c]) - tau * rows.across(c)) / (1 + tau * tau).sqrt() for c in rows.names}
        decay = {c: (-at * sigma[c]).exp() for c in rows.names}
        reach = above(max(sum(dec(abs(rows.gap[c])) * decay[c] for c in rows.of(i)) for i in rows.moving()))
        most = max(sum(decay[c] for c in rows.of(i)) for i in rows.moving())
        slopes = rows.slopes(reach, both=True)
        H = self.height({c: dec(slopes[c[0]][0] * rows.gap[c]) for c in rows.lam})
        worse = sum(dec(slopes[c[0]][1] * -rows.gap[c]) * (-at * (sigma[c] - rows.Theta)).exp() for c in rows.names if rows.gap[c] < 0)
        xi = (1 + most) * (-H).exp() * worse
        e, _ = self.competitor(*self.shift(x), R)
        D = sum(dec(slopes[c[0]][1] * rows.gap[c]) * e[c] for c in rows.names if rows.gap[c] > 0).ln() - H - (1 - xi).ln() + (1 + most).ln()
        return D, {"shift": coefficients(x), "reach": str(reach), "slopes": to_json(slopes), "floor": str(floor)}

    def rate(self, radius: Fraction) -> Fraction:
        rows, R = self.rows, dec(radius)
        x, omega, psi = self.sharp()
        square = sum(x[c] * omega[c] for c in x)
        e, rho = self.competitor(omega, square, R)
        h0 = dec(self.m1 / self.mu) * (-R * rows.Theta).exp() * sum(dec(rows.gap[c]) * e[c] for c in rows.names)
        b = {i: slope(rows.at(i)) for i in rows.moving()}
        bracket = R * h0 * (3 * dec(self.m0) / min(b.values()) + 2 / min(dec(rows.gap[c]) for c in rows.lam))
        for c in rows.names:
            if c not in rows.lam:
                far = rows.Theta * dec(rows.theta[c] - 1)
                sigma = rho * (-rho * far).exp() if rho * far >= 1 else 1 / (ONE.exp() * far)
                bracket += b[c[0]] * dec(rows.gap[c]) / psi.exp() * (-omega[c]).exp() * R / rho * sigma
        return above((2 * square * R / (R + rho) + 2 * bracket / rows.Theta).sqrt())


def to_json(slopes: list) -> list:
    return [None if pair is None else [str(x) for x in pair] for pair in slopes]


def path_envelope(claim: str, rows: Rows, radii: list[tuple[int | Fraction, bool, bool]]) -> Certificate:
    """Radii with whether there is a shift and whether there is a rate."""
    made, envelope, entries = Envelope(rows), [], []
    for radius, shifted, rated in radii:
        D, entry = made.global_entry(Fraction(radius), made.best_shift() if shifted else {})
        envelope.append({"radius": str(radius), "square": str(above(2 * D / rows.Theta)), "rate": str(made.rate(Fraction(radius))) if rated else None})
        entries.append(entry)
    return certificate(claim, "path-envelope", rows.problem, {"over": rows.over, "selection": rows.alpha, "cone": None, "envelope": envelope},
                       {"lambda": multipliers(rows.lam), "loss": made.block, "entries": entries})


def cone_envelope(claim: str, rows: Rows, cone: tuple[Fraction, Fraction], radii: list[int]) -> Certificate:
    """The first entry has no `first`."""
    made, envelope, entries = Envelope(rows), [], []
    for k, radius in enumerate(map(Fraction, radii)):
        D, entry = made.cone_entry(radius, {}, cone, cone[0])
        if k == 0:
            entry["first"] = None
        else:
            floor, first = below(dec(radius) - D / rows.Theta), entry
            D, entry = made.cone_entry(radius, {}, cone, floor)
            entry["first"] = first
        envelope.append({"radius": str(radius), "square": str(above(2 * D / rows.Theta)), "rate": None})
        entries.append(entry)
    return certificate(claim, "path-envelope", rows.problem,
                       {"over": rows.over, "selection": rows.alpha, "cone": {"radius": str(cone[0]), "opening": str(cone[1])}, "envelope": envelope},
                       {"lambda": multipliers(rows.lam), "loss": made.block, "entries": entries})


def path_ratio(rows: Rows, lower: Fraction, upper: Fraction, a: list, b: list, weights: dict[Row, Fraction], radius: Fraction) -> Certificate:
    left, right = to_fractions(a), to_fractions(b)
    W = [sum((x * y for x, y in zip(row, column)), Fraction(0)) for row in left for column in right]
    theta = {c: dot(rows.program[c][0], W) for c in rows.names}
    made, length = Envelope(rows), dec(radius / upper)
    e = {c: (-length * dec(theta[c] - 1)).exp() for c in rows.names}
    reach = above(dec(made.m1 / made.mu) * (-length).exp() * sum(dec(rows.gap[c]) * e[c] for c in rows.names))
    slopes = rows.slopes(reach)
    V = sum(dec(slopes[c[0]][1] * rows.gap[c]) * e[c] for c in rows.names)
    offset = above(max((V / dec(slopes[c[0]][0] * (rows.gap[c] - reach))).ln() for c in rows.names))
    return certificate("kq-path", "path-ratio", rows.problem,
                       {"selection": rows.alpha, "lower": str(lower), "upper": str(upper), "radius": str(radius), "offset": str(offset)},
                       {"bracket": {"a": to_strings(left), "b": to_strings(right), "lambda": multipliers(weights)}, "loss": made.block,
                        "reach": str(reach), "slopes": to_json(slopes)})


class Joint:
    def __init__(self, problem: Problem, alpha: list[int], b: Certificate, r: int, R: int) -> None:
        self.problem, self.alpha, self.b, self.r, self.R = problem, alpha, b, r, R
        self.nu, self.gamma_squared = Fraction(b["statement"]["nu"]), Fraction(b["statement"]["gamma_squared"])
        self.v, lam = minimise(problem.v_rows(alpha), problem.d)
        self.weights = {i: x / sum(lam.values()) for (i,), x in lam.items()}
        self.rows, self.Gamma = Rows(problem, alpha, "p"), dec(self.gamma_squared).sqrt()
        self.margin = {(i, t): self.Gamma * dec(dot(self.v, self.signed(i, t))) for i, sample in enumerate(problem.tokens) for t in range(len(sample))}
        self.E = [sum((-Decimal(R) * self.rows.Theta * dec(self.rows.theta[c])).exp() for c in self.rows.of(i)) for i in range(problem.n)]
        self.cost = [max(self.selected(i) - self.margin[i, t] for t in range(len(sample))) * self.E[i] for i, sample in enumerate(problem.tokens)]

    def signed(self, i: int, t: int) -> Vector:
        return [self.problem.labels[i] * x for x in self.problem.tokens[i][t]]

    def selected(self, i: int) -> Decimal:
        return self.margin[i, self.alpha[i]]

    def farthest(self, i: int) -> Decimal:
        at = self.problem.tokens[i][self.alpha[i]]
        return max(dec(sum((x - y) ** 2 for x, y in zip(at, token))).sqrt() for token in self.problem.tokens[i])

    def certificate(self, second: list | None) -> Certificate:
        r, g = Decimal(self.r), [self.selected(i) - self.cost[i] for i in range(self.problem.n)]
        theta = above(max(self.Gamma - min(g), Decimal("1e-60")))
        c = above(sum((-r * (x - self.Gamma + dec(theta))).exp() for x in g).ln() + sum((1 + (-r * x).exp()).ln() for x in g))
        if second is None:
            spread = 1 + sum(dec(x) * self.farthest(i) for i, x in self.weights.items()) / dec(self.nu)
            head_theta, head_c = above(dec(theta) * spread), above(dec(c) * spread)
        else:
            shift = to_fractions(second)
            along = dot(shift, self.v) / dot(self.v, self.v)
            omega = [x - along * y for x, y in zip(shift, self.v)]
            rho = (r * r - dec(dot(omega, omega))).sqrt()
            eta = (dec(c) - r * (self.Gamma - dec(theta))).exp()
            total = sum(((r - rho) * self.selected(i) - r * (self.selected(i) - self.Gamma) - dec(dot(omega, self.signed(i, self.alpha[i])))
                         + self.E[i] * dec(dot(omega, omega)).sqrt() * self.farthest(i)).exp() for i in range(self.problem.n))
            head_theta = above(max(*self.cost, Decimal("1e-60")))
            head_c = above(total.ln() + sum(dec(x) * dec(x).ln() for x in self.weights.values()) - (1 - eta / 2).ln())
        statement = {"selection": self.alpha, "nu": str(self.nu), "gamma_squared": str(self.gamma_squared), "r": str(self.r), "R": str(self.R),
                     "theta": str(theta), "c": str(c), "head_theta": str(head_theta), "head_c": str(head_c)}
        return certificate("joint-path", "joint-envelope", self.problem, statement,
                           {"b": self.b["witness"], "lambda": multipliers(self.rows.lam), "weights": [[i, str(x)] for i, x in sorted(self.weights.items())],
                            "second": None if second is None else {"shift": to_strings(shift)}})


# ---------------------------------------------------------------------------------------------
# §4.28 Sparsity, §4.29 heads


def sparsity_norm(rows: Rows, epsilon: str) -> Certificate:
    """Weights lambda, and a point along w that is just long enough."""
    eps = dec(Fraction(epsilon))
    shares = {i: sum(rows.lam.get(c, Fraction(0)) for c in rows.of(i)) for i in rows.moving()}
    A = sum(dec(x) for x in shares.values()) * ((1 - eps) / eps).ln() + sum(dec(x) * dec(shares[c[0]] / x).ln() for c, x in rows.lam.items())
    lower, upper = below(A / dec(rows.N).sqrt()), Decimal(0)
    low, high = Decimal(0), Decimal(1000)
    for _ in range(200):
        middle = (low + high) / 2
        enough = all(sum((-middle * dec(rows.theta[c])).exp() for c in rows.of(i)) <= eps / (1 - eps) for i in rows.moving())
        low, high = (low, middle) if enough else (middle, high)
    point = {c: above(high) * x for c, x in rows.lam.items()}
    upper = above(dec(sum(x * y * rows.product(c, e) for c, x in point.items() for e, y in point.items())).sqrt())
    return certificate("sparsity-norm", "sparsity-norm", rows.problem,
                       {"over": rows.over, "selection": rows.alpha, "epsilon": epsilon, "lower": str(lower), "upper": str(upper)},
                       {"weights": multipliers(rows.lam), "point": coefficients(point)})


def sparsity_infeasible(problem: Problem, alpha: list[int], over: str, epsilon: str, weights: dict[Row, Fraction]) -> Certificate:
    return certificate("sparsity-norm", "sparsity-infeasible", problem, {"over": over, "selection": alpha, "epsilon": epsilon},
                       {"weights": multipliers(weights)})


def head_bounds(problem: Problem, alpha: list[int], head: str, bounds: list, cuts: list) -> Certificate:
    return certificate("head-path", "head-bounds", problem, {"selection": alpha, "head": head, "bounds": bounds}, {"cuts": cuts})


def tanh(u: Decimal) -> Decimal:
    return 1 - 2 / (1 + (2 * u).exp())


def tanh_envelope(rows: Rows, bounds: list, cuts: list, radii: list[int]) -> Certificate:
    """The head tanh(u), labels 1, the other tokens below the selected one; each near stretch is one cell."""
    problem = rows.problem
    made = Envelope(rows)
    block = logistic_block(Fraction(-1), Fraction(1))
    mu, m1 = -Fraction(block["slope_sup"]), Fraction(block["m1"])
    u = {(i, t): dot(problem.optional["v"], x) for i, sample in enumerate(problem.tokens) for t, x in enumerate(sample)}
    distance = {(i, t): u[i, rows.alpha[i]] - u[i, t] for i, t in rows.names}
    pairs = to_fractions([pair or ["1", "1"] for pair in bounds])
    envelope, entries = [], []
    for radius in map(Fraction, radii):
        R = dec(radius)
        e, _ = made.competitor(*made.shift({}), R)
        least = min(pairs[c[0]][0] * distance[c] for c in rows.names)
        reach = above(dec(m1 / mu / least) * (-R * rows.Theta).exp() * sum(dec(pairs[c[0]][1] * distance[c]) * e[c] for c in rows.names))
        slopes: list = [None] * problem.n
        near: list = [None] * problem.n
        for i in rows.moving():
            far = max(distance[c] for c in rows.of(i))
            at = tanh(dec(u[i, rows.alpha[i]]))
            slopes[i] = [below(slope(at)), above(slope(at - dec(reach * pairs[i][1] * far)))]
            steepness = [1 - tanh(dec(u[i, rows.alpha[i]] - x)) ** 2 for x in (Fraction(0), reach * far)]
            near[i] = [below(min(steepness)), above(max(steepness))]
        kappa = {c: dec(slopes[c[0]][0] * near[c[0]][0] * distance[c] * (1 - reach)) for c in rows.lam}
        D = sum(dec(slopes[c[0]][1] * near[c[0]][1] * distance[c]) * e[c] for c in rows.names).ln() - made.height(kappa)
        envelope.append({"radius": str(radius), "square": str(above(2 * D / rows.Theta))})
        entries.append({"shift": [], "reach": str(reach), "slopes": to_json(slopes), "near": {"bounds": to_json(near), "cuts": [[] for _ in near]}})
    return certificate("head-path", "head-envelope", problem, {"selection": rows.alpha, "head": "tanh(u)", "envelope": envelope},
                       {"lambda": multipliers(rows.lam), "loss": block, "bounds": bounds, "cuts": cuts, "entries": entries})


# ---------------------------------------------------------------------------------------------
# Data


def corner(loss: Any = "logistic", **optional: list) -> Problem:
    """Rows (1, 0), (2, 0) and (0, 1), w = (1, 1), and a sample of one token; the gaps are 2, 4 and 1."""
    return Problem([[[1, 0], [0, 0], [-1, 0]], [[0, 1], [0, 0]], [[1, 1]]], [1, 1, 1], loss, v=[2, 1], **optional)


def hill() -> Problem:
    """Token 0 is selected, token 1 tight and worse, token 2 far away and better."""
    return Problem([[[1, 0], [0, 0], [-4, 6]]], [1], v=[1, 1])


def weights_of_two() -> Problem:
    """The data of nuclear-exact with scores, and a row that is not tight."""
    return Problem([[[1, 0], [0, 0], [-1, 0]], [[0, 2], [0, 0]]], [1, 1], v=[1, 1], queries=[[4, 0], [0, "9/2"]])


def true_paths(b: Certificate, tight_joint: Problem) -> dict[str, Certificate]:
    over_p, over_w, cone = Rows(corner(), [0, 0, 0], "p"), Rows(weights_of_two(), [0, 0], "W"), Rows(hill(), [0], "p")
    joint = Joint(tight_joint, [1, 1, 1], b, 1024, 32)
    second = joint.certificate(["1/4", "-1/8"])
    far = copy.deepcopy(second)  # what holds for all r >= 1024 holds for all r >= 10^300
    far["statement"]["r"] = str(10**300)
    opposed = Problem([[[1, 0], [0, 0]], [[-1, 0], [0, 0]]], [1, 1])
    bounds, cuts = [["7/100", "7/10"], ["2/5", "1"], None], [["3/4", "3/5", "0", "-2/5", "-4/5"], [], []]
    return {
        "path-envelope": path_envelope("path", over_p, [(8, False, False), (32, True, True), (1024, True, True)]),
        "path-envelope-w": path_envelope("w-path", over_w, [(64, True, True)]),
        "path-envelope-cone": cone_envelope("path", cone, (Fraction(8), Fraction(1, 20)), [16, 64]),
        "path-ratio": path_ratio(over_w, Fraction(13, 36), Fraction(13, 36), [["1/2", 0], [0, "1/3"]], [["1/2", 0], [0, "1/3"]],
                                 {(0, 1): Fraction(1, 4), (1, 1): Fraction(1, 9)}, Fraction(4)),
        "joint-envelope": joint.certificate(None),
        "joint-envelope-second": second,
        "joint-envelope-far": far,
        "sparsity-norm": sparsity_norm(over_p, "1/10"),
        "sparsity-norm-w": sparsity_norm(over_w, "1/100"),
        "sparsity-infeasible": sparsity_infeasible(opposed, [0, 0], "p", "1/3", {(0, 1): Fraction(1), (1, 1): Fraction(1)}),
        "sparsity-infeasible-half": sparsity_infeasible(Problem([[[1, 0], [0, 0], [0, 0]], [[-1, 0], [0, 0]]], [1, 1]), [0, 0], "p", "1/2",
                                                        {(0, 1): Fraction(1, 2), (0, 2): Fraction(1, 2), (1, 1): Fraction(1)}),
        "head-bounds": head_bounds(corner(), [0, 0, 0], "tanh(u)", bounds, cuts),
        "head-envelope": tanh_envelope(over_p, bounds, cuts, [16, 256]),
    }


# ---------------------------------------------------------------------------------------------
# §4.20 to §4.23 Descent


class Run:
    """A run of descent in decimals, over vectors of d or d^2 numbers."""

    def __init__(self, rows: Rows, method: str, step: Fraction | None, start: list, bits: int = 256) -> None:
        self.rows, self.method, self.step, self.bits = rows, method, step, bits
        self.start, self.p = start, [dec(x) for x in to_fractions(start)]
        self.iterations = 0
        self.n, self.block = rows.problem.n, rows.loss_block()
        self.m0 = dec(Fraction(self.block["m0"]))
        self.a = {c: [dec(x) for x in rows.program[c][0]] for c in rows.names}
        self.b = {i: slope(rows.at(i)) / self.n for i in rows.moving()}
        self.gap = {c: dec(x) for c, x in rows.gap.items()}

    def y(self) -> dict[Row, Decimal]:
        return {c: sum(x * q for x, q in zip(a, self.p)) for c, a in self.a.items()}

    def move(self) -> None:
        """One step, of a flow the tangent of a piece; the gradient by rows relative to the selected tokens."""
        y, total = self.y(), [Decimal(0)] * len(self.p)
        for i in self.rows.moving():
            e = {c: (-y[c]).exp() for c in self.rows.of(i)}
            E = 1 + sum(e.values())
            G = sum(e[c] * self.gap[c] for c in e) / E
            steep = slope(dec(self.rows.at(i)) - G) / self.n
            for c in e:
                q = steep * e[c] / E * (self.gap[c] - G)
                total = [x + q * a for x, a in zip(total, self.a[c])]
        length = dec(self.step) / (sum(x * x for x in total).sqrt() if self.method != "constant" else 1)
        self.p = [x + length * g for x, g in zip(self.p, total)]
        self.iterations += 1

    def in_basin(self) -> bool:
        y, excess, room = self.y(), Decimal(0), []
        for i in self.rows.moving():
            e, at = {c: (-y[c]).exp() for c in self.rows.of(i)}, dec(self.rows.at(i))
            G = sum(e[c] * self.gap[c] for c in e) / (1 + sum(e.values()))
            excess += value(at - G) - value(at)
            room.append(value(at - min(self.gap[c] for c in e)) - value(at))
        return excess < min(room) * (1 - dec(SLACK))

    def longest_step(self) -> Fraction:
        """2/L-bar"""
        problem, m1, total = self.rows.problem, Fraction(self.block["m1"]), Fraction(0)
        for i, sample in enumerate(problem.tokens):
            keys = [problem.key(i, t) if self.rows.over == "p" else x for t, x in enumerate(sample)]
            far = max(dot(z, z) for x in keys for y in keys for z in [[p - q for p, q in zip(x, y)]])
            if self.rows.over == "W":
                far *= dot(problem.optional["queries"][i], problem.optional["queries"][i])
            scores = [problem.score(i, t) for t in range(len(sample))]
            spread = max(scores) - min(scores)
            total += far * spread * (Fraction(1, 4) * spread / 16 + m1 / 4) / problem.n
        return 2 / total

    def cone(self, spectral: Fraction) -> tuple[Fraction, Fraction] | None:
        """The least rho that closes, and the rate; None where none does."""
        rows, y, lam, N = self.rows, self.y(), {c: dec(x) for c, x in self.rows.lam.items()}, dec(self.rows.N)
        listed, theta = sorted(lam), {c: dec(x) for c, x in rows.theta.items()}
        along = sum(lam[c] * y[c] for c in listed)
        if along <= 0:
            return None
        omega = {c: (self.b[c[0]] * self.gap[c] / lam[c]).ln() for c in listed}
        l = sum(lam[c] * (y[c] - omega[c]) for c in listed) / N
        z = {c: y[c] - omega[c] - l for c in listed}
        gram = [[rows.product(c, e) for c in listed] for e in listed]
        inverse = [solve_columns(gram, [Fraction(int(k == r)) for k in range(len(listed))]) for r in range(len(listed))]
        zeta = {c: sum(dec(inverse[k][r]) * z[e] for k, e in enumerate(listed)) for r, c in enumerate(listed)}
        R0 = max(Decimal(0), sum(z[c] * zeta[c] for c in listed)).sqrt()
        for c in rows.names:
            if c not in lam:
                omega[c] = y[c] - theta[c] * l - sum(zeta[e] * dec(rows.product(c, e)) for e in listed)
        width = {c: rows.across(c) for c in rows.names}

        def closing(rho: Decimal) -> Decimal | None:
            """The left side of clause 10."""
            x = {c: width[c] * rho for c in rows.names}
            e = {c: (x[c] - omega[c] - theta[c] * l).exp() for c in rows.names}
            E = {i: sum(e[c] for c in rows.of(i)) for i in rows.moving()}
            H = {i: sum(abs(self.gap[c]) * e[c] for c in rows.of(i)) for i in rows.moving()}
            bend = {i: self.m0 * H[i] / (self.n * self.b[i]) for i in rows.moving()}
            eps = {c: (1 + bend[c[0]]) * (1 + H[c[0]] / self.gap[c]) * (1 + E[c[0]]) - 1 for c in listed}
            m = {c: self.b[c[0]] * (1 + bend[c[0]]) * (abs(self.gap[c]) + H[c[0]]) * (-omega[c] - (theta[c] - 1) * l).exp() for c in rows.names if c not in lam}
            back = [c for c in m if self.gap[c] >= H[c[0]] * (1 + dec(SLACK))]
            loose = [c for c in m if c not in back]
            kappa = 1 - max(eps.values()) - sum(m[c] * theta[c] * x[c].exp() for c in loose) / N
            if max(eps.values()) >= 1 or kappa <= 0:
                return None
            sigma = tau = Decimal(0)
            if self.method == "normalised":
                sigma, tau = dec(self.step) / (kappa * N.sqrt()), dec(self.step) / N.sqrt()
            elif self.method == "constant":
                sigma = dec(self.step) * (-l).exp()
                tau = sigma * (sum(lam[c] * (1 + eps[c]) * x[c].exp() for c in listed) + sum(m[c] * theta[c] * x[c].exp() for c in m)) / N
            phi = lambda t: t / (t.exp() - 1) if t > Decimal(2)**-20 else 1 - t / 2
            if self.method != "flow":
                widest = max(x[c] for c in listed)
                if sigma * ((1 + max(eps.values())) * dec(spectral) / phi(widest) + sum(m[c] * width[c] ** 2 / phi(x[c]) for c in back)) > 2 * (1 - dec(SLACK)):
                    return None
            return R0 + (sum(lam[c] * eps[c] * width[c] * (1 + tau) for c in listed) + sum(m[c] * width[c] * (1 / (theta[c] - 1) + tau) for c in back)
                         + sum(m[c] * x[c].exp() * width[c] * (1 / (theta[c] - 1) + tau) for c in loose)) / kappa

        rho = R0
        for _ in range(2000):
            following = closing(rho)
            if following is None or following > 1000:
                return None
            if abs(following - rho) < Decimal("1e-60"):
                break
            rho = following
        else:
            return None
        final = above(rho, Fraction(1, 2**44))
        if (closing(dec(final)) or final + 1) > dec(final):
            return None
        r0 = [sum(zeta[c] * self.a[c][k] for c in listed) for k in range(len(self.p))]
        w = [dec(x) for x in rows.w]
        V = sum((p - r - along / N * x) ** 2 for p, r, x in zip(self.p, r0, w)).sqrt()
        return final, above(Decimal(2).sqrt() * (V + dec(final)))

    def statement(self) -> dict[str, Any]:
        d = self.rows.problem.d
        start: Any = to_strings(to_fractions(self.start))
        if not any(to_fractions(self.start)):
            start = "0"
        elif self.rows.over == "W":
            start = [start[k * d:(k + 1) * d] for k in range(d)]
        step = {} if self.method == "flow" and self.iterations == 0 else {"step": str(self.step)}
        return {"over": self.rows.over, "selection": self.rows.alpha, "method": self.method, "start": start, "iterations": self.iterations, **step}

    def witness(self) -> dict[str, Any]:
        return {"lambda": multipliers(self.rows.lam), "loss": self.block, "bits": self.bits}


def basin(claim: str, run: Run, most: int = 4000) -> Certificate:
    """After the first iterate that lies in the basin."""
    while not run.in_basin():
        run.move()
        assert run.iterations <= most, "no basin"
    return certificate(claim, "descent-basin", run.rows.problem, run.statement(), run.witness())


def basin_along(claim: str, run: Run) -> Certificate:
    """Of a curve, whose points have something around them: after twice the pieces that lead into the basin."""
    found = basin(claim, run)
    found["statement"]["iterations"] *= 2
    return found


def cone_along(claim: str, run: Run) -> Certificate:
    """Of a curve: after twice the pieces that lead to where the cone closes, with a wider cone."""
    while run.cone(Fraction(1)) is None:
        run.move()
    for _ in range(run.iterations):
        run.move()
    rho, rate = run.cone(Fraction(1))
    wider = Fraction(1, 8)
    return certificate(claim, "descent-cone", run.rows.problem, {**run.statement(), "rate": str(2 * rate + 2 * wider)}, {**run.witness(), "rho": str(rho + wider)})


def basin_of_all(claim: str, rows: Rows, method: str, step: Fraction | None) -> Certificate:
    run = Run(rows, method, step, [0] * rows.size)
    return certificate(claim, "descent-basin", rows.problem, {**run.statement(), "start": None}, run.witness())


def cone(claim: str, run: Run, spectral: Fraction, most: int = 400) -> Certificate:
    """After the first iterate at which the cone closes."""
    while (found := run.cone(spectral)) is None:
        assert run.method != "flow" and run.iterations <= most, "no cone"
        run.move()
    rho, rate = found
    extra = {} if run.method == "flow" else {"spectral": str(spectral)}
    return certificate(claim, "descent-cone", run.rows.problem, {**run.statement(), "rate": str(rate)}, {**run.witness(), "rho": str(rho), **extra})


def wedge(claim: str, run: Run, delta: Fraction, iterations: int = 0) -> Certificate:
    for _ in range(iterations):
        run.move()
    return certificate(claim, "descent-wedge", run.rows.problem, run.statement(), {**run.witness(), "delta": str(delta)})


# ---------------------------------------------------------------------------------------------
# §4.27 and §4.30 The landscape and the first step


def no_stationary_point(problem: Problem, over: str, by: str, **extra: Any) -> Certificate:
    scores = [problem.score(i, t) for i, sample in enumerate(problem.tokens) for t in range(len(sample))]
    return certificate("no-stationary-point", "no-stationary-point", problem, {"over": over},
                       {"loss": logistic_block(min(scores), max(scores)), "by": by, **extra})


def stationary_origin(problem: Problem, over: str) -> Certificate:
    size = problem.d if over == "p" else problem.d**2
    return certificate("no-stationary-point", "stationary-point", problem, {"over": over, "centre": ["0"] * size}, {"by": "origin"})


def tug(p: Decimal) -> Decimal:
    """The derivative of nL along either axis of `tugs`."""
    s, t = 1 / (1 + (-p).exp()), 1 / (1 + (-p / 2).exp())
    return -slope(s) * s * (1 - s) + slope(-(1 + t) / 2) * t * (1 - t) / 4


def tugs() -> Problem:
    """On each of two axes a sample pulls up and another one down."""
    return Problem([[[1, 0], [0, 0]], [[1, 0], ["1/2", 0]], [[0, 1], [0, 0]], [[0, 1], [0, "1/2"]]], [1, -1, 1, -1], v=[1, 1])


def standstill() -> tuple[Fraction, Fraction]:
    """Where `tug` is 0, and one over its derivative there."""
    low, high = Decimal(0), Decimal(20)
    assert tug(low) < 0 < tug(high)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if tug(middle) < 0 else (low, middle)
    bend = (tug(low + Decimal("1e-30")) - tug(low - Decimal("1e-30"))) / Decimal("2e-30")
    return Fraction(round(low * 2**60), 2**60), Fraction(round(2**60 / bend), 2**60)


def stationary_weight() -> Certificate:
    """Over W with one dimension and the queries 2: a weight of half the p."""
    at, M = standstill()
    problem = Problem([[[1], [0]], [[1], ["1/2"]]], [1, -1], v=[1], queries=[[2], [2]])
    return certificate("no-stationary-point", "stationary-point", problem, {"over": "W", "centre": [str(at / 2)]},
                       {"by": "krawczyk", "basis": [["1"]], "radius": ["1/1048576"], "inverse": [[str(M / 4)]]})


def stationary_box(shear: int) -> Certificate:
    """The basis (1, 0), (shear, 1)."""
    (at, M), s = standstill(), Fraction(shear)
    # With B = [[1, s], [0, 1]] the Jacobian is bend B^T B, whose inverse is B^-1 B^-T / bend.
    inverse = [[M * (1 + s * s), -M * s], [-M * s, M]]
    return certificate("no-stationary-point", "stationary-point", tugs(), {"over": "p", "centre": [str(at), str(at)]},
                       {"by": "krawczyk", "basis": [["1", "0"], [str(s), "1"]], "radius": ["1/1048576"] * 2, "inverse": to_strings(inverse)})


def first_step(problem: Problem, alpha: list[int], over: str, start: list) -> Certificate:
    return certificate("first-step", "first-step", problem, {"over": over, "selection": alpha, "start": to_strings(to_fractions(start))}, {})


def not_first_step(problem: Problem, alpha: list[int], over: str, start: list, row: list[int], by: str) -> Certificate:
    return certificate("first-step", "not-first-step", problem,
                       {"over": over, "selection": alpha, "start": to_strings(to_fractions(start)), "row": row}, {"by": by})


def twin_rows() -> Problem:
    """Samples 0 and 1 have the same row (1, 0): one of the two has no multiplier."""
    return Problem([[[1, 0], [0, 0]], [[1, 0], [0, 0], [-2, 1]], [[0, 1], [0, 0]]], [1, 1, 1], v=[2, 1])


def doubled(of: Certificate) -> Certificate:
    """The same with twice the multipliers: a point that satisfies every row and solves nothing."""
    witness = {**of["witness"], "lambda": [[i, t, str(2 * Fraction(x))] for i, t, x in of["witness"]["lambda"]]}
    return {**of, "witness": witness}


def true_descents() -> dict[str, Certificate]:
    over_p, over_w = Rows(corner(), [0, 0, 0], "p"), Rows(weights_of_two(), [0, 0], "W")
    hill_rows, twins = Rows(hill(), [0], "p"), Rows(twin_rows(), [0, 0, 0], "p")
    level = Problem([[[1, 0], [0, 0], [0, 1]], [[3, 3]]], [1, 1], v=[1, 0])
    half = Fraction(1, 2)
    made = {
        "descent-basin": basin("gd-global", Run(over_p, "constant", half, [0, 0])),
        "descent-basin-flow": basin("descent", Run(over_p, "flow", None, [3, 4])),
        "descent-basin-flow-run": basin_along("gd-global", Run(over_p, "flow", Fraction(1, 512), [0, 0])),
        "descent-basin-every-start": basin_of_all("gd-global", Rows(level, [0, 0], "p"), "constant", half),
        "descent-basin-w": basin("w-gd", Run(over_w, "constant", Fraction(1, 50), [0] * 4)),
        "descent-cone": cone("gd-local", Run(over_p, "normalised", Fraction(1, 10), [0, 0]), Fraction(5, 4)),
        "descent-cone-constant": cone("descent", Run(over_p, "constant", half, [6, 6]), Fraction(5, 4)),
        "descent-cone-flow": cone("gd-local", Run(hill_rows, "flow", None, [4, "1/10"]), Fraction(1)),
        "descent-cone-flow-run": cone_along("descent", Run(over_p, "flow", Fraction(1, 512), ["1/2", "-1/3"])),
        "descent-cone-w": cone("w-gd", Run(over_w, "normalised", Fraction(1, 20), [0] * 4), Fraction(17, 16)),
        "descent-cone-w-turned": cone("w-gd", Run(over_w, "normalised", Fraction(1, 20), ["-1/2", "1/5", 0, "-1/3"]), Fraction(17, 16)),
        "descent-wedge": wedge("gd-local", Run(twins, "constant", half, [60, 60]), Fraction(1, 10), 3),
        "descent-wedge-flow": wedge("descent", Run(twins, "flow", None, [100, 90]), Fraction(1, 10)),
        "descent-wedge-w": wedge("w-gd", Run(over_w, "normalised", Fraction(1, 20), [25, 0, 0, "100/9"]), Fraction(1, 16), 5),
    }
    made["descent-basin-feasible"] = doubled(made["descent-basin"])
    for kind in ("descent-basin", "descent-cone", "descent-wedge"):  # each claim has a certificate of each kind
        for claim in ("gd-global", "gd-local", "descent", "cross-validation", "tightness"):
            if not any((c["claim"], c["statement"]["kind"]) == (claim, kind) for c in made.values()):
                made[f"{kind}-{claim}"] = {**made[kind], "claim": claim}
    return made


def true_landscapes() -> dict[str, Certificate]:
    w, cancelling = weights_of_two(), Problem([[[1, 0], [0, 1]], [[1, 0], [0, 1]]], [1, -1], v=[1, -1])
    far = Problem([[[1, 0], [0, 0], [-(10**300), 0]], [[0, 2], [0, 0]]], [1, 1], v=[1, 1], queries=[[4, 0], [0, "9/2"]])  # a token without attention
    return {
        "no-stationary-point": no_stationary_point(corner(), "p", "direction", u=["1", "0"]),
        "no-stationary-point-w": no_stationary_point(w, "W", "direction", u=[["1", "0"], ["0", "1"]]),
        "no-stationary-point-query": no_stationary_point(w, "W", "query", q=["1", "0"]),
        "no-stationary-point-rank": no_stationary_point(w, "W", "rank"),
        "stationary-point": stationary_box(0),
        "stationary-point-sheared": stationary_box(3),
        "stationary-point-w": stationary_weight(),
        "stationary-point-origin": stationary_origin(cancelling, "p"),
        "stationary-point-origin-w": stationary_origin(Problem([[[1, 0], [0, 1]]] * 2, [1, -1], v=[1, -1], queries=[[1, 2]] * 2), "W"),
        "first-step": first_step(corner(), [0, 0, 0], "p", [0, 0]),
        "first-step-w": first_step(w, [0, 0], "W", [["1/2", 0], [0, "-1/3"]]),
        "first-step-far": first_step(far, [0, 0], "W", [["1/2", 0], [0, "-1/3"]]),
        "not-first-step": not_first_step(tugs(), [0, 1, 0, 1], "p", [0, 0], [1, 0], "enclosure"),
        "not-first-step-origin": not_first_step(cancelling, [0, 0], "p", [0, 0], [0, 1], "origin"),
    }


def true_certificates(b: Certificate, tight_joint: Problem) -> dict[str, Certificate]:
    return {**true_descents(), **true_paths(b, tight_joint), **true_landscapes()}
