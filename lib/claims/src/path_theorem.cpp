#include "path_theorem.hpp"

#include "attest/exact/global_optimality.hpp"
#include "claim_list.hpp"
#include "limit_direction.hpp"
#include "svm_decision.hpp"

namespace attest {

PathTheorem assume_path_theorem(const ClaimContext& context, Parametrisation parametrisation) {
  PathTheorem path;
  path.parametrisation = parametrisation;
  path.selection = selection_or_best(context);
  // Without a selection the theorem is RP-global, and a tie for the best one is an obstacle. A selection that is given
  // and not the unique best one is about RP-local.
  const bool given = context.request.find<Selection>("selection") != nullptr;
  path.local = given && !decide_global_optimality(exact_scores(context.problem), path.selection).unique;
  path.theorem.assume("Assumption A", decide(context, assumption_a_claim(), {}));
  if (!path.local)
    path.theorem.assume("unique globally optimal selection", decide(context, globally_optimal_claim(), {{"selection", path.selection}, {"unique", true}}));
  const Finding direction = decide_direction(context, path.selection, parametrisation);
  path.theorem.assume(feasible_name(parametrisation), direction);
  if (path.local) path.theorem.assume("locally optimal selection", decide_locally_optimal(context, path.selection, parametrisation));
  if (path.theorem.applies()) {
    path.p_mm = solution_of(direction);
    path.degenerate = direction.certificate->witness.at("lambda").size() < direction.numbers.at("support").size();
  }
  return path;
}

}  // namespace attest
