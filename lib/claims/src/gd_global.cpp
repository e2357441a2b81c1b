#include "attest/exact/global_optimality.hpp"

#include "attest/exact/weight_optima.hpp"
#include "claim_list.hpp"
#include "descent_theorem.hpp"
#include "limit_direction.hpp"
#include "svm_decision.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

Finding decide_equal_scores(const Scores& scores, const Selection& selection) {
  const std::optional<UnequalScores> unequal = find_unequal_scores(scores, selection);
  if (!unequal) return decided_exactly(true, "within each sample all tokens that are not selected score the same");
  const auto& sample = scores[unequal->sample];
  return decided_exactly(false, fmt::format("tokens {} and {} of sample {} score {} and {}", unequal->token, unequal->other, unequal->sample,
                                            short_text(sample[unequal->token]), short_text(sample[unequal->other])));
}

/// By GD-local descent near another locally optimal direction converges there, so GD-global needs that there is none. With one
/// input equal scores see to that. [docs/theory.md, GD-global]
Finding decide_only_optimum(const ClaimContext& context, const Selection& selection, Parametrisation parametrisation) {
  if (parametrisation == Parametrisation::prompt) return decide(context, census_claim(), {{"selections", std::vector<Selection>{selection}}});
  const OtherOptimum other = find_other_weight_optimum(ExactTokens(context.problem), selection, opinion_within(context.budget), context.budget);
  if (other.selection) return decided_exactly(false, fmt::format("selection {} is locally optimal too", to_string(*other.selection)));
  if (other.decided) return decided_exactly(true, "no other selection is locally optimal");
  Finding open;
  open.message = other.reason;
  return open;
}

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
  descent.theorem.assume("equal non-optimal scores", decide_equal_scores(scores, selection));
  if (context.problem.sample_count() > 1 && descent.theorem.applies())  // a census is dear
    descent.theorem.assume("no other locally optimal selection", decide_only_optimum(context, selection, parametrisation));
  descent.assume_step();
  if (!descent.theorem.applies()) return descent.theorem.obstacle(selection);
  const std::vector<Eigen::VectorXd> starts = starting_points(context, {Eigen::VectorXd::Zero(solution_of(direction).size())});
  // With several inputs the theorem's argument shows that there is no stationary point, not which way descent goes.
  return descent.observe(selection, starts, starts, context.problem.sample_count() == 1);
}

Claim gd_global_claim() {
  return {{"gd-global",
           descent_parameters("where the runs start (default: one run, from 0)", "how to descend (default: normalised, and constant for the loss)",
                              "of each run (default 100000)"),
           {{"v", ""}}},
          "descent from any start converges to the optimal direction",
          "[MM] If Assumption A holds, alpha is the unique globally optimal selection, p-SVM(alpha) is feasible and in\n"
          "each sample all non-optimal scores are equal, then descent with a constant step of at most 1/L_p from any\n"
          "start has |p| -> infinity and p/|p| -> p^mm/|p^mm|. With several inputs this needs that no other selection is\n"
          "locally optimal (ours: by GD-local descent would end there). The hypotheses are decided exactly. The conclusion is\n"
          "observed: normalised descent heads for p^mm with an error that falls like 1/norm (slope -1 within 0.1),\n"
          "and with constant steps of 1/L_p, over 10000 of them, the loss never increases. With \"method\": \"constant\" the\n"
          "direction error must fall, not be small (the norm grows like log k), and is compared with that of the\n"
          "regularisation path at the same norm.\n"
          "Inapplicable: a hypothesis fails; it is named, with its evidence and, where it has one, its certificate.\n"
          "Fails: with one input a run ends elsewhere, or a step within 1/L_p increases the loss. Undecided: no limit yet, or another rate.\n"
          "Numbers: norm, direction_error, iterations, rate (of the worst run), monotone, runs, shares, method, step.",
          check};
}

}  // namespace attest
