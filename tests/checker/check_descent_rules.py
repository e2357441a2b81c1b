#!/usr/bin/env python3
"""The rules of scripts/check_certificate.py for limits of descent, stationary points and first steps: certificates made by hand, and
for each clause one that fails at it alone.

usage: check_descent_rules.py PYTHON_CHECKER [UNITTEST ARGUMENT...]
"""

from __future__ import annotations

import sys
import unittest
from typing import Any

from hand_made import HALVES, LOSS, ROWS, Rules, basin, certificate, changed, cone, over_weights, problem, wedge, without


class CommonFields(Rules):
    def test_each_method_is_accepted(self) -> None:
        for method in ("constant", "normalised", "flow"):
            self.accepts(cone(method))

    def test_a_step_goes_with_steps_alone(self) -> None:
        self.rejects(changed(cone("flow"), statement__step="1/10"), "statement: unknown key 'step'")
        self.rejects(without(cone(), "statement", "step"), "statement: key 'step' is missing")
        self.rejects(changed(cone(), statement__step="0"), "statement.step: not positive")
        self.rejects(changed(cone(), statement__method="heavy-ball"), "statement.method")

    def test_pieces_of_a_flow_have_a_length(self) -> None:
        pieces = {"statement__iterations": 3, "statement__step": "1/64"}
        for whole in (cone("flow"), basin("flow"), wedge("flow")):
            self.accepts(changed(whole, **pieces))
            self.rejects(changed(whole, statement__iterations=3), "statement: key 'step' is missing")
            self.rejects(changed(whole, statement__step="1/64"), "statement: unknown key 'step'")
            self.rejects(changed(whole, **{**pieces, "statement__step": "0"}), "statement.step: not positive")
            self.accepts(over_weights(whole))
            self.rejects(changed(over_weights(whole), **pieces), "statement.iterations: over W 0 is due for flow")

    def test_over_goes_with_the_claim(self) -> None:
        self.rejects(changed(cone(), claim="w-gd"), "statement.over: w-gd goes with 'W'")
        self.rejects(changed(over_weights(cone()), claim="descent"), "statement.over: descent goes with 'p'")
        self.rejects(changed(cone(), statement__over="q"), "statement.over: 'p' or 'W' is due")

    def test_zero_has_a_short_name_and_null_is_no_start(self) -> None:
        far = changed(basin(), statement__start="0", statement__iterations=0)
        self.rejects(far, "clause 4")
        self.accepts(changed(far, statement__iterations=60, statement__step="1"))
        self.rejects(changed(cone(), statement__start=None), "statement.start: null is not allowed")

    def test_work_and_bits_are_bounded(self) -> None:
        self.rejects(changed(cone(), statement__iterations=2**23), "refused: too much work")
        self.rejects(changed(cone(), witness__bits=63), "witness.bits")
        self.rejects(changed(cone(), witness__bits=2**15 + 1), "witness.bits")

    def test_the_loss_block_is_checked(self) -> None:
        self.rejects(changed(cone(), witness__loss__m0="1/5"), "witness.loss: the curvature")
        self.rejects(changed(cone(), witness__loss__m1="1/2"), "witness.loss: the slope is not proved to be at most m1")
        self.rejects(changed(cone(), witness__loss__slope_sup="-1/2"), "witness.loss: the slope is not proved to be at most slope_sup")
        self.rejects(changed(cone(), witness__loss__slope_sup="0"), "witness.loss: slope_sup is not negative")
        self.rejects(changed(cone(), witness__loss__interval=["-1", "3"], witness__loss__cuts=[]), "witness.loss: a score lies outside")
        self.rejects(changed(cone(), witness__loss__cuts=["0", "0"]), "witness.loss: cuts: not strictly increasing")

    def test_the_multipliers_must_solve_the_svm(self) -> None:
        self.rejects(changed(cone(), witness__lambda=[]), "witness.lambda: empty")
        self.rejects(changed(cone(), witness__lambda=[[0, 1, "1/2"], [1, 1, "1/3"]]), "is violated")
        self.rejects(changed(cone(), witness__lambda=[[0, 1, "1/2"], [1, 1, "1"]]), "has a multiplier but is not tight")
        self.rejects(changed(cone(), witness__lambda=[*HALVES, [2, 1, "1"]]), "has a multiplier but is not tight")

    def test_scores_are_due(self) -> None:
        self.rejects(without(cone(), "problem", "v"), "no v")


