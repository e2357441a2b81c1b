#include "path_theorem.hpp"

#include "attest/exact/global_optimality.hpp"
#include "claim_list.hpp"
#include "descent_theorem.hpp"
#include "svm_decision.hpp"

namespace attest {

PathTheorem assume_path_theorem(const ClaimContext& context) {
  PathTheorem path;
  path.selection = selection_or_best(context);
  // Without a selection the theorem is RP-global, and a tie for the best one is an obstacle. A selection that is given
  // and not the unique best one is about RP-local.
  const bool given = context.request.find<Selection>("selection") != nullptr;
  path.local = given && !decide_global_optimality(exact_scores(context.problem), path.selection).unique;
  path.theorem.assume("Assumption A", decide(context, assumption_a_claim(), {}));
  if (!path.local)
    path.theorem.assume("unique globally optimal selection", decide(context, globally_optimal_claim(), {{"selection", path.selection}, {"unique", true}}));
  const Finding direction = decide_direction(context, path.selection);
  path.theorem.assume("feasible p-SVM", direction);
  if (path.local) path.theorem.assume("locally optimal selection", decide(context, locally_optimal_claim(), {{"selection", path.selection}}));
  if (path.theorem.applies()) {
    path.p_mm = solution_of(direction);
    path.degenerate = direction.certificate->witness.at("lambda").size() < direction.numbers.at("support").size();
  }
  return path;
}

}  // namespace attest
