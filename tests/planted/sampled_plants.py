"""Plants whose truth is held against doubles: by sampling, by a search over all directions of the plane, by long runs. Only what is proved is
judged, and only a contradiction beyond the rounding of doubles is wrong."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from decimal import Decimal, getcontext
from fractions import Fraction
from typing import Any, Callable, Sequence

import numpy as np

import brute
import draw
from exact_plants import Entry, Judge, Plant, Wrong, decided, demand
from model import Array, Excess, Model, direction_errors, doubles, norms

FEW_ROWS = [2, 2, 2, 3, draw.MOST_ROWS]  # where checkers spend most of the time on rows
TIGHT = [1, 2, 2, 2]  # with one tight row most paths are as good as straight, and little can be wrong
ROUNDING = 1e-9  # relative, of sums of some ten doubles; what is proved wrongly by less is not seen


def proved(entry: Entry) -> bool:
    return entry["grade"] == "proved" and entry["verdict"] in ("holds", "fails")


def open_end(entry: Entry) -> str:
    """Of an entry that is not proved."""
    return entry["verdict"] if entry["verdict"] == "undecided" else "observed"


def directions(angles: Array) -> Array:
    """By coordinate first."""
    return np.stack((np.cos(angles), np.sin(angles)))


def refined(value: Callable[[Array], Array], angles: Array, width: float, least: float = 1e-10) -> tuple[Array, Array]:
    """The least values within `width` of the angles, one each, and where they are: ever finer grids around the best point."""
    offsets = np.linspace(-1, 1, 25)
    while width > least:
        grid = angles[:, None] + width * offsets
        found = value(grid)
        best = found.argmin(1)
        angles, values = grid[np.arange(len(grid)), best], found[np.arange(len(grid)), best]
        width /= 8
    return values, angles


def feasible_plane(rng: random.Random, largest: int = 200, most_rows: int = draw.MOST_ROWS,
                   tight: int = 1) -> tuple[brute.Problem, list[int], brute.Solution]:
    """Two dimensions, a unique globally optimal selection, feasible, its solution of a square norm below twice the largest, with tight rows."""
    while True:
        problem = draw.problem(rng, dimension=2, most_rows=most_rows)
        chosen = draw.best_selection(problem)
        solution = brute.solve(brute.p_program(problem, chosen)) if chosen else None
        if chosen and solution and len(solution.support) >= tight and solution.objective < largest:
            return problem, chosen, solution


class Envelope:
    """What a path's envelope says of the direction error at any radius: the least of its entries' bounds."""

    def __init__(self, entries: Sequence[dict[str, Any]]):
        self.entries = entries

    def first(self) -> float:
        return min(entry["radius"] for entry in self.entries)

    def bound(self, radius: float) -> float:
        said = [entry for entry in self.entries if entry["radius"] <= radius]
        roots = [entry["sqrt_bound"] * math.sqrt(entry["radius"] / radius) for entry in said]
        rates = [entry["rate"] / radius for entry in said if entry["rate"] is not None]
        there = [entry["bound"] for entry in said if entry["radius"] == radius]
        return min(roots + rates + there)


def path_errors(problem: brute.Problem, chosen: Sequence[int], w: Array, radii: Array) -> Array:
    """Direction errors of the minimisers over balls of these radii, which are on the circles: the lowest of a grid's local minima and of what is
    near the limit, each refined. A minimum that is no rival is left out: within a step of the grid the value cannot fall as far."""
    excess, steps = Excess(problem, chosen), 360
    step = 2 * math.pi / steps
    grid = np.arange(steps) * step
    values = excess(radii[:, None] * directions(grid)[:, None, :])
    near = values.min(1, keepdims=True) + 4 * step * excess.longest * radii[:, None]
    row, column = np.nonzero((values <= np.roll(values, 1, 1)) & (values <= np.roll(values, -1, 1)) & (values <= near))
    row = np.concatenate((row, np.arange(len(radii))))
    starts = np.concatenate((grid[column], np.full(len(radii), math.atan2(w[1], w[0]))))
    least, angles = refined(lambda x: excess(radii[row, None] * directions(x)), starts, step)
    errors = direction_errors(directions(angles).T, w)
    return np.array([errors[row == k][least[row == k].argmin()] for k in range(len(radii))])


LARGEST_RADIUS = 2.0**15  # beyond, log (L - L*) is rounded by too much


def path(rng: random.Random) -> Plant:
    """Every minimiser over a ball is on its circle, where a search over the angle finds it: at the envelope's first radius, at that of an entry, and
    at two between and beyond."""
    problem, chosen, solution = feasible_plane(rng, most_rows=rng.choice(FEW_ROWS), tight=rng.choice(TIGHT))
    w = np.array([float(x) for x in solution.w])
    shares = [rng.random() for _ in range(3)]

    def judge(entry: Entry) -> str:
        if not proved(entry):
            return open_end(entry)
        demand(entry["verdict"] == "holds", "a path that leads elsewhere")
        envelope = Envelope(entry["numbers"]["envelope"])
        first, entries = envelope.first(), [one["radius"] for one in envelope.entries]
        radii = [first, entries[int(shares[0] * len(entries))], first * 16 ** shares[1], max(first, first * (LARGEST_RADIUS / first) ** shares[2])]
        looked_at = np.array([radius for radius in radii if radius <= LARGEST_RADIUS and envelope.bound(radius) < 2])
        if not len(looked_at):
            return "not seen"
        for radius, error in zip(looked_at, path_errors(problem, chosen, w, looked_at)):
            bound = envelope.bound(radius)
            demand(error <= bound * (1 + ROUNDING) + 1e-7, f"at radius {radius} the minimiser is {error} away, proved is {bound}")
        return "right"

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "path", "selection": chosen, "radius": 1}, judge)
    return plant


def least_norm(rows: Sequence[Array], w: Array, level: float) -> float:
    """The least |p| with sum_t exp(-a_t.p) <= level for every sample: along each direction by Newton's method, over directions by ever finer grids.
    Within the cone of positive rows the norm has one minimum over the angle, since what is allowed is convex."""

    def norm_along(angles: Array) -> Array:
        towards = directions(angles).reshape(2, -1)
        slopes = [sample @ towards for sample in rows]
        inside = np.all([slope.min(0) > 0 for slope in slopes], axis=0)
        slopes = [slope[:, inside] for slope in slopes]
        norm = np.zeros(inside.sum())
        for _ in range(200):  # from the left of the root of a convex function, which Newton's method does not pass but by rounding
            step = np.max([newton_step(slope, norm) for slope in slopes], axis=0)
            norm = norm + step
            if not (np.abs(step) > 1e-13 * norm).any():
                break
        found = np.full(inside.shape, math.inf)
        found[inside] = norm
        return found.reshape(angles.shape)

    def newton_step(slopes: Array, norm: Array) -> Array:
        logs = -norm * slopes
        e = np.exp(logs - logs.max(0))
        whole = e.sum(0)
        return (logs.max(0) + np.log(whole) - math.log(level)) * whole / (e * slopes).sum(0)

    return float(refined(norm_along, np.array([math.atan2(w[1], w[0])]), math.pi / 2, 1e-12)[0][0])


def sparsity(rng: random.Random) -> Plant:
    """The least norm with attention 1 - epsilon; none where the SVM is infeasible, since epsilon < 1/2 asks every row to be positive."""
    problem = draw.problem(rng, dimension=2)
    chosen = draw.selection(rng, problem)
    program = brute.p_program(problem, chosen)
    solution = brute.solve(program)
    if solution is None or solution.objective >= 200:
        if rng.random() < 0.7 or solution is not None:
            problem, chosen, solution = feasible_plane(rng)
            program = brute.p_program(problem, chosen)
    epsilon = Fraction(rng.randint(1, 40), 100)
    level = float(epsilon / (1 - epsilon))
    samples = sorted({name[0] for name in program.names})
    rows = [doubles([row for name, row in zip(program.names, program.rows) if name[0] == i]) for i in samples]

    def judge(entry: Entry) -> str:
        if solution is None:
            return decided(entry, "fails") or "right"
        if not proved(entry):
            return open_end(entry)
        demand(entry["verdict"] == "holds", "no p has this attention, though the SVM is feasible")
        truth = least_norm(rows, np.array([float(x) for x in solution.w]), level)
        lower, upper = entry["numbers"]["lower"], entry["numbers"]["upper"]
        demand(lower <= truth * (1 + ROUNDING), f"lower {lower}, but {truth} is enough")
        demand(upper >= truth * (1 - ROUNDING), f"upper {upper}, but {truth} is needed")
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
    products = []
    for row in brute.p_program(problem, chosen).rows:
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


def random_points(rng: random.Random, size: int, scales: Sequence[float], count: int) -> Array:
    return np.array([[rng.gauss(0, scale) for _ in range(size)] for scale in scales for _ in range(count)])


def stationary(rng: random.Random) -> Plant:
    """A direction along which the loss falls everywhere, or a point without a gradient: both are tried."""
    problem = draw.problem(rng)
    points = random_points(rng, len(problem["v"]), (0.1, 1, 3, 10), 10)

    def judge(entry: Entry) -> str:
        if not proved(entry):
            return open_end(entry)
        numbers, model = entry["numbers"], Model([problem])
        if entry["verdict"] == "holds":
            u = np.array(numbers["direction"])
            pulls, sizes = model.pulls(points)
            products, sizes = pulls @ u, sizes * norms(u)
            worst = (products + 1e-12 * sizes).argmin()
            demand(products[worst] >= -1e-12 * sizes[worst], f"the loss rises along {u} at {points[worst]}")
            demand(products.max() > 0, f"the loss does not fall along {u}")
        else:
            p = np.array(numbers["point"])
            pulls, sizes = model.pulls(p[None])
            demand(norms(pulls[0]) <= 1e-6 * sizes[0], f"the gradient is not 0 at {p}")
        return "right"

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "no-stationary-point"}, judge)
    return plant


def label_margins(points: Array) -> Array:
    """max over |u| <= 1 of min_i u.point_i for one or two points: the distance of 0 to what they span. Points by place and sample."""
    a, b = points[:, 0], points[:, -1]
    edge = b - a
    length = (edge * edge).sum(-1)
    share = np.clip(-(a * edge).sum(-1) / np.where(length > 0, length, 1), 0, 1)
    return norms(a + share[:, None] * edge)


def widest_selection(problem: brute.Problem) -> list[int]:
    """The one of largest label margin, for no other can the assumption hold; the first where no label margin is positive."""
    solved = [(brute.solve(brute.v_program(problem, one)), list(one)) for one in brute.selections(problem)]
    margins = [(solution.objective, one) for solution, one in solved if solution]
    return min(margins)[1] if margins else solved[0][1]


def assumption_b(rng: random.Random) -> Plant:
    """The bound with the proved nu, at random p of every size."""
    problem = draw.problem(rng, samples=rng.choice([1, 2, 2]))
    chosen = widest_selection(problem) if rng.random() < 0.8 else draw.selection(rng, problem)
    v = brute.solve(brute.v_program(problem, chosen))
    points = random_points(rng, len(problem["v"]), (0.1, 0.5, 1, 2, 5, 20), 10)
    points = np.concatenate((points, -points))

    def judge(entry: Entry) -> str:
        if v is None:
            return decided(entry, "inapplicable") or "right"
        if entry["verdict"] != "holds":
            demand(entry["verdict"] != "inapplicable", "the v-SVM is feasible")
            return "undecided" if entry["verdict"] == "undecided" else "not seen"
        gamma = 1 / math.sqrt(float(brute.dot(v.w, v.w)))
        nu = float(entry["numbers"]["nu_lower"])
        model = Model([problem])
        attention = model.attention(points)
        mixed = (attention[..., None] * model.tokens).sum(-2) * model.labels[..., None]
        lost = (1 - attention[:, np.arange(len(chosen)), chosen]).max(1)
        over = label_margins(mixed) - (gamma - nu * lost)
        worst = over.argmax()
        demand(over[worst] <= ROUNDING * (1 + gamma), f"nu {nu} is too much at {points[worst]}")
        return "right"

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "assumption-b", "selection": chosen, "over": "all"}, judge)
    return plant


@dataclass
class Journey:
    """A run of normalised steps whose limit is proved, to be followed in doubles."""

    problem: brute.Problem
    start: brute.Vector
    limit: brute.Vector
    proof: dict[str, Any]  # of the results: from_iterate, rate_constant


STEP = Fraction(1, 10)
FURTHER = 500  # iterates beyond twice the one that a proof is about
LONGEST = 100_000
LOOKS = 25  # iterates from one comparison with the bound to the next
NEAR = 0.2  # of the limit's direction: directions of different selections are farther apart


def follow(journeys: list[Journey]) -> list[Wrong | None]:
    """Each run in doubles, to a multiple of where its proof begins, and on while it is not near its limit. What contradicts the proofs."""
    if not journeys:
        return []
    contradictions: list[Wrong | None] = [None] * len(journeys)
    model = Model([one.problem for one in journeys])
    w = doubles([one.limit for one in journeys])
    p = doubles([one.start for one in journeys])
    begin = np.array([one.proof["from_iterate"] for one in journeys])
    rate = np.array([math.inf if one.proof["rate_constant"] is None else one.proof["rate_constant"] for one in journeys])
    ends = 2 * begin + FURTHER
    running = np.arange(len(journeys))
    k = 0
    while len(running):
        looked_at = (k == begin) | (k >= begin) & (k % LOOKS == 0) | (k == ends)
        if looked_at.any():
            length = norms(p)
            error = direction_errors(np.where(length[:, None] == 0, w, p), w)  # the origin has no direction
            broken = looked_at & ~((error * length <= (rate + ROUNDING * length) * (1 + 1e-6)) | (k < begin))
            ends = np.where((k == ends) & (error >= NEAR) & (k < LONGEST), 4 * ends, ends)
            lost = (k == ends) & ~(error < NEAR)
            for b in np.nonzero(broken | lost)[0]:
                contradictions[running[b]] = Wrong(f"error {error[b]} at iterate {k}, norm {length[b]}, proved is {journeys[running[b]].proof}")
            kept = ~(broken | lost | (k == ends))
            if not kept.all():
                model, w, p, begin, rate, ends, running = (model.of(kept), *(x[kept] for x in (w, p, begin, rate, ends, running)))
                if not len(running):
                    break
        p = p + float(STEP) * model.descent_directions(p)
        k += 1
    return contradictions


def descent(rng: random.Random) -> Plant:
    """A run of normalised steps whose limit is proved is followed in doubles, together with others: `follow`."""
    problem, _, _ = feasible_plane(rng, largest=8, most_rows=rng.choice(FEW_ROWS), tight=rng.choice(TIGHT))
    start = [Fraction(rng.randint(-20, 20), 10) for _ in range(2)]
    iterations = rng.choice([200, 500, 500, 2000])

    def judge(entry: Entry) -> str | Journey:
        run = entry["numbers"]["runs"][0] if entry["numbers"].get("runs") else {}
        if not run.get("proved_by"):
            return open_end(entry)
        solution = brute.solve(brute.p_program(problem, run["selection"]))
        demand(solution is not None and brute.is_locally_optimal(problem, run["selection"]), f"proved to go to {run['selection']}")
        return Journey(problem, start, solution.w, {name: run[name] for name in ("from_iterate", "rate_constant")})

    plant = Plant(draw.written(problem))
    plant.ask({"claim": "descent", "starts": [[str(x) for x in start]], "method": "normalised", "step": str(STEP),
               "iterations": iterations}, judge)
    return plant


def judge_limit(problem: brute.Problem) -> Judge:
    """The run ends where it is proved to end, at a selection that is locally optimal."""
    def judge(entry: Entry) -> str:
        demand(entry["verdict"] != "fails", f"{entry['claim']} fails: {entry['message']}")
        run = entry["numbers"]["runs"][0] if entry["numbers"].get("runs") else {}
        if not run.get("proved_by"):
            return open_end(entry)
        demand(brute.is_locally_optimal(problem, run["selection"]), f"proved to go to {run['selection']}")
        return "right"
    return judge


def judge_weights(problem: brute.Problem) -> Judge:
    """Of the theorem for W: it is about the globally optimal selection, where one is and its SVM has a solution."""
    def judge(entry: Entry) -> str:
        demand(entry["verdict"] != "fails", f"w-gd fails: {entry['message']}")
        if not (entry["verdict"] == "holds" and proved(entry)):
            return open_end(entry)
        chosen = draw.best_selection(problem)
        demand(chosen is not None and not brute.is_infeasible(brute.w_program(problem, chosen)), "holds, though no hypothesis does")
        return "right"
    return judge


# Tokens, labels, v and claim of certificates that a checker rejected.
REJECTED: list[tuple[Any, list[int], list[int], dict[str, Any]]] = [
    ([[[200], [0]]], [1], [2], {"claim": "w-gd"}),
    ([[[800, 0], [0, 1]], [[1, 2], [0, -1]]], [1, -1], [1, 0], {"claim": "w-gd"}),
    ([[[-1, 1], [2, 1], [-1, 1], [0, 2]]], [-1], [-1, 0], {"claim": "descent", "method": "flow", "iterations": 100}),
    ([[[2, 0], [1, 0], [0, 0]]], [1], [1, 0], {"claim": "descent", "method": "flow", "iterations": 300}),
    ([[[2000, 0]], [[-1, -1], [1, 2], [-1, -2]]], [1, 1], [-1, 1], {"claim": "descent", "method": "flow", "iterations": 100})]


def limits(rng: random.Random) -> Plant:
    """What proves where runs end: the certificates are the matter, which both checkers judge. Some entries are far from 1."""
    if rng.random() < 0.3:
        tokens, labels, v, claim = rng.choice(REJECTED)
        problem: brute.Problem = {"tokens": [[[Fraction(x) for x in token] for token in sample] for sample in tokens], "labels": labels,
                                  "v": [Fraction(x) for x in v]}
    else:
        problem = draw.problem(rng, most_rows=4)
        problem.pop("W", None)
        scale = Fraction(10)**rng.choice([0, 0, 0, 0, 1, 2, 3, -1, -2])
        sample = rng.choice(problem["tokens"])
        sample[0] = [scale * x for x in sample[0]]
        method = rng.choice(["flow", "flow", "constant", "w-gd", "w-gd"])
        claim = ({"claim": "w-gd", "iterations": 50} if method == "w-gd" else
                 {"claim": "descent", "method": method, "iterations": rng.choice([20, 100])})
    plant = Plant(draw.written(problem))
    plant.ask(claim, (judge_weights if claim["claim"] == "w-gd" else judge_limit)(problem))
    return plant


PLANTS: dict[str, Callable[[random.Random], Plant]] = {
    "limits": limits, "path": path, "sparsity": sparsity, "first-step": first_step, "stationary": stationary, "assumption-b": assumption_b,
    "descent": descent}
