#include "attest/claims/hypothesis.hpp"

#include <utility>

namespace attest {

std::string_view name_of(HypothesisId id) {
  switch (id) {
    case HypothesisId::assumption_a: return "Assumption A";
    case HypothesisId::logistic_loss: return "logistic loss";
    case HypothesisId::unique_optimum: return "unique globally optimal selection";
    case HypothesisId::feasible_p_svm: return "feasible p-SVM";
    case HypothesisId::feasible_w_svm: return "feasible W-SVM";
    case HypothesisId::feasible_v_svm: return "feasible v-SVM";
    case HypothesisId::feasible_joint_svm: return "feasible joint p-SVM";
    case HypothesisId::locally_optimal: return "locally optimal selection";
    case HypothesisId::equal_scores: return "equal non-optimal scores";
    case HypothesisId::start_in_basin: return "start in the basin";
    case HypothesisId::safe_step: return "step at most 1/L_p";
    case HypothesisId::better_neighbour: return "a better neighbour with weight";
    case HypothesisId::independent_rows: return "independent tight rows";
    case HypothesisId::assumption_b: return "Assumption B";
    case HypothesisId::slack_tokens: return "no free choice outside the support";
    case HypothesisId::growth: return "r large against R";
    case HypothesisId::head_bounds: return "head that falls away from the selected tokens";
  }
  return {};
}

Decided decided_exactly(bool holds, std::string message, Certificate evidence) {
  return {holds ? Verdict::holds : Verdict::fails, Grade::proved, std::move(message), std::move(evidence)};
}

std::string_view remedy_of(HypothesisId id, Obstacle obstacle) {
  if (id == HypothesisId::feasible_joint_svm) return "";  // the p-SVM says it
  if (obstacle == Obstacle::zero_solution) return "give samples of two tokens or more";
  if (obstacle == Obstacle::infeasible_svm || obstacle == Obstacle::no_label_margin) return "";
  switch (id) {
    case HypothesisId::assumption_a: return "take a loss whose slope is negative on the interval of the scores, such as the logistic one";
    case HypothesisId::logistic_loss: return "Theorem II is about the logistic loss: take it, or write it as log(1+exp(-u))";
    case HypothesisId::unique_optimum: return "change v or one of the tied tokens, so that one token of each sample scores most";
    case HypothesisId::feasible_p_svm:
      return "no p prefers the selected tokens to these: change or drop one of them, or give the tokens more dimensions";
    case HypothesisId::feasible_w_svm:
      return "no W prefers the selected tokens to these: change or drop one of them, or give tokens and queries more dimensions";
    case HypothesisId::feasible_v_svm:
      return "no head v gives every selected token the sign of its label: change labels or tokens, or add dimensions";
    case HypothesisId::locally_optimal:
      return "change v so that the selected token outscores its neighbours, or ask about a selection that the census lists";
    case HypothesisId::safe_step: return "take a smaller step";
    case HypothesisId::assumption_b:
      return "attention to any other token must make the label margin smaller: change the tokens that do not, "
             "or ask about the support vectors alone (over: support)";
    case HypothesisId::slack_tokens: return "in samples that are no support vectors every other token must have a smaller label margin";
    case HypothesisId::growth: return "let r grow faster against R (regime)";
    case HypothesisId::head_bounds:
      return "mixtures of tokens may do as well as the selected ones: change tokens or head, or see nonlinear-head";
    case HypothesisId::start_in_basin: return "where descent ends depends on its start; start nearer to p^mm, or see gd-local";
    case HypothesisId::equal_scores: return "the theorem says nothing of these data unless this holds";
    case HypothesisId::feasible_joint_svm:
    case HypothesisId::better_neighbour:
    case HypothesisId::independent_rows: return "";
  }
  return {};
}

}  // namespace attest
