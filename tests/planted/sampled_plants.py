"""Plants whose truth is held against doubles: by sampling, by a search over all directions of the plane, by long runs. Only what is proved is
judged, and only a contradiction beyond the rounding of doubles is wrong."""

from __future__ import annotations

import math
import random
from decimal import Decimal, getcontext
from fractions import Fraction
from typing import Callable

import brute
import draw
from exact_plants import Entry, Judge, Plant, decided, demand
from model import Model, Point, direction_error, dot, norm

ROUNDING = 1e-9  # relative, of sums of some ten doubles; what is proved wrongly by less is not seen


def proved(entry: Entry) -> bool:
    return entry["grade"] == "proved" and entry["verdict"] in ("holds", "fails")


def least_on_circle(value: Callable[[float], float], steps: int = 1440) -> float:
    """The angle at which a function of it is least: a grid, refined around its three best."""
    grid = sorted((value(2 * math.pi * k / steps), k) for k in range(steps))
    best = grid[0][0], 2 * math.pi * grid[0][1] / steps
    for _, k in grid[:3]:
        low, high = 2 * math.pi * (k - 1) / steps, 2 * math.pi * (k + 1) / steps
        for _ in range(80):
            a, b = low + 0.382 * (high - low), low + 0.618 * (high - low)
            low, high = (low, b) if value(a) <= value(b) else (a, high)
        best = min(best, (value((low + high) / 2), (low + high) / 2))
    return best[1]


def plane_point(radius: float, angle: float) -> Point:
    return [radius * math.cos(angle), radius * math.sin(angle)]


def feasible_plane(rng: random.Random) -> tuple[brute.Problem, list[int], brute.Solution]:
    """Two dimensions, a unique globally optimal selection, feasible."""
    while True:
        problem = draw.problem(rng, dimension=2)
        chosen = draw.best_selection(problem)
        solution = brute.solve(brute.p_program(problem, chosen)) if chosen else None
        if chosen and solution and solution.support and solution.objective < 200:
            return problem, chosen, solution


def path(rng: random.Random) -> Plant:
    """Every minimiser over the ball of radius R is on its circle: a search over the angle finds it."""
    problem, chosen, solution = feasible_plane(rng)
    model, w = Model(problem), [float(x) for x in solution.w]

    def judge(entry: Entry) -> str:
        if not proved(entry):
            return entry["verdict"] if entry["verdict"] == "undecided" else "observed"
        demand(entry["verdict"] == "holds", "a path that leads elsewhere")
        checked = 0
        for point in entry["numbers"]["envelope"]:
            radius, bound = float(point["radius"]), float(point["bound"])
            if radius > 200 * norm(w) or bound >= 2:  # the grid is too coarse for much larger radii
                continue
            angle = least_on_circle(lambda x: model.log_excess(plane_point(radius, x), chosen))
            error = direction_error(plane_point(radius, angle), w)
            demand(error <= bound + 1e-6, f"at radius {radius} the minimiser is {error} away, proved is {bound}")
            checked += 1
        return "right" if checked else "not seen"

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "path", "selection": chosen, "radius": 256}, judge)
    return plant


