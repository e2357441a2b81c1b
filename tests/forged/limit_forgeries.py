"""Forgeries of the certificates for limits (docs/certificate.md §4.19 to §4.30): for each clause one that breaks it alone."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Iterator

import limits
from pieces import *
from reasons import *

LITTLE = Fraction(1, 10**9)  # more than the slack of the true certificates
LESS: Callable[[Fraction], Fraction] = lambda x: x * (1 - LITTLE)
MORE: Callable[[Fraction], Fraction] = lambda x: x * (1 + LITTLE)
OFF: Callable[[Fraction], Fraction] = lambda x: x + TINY


def block(lo: str, hi: str) -> dict[str, Any]:
    return limits.logistic_block(Fraction(lo), Fraction(hi))


def common_forgeries(of: str, short: str, solves: bool = True) -> Iterator[Forgery]:
    """§4.19: what every kind with multipliers and a loss block is asked; where they need not solve the SVM they satisfy its rows."""
    at = "witness.lambda"
    if solves:
        yield of, f"{short}-lambda-off", "A multiplier is off by 1e-30.", SVM_NOT_TIGHT.at(at), change("witness.lambda.0.2", OFF)
    yield (of, f"{short}-lambda-less", "A multiplier is too small by 1e-30.", SVM_VIOLATED.at(at),
           change("witness.lambda.0.2", lambda x: x - TINY))
    yield of, f"{short}-lambda-row-missing", "A support row is left out.", SVM_VIOLATED.at(at), drop("witness.lambda.0")
    yield of, f"{short}-lambda-zero", "A support row has a multiplier of 0.", NOT_POSITIVE.at(at), put("witness.lambda.0.2", "0")
    yield of, f"{short}-lambda-empty", "The list is empty.", EMPTY_LAMBDA.at(at), put("witness.lambda", [])
    yield of, f"{short}-loss-slope", "The slope is less in size at the largest score.", SLOPE_SUP, change("witness.loss.slope_sup", MORE)
    yield of, f"{short}-loss-m1", "The slope exceeds m1 at the least score.", M1, change("witness.loss.m1", LESS)
    yield of, f"{short}-loss-m0", "The curvature exceeds m0.", M0, put("witness.loss.m0", "1/5")
    yield of, f"{short}-loss-interval", "A score lies outside of the interval.", SCORE_OUTSIDE, change("witness.loss.interval.0", OFF)
    yield (of, f"{short}-loss-extra", "A loss block has no such key.", unknown("covers_scores").at("witness.loss"),
           put("witness.loss.covers_scores", True))
    yield of, f"{short}-no-v", "A statement about scores needs v.", NO_V, drop("problem.v")


def run_forgeries(of: str, short: str, solves: bool = True) -> Iterator[Forgery]:
    """§4.20: of a kind with steps."""
    yield from common_forgeries(of, short, solves)
    yield of, f"{short}-over", "The claim is about p.", OVER_OF["p"].at("statement.over"), put("statement.over", "W")
    yield of, f"{short}-step-zero", "A step is positive.", STEP_SIGN.at("statement.step"), put("statement.step", "0")
    yield of, f"{short}-step-negative", "A step is positive.", STEP_SIGN.at("statement.step"), change("statement.step", lambda x: -x)
    yield of, f"{short}-step-missing", "A key is missing.", missing("step").at("statement"), drop("statement.step")
    yield of, f"{short}-method", "There is no such method.", METHOD.at("statement.method"), put("statement.method", "adaptive")
    yield (of, f"{short}-flow-with-step", "Flow without pieces has no step.", NOT_FOR_FLOW["step"].at("statement"),
           all_of(put("statement.method", "flow"), put("statement.iterations", 0)))
    yield of, f"{short}-start-short", "The start has two components.", WRONG_LENGTH.at("statement.start"), put("statement.start", ["0"])
    yield of, f"{short}-bits-few", "64 bits are due.", BITS.at("witness.bits"), put("witness.bits", 63)
    yield of, f"{short}-bits-many", "More than 2^15 bits.", BITS.at("witness.bits"), put("witness.bits", 2**15 + 1)
    yield of, f"{short}-work", "So many steps are refused.", TOO_MUCH_WORK, put("statement.iterations", 10**8)
    yield of, f"{short}-iterations-negative", "K is a count.", NOT_AN_INDEX.at("statement.iterations"), put("statement.iterations", -1)


def basin_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    """§4.21"""
    of = "descent-basin"
    yield from run_forgeries(of, "basin", solves=False)
    first = true[of]["statement"]["iterations"]
    rows = limits.Rows(limits.corner(), [0, 0, 0], "p")
    yield of, "basin-k-less", "K is one too small: the iterate before lies outside.", BASIN_4, put("statement.iterations", first - 1)
    yield of, "basin-k-zero", "The start lies outside.", BASIN_4, put("statement.iterations", 0)
    yield of, "basin-wrong-step", "With a shorter step K iterates do not reach the basin.", BASIN_4, put("statement.step", "1/4")
    yield (of, "basin-step-at-bound", "step times L-bar is 2.", BASIN_2,
           put("statement.step", str(limits.Run(rows, "constant", Fraction(1), [0, 0]).longest_step())))
    yield of, "basin-tie", "The best score of sample 0 is shared.", BASIN_1, put("problem.v", ["0", "1"])
    yield of, "basin-second-best", "With this label another token of sample 1 scores more.", BASIN_1, put("problem.labels.1", -1)
    yield (of, "basin-normalised", "Normalised steps have no basin.", METHOD_OF_BASIN.at("statement.method"),
           put("statement.method", "normalised"))
    yield (of, "basin-flow-without-length", "The pieces of a flow have a length.", missing("step").at("statement"),
           all_of(put("statement.method", "flow"), drop("statement.step")))
    yield of, "basin-every-start-steps", "From every start K is 0.", BASIN_3_STEPS, put("statement.start", None)
    yield of, "basin-with-rate", "A basin states no rate.", unknown("rate").at("statement"), put("statement.rate", "1")
    yield (of, "basin-other-w", "The data have another W: so are the rows.", SVM_VIOLATED.at("witness.lambda"),
           put("problem.W", [["1/2", "0"], ["0", "1"]]))
    of = "descent-basin-feasible"
    yield (of, "basin-feasible-little", "A tenth of what it takes.", SVM_VIOLATED.at("witness.lambda"),
           put("witness.lambda", [[i, t, str(Fraction(x) / 20)] for i, t, x in true[of]["witness"]["lambda"]]))
    yield of, "basin-feasible-outside", "The start lies outside.", BASIN_4, put("statement.iterations", 0)
    of = "descent-basin-flow"
    low, high = Decimal(0), Decimal(1)
    for _ in range(60):  # the start t (3, 4) enters the basin at some t
        middle = (low + high) / 2
        at = Fraction(middle)
        low, high = (low, middle) if limits.Run(rows, "flow", None, [3 * at, 4 * at]).in_basin() else (middle, high)
    outside = Fraction(low) * (1 - LITTLE)
    yield of, "basin-just-outside", "The start lies outside by 1e-9.", BASIN_4, put("statement.start", [str(3 * outside), str(4 * outside)])
    of = "descent-basin-flow-run"
    yield of, "basin-curve-short", "The curve is cut before the basin.", BASIN_4, put("statement.iterations", 2)
    yield of, "basin-curve-fine", "Pieces of this length do not lead so far.", BASIN_4, put("statement.step", "1/4096")
    yield of, "basin-curve-coarse", "Pieces of this length do not follow the curve.", CURVE_LOST, put("statement.step", "4")
    yield of, "basin-curve-other-start", "From here the curve does not lead so far.", BASIN_4, put("statement.start", ["-20", "-20"])
    of = "descent-basin-every-start"
    yield of, "basin-every-start-samples", "Two samples have two tokens.", BASIN_3_SAMPLES, insert("problem.tokens.1.1", ["2", "3"])
    yield (of, "basin-every-start-scores", "The scores of the other tokens differ.", BASIN_3_SCORES,
           all_of(put("problem.v", ["1", "1/2"]), put("witness.loss", block("0", "9/2"))))
    yield of, "basin-every-start-tie", "All scores are equal.", BASIN_1, put("problem.v", ["0", "0"])
    of = "descent-basin-w"
    yield of, "basin-w-over", "The claim is about W.", OVER_OF["W"].at("statement.over"), put("statement.over", "p")
    yield of, "basin-w-k-less", "K is one too small.", BASIN_4, change_count("statement.iterations", -1)
    yield (of, "basin-w-flow-with-iterations", "Over W flow has no pieces.", NO_STEPS_OF_FLOW.at("statement.iterations"),
           put("statement.method", "flow"))
    yield (of, "basin-w-other-query", "With other queries the rows are others.", SVM_VIOLATED.at("witness.lambda"),
           put("problem.queries.0", ["3", "0"]))
    yield of, "basin-w-start-flat", "Over W the start is a matrix.", WRONG_LENGTH.at("statement.start"), put("statement.start", ["0"] * 4)
    for claim in ("gd-local", "cross-validation", "tightness"):
        yield f"descent-basin-{claim}", f"basin-k-less-{claim}", "K is one too small.", BASIN_4, change_count("statement.iterations", -1)
    yield "descent-basin-flow", "basin-flow-other-start", "The start lies outside.", BASIN_4, put("statement.start", "0")


def change_count(path: str, by: int) -> Edit:
    def edit(certificate: Certificate) -> None:
        container, key = find(certificate, path)
        container[key] += by
    return edit


def cone_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    """§4.22"""
    of = "descent-cone"
    yield from run_forgeries(of, "cone")
    yield (of, "cone-k-less", "K is one too small: the cone does not close one step earlier.", CONE_10,
           change_count("statement.iterations", -1))
    yield of, "cone-k-half", "K is much too small.", CONE_6, put("statement.iterations", 20)
    yield of, "cone-rho-less", "rho is too small by 1e-12.", CONE_10, change("witness.rho", lambda x: x - Fraction(1, 10**12))
    yield of, "cone-rho-large", "So wide a cone has attention that is not on the selection.", CONE_6, put("witness.rho", "4")
    yield of, "cone-rho-zero", "rho is positive.", NUMBER_SIGN.at("witness.rho"), put("witness.rho", "0")
    yield of, "cone-wrong-step", "With this step the run is elsewhere after K steps.", CONE_6, put("statement.step", "1/20")
    yield (of, "cone-long-step", "The step is too long for the cone.", CONE_9_STEP,
           all_of(put("statement.step", "3"), put("statement.start", ["6", "6"]), put("statement.iterations", 0)))
    yield of, "cone-constant", "With constant steps the run is elsewhere after K steps.", CONE_6, put("statement.method", "constant")
    yield of, "cone-spectral-half", "M is halved.", CONE_9, change("witness.spectral", lambda x: x / 2)
    yield of, "cone-spectral-missing", "A key is missing.", missing("spectral").at("witness"), drop("witness.spectral")
    yield of, "cone-rate-tenth", "The rate is a tenth.", CONE_11, change("statement.rate", lambda x: x / 10)
    yield of, "cone-rate-less", "The rate is too small by 1e-9.", CONE_11, change("statement.rate", LESS)
    yield (of, "cone-rate-negative", "A rate is positive: its square alone proves nothing.", NUMBER_SIGN.at("statement.rate"),
           change("statement.rate", lambda x: -x))
    yield of, "cone-start-null", "A cone has a start.", NULL_START.at("statement.start"), put("statement.start", None)
    yield of, "cone-tie", "A support row scores the same.", CONE_1_SCORE, put("problem.v", ["2", "0"])
    of = "descent-cone-constant"
    yield of, "cone-constant-backwards", "The start points away.", CONE_3, put("statement.start", ["-6", "-6"])
    yield of, "cone-constant-rho", "rho is too small by 1e-12.", CONE_10, change("witness.rho", lambda x: x - Fraction(1, 10**12))
    yield of, "cone-constant-long-step", "The step is too long.", CONE_9_STEP, put("statement.step", "10000")
    of = "descent-cone-flow-run"
    yield of, "cone-curve-short", "The curve is cut before the cone.", CONE_6, put("statement.iterations", 8)
    yield of, "cone-curve-rho", "Around its point the cone is too narrow.", CONE_10, change("witness.rho", lambda x: x - Fraction(1, 8))
    yield of, "cone-curve-rate", "The rate is a tenth.", CONE_11, change("statement.rate", lambda x: x / 10)
    yield of, "cone-curve-coarse", "Pieces of this length do not follow the curve.", CURVE_LOST, put("statement.step", "4")
    of = "descent-cone-flow"
    yield of, "cone-flow-spectral", "Flow has no spectral.", NOT_FOR_FLOW["spectral"].at("witness"), put("witness.spectral", "2")
    yield of, "cone-flow-rho", "rho is too small by 1e-12.", CONE_10, change("witness.rho", lambda x: x - Fraction(1, 10**12))
    yield of, "cone-flow-start", "The start is too near to 0.", CONE_6, put("statement.start", ["1/2", "0"])
    yield (of, "cone-flow-better-row", "The row that scores more is too near.", CONE_7,
           all_of(put("statement.start", ["8", "16/3"]), put("witness.rho", "1/1000")))
    of = "descent-cone-w"
    yield of, "cone-w-k-less", "K is one too small.", CONE_10, change_count("statement.iterations", -1)
    yield of, "cone-w-rate", "The rate is too small by 1e-9.", CONE_11, change("statement.rate", LESS)
    yield of, "cone-w-spectral", "M is halved.", CONE_9, change("witness.spectral", lambda x: x / 2)
    of = "descent-cone-w-turned"
    yield of, "cone-w-turned-k-less", "K is one too small.", CONE_10, change_count("statement.iterations", -1)
    yield of, "cone-w-turned-start", "From another start the run is elsewhere after K steps.", CONE_11, put("statement.start.0.1", "1/4")
    of = "descent-wedge"
    as_cone = all_of(put("statement.kind", "descent-cone"), put("statement.rate", "100"), put("witness.rho", "50"), put("witness.spectral", "4"), drop("witness.delta"))
    yield of, "cone-tight-without-multiplier", "A tight row has no multiplier.", CONE_1_TIGHT, as_cone
    yield (of, "cone-dependent", "Two rows of the support are the same.", CONE_2,
           all_of(as_cone, put("witness.lambda", [[0, 1, "1/2"], [1, 1, "1/2"], [2, 1, "1"]])))
    for claim in ("gd-global", "cross-validation", "tightness"):
        yield f"descent-cone-{claim}", f"cone-k-less-{claim}", "K is one too small.", CONE_10, change_count("statement.iterations", -1)


def wedge_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    """§4.23"""
    of = "descent-wedge"
    yield from run_forgeries(of, "wedge")
    yield of, "wedge-delta-wide", "Rows are not positive in so wide a wedge.", WEDGE_1, put("witness.delta", "1/2")
    yield of, "wedge-delta-narrow", "The wedge does not close.", WEDGE_5, put("witness.delta", "1/1000")
    yield of, "wedge-delta-zero", "delta is positive.", NUMBER_SIGN.at("witness.delta"), put("witness.delta", "0")
    yield (of, "wedge-tie", "A tight row scores the same.", WEDGE_TIE,
           all_of(put("problem.v", ["2", "0"]), put("witness.loss", block("-4", "2"))))
    yield of, "wedge-start-null", "A wedge has a start.", NULL_START.at("statement.start"), put("statement.start", None)
    yield (of, "wedge-long-step", "The step is longer than the way there.", WEDGE_4,
           all_of(put("statement.step", "1" + "0" * 30), put("statement.iterations", 0)))
    of = "descent-wedge-flow"
    yield of, "wedge-backwards", "The start points away.", WEDGE_H, put("statement.start", ["-100", "-90"])
    yield of, "wedge-aside", "The start is outside of every wedge that clause 1 allows.", WEDGE_5, put("statement.start", ["100", "0"])
    yield of, "wedge-near", "The start is too near to 0.", WEDGE_1_E, put("statement.start", ["1", "1"])
    yield (of, "wedge-not-pulling", "Near 0 a tight row of sample 1 does not pull against the other row of it.", WEDGE_2,
           all_of(put("problem.tokens.1", [["-1", "0"], ["-2", "0"], ["-4", "1"]]), put("witness.loss", block("-7", "2")),
                  put("statement.start", ["7/2", "7/2"])))
    yield (of, "wedge-better-row", "A row that scores more is not steep enough.", WEDGE_2_K,
           all_of(put("problem.v", ["1", "4"]), put("witness.loss", block("0", "4"))))
    # The second coordinate is the key, the first the score: at p = 0 the three pulls cancel.
    balance = limits.Problem([[[1, 1], [0, 0]], [[1, 1], [0, 0]], [[0, 2], [1, 0]]], [1, 1, 1], v=[1, 0], W=[[0, 0], [0, 1]])
    still = limits.wedge("descent", limits.Run(limits.Rows(balance, [0, 0, 0], "p"), "normalised", Fraction(1, 10), [0, 0]), Fraction(1, 10))
    yield of, "wedge-stationary-start", "The gradient is 0 at the start: there is no normalised step.", RUN_STATIONARY, all_of(
        lambda c: c.update(still), put("statement.iterations", 1))
    of = "descent-wedge-w"
    yield of, "wedge-w-delta", "The wedge does not close.", WEDGE_5, put("witness.delta", "1/1000")
    # At W = 0 four samples pull as much as the fifth, of twice their row, pushes.
    push = limits.Problem([[[1], [0]]] * 4 + [[["1/2"], ["-3/2"]]], [1, 1, 1, 1, -1], v=[1], queries=[[1]] * 5)
    held = limits.wedge("w-gd", limits.Run(limits.Rows(push, [0] * 5, "W"), "normalised", Fraction(1, 10), [0]), Fraction(1, 10))
    yield of, "wedge-w-stationary-start", "The gradient is 0 at the start: there is no normalised step.", RUN_STATIONARY, all_of(
        lambda c: c.update(held), put("statement.iterations", 1))
    for claim in ("gd-global", "cross-validation", "tightness"):
        yield f"descent-wedge-{claim}", f"wedge-delta-{claim}", "The wedge does not close.", WEDGE_5, put("witness.delta", "1/1000")


def path_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    """§4.24"""
    of = "path-envelope"
    yield from common_forgeries(of, "envelope")
    yield of, "envelope-over", "The claim is about p.", OVER_OF["p"].at("statement.over"), put("statement.over", "W")
    yield (of, "envelope-empty", "An envelope has entries.", EMPTY.at("statement.envelope"),
           all_of(put("statement.envelope", []), put("witness.entries", [])))
    yield of, "envelope-radii-equal", "The radii do not ascend.", RADII.at("statement.envelope[1]"), put("statement.envelope.1.radius", "8")
    yield (of, "envelope-radius-negative", "A radius is positive.", RADIUS_NEGATIVE.at("statement.envelope[0]"),
           put("statement.envelope.0.radius", "-8"))
    yield (of, "envelope-square-zero", "A square is positive.", SQUARE_SIGN.at("statement.envelope[0]"),
           put("statement.envelope.0.square", "0"))
    yield (of, "envelope-rate-negative", "A rate is positive: its square alone proves nothing.", RATE_SIGN.at("statement.envelope[1]"),
           change("statement.envelope.1.rate", lambda x: -x))
    yield of, "envelope-rate-missing", "A key is missing.", missing("rate").at("statement.envelope[0]"), drop("statement.envelope.0.rate")
    yield of, "envelope-entry-missing", "An entry has no evidence.", WRONG_LENGTH.at("witness.entries"), drop("witness.entries.2")
    yield of, "envelope-tie", "A row scores the same.", PATH_3, put("problem.v", ["2", "0"])
    yield of, "envelope-local", "A selection that is not globally optimal needs a cone.", PATH_3, put("problem.labels.1", -1)
    yield (of, "envelope-shift-long", "The shift is longer than the radius.", PATH_4,
           put("witness.entries.1.shift", [[0, 1, "100"], [1, 1, "-100"]]))
    yield (of, "envelope-shift-zero", "A coefficient is not 0.", ZERO_COEFFICIENT.at("witness.entries[0].shift"),
           put("witness.entries.0.shift", [[0, 1, "0"]]))
    yield (of, "envelope-shift-unsorted", "The rows do not ascend.", NOT_ASCENDING.at("witness.entries[1].shift"),
           reverse("witness.entries.1.shift"))
    yield of, "envelope-shift-other", "Another shift gives a larger square.", PATH_8, all_of(
        change("witness.entries.2.shift.0.2", lambda x: x * Fraction(101, 100)), change("witness.entries.2.reach", lambda x: 2 * x))
    yield of, "envelope-reach-zero", "The reach is positive.", PATH_5_SIGN, put("witness.entries.0.reach", "0")
    yield of, "envelope-reach-wide", "The reach is the least gap.", PATH_5_GAP, put("witness.entries.0.reach", "1")
    yield of, "envelope-reach-less", "The reach is too small by 1e-9.", PATH_5, change("witness.entries.0.reach", LESS)
    yield of, "envelope-radius-less", "The radius is below that of the evidence.", PATH_5, change("statement.envelope.0.radius", LESS)
    yield (of, "envelope-slope-point", "The slope of the selected score alone does not bound that within reach.", PATH_6_M,
           lambda c: c["witness"]["entries"][0]["slopes"][1].__setitem__(1, c["witness"]["entries"][2]["slopes"][1][1]))
    yield of, "envelope-slope-mu", "mu is too large by 1e-9.", PATH_6_MU, change("witness.entries.0.slopes.0.0", MORE)
    yield (of, "envelope-slope-exchanged", "The slopes are those of another sample.", PATH_6_MU,
           lambda c: c["witness"]["entries"][2]["slopes"].__setitem__(slice(0, 2), c["witness"]["entries"][2]["slopes"][1::-1]))
    yield (of, "envelope-slope-order", "mu exceeds M.", PATH_6_ORDER.at("witness.entries[0].slopes[0]"),
           reverse("witness.entries.0.slopes.0"))
    yield (of, "envelope-slope-null", "A sample of two tokens has slopes.", NOT_AN_ARRAY.at("witness.entries[0].slopes[0]"),
           put("witness.entries.0.slopes.0", None))
    yield (of, "envelope-slope-of-one", "A sample of one token has none.", PATH_6_NULL.at("witness.entries[0].slopes[2]"),
           put("witness.entries.0.slopes.2", ["1/10", "1/5"]))
    yield of, "envelope-square-less", "The square is too small by 1e-9.", PATH_8, change("statement.envelope.0.square", LESS)
    yield of, "envelope-square-sharp", "The square is too small by 1e-9.", PATH_8, change("statement.envelope.2.square", LESS)
    yield (of, "envelope-square-of-larger", "The square of a larger radius.", PATH_8,
           lambda c: c["statement"]["envelope"][0].update(square=c["statement"]["envelope"][2]["square"]))
    yield of, "envelope-rate-less", "The rate is too small by 1e-9.", PATH_12, change("statement.envelope.1.rate", LESS)
    yield (of, "envelope-rate-of-larger", "The rate of a larger radius.", PATH_12,
           lambda c: c["statement"]["envelope"][1].update(rate=c["statement"]["envelope"][2]["rate"]))
    yield (of, "envelope-rate-near", "With this m0 the radius is too small for the 1/R form.", PATH_11_B,
           all_of(put("statement.envelope.0.rate", "1000000"), put("witness.loss.m0", "10")))
    yield (of, "envelope-first-not-allowed", "Without a cone there is no floor.", unknown("floor").at("witness.entries[0]"),
           put("witness.entries.0.floor", "8"))
    of = "path-envelope-w"
    yield of, "envelope-w-over", "The claim is about W.", OVER_OF["W"].at("statement.over"), put("statement.over", "p")
    yield of, "envelope-w-square", "The square is too small by 1e-9.", PATH_8, change("statement.envelope.0.square", LESS)
    yield of, "envelope-w-rate", "The rate is too small by 1e-9.", PATH_12, change("statement.envelope.0.rate", LESS)
    yield of, "envelope-w-lambda", "A multiplier is off by 1e-30.", SVM_NOT_TIGHT.at("witness.lambda"), change("witness.lambda.1.2", OFF)

    of = "path-envelope-cone"
    yield of, "envelope-cone-null", "Without a cone a row must not score more.", PATH_3, put("statement.cone", None)
    yield (of, "envelope-cone-rate", "In a cone no rate is proved.", RATE_IN_A_CONE.at("statement.envelope[0].rate"),
           put("statement.envelope.0.rate", "100"))
    yield of, "envelope-cone-opening-zero", "An opening is positive.", PATH_3_CONE, put("statement.cone.opening", "0")
    yield (of, "envelope-cone-tight-better", "A tight row scores more.", PATH_3,
           all_of(put("problem.v", ["-1", "1"]), put("witness.loss", block("-1", "10"))))
    yield (of, "envelope-cone-wide", "In so wide a cone the row that scores more is no longer above Theta.", PATH_5_BETTER,
           put("statement.cone.opening", "7/10"))
    yield of, "envelope-cone-wider", "In so wide a cone a row is not positive.", PATH_5_ROW, put("statement.cone.opening", "9/10")
    yield of, "envelope-cone-reach", "The reach is too small by 1e-9.", PATH_5_CONE, change("witness.entries.0.reach", LESS)
    yield of, "envelope-cone-shift", "The shift leaves the cone.", PATH_5_SHIFT, put("witness.entries.0.shift", [[0, 2, "1"]])
    yield of, "envelope-cone-floor-low", "The floor is below r0.", PATH_5_FLOOR, put("witness.entries.1.floor", "7")
    yield of, "envelope-cone-floor-no-first", "A floor above r0 needs `first`.", PATH_9_NO_FIRST, put("witness.entries.1.first", None)
    yield of, "envelope-cone-floor-high", "The floor is too large by 1e-9.", PATH_9, change("witness.entries.1.floor", MORE)
    yield of, "envelope-cone-first-floor", "The floor of `first` is r0.", PATH_9_FIRST_FLOOR, put("witness.entries.1.first.floor", "9")
    yield (of, "envelope-cone-first-reach", "The reach of `first` is too small by 1e-9.", PATH_5_CONE,
           change("witness.entries.1.first.reach", LESS))
    yield of, "envelope-cone-square", "The square is too small by 1e-9.", PATH_8, change("statement.envelope.0.square", LESS)
    yield of, "envelope-cone-square-second", "The square is too small by 1e-9.", PATH_8, change("statement.envelope.1.square", LESS)
    yield of, "envelope-cone-slope", "M is too small by 1e-9.", PATH_6_M, change("witness.entries.0.slopes.0.1", LESS)
    yield (of, "envelope-cone-xi", "Near 0 the row that scores more outweighs the others.", PATH_7_XI,
           all_of(put("statement.cone.radius", "1/100"), put("witness.entries.0.floor", "1/100"), put("witness.entries.0.reach", "3"),
                  put("witness.entries.0.slopes.0", ["1/100", "9/10"])))
    yield (of, "envelope-cone-near", "At so small a radius the offset is longer than the radius.", PATH_8_RADIUS,
           all_of(put("problem.tokens.0.2", ["-4", "5001/1000"]), put("statement.cone.radius", "1/2"), drop("statement.envelope.1"),
                  drop("witness.entries.1"), put("statement.envelope.0.radius", "1/2"), put("witness.entries.0.floor", "1/2"),
                  put("witness.entries.0.reach", "2"), put("witness.entries.0.slopes.0", ["1/4", "1/2"])))
    of = "path-envelope"
    small = limits.Rows(limits.Problem([[[1, 0], [0, 0]]], [1], v=["1/100", 0]), [0], "p")
    yield (of, "envelope-rate-small-radius", "radius Theta is below 1.", PATH_11_RADIUS,
           lambda c: c.update(limits.path_envelope("path", small, [(Fraction(9, 10), False, True)])))
    unit = limits.Rows(limits.Problem([[[1, 0], [0, 0]]], [1], v=[1, 0]), [0], "p")
    yield (of, "envelope-rate-gap", "h0 is more than half of the gap.", PATH_11_GAP,
           lambda c: c.update(limits.path_envelope("path", unit, [(Fraction(5, 4), False, True)])))
    of = "descent-wedge"
    twin = all_of(put("claim", "path"), put("statement", {"kind": "path-envelope", "over": "p", "selection": [0, 0, 0], "cone": None,
                                                         "envelope": [{"radius": "64", "square": "1000", "rate": "1000"}]}),
                  drop("witness.bits"), drop("witness.delta"), put("witness.entries", [{"shift": [], "reach": "1/2", "slopes": [["1/100", "9/10"]] * 3}]))
    yield of, "envelope-rate-tight", "A tight row has no multiplier.", PATH_10_TIGHT, twin
    yield (of, "envelope-rate-dependent", "The listed rows are dependent.", PATH_10_DEPENDENT,
           all_of(twin, put("witness.lambda", [[0, 1, "1/2"], [1, 1, "1/2"], [2, 1, "1"]])))


def ratio_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    """§4.25"""
    of = "path-ratio"
    yield (of, "ratio-lower", "lower is above the dual by 1e-12.", LOWER.at("statement.lower"),
           change("statement.lower", lambda x: x + Fraction(1, 10**12)))
    yield (of, "ratio-upper", "upper is below what a and b show, by 1e-30.", UPPER.at("statement.upper"),
           change("statement.upper", lambda x: x - TINY))
    yield of, "ratio-lower-zero", "lower is positive.", LOWER_SIGN.at("statement.lower"), put("statement.lower", "0")
    yield of, "ratio-offset-negative", "An offset is not negative.", OFFSET_SIGN.at("statement.offset"), put("statement.offset", "-1")
    yield of, "ratio-matrix", "The rows are those of another matrix.", VIOLATED, put("witness.bracket.a.0.0", "1/3")
    yield of, "ratio-norm", "The dual has a norm above 1.", NORM, change("witness.bracket.lambda.0.2", OFF)
    yield (of, "ratio-bracket-extra", "A key is not listed.", unknown("selection").at("witness.bracket"),
           put("witness.bracket.selection", [0, 0]))
    yield of, "ratio-tie", "A row scores the same.", RATIO_1, all_of(put("problem.v", ["1", "0"]), put("witness.loss", block("-1", "1")))
    yield of, "ratio-loss", "The slope is less in size at the largest score.", SLOPE_SUP, change("witness.loss.slope_sup", MORE)
    yield of, "ratio-reach", "The reach is too small by 1e-9.", RATIO_3, change("witness.reach", LESS)
    yield of, "ratio-reach-wide", "The reach is the least gap.", RATIO_3_GAP, put("witness.reach", "1")
    yield of, "ratio-slope", "M is too small by 1e-9.", PATH_6_M, change("witness.slopes.1.1", LESS)
    yield of, "ratio-offset", "The offset is too small by 1e-9.", RATIO_5, change("statement.offset", LESS)
    yield (of, "ratio-offset-of-largest", "The offset of the row with the largest gap alone.", RATIO_5,
           change("statement.offset", lambda x: x / 2))
    yield of, "ratio-radius-less", "The radius is below that of the evidence.", RATIO_3, change("statement.radius", LESS)
    yield (of, "ratio-radius", "The radius is upper times offset.", RATIO_5_RADIUS,
           lambda c: c["statement"].update(offset=str(Fraction(c["statement"]["radius"]) / Fraction(c["statement"]["upper"]))))
    yield of, "ratio-no-v", "A statement about scores needs v.", NO_V, drop("problem.v")


def joint_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    """§4.26"""
    of = "joint-envelope"
    yield of, "joint-loss", "The loss is not the logistic one.", JOINT_1, put("problem.loss", "exponential")
    yield of, "joint-nu", "nu is larger than the tree proves.", OPEN_NODE.at("witness.b"), put("statement.nu", "4/5")
    yield of, "joint-gamma", "Gamma is another.", GAMMA, change("statement.gamma_squared", OFF)
    yield of, "joint-b-over", "The witness of B has no `over`.", unknown("over").at("witness.b"), put("witness.b.over", "support")
    yield (of, "joint-lambda", "A multiplier is off by 1e-30.", SVM_NOT_TIGHT_AND_VIOLATED.at("witness.lambda"),
           change("witness.lambda.0.2", OFF))
    yield (of, "joint-weights", "Other weights give another vector.", JOINT_WEIGHTS,
           put("witness.weights", [[0, "1/3"], [1, "1/3"], [2, "1/3"]]))
    yield of, "joint-weights-sum", "The weights do not sum to 1.", WEIGHT_SUM.at("witness.weights"), change("witness.weights.0.1", OFF)
    yield of, "joint-r-zero", "r is positive.", JOINT_SIGN, put("statement.r", "0")
    yield of, "joint-R-negative", "R is positive.", JOINT_SIGN, put("statement.R", "-1")
    yield of, "joint-theta-negative", "theta is not negative.", JOINT_NEGATIVE, put("statement.theta", "-1")
    yield of, "joint-theta", "theta is too small by 1e-9.", JOINT_4_THETA, change("statement.theta", LESS)
    yield of, "joint-theta-zero", "theta is too small.", JOINT_4_THETA, put("statement.theta", "0")
    yield of, "joint-theta-Gamma", "theta is Gamma or more.", JOINT_4_GAMMA, put("statement.theta", "2")
    yield of, "joint-c", "c is too small by 1e-9.", JOINT_4_C, change("statement.c", LESS)
    yield of, "joint-R-less", "With a smaller R attention is softer.", JOINT_4_THETA, change("statement.R", LESS)
    yield of, "joint-r-small", "r is too small for c.", JOINT_4_R, all_of(put("statement.r", "1"), put("statement.c", "5"))
    yield of, "joint-head-theta", "head_theta is too small by 1e-9.", JOINT_5_THETA, change("statement.head_theta", LESS)
    yield of, "joint-head-c", "head_c is too small by 1e-9.", JOINT_5_C, change("statement.head_c", LESS)
    yield (of, "joint-head-of-second", "The numbers of the second pass without it.", JOINT_5_THETA,
           lambda c: c["statement"].update({key: true["joint-envelope-second"]["statement"][key] for key in ("head_theta", "head_c")}))
    yield of, "joint-head-wide", "The bound is too wide for the direction of v.", JOINT_7, put("statement.head_c", "5000")
    of = "joint-envelope-second"
    yield of, "joint-second-c", "head_c is too small by 1e-9.", JOINT_6_C, change("statement.head_c", LESS)
    yield of, "joint-second-theta", "head_theta is too small by 1e-9.", JOINT_6_THETA, change("statement.head_theta", LESS)
    yield of, "joint-second-shift", "Another shift gives a larger number.", JOINT_6_C, put("witness.second.shift", ["3", "-1/8"])
    yield of, "joint-second-shift-long", "The shift is longer than r.", JOINT_6_SHIFT, put("witness.second.shift", ["5000", "0"])
    yield of, "joint-second-token", "Within epsilon a token may gain margin.", JOINT_6_TOKEN, put("statement.c", "300")
    yield of, "joint-second-negative", "head_c is not negative.", JOINT_6_SIGN, change("statement.head_c", lambda x: -x)
    yield of, "joint-second-extra", "A key is not listed.", unknown("epsilon").at("witness.second"), put("witness.second.epsilon", "1")
    yield ("joint-envelope-far", "joint-far-c", "head_c is too small by 1/1000.", JOINT_6_C,
           change("statement.head_c", lambda x: x - Fraction(1, 1000)))


def landscape_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    """§4.27"""
    of = "no-stationary-point"
    yield (of, "no-point-u-off", "u is off by 1e-30, and orders two tokens otherwise.", DIRECTION_ORDER.at("witness.u"),
           put("witness.u", ["1", str(-TINY)]))
    yield of, "no-point-u-zero", "u sets no tokens apart.", DIRECTION_FLAT.at("witness.u"), put("witness.u", ["0", "0"])
    yield of, "no-point-u-opposite", "u orders the tokens otherwise.", DIRECTION_ORDER.at("witness.u"), put("witness.u", ["-1", "0"])
    yield (of, "no-point-u-ties", "u sets only tokens of the same score apart.", DIRECTION_FLAT.at("witness.u"),
           put("problem", limits.Problem([[[0, 1], [0, 0]], [[1, 0], [0, 0]]], [1, 1], v=[0, 1]).to_json() | {"W": [["0", "0"], ["0", "0"]]}))
    yield (of, "no-point-u-far-levels", "u orders the best and the worst token otherwise.", DIRECTION_ORDER.at("witness.u"),
           all_of(put("problem.tokens.0", [["1", "0"], ["0", "0"], ["-1", "5"]]), put("witness.u", ["1", "1"]),
                  put("problem.v", ["2", "0"])))
    yield (of, "no-point-query-p", "A query is for W alone.", FOR_W.at("witness.by"),
           all_of(put("witness.by", "query"), drop("witness.u"), put("witness.q", ["1", "1"])))
    yield of, "no-point-by", "There is no such way.", BY_NO_POINT.at("witness.by"), put("witness.by", "origin")
    yield of, "no-point-loss", "The slope is less in size at the largest score.", SLOPE_SUP, change("witness.loss.slope_sup", MORE)
    yield of, "no-point-loss-flat", "With this loss the slope is 0 at a score.", SLOPE_SUP, put("problem.loss", {"expression": "(u-1)^2"})
    yield of, "no-point-over", "It is over p or W.", OVER.at("statement.over"), put("statement.over", "v")
    yield of, "no-point-no-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    of = "no-stationary-point-w"
    yield of, "no-point-w-u", "U orders the tokens otherwise.", DIRECTION_ORDER.at("witness.u"), put("witness.u", [["1", "0"], ["0", "-1"]])
    of = "no-stationary-point-query"
    yield of, "no-point-q-sign", "q has the wrong sign for a sample.", QUERY_NEGATIVE.at("witness.q"), put("witness.q", ["1", str(-TINY)])
    yield of, "no-point-q-zero", "q is 0 for each sample.", QUERY_ZERO.at("witness.q"), put("witness.q", ["0", "0"])
    yield (of, "no-point-q-label", "With this label q is negative.", QUERY_NEGATIVE.at("witness.q"),
           all_of(put("problem.labels.0", -1), put("witness.loss", block("-1", "2"))))
    of = "no-stationary-point-rank"
    yield of, "no-point-rank", "The queries are dependent.", QUERIES_DEPENDENT, put("problem.queries.1", ["1", "0"])
    yield of, "no-point-rank-equal", "All scores of each sample are equal.", NO_SCORES_DIFFER, put("problem.v", ["0", "0"])

    of = "stationary-point"
    yield of, "point-radius-zero", "A radius is positive.", RADIUS_SIGN.at("witness.radius"), put("witness.radius.0", "0")
    yield (of, "point-radius-small", "The box is too small for the error of the centre.", KRAWCZYK_4,
           put("witness.radius.0", "1/1" + "0" * 30))
    yield of, "point-radius-large", "Over so large a box the Jacobian is wide.", KRAWCZYK_4, put("witness.radius", ["2", "2"])
    yield of, "point-inverse-exchanged", "Two rows of M are exchanged.", KRAWCZYK_4, reverse("witness.inverse")
    yield of, "point-inverse-zero", "M is 0.", KRAWCZYK_4, put("witness.inverse", [["0", "0"], ["0", "0"]])
    yield of, "point-centre-off", "The centre is off by 1e-3.", KRAWCZYK_4, change("statement.centre.0", lambda x: x + Fraction(1, 1000))
    yield (of, "point-basis-misses", "The basis misses a direction, in which the gradient does not vanish.", BASIS_SPAN,
           all_of(put("witness.basis", [["1", "0"]]), put("witness.radius", ["1/1048576"]),
                  lambda c: c["witness"].update(inverse=[[c["witness"]["inverse"][0][0]]]), put("statement.centre.1", "0")))
    yield of, "point-basis-dependent", "The columns are dependent.", BASIS_DEPENDENT, put("witness.basis.1", ["2", "0"])
    yield (of, "point-basis-large", "The keys do not span the second direction.", BASIS_OUTSIDE,
           put("problem.W", [["1", "0"], ["0", "0"]]))
    yield of, "point-basis-short", "A column has two entries.", WRONG_LENGTH.at("witness.basis[0]"), put("witness.basis.0", ["1"])
    yield of, "point-as-origin", "The centre is not 0.", CENTRE.at("statement.centre"), put("witness", {"by": "origin"})
    yield of, "point-by", "There is no such way.", BY_POINT.at("witness.by"), put("witness.by", "newton")
    yield of, "point-no-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield ("stationary-point-sheared", "point-sheared-inverse", "M is the inverse for another basis.", KRAWCZYK_4,
           lambda c: c["witness"].update(inverse=true["stationary-point"]["witness"]["inverse"]))
    yield "stationary-point-w", "point-w-query", "With other queries it is another point.", KRAWCZYK_4, put("problem.queries.0", ["3"])
    yield "stationary-point-w", "point-w-as-p", "Over p it is another point.", KRAWCZYK_4, put("statement.over", "p")
    yield ("stationary-point-origin-w", "point-origin-w-query", "With different queries the gradients do not cancel.", NOT_CANCELLING,
           put("problem.queries.0", ["1", "3"]))
    of = "stationary-point-origin"
    yield of, "point-origin-label", "With this label the gradients add.", NOT_CANCELLING, put("problem.labels.1", 1)
    yield (of, "point-origin-means", "The sum is 0, but the means differ, and so do the slopes.", NOT_CANCELLING,
           all_of(put("problem.tokens.1", [["3", "1"], ["2", "2"]])))
    yield of, "point-origin-centre", "The centre is not 0.", CENTRE.at("statement.centre"), put("statement.centre.0", str(TINY))


def sparsity_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    """§4.28"""
    of = "sparsity-norm"
    yield of, "sparsity-lower", "lower is too large by 1e-9.", SPARSITY_1, change("statement.lower", MORE)
    yield of, "sparsity-epsilon", "epsilon is too small by 1e-9.", SPARSITY_2, change("statement.epsilon", LESS)
    yield of, "sparsity-epsilon-more", "With a larger epsilon lower is not shown.", SPARSITY_1, change("statement.epsilon", MORE)
    yield of, "sparsity-epsilon-one", "epsilon is below 1.", EPSILON.at("statement.epsilon"), put("statement.epsilon", "1")
    yield (of, "sparsity-negative-height", "A is negative: its square alone proves nothing.", SPARSITY_1_SIGN,
           put("statement.epsilon", "9/10"))
    yield (of, "sparsity-weight-negative", "A weight is positive.", NOT_POSITIVE.at("witness.weights"),
           change("witness.weights.0.2", lambda x: -x))
    yield of, "sparsity-weights-empty", "A lower bound needs weights.", SPARSITY_1_EMPTY, put("witness.weights", [])
    yield of, "sparsity-weights-other", "Other weights show less.", SPARSITY_1, put("witness.weights.0.2", "2")
    yield of, "sparsity-point", "The point is too short by 1e-9.", SPARSITY_2, change("witness.point.0.2", LESS)
    yield of, "sparsity-upper", "The point is longer than upper by 1e-9.", SPARSITY_3, change("statement.upper", LESS)
    yield (of, "sparsity-upper-negative", "upper is not negative: its square alone proves nothing.", SPARSITY_ORDER,
           all_of(put("statement.lower", "0"), change("statement.upper", lambda x: -x)))
    yield of, "sparsity-lower-negative", "lower is not negative.", SPARSITY_NEGATIVE, put("statement.lower", "-1")
    yield of, "sparsity-point-zero", "A coefficient is not 0.", ZERO_COEFFICIENT.at("witness.point"), put("witness.point.0.2", "0")
    yield (of, "sparsity-zero-combination", "The combination is 0 and A too: nothing is shown of lower, since p = 0 does.", SPARSITY_1_ZERO,
           all_of(put("problem", true["sparsity-infeasible"]["problem"]), put("statement.selection", [0, 0]),
                  put("statement.epsilon", "1/2"), put("statement.lower", "5"), put("statement.upper", "10"),
                  put("witness.weights", [[0, 1, "1"], [1, 1, "1"]]), put("witness.point", [])))
    yield of, "sparsity-over", "It is over p or W.", OVER.at("statement.over"), put("statement.over", "all")
    yield "sparsity-norm-w", "sparsity-w-lower", "lower is too large by 1e-9.", SPARSITY_1, change("statement.lower", MORE)
    yield "sparsity-norm-w", "sparsity-w-as-p", "Over p the rows are others.", SPARSITY_2, put("statement.over", "p")
    of = "sparsity-infeasible"
    yield of, "sparsity-infeasible-off", "The combination is not 0, by 1e-30.", SPARSITY_NOT_ZERO, change("witness.weights.0.2", OFF)
    yield of, "sparsity-infeasible-epsilon", "At 1/2 the point 0 suffices.", SPARSITY_NOT_POSITIVE, put("statement.epsilon", "1/2")
    yield of, "sparsity-infeasible-empty", "An empty list shows nothing.", SPARSITY_NOT_POSITIVE, put("witness.weights", [])
    yield of, "sparsity-infeasible-point", "A key is not listed.", unknown("point").at("witness"), put("witness.point", [])
    yield of, "sparsity-infeasible-lower", "A key is not listed.", unknown("lower").at("statement"), put("statement.lower", "0")
    yield of, "sparsity-infeasible-data", "The rows do not oppose each other.", SPARSITY_NOT_ZERO, put("problem.tokens.1.0", ["-1", "1"])
    yield ("sparsity-infeasible-half", "sparsity-infeasible-half-epsilon", "With a larger epsilon A is negative.", SPARSITY_NOT_POSITIVE,
           put("statement.epsilon", "4/5"))


def head_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    """§4.29"""
    of = "head-bounds"
    yield of, "head-both-sides", "Tokens lie on both sides.", BOTH_SIDES, put("problem.tokens.0.1", ["2", "0"])
    yield of, "head-at-the-selected", "A token lies at the selected one.", AT_THE_SELECTED, put("problem.tokens.1.1", ["0", "1"])
    yield of, "head-first-cell", "The first cell is shown by values alone.", HEAD_FIRST_CELL, put("statement.bounds.0", ["1/10", "7/10"])
    yield of, "head-low", "The lower bound does not hold at the far end.", HEAD_CELL, put("statement.bounds.0", ["7/100", "3/5"])
    yield of, "head-low-zero", "The lower bound is positive.", HEAD_SIGN.at("statement.bounds[0]"), put("statement.bounds.0.0", "0")
    yield of, "head-vertex-only", "The lower bound holds at the vertex alone.", HEAD_FIRST_CELL, put("statement.bounds.1", ["1/2", "1"])
    yield of, "head-exchanged", "The bounds are exchanged.", HEAD_FIRST_CELL, reverse("statement.bounds.1")
    yield of, "head-cut-missing", "Without a cut the values are too wide.", HEAD_CELL, drop("witness.cuts.0.2")
    yield of, "head-cuts-reversed", "The cuts are not ordered away.", HEAD_CUTS.at("witness.cuts[0]"), reverse("witness.cuts.0")
    yield of, "head-cut-outside", "A cut lies outside.", HEAD_CUTS.at("witness.cuts[0]"), put("witness.cuts.0.0", "5/2")
    yield of, "head-cut-of-one", "A sample of one token has no cuts.", HEAD_NO_CUTS.at("witness.cuts[2]"), put("witness.cuts.2", ["1"])
    yield (of, "head-bounds-null", "A sample of two tokens has bounds.", NOT_AN_ARRAY.at("statement.bounds[0]"),
           put("statement.bounds.0", None))
    yield (of, "head-bounds-of-one", "A sample of one token has none.", PATH_6_NULL.at("statement.bounds[2]"),
           put("statement.bounds.2", ["1", "2"]))
    yield of, "head-label", "With this label the head falls.", HEAD_FIRST_CELL, put("problem.labels.1", -1)
    yield of, "head-unclosed", "The head is outside of the grammar.", UNCLOSED, put("statement.head", "tanh(u")
    yield of, "head-object", "The head is a string.", NOT_A_STRING.at("statement.head"), put("statement.head", {"expression": "tanh(u)"})
    yield of, "head-undefined", "The head is not defined at 0.", DIVISION, put("statement.head", "tanh(u) + 0/u")
    yield of, "head-no-v", "The head takes v.x.", HEAD_NO_V, drop("problem.v")
    of = "head-envelope"
    at = "witness.lambda"
    yield of, "head-envelope-lambda", "A multiplier is off by 1e-30.", SVM_NOT_TIGHT.at(at), change("witness.lambda.0.2", OFF)
    yield of, "head-envelope-lambda-missing", "A support row is left out.", SVM_VIOLATED.at(at), drop("witness.lambda.0")
    yield of, "head-envelope-loss", "The slope is less in size at the end.", SLOPE_SUP, change("witness.loss.slope_sup", MORE)
    yield (of, "head-envelope-interval", "The head has values outside of the interval.", HEAD_INTERVAL,
           put("witness.loss", block("-1/2", "1")))
    yield of, "head-envelope-bounds", "The bounds are not shown.", HEAD_CELL, put("witness.bounds.0", ["7/100", "3/5"])
    yield (of, "head-envelope-shift", "The shift is longer than the radius.", PATH_4,
           put("witness.entries.0.shift", [[0, 1, "100"], [1, 1, "-100"]]))
    yield of, "head-envelope-reach", "The reach is too small by 1e-9.", PATH_5, change("witness.entries.0.reach", LESS)
    yield of, "head-envelope-reach-one", "The reach is below 1.", HEAD_5_RANGE, put("witness.entries.0.reach", "1")
    yield of, "head-envelope-slope", "M is too small by 1e-9.", PATH_6_M, change("witness.entries.0.slopes.0.1", LESS)
    yield (of, "head-envelope-near", "The near bounds hold on a shorter stretch.", HEAD_FIRST_CELL,
           lambda c: c["witness"]["entries"][0].update(near=c["witness"]["entries"][1]["near"]))
    yield (of, "head-envelope-near-cut", "A cut of the near stretch lies beyond it.", HEAD_CUTS.at("witness.entries[0].near.cuts[0]"),
           put("witness.entries.0.near.cuts.0", ["1"]))
    yield of, "head-envelope-square", "The square is too small by 1e-9.", PATH_8, change("statement.envelope.0.square", LESS)
    yield of, "head-envelope-square-second", "The square is too small by 1e-9.", PATH_8, change("statement.envelope.1.square", LESS)
    yield of, "head-envelope-radius", "The radius is below that of the evidence.", PATH_5, change("statement.envelope.0.radius", LESS)
    yield (of, "head-envelope-rate", "A key is not listed.", unknown("rate").at("statement.envelope[0]"),
           put("statement.envelope.0.rate", None))
    yield of, "head-envelope-cone", "A key is not listed.", unknown("cone").at("statement"), put("statement.cone", None)


def first_step_forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    """§4.30"""
    of = "first-step"
    yield of, "first-step-selection", "A row of this selection is lowered.", NOT_RAISED, put("statement.selection.1", 1)
    yield of, "first-step-label", "With this label a row is lowered.", NOT_RAISED, put("problem.labels.1", -1)
    yield (of, "first-step-zero", "A row's product is exactly 0.", NOT_RAISED,
           all_of(put("problem", true["stationary-point-origin"]["problem"]), put("statement.selection", [0, 0])))
    yield of, "first-step-start-short", "The start has two components.", WRONG_LENGTH.at("statement.start"), put("statement.start", ["0"])
    yield of, "first-step-witness", "A key is not listed.", unknown("by").at("witness"), put("witness.by", "origin")
    yield of, "first-step-no-v", "A statement about scores needs v.", NO_V, drop("problem.v")
    yield (of, "first-step-as-not", "The row is raised.", NOT_LOWERED,
           all_of(put("statement.kind", "not-first-step"), put("statement.row", [0, 1]), put("witness", {"by": "enclosure"})))
    yield "first-step-far", "first-step-far-selection", "A row of this selection is lowered.", NOT_RAISED, put("statement.selection.1", 1)
    yield ("first-step-w", "first-step-w-start", "Over W the start is a matrix.", WRONG_LENGTH.at("statement.start"),
           put("statement.start", ["0"] * 4))
    of = "not-first-step"
    yield of, "not-first-step-row", "Another row is raised.", NOT_LOWERED, put("statement.row", [0, 1])
    yield of, "not-first-step-start", "From another start the row is raised.", NOT_LOWERED, put("statement.start", ["20", "0"])
    yield of, "not-first-step-selected", "The selected token is no row.", SELECTED_ROW.at("statement.row"), put("statement.row", [1, 1])
    yield of, "not-first-step-as-origin", "The means differ, and one of them raises the row.", RAISES, put("witness.by", "origin")
    yield of, "not-first-step-by", "There is no such way.", BY_STEP.at("witness.by"), put("witness.by", "trust")
    yield (of, "not-first-step-as-first", "The row is lowered.", NOT_RAISED,
           all_of(put("statement.kind", "first-step"), drop("statement.row"), put("witness", {})))
    of = "not-first-step-origin"
    yield (of, "not-first-step-origin-start", "The start is not 0.", START_NOT_ZERO.at("statement.start"),
           put("statement.start.0", str(TINY)))
    yield of, "not-first-step-origin-label", "With this label the row is raised.", RAISES, put("problem.labels.1", 1)
    yield of, "not-first-step-origin-enclosure", "An enclosure of 0 is not below 0.", NOT_LOWERED, put("witness.by", "enclosure")


GROUPS = (basin_forgeries, cone_forgeries, wedge_forgeries, path_forgeries, ratio_forgeries, joint_forgeries, landscape_forgeries,
          sparsity_forgeries, head_forgeries, first_step_forgeries)


def forgeries(true: dict[str, Certificate]) -> Iterator[Forgery]:
    for group in GROUPS:
        yield from group(true)
