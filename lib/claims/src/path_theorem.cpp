#include "path_theorem.hpp"

#include "attest/exact/global_optimality.hpp"
#include "hypotheses.hpp"

namespace attest {

PathSelection assume_path_selection(const ClaimContext& context) {
  PathSelection path;
  path.selection = context.selection_or_best();
  const bool given = context.request.find<Selection>("selection") != nullptr;
  path.local = given && !decide_global_optimality(context.study.scores(), path.selection).unique;
  path.theorem.assume(HypothesisId::assumption_a, decide_assumption_a(context));
  if (!path.local) path.theorem.assume(HypothesisId::unique_optimum, decide_unique_optimum(context, path.selection));
  return path;
}

PathTheorem assume_path_theorem(const ClaimContext& context, Parametrisation parametrisation) {
  PathTheorem path{assume_path_selection(context)};
  path.parametrisation = parametrisation;
  const DecidedSvm direction = decide_direction(context, parametrisation, path.selection);
  path.theorem.assume(feasible_svm(parametrisation), direction);
  if (path.local) path.theorem.assume(HypothesisId::locally_optimal, decide_local_optimality(context, parametrisation, path.selection));
  if (path.theorem.applies()) {
    path.p_mm = direction.solution();
    path.degenerate = direction.degenerate();
  }
  return path;
}

}  // namespace attest