class Cone(Rules):
    def test_it_closes_also_after_steps_and_over_weights(self) -> None:
        for method in ("constant", "normalised"):
            stepped = changed(cone(method), statement__iterations=5)
            self.accepts(stepped)
            self.accepts(over_weights(stepped))
        self.accepts(over_weights(cone("flow")))

    def test_from_the_origin_it_closes_after_29_steps_and_not_before(self) -> None:
        late = changed(cone(), statement__start="0", statement__iterations=29, statement__rate="2")
        self.accepts(late)
        self.accepts(changed(late, witness__bits=64))
        self.rejects(changed(late, statement__iterations=28), "clause 10")
        self.rejects(changed(late, witness__rho="3/10"), "clause 10")
        self.rejects(changed(late, statement__rate="3/4"), "clause 11")
        self.rejects(changed(late, statement__step="1/11"), "clause 10")

    def test_clause_1(self) -> None:
        self.rejects(cone(data=problem([*ROWS[:2], [["1", "0", "1"]]])), "clause 1: row [2, 1] is tight but has no multiplier")
        self.rejects(cone(data=problem(v=("1", "1", "0"))), "clause 1: neighbour [1, 1] does not score less")

    def test_clause_2_rejects_dependent_rows(self) -> None:
        twice = problem([ROWS[0], [*ROWS[1], *ROWS[1]], ROWS[2]])
        thirds = [[0, 1, "1/2"], [1, 1, "1/4"], [1, 2, "1/4"]]
        self.rejects(changed(cone(data=twice), witness__lambda=thirds), "clause 2")

    def test_clause_3_rejects_the_other_side(self) -> None:
        self.rejects(changed(cone(), statement__start=["-20", "0", "0"]), "clause 3")

    def test_clause_6_rejects_what_is_near_the_origin(self) -> None:
        self.rejects(changed(cone(), statement__start=["1", "0", "0"]), "clause 6")

    def test_clause_7_rejects_a_loose_row_that_is_near(self) -> None:
        loose = cone(data=problem(v=("1", "0", "-3")))
        self.accepts(loose)
        self.rejects(changed(loose, statement__start=["20", "0", "-399/10"]), "clause 7")

    def test_clause_9(self) -> None:
        self.rejects(changed(cone(), witness__spectral="1"), "clause 9: spectral")
        self.rejects(changed(cone(), statement__step="2"), "clause 9: the step is too long")
        self.rejects(changed(cone("flow"), witness__spectral="2"), "witness: unknown key 'spectral'")
        self.accepts(changed(cone("constant"), statement__step="10"))

    def test_clause_10_wants_more_than_the_distance(self) -> None:
        self.accepts(changed(cone(), witness__rho="2500001/10000000"))
        self.rejects(changed(cone(), witness__rho="1/4"), "clause 10")
        self.rejects(changed(over_weights(cone()), witness__rho="1/4"), "clause 10")

    def test_clause_11_bounds_the_rate(self) -> None:
        self.accepts(changed(cone(), statement__rate="70711/100000"))
        for whole in (cone(), over_weights(cone())):
            self.rejects(changed(whole, statement__rate="707/1000"), "clause 11")
        self.accepts(changed(cone(), statement__start=["20", "1/4", "1"], statement__rate="213/100"))
        self.rejects(changed(cone(), statement__start=["20", "1/4", "1"], statement__rate="212/100"), "clause 11")
        self.rejects(changed(cone(), statement__rate="-2"), "statement.rate: not positive")


