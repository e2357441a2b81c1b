#include "attest/exact/global_optimality.hpp"

#include "claim_list.hpp"
#include "descent_theorem.hpp"
#include "limit_direction.hpp"
#include "svm_decision.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

Finding check(const ClaimContext& context) { return check_gd_global(context, Parametrisation::prompt); }

}  // namespace

Finding check_gd_global(const ClaimContext& context, Parametrisation parametrisation) {
  const Scores scores = exact_scores(context.problem);
  const Selection selection = best_selection(scores);
  DescentTheorem descent(context, parametrisation);
  descent.assume_loss();
  descent.theorem.assume("unique globally optimal selection", decide(context, globally_optimal_claim(), {{"unique", true}}));
  const Finding direction = decide_direction(context, selection, parametrisation);
  descent.theorem.assume(feasible_name(parametrisation), direction);
  // Of several inputs one may lag behind and never catch up, and with unequal scores a worse token may attract: then the start decides.
  const bool any_start = context.problem.sample_count() == 1 && have_equal_scores(scores, selection);
  if (any_start)
    descent.theorem.assume("equal non-optimal scores", decided_exactly(true, "all tokens of the sample that are not selected score the same",
                                                                       certified::EqualScores{selection}));
  descent.assume_step();
  if (!descent.theorem.applies()) return descent.theorem.obstacle(selection);
  const std::vector<Eigen::VectorXd> starts = starting_points(context, {Eigen::VectorXd::Zero(solution_of(direction).size())});
  return descent.observe(selection, as_starts(starts), starts, any_start ? DescentTheorem::Reach::any_start : DescentTheorem::Reach::basin);
}

Claim gd_global_claim() {
  return {{"gd-global",
           descent_parameters("where the runs start (default: one run, from 0)", "how to descend (default: normalised, and constant for the loss)",
                              "of each run (default 100000)"),
           {{"v", ""}}},
          "descent from the optimal basin converges to its direction",
          "[MM; basin: ours] If Assumption A holds, alpha is the unique globally optimal selection and p-SVM(alpha) is feasible,\n"
          "then constant steps of at most 1/L_p, and flow, have |p| -> infinity and p/|p| -> p^mm/|p^mm|\n"
          "- with one sample in which all non-optimal scores are equal: from any start;\n"
          "- else: from the basin L(p) < L* + chi/n, where chi is the least l(second-best score) - l(best score) of a sample with\n"
          "  two tokens. That each run (from `starts`, or 0) is in it at its start or at a later iterate is the hypothesis \"start in\n"
          "  the basin\". With several samples convergence from any start is false, even where no other selection is\n"
          "  locally optimal (docs/theory.md).\n"
          "The hypotheses are decided exactly, but for the basin: it is decided in ball arithmetic at rounded iterates, so observed.\n"
          "The conclusion is observed: normalised descent heads for p^mm with an error that falls like 1/norm (slope -1 within\n"
          "0.1), and with constant steps of 1/L_p, over 10000 of them, the loss never increases. The theorem speaks of constant steps and flow\n"
          "from the iterate in the basin on; that normalised steps converge too is seen, not said by it. With\n"
          "\"method\": \"constant\" the direction error must fall, not be small (the norm grows like log k), and is compared with that\n"
          "of the regularisation path at the same norm.\n"
          "Inapplicable: a hypothesis fails; it is named, with its evidence and, where it has one, its certificate.\n"
          "Fails: from any start, and a run settles at another locally optimal selection; or a step within 1/L_p increases the loss.\n"
          "Undecided: a run is not in the basin so far (the message says where it goes), no limit yet, or another rate.\n"
          "Numbers: norm, direction_error, iterations, rate (of the worst run), monotone, runs (each with basin_iterate, its first\n"
          "iterate in the basin or null), from_iterate (the last of these, null while a run has none), shares, method, step.",
          check};
}

}  // namespace attest