def sparsity(rng: random.Random) -> Plant:
    """The least norm with attention 1 - epsilon: along each direction by bisection, then over all directions."""
    problem, chosen, _ = feasible_plane(rng)
    epsilon = Fraction(rng.randint(1, 40), 100)
    level = float(epsilon / (1 - epsilon))
    program = brute.p_program(problem, chosen)
    rows = [[[float(x) for x in row] for name, row in zip(program.names, program.rows) if name[0] == i] for i in range(len(chosen))]

    def least_norm(angle: float) -> float:
        direction = plane_point(1, angle)
        slopes = [[dot(row, direction) for row in sample] for sample in rows]
        if any(slope <= 0 for sample in slopes for slope in sample):  # epsilon < 1/2 needs every row above 0
            return math.inf
        low, high = 0.0, 1.0
        excess = lambda r: max(math.fsum(math.exp(-r * slope) for slope in sample) for sample in slopes if sample)  # noqa: E731
        while excess(high) > level and high < 1e9:
            low, high = high, 2 * high
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if excess(middle) > level else (low, middle)
        return high

    def judge(entry: Entry) -> str:
        if not proved(entry):
            return entry["verdict"] if entry["verdict"] == "undecided" else "observed"
        demand(entry["verdict"] == "holds", "no p has this attention, though the SVM is feasible")
        truth = least_norm(least_on_circle(least_norm))
        lower, upper = entry["numbers"]["lower"], entry["numbers"]["upper"]
        demand(lower <= truth * (1 + ROUNDING), f"lower {lower}, but {truth} is enough")
        demand(math.isinf(truth) or upper >= truth * (1 - 1e-6), f"upper {upper}, but {truth} is needed")
        return "right"

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "sparsity-norm", "selection": chosen, "epsilon": str(epsilon)}, judge)
    return plant


def first_step(rng: random.Random) -> Plant:
    """-grad L(0) . a_c with 60 digits: attention is uniform there."""
    problem = draw.problem(rng)
    chosen = draw.selection(rng, problem)
    getcontext().prec = 60
    keys, scores = brute.keys_of(problem), brute.scores_of(problem)
    size = len(keys[0][0])
    terms = []
    for sample, row in zip(keys, scores):
        f = sum(row) / len(row)
        pull = [sum(((score - f) * key[k] for score, key in zip(row, sample)), Fraction(0)) / len(row) for k in range(size)]
        slope = 1 / (1 + (Decimal(f.numerator) / f.denominator).exp())
        terms.append((slope, pull))
    program = brute.p_program(problem, chosen)
    products = []
    for row in program.rows:
        each = [(slope, brute.dot(pull, row)) for slope, pull in terms]
        products.append(sum((slope * x.numerator / x.denominator for slope, x in each), Decimal(0)))
    tiny = Decimal(10) ** -40

    def judge(entry: Entry) -> str:
        if min(products) > tiny:
            return decided(entry, "holds") or "right"
        if min(products) < -tiny:
            return decided(entry, "fails") or "right"
        demand(entry["verdict"] != "holds", f"holds, though a product is {min(products)}")
        return decided(entry, "fails") or "right"

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "first-step", "selection": chosen}, judge)
    return plant


def stationary(rng: random.Random) -> Plant:
    """A direction along which the loss falls everywhere, or a point without a gradient: both are tried."""
    problem = draw.problem(rng)
    model = Model(problem)
    points = [[rng.gauss(0, scale) for _ in range(model.size)] for scale in (0.1, 1, 3, 10) for _ in range(10)]

    def judge(entry: Entry) -> str:
        if not proved(entry):
            return entry["verdict"] if entry["verdict"] == "undecided" else "observed"
        numbers = entry["numbers"]
        if entry["verdict"] == "holds":
            u = [float(x) for x in numbers["direction"]]
            size = norm(u) * (1 + max(norm(key) for sample in model.keys for key in sample)) * (1 + max(abs(x) for row in model.scores for x in row))
            for p in points:
                demand(model.descent_product(p, u) >= -1e-12 * size, f"the loss rises along {u} at {p}")
        else:
            p = [float(x) for x in numbers["point"]]
            for k in range(model.size):
                axis = [1.0 if j == k else 0.0 for j in range(model.size)]
                demand(abs(model.descent_product(p, axis)) <= 1e-6 * (1 + norm(p)), f"the gradient is not 0 at {p}")
        return "right"

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "no-stationary-point"}, judge)
    return plant


def label_margin(points: list[Point]) -> float:
    """max over |u| <= 1 of min_i u.point_i for one or two points: the distance of 0 to what they span."""
    a, b = points[0], points[-1]
    edge = [y - x for x, y in zip(a, b)]
    length = dot(edge, edge)
    share = 0.0 if length == 0 else min(1.0, max(0.0, -dot(a, edge) / length))
    return norm([x + share * e for x, e in zip(a, edge)])