class Basin(Rules):
    def test_it_is_accepted_after_steps_and_over_weights(self) -> None:
        for whole in (basin(), basin("flow"), changed(basin(), statement__iterations=3)):
            self.accepts(whole)
            self.accepts(over_weights(whole))

    def test_normalised_steps_are_not_covered(self) -> None:
        self.rejects(basin("normalised"), "statement.method")

    def test_clause_1(self) -> None:
        self.rejects(basin(data=problem(v=("1", "1", "0"))), "clause 1: token [1, 1]")

    def test_clause_2_bounds_the_step(self) -> None:
        # L-bar = (1/3) (2 (1/64 + 1/4) 2 + 10 (1/32 + 1/4)) = 31/24
        self.accepts(changed(basin(), statement__step="47/31"))
        for whole in (basin(), over_weights(basin())):
            self.rejects(changed(whole, statement__step="48/31"), "clause 2")

    def test_clause_3_wants_one_sample_of_equal_scores(self) -> None:
        single = {"statement__start": None, "statement__selection": [0], "witness__lambda": [[0, 1, "1/2"], [0, 2, "1/2"]]}
        equal = changed(basin(data=problem([[*ROWS[0], *ROWS[1]]])), **single)
        self.accepts(equal)
        self.rejects(changed(equal, statement__iterations=1), "clause 3: no iterations")
        self.rejects(changed(basin(), statement__start=None), "clause 3: several samples")
        self.rejects(changed(equal, problem__v=["1", "1/2", "0"]), "clause 3: the other scores differ")

    def test_clause_4_wants_a_place_in_the_basin(self) -> None:
        self.rejects(changed(basin(), statement__start=["1/10", "0", "0"]), "clause 4")


class Wedge(Rules):
    def test_it_closes_for_each_method_and_over_weights(self) -> None:
        for method in ("constant", "normalised", "flow"):
            self.accepts(wedge(method))
            self.accepts(over_weights(wedge(method)))
        self.accepts(changed(wedge(), statement__iterations=4))

    def test_a_tight_row_may_go_without_a_multiplier(self) -> None:
        self.accepts(wedge(data=problem([*ROWS[:2], [["1", "0", "1"]]])))
        self.rejects(wedge(data=problem(v=("1", "1", "0"))), "neighbour [1, 1] does not score less")

    def test_clause_1(self) -> None:
        self.rejects(changed(wedge(), witness__delta="1"), "clause 1: the wedge is too wide")
        self.rejects(changed(wedge(), witness__loss__m0="1000000"), "clause 1: e_i < 1")
        self.rejects(changed(wedge(), statement__start=["-20", "0", "0"]), "h is not shown to be positive")

    def test_clause_2(self) -> None:
        both = problem([[*ROWS[0], *ROWS[2]], ROWS[1]], ("1", "-999999999999999/1000000000000000", "0"))
        self.rejects(changed(wedge(data=both), statement__selection=[0, 0]), "clause 2: a tight row")
        near = problem([*ROWS[:2], [["11/10", "0", "1"]]], ("1", "0", "-3"))
        self.rejects(wedge(data=near), "clause 2: k_c")

    def test_clause_3_bounds_what_pulls_away(self) -> None:
        self.rejects(wedge(data=problem([*ROWS[:2], [["187/100", "0", "1"]]], ("1", "0", "-3"))), "clause 3: xi_0")

    def test_clause_4_wants_steps_below_the_height(self) -> None:
        self.rejects(changed(wedge(), statement__step="20"), "clause 4")

    def test_clause_5_wants_the_wedge_closed(self) -> None:
        self.rejects(changed(wedge(), witness__delta="1/50"), "clause 5")
        self.rejects(changed(wedge(), statement__start=["20", "14", "0"]), "clause 5")
        self.rejects(changed(over_weights(wedge()), witness__delta="1/50"), "clause 5")


