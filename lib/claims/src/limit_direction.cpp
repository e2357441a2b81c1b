#include "limit_direction.hpp"

#include "attest/exact/local_optimality.hpp"
#include "claim_list.hpp"
#include "svm_decision.hpp"
#include "weight_program.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

/// As `locally-optimal` decides it for p.
Finding decide_for_weights(const ClaimContext& context, const Selection& selection) {
  const ExactTokens tokens(context.problem);
  const SvmProgram program = SvmProgram::w_svm(tokens, selection);
  const SvmOutcome outcome = solve_svm(program, context.budget);
  if (const auto* solution = std::get_if<SvmSolution>(&outcome)) {
    const std::optional<RowName> neighbour = outscoring_neighbour(program, *solution, exact_scores(context.problem));
    if (!neighbour)
      return decided_exactly(true, fmt::format("scores more than its neighbours {}", row_list(program, solution->support)),
                             certified::LocallyOptimal{program.kind(), selection, certified_rows(program, solution->support),
                                                       certified_solution(program, *solution)});
    return decided_exactly(false, fmt::format("neighbour [{},{}] scores at least as much as the selected token", neighbour->sample, neighbour->token),
                           certified::Outscored{program.kind(), selection, certified_solution(program, *solution), *neighbour});
  }
  if (const auto* infeasible = std::get_if<SvmInfeasible>(&outcome))
    return decided_exactly(false, "its W-SVM is infeasible",
                           certified::Infeasible{program.kind(), selection, certified_multipliers(program, infeasible->multipliers)});
  Finding open;
  open.message = std::get<SvmUndecided>(outcome).reason;
  return open;
}

}  // namespace

std::string feasible_name(Parametrisation parametrisation) {
  return parametrisation == Parametrisation::weights ? "feasible W-SVM" : "feasible p-SVM";
}

Finding with_direction(Finding svm) {
  if (svm.verdict == Verdict::holds && svm.numbers.at("objective_exact") == "0") {
    svm.verdict = Verdict::fails;
    svm.message = "its solution is 0, so there is no direction: no sample that counts has two tokens";  // svm-optimal, objective 0
  }
  return svm;
}

Finding decide_direction(const ClaimContext& context, const Selection& selection, Parametrisation parametrisation) {
  return with_direction(decide(context, parametrisation == Parametrisation::weights ? w_svm_claim() : p_svm_claim(), {{"selection", selection}}));
}

Eigen::VectorXd solution_of(const Finding& svm) {
  return entries_of(svm.numbers.at("solution"));
}

Finding decide_locally_optimal(const ClaimContext& context, const Selection& selection, Parametrisation parametrisation) {
  if (parametrisation == Parametrisation::weights) return decide_for_weights(context, selection);
  return decide(context, locally_optimal_claim(), {{"selection", selection}});
}

}  // namespace attest