def widest_selection(problem: brute.Problem) -> list[int]:
    """The one of largest label margin, for no other can the assumption hold; the first where no label margin is positive."""
    solved = [(brute.solve(brute.v_program(problem, one)), list(one)) for one in brute.selections(problem)]
    margins = [(solution.objective, one) for solution, one in solved if solution]
    return min(margins)[1] if margins else solved[0][1]


def assumption_b(rng: random.Random) -> Plant:
    """The bound with the proved nu, at random p of every size."""
    problem = draw.problem(rng, samples=rng.choice([1, 2, 2]))
    chosen = widest_selection(problem) if rng.random() < 0.8 else draw.selection(rng, problem)
    model = Model(problem)
    v = brute.solve(brute.v_program(problem, chosen))
    points = [[rng.gauss(0, scale) for _ in range(model.size)] for scale in (0.1, 0.5, 1, 2, 5, 20) for _ in range(10)]
    points += [[-x for x in p] for p in points]

    def judge(entry: Entry) -> str:
        if v is None:
            return decided(entry, "inapplicable") or "right"
        if entry["verdict"] != "holds":
            demand(entry["verdict"] != "inapplicable", "the v-SVM is feasible")
            return "undecided" if entry["verdict"] == "undecided" else "not seen"
        gamma = 1 / math.sqrt(float(brute.dot(v.w, v.w)))
        nu = float(entry["numbers"]["nu_lower"])
        for p in points:
            attention = model.attention(p)
            mixed = [[label * math.fsum(s * token[k] for s, token in zip(row, sample)) for k in range(model.size)]
                     for row, sample, label in zip(attention, model.tokens, model.labels)]
            lost = max(1 - row[a] for row, a in zip(attention, chosen))
            demand(label_margin(mixed) <= gamma - nu * lost + ROUNDING * (1 + gamma), f"nu {nu} is too much at {p}")
        return "right"

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "assumption-b", "selection": chosen, "over": "all"}, judge)
    return plant


def descent(rng: random.Random) -> Plant:
    """A run of normalised steps whose limit is proved is followed in doubles, to a multiple of where the proof begins."""
    problem, _, _ = feasible_plane(rng)
    model = Model(problem)
    start = [Fraction(rng.randint(-20, 20), 10) for _ in range(model.size)]

    def judge(entry: Entry) -> str:
        run = entry["numbers"]["runs"][0] if entry["numbers"].get("runs") else {}
        if not run.get("proved_by"):
            return "undecided" if entry["verdict"] == "undecided" else "observed"
        solution = brute.solve(brute.p_program(problem, run["selection"]))
        demand(solution is not None and brute.is_locally_optimal(problem, run["selection"]), f"proved to go to {run['selection']}")
        w, p = [float(x) for x in solution.w], [float(x) for x in start]
        begin = run["from_iterate"]
        for k in range(2 * begin + 2000):
            p = [x + 0.1 * g for x, g in zip(p, model.descent_direction(p))]
            if run.get("rate_constant") and k >= begin and k % 97 == 0:
                error, bound = direction_error(p, w), run["rate_constant"] / norm(p)
                demand(error <= bound * (1 + 1e-6) + 1e-9, f"error {error} at iterate {k}, proved is {bound}")
        demand(direction_error(p, w) < 0.2, f"error {direction_error(p, w)} at norm {norm(p)}")
        return "right"

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "descent", "starts": [[str(x) for x in start]], "method": "normalised", "step": "1/10"}, judge)
    return plant


PLANTS: dict[str, Callable[[random.Random], Plant]] = {
    "path": path, "sparsity": sparsity, "first-step": first_step, "stationary": stationary, "assumption-b": assumption_b, "descent": descent}