class FlowCertificates(Rules):
    """Whole certificates whose curves have pieces."""

    def cone(self) -> dict[str, Any]:
        return changed(cone("flow"), statement__start="0", statement__iterations=1024, statement__step="1/256", statement__rate="2")

    def test_a_cone_closes_after_a_piece_of_the_curve_and_not_before(self) -> None:
        self.accepts(self.cone())
        self.rejects(changed(self.cone(), statement__iterations=512), "clause 10")
        self.rejects(changed(self.cone(), statement__rate="1/2"), "clause 11")
        self.rejects(changed(self.cone(), statement__method="normalised"), "witness: key 'spectral' is missing")

    def test_wide_pieces_are_not_enough(self) -> None:
        self.rejects(changed(self.cone(), statement__iterations=16, statement__step="1/4"), "the run")

    def test_the_curve_reaches_basin_and_wedge(self) -> None:
        for whole, pieces, why in ((basin("flow"), 512, "clause 4"), (wedge("flow"), 2560, "h is not shown to be positive")):
            near = changed(whole, statement__start="0")
            self.rejects(near, why)
            self.accepts(changed(near, statement__iterations=pieces, statement__step="1/256"))
        self.rejects(changed(basin("flow"), statement__start=None, statement__iterations=1, statement__step="1/64"), "clause 3")

    def test_the_step_is_the_length_of_a_piece_alone(self) -> None:
        """Clause 2 of basins and clause 4 of wedges are about steps that are taken."""
        whole = changed(basin("flow"), witness__loss__m1="1000", statement__iterations=1, statement__step="1/64")
        self.accepts(whole)
        self.rejects(changed(whole, statement__method="constant"), "clause 2")
        place = {"statement__start": ["20", "0", "0"], "statement__iterations": 1, "statement__step": "1/8", "witness__delta": "77/1000"}
        self.accepts(changed(wedge("flow"), **place))
        self.rejects(changed(wedge("normalised"), **place), "clause 5")


