#include "path_theorem.hpp"

#include "attest/exact/global_optimality.hpp"
#include "claim_list.hpp"
#include "limit_direction.hpp"
#include "svm_decision.hpp"

namespace attest {

PathSelection assume_path_selection(const ClaimContext& context) {
  PathSelection path;
  path.selection = selection_or_best(context);
  const bool given = context.request.find<Selection>("selection") != nullptr;
  path.local = given && !decide_global_optimality(exact_scores(context.problem), path.selection).unique;
  path.theorem.assume("Assumption A", decide(context, assumption_a_claim(), {}));
  if (!path.local)
    path.theorem.assume("unique globally optimal selection", decide(context, globally_optimal_claim(), {{"selection", path.selection}, {"unique", true}}));
  return path;
}

PathTheorem assume_path_theorem(const ClaimContext& context, Parametrisation parametrisation) {
  PathTheorem path{assume_path_selection(context)};
  path.parametrisation = parametrisation;
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