class StationaryPoints(Rules):
    def absent(self, by: str, over: str = "p", **more: Any) -> dict[str, Any]:
        data = problem() if over == "p" else problem(queries=[["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]])
        return certificate("no-stationary-point", data, {"kind": "no-stationary-point", "over": over}, {"loss": LOSS, "by": by, **more})

    def test_no_stationary_point_by_a_direction(self) -> None:
        along = self.absent("direction", u=["1", "0", "0"])
        self.accepts(along)
        self.accepts(changed(along, witness__u=["1", "1", "0"]))
        self.rejects(changed(along, witness__u=["1", "2", "0"]), "witness.u: it orders the tokens of sample 1 otherwise")
        self.rejects(changed(along, witness__u=["0", "0", "0"]), "witness.u: no pair")
        self.rejects(changed(along, witness__loss__m1="1/2"), "witness.loss")
        for by in ("guess", None, []):
            self.rejects(changed(along, witness__by=by), "witness.by")
            self.rejects(changed(self.origin(), witness__by=by), "witness.by")
        matrix = self.absent("direction", "W", u=[["1", "1", "1"], ["0", "0", "0"], ["0", "0", "0"]])
        self.accepts(matrix)
        self.rejects(changed(matrix, witness__u=[["1", "-1", "1"], ["0", "0", "0"], ["0", "0", "0"]]), "of sample 1 otherwise")

    def test_no_stationary_point_by_a_query(self) -> None:
        query = self.absent("query", "W", q=["1", "1", "0"])
        self.accepts(query)
        self.rejects(changed(query, witness__q=["1", "-1", "0"]), "witness.q: negative")
        self.rejects(changed(query, witness__q=["0", "0", "0"]), "witness.q: positive for no sample")
        self.rejects(changed(query, problem__labels=[1, -1, 1]), "witness.q: negative")
        self.rejects(changed(query, statement__over="p"), "witness.by: 'query' is for W alone")

    def test_no_stationary_point_by_rank(self) -> None:
        rank = self.absent("rank", "W")
        self.accepts(rank)
        self.rejects(changed(rank, problem__queries=[["1", "0", "0"]] * 3), "dependent")
        self.rejects(changed(rank, problem__v=["0", "0", "0"]), "no sample has scores that differ")
        self.rejects(changed(rank, statement__over="p"), "witness.by: 'rank' is for W alone")

    def origin(self) -> dict[str, Any]:
        """Keys and scores are independent of each other."""
        corners = [["1", "1"], ["-1", "1"], ["1", "-1"], ["-1", "-1"]]
        data = {"tokens": [corners], "labels": [1], "v": ["0", "1"], "W": [["1", "0"], ["0", "0"]], "loss": "logistic"}
        return certificate("no-stationary-point", data, {"kind": "stationary-point", "over": "p", "centre": ["0", "0"]}, {"by": "origin"})

    def test_a_stationary_point_at_the_origin(self) -> None:
        self.accepts(self.origin())
        self.rejects(changed(self.origin(), statement__centre=["1", "0"]), "statement.centre: not 0")
        self.rejects(changed(self.origin(), problem__v=["1", "1"]), "do not cancel")
        self.rejects(changed(self.origin(), problem__loss={"expression": "-log(u)"}), "loss undefined")
        self.rejects(changed(self.origin(), statement__over="W", statement__centre=["0"] * 4), "do not cancel")

    def krawczyk(self) -> dict[str, Any]:
        """Keys -1, 0, 1 and scores 0, 1, 0: the mean score is largest at 0."""
        tokens, first_alone = [[["-1", "0"], ["0", "1"], ["1", "0"]]], [["1", "0"], ["0", "0"]]
        data = {"tokens": tokens, "labels": [1], "v": ["0", "1"], "W": first_alone, "loss": "logistic"}
        witness = {"by": "krawczyk", "basis": [["1", "0"]], "radius": ["1/50"], "inverse": [["1078/100"]]}
        return certificate("no-stationary-point", data, {"kind": "stationary-point", "over": "p", "centre": ["1/1000", "3"]}, witness)

    def test_a_stationary_point_in_a_box(self) -> None:
        self.accepts(self.krawczyk())
        self.rejects(changed(self.krawczyk(), witness__radius=["1/1001"]), "clause 4")
        self.rejects(changed(self.krawczyk(), statement__centre=["1/10", "0"]), "clause 4")
        self.rejects(changed(self.krawczyk(), witness__inverse=[["-1078/100"]]), "clause 4")
        self.rejects(changed(self.krawczyk(), witness__radius=["0"]), "witness.radius: not positive")

    def test_the_basis_spans_the_differences(self) -> None:
        self.rejects(changed(self.krawczyk(), witness__basis=[["0", "1"]]), "clause 1: the basis does not span")
        two = {"witness__radius": ["1/50"] * 2, "witness__inverse": [["1078/100", "0"], ["0", "1"]]}
        self.rejects(changed(self.krawczyk(), witness__basis=[["1", "0"], ["2", "0"]], **two), "clause 1: the columns")
        self.rejects(changed(self.krawczyk(), witness__basis=[["1", "0"], ["0", "1"]], **two), "clause 1: the basis does not span")
        none = changed(self.krawczyk(), witness__basis=[], witness__radius=[], witness__inverse=[])
        self.rejects(none, "clause 1: the basis does not span")


class FirstStep(Rules):
    def first(self, over: str = "p", **more: Any) -> dict[str, Any]:
        start = ["0", "0", "0"] if over == "p" else [["0", "0", "0"]] * 3
        data = problem() if over == "p" else problem(queries=[["1", "0", "0"]] * 3)
        return certificate("first-step", data, {"kind": "first-step", "over": over, "selection": [0, 0, 0], "start": start, **more}, {})

    def test_the_first_step_raises_every_row(self) -> None:
        for over in ("p", "W"):
            self.accepts(self.first(over))
            self.rejects(changed(self.first(over), statement__selection=[1, 0, 0]), "the first step is not shown to raise row [0, 0]")
        self.rejects(changed(self.first(), problem__v=["0", "0", "0"]), "not shown to raise")
        self.rejects(without(self.first(), "problem", "v"), "no v")

    def test_a_row_is_not_raised(self) -> None:
        for over in ("p", "W"):
            for by in ("enclosure", "origin"):
                lowered = changed(self.first(over, kind="not-first-step", row=[0, 0]), witness={"by": by}, statement__selection=[1, 0, 0])
                self.accepts(lowered)
                up = changed(lowered, statement__row=[1, 1])
                self.rejects(up, "not shown to lower row [1, 1]" if by == "enclosure" else "raise the row")

    def test_a_level_row_is_for_the_origin_alone(self) -> None:
        level = changed(self.first(kind="not-first-step", row=[0, 1]), problem__v=["0", "0", "0"], witness={"by": "origin"})
        self.accepts(level)
        self.rejects(changed(level, witness__by="enclosure"), "not shown to lower")
        self.rejects(changed(level, statement__start=["1", "0", "0"]), "statement.start: not 0")
        self.rejects(changed(level, problem__loss={"expression": "u"}), "not shown to be negative")
        self.rejects(changed(level, statement__row=[0, 0]), "is not a row")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
