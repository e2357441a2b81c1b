#include "attest/exact/local_optimality.hpp"

#include "claim_list.hpp"
#include "svm_decision.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

void reject(Finding& finding, const certified::Kind& evidence) {
  finding.verdict = Verdict::fails;
  finding.certificate = certify(evidence);
}

void conclude(Finding& finding, const ClaimRequest& request, const SvmProgram& program, const SvmSolution& solution, const Scores& scores) {
  finding.numbers["neighbours"] = encode_rows(program, solution.support);
  const auto neighbour = outscoring_neighbour(program, solution, scores);
  if (neighbour) {
    const auto [i, t] = *neighbour;
    const bool tie = scores[i][t] == scores[i][program.selection()[i]];
    finding.numbers["outscored_by"] = {i, t};
    finding.message = fmt::format("neighbour [{},{}] scores {} the selected token", i, t, tie ? "as much as" : "more than");
    reject(finding, certified::Outscored{program.kind(), program.selection(), certified_solution(program, solution), *neighbour});
    return;
  }
  const bool demanded = are_demanded(request, "neighbours", program, solution.support);
  finding.verdict = demanded ? Verdict::holds : Verdict::fails;
  finding.message = solution.support.empty() ? "the p-SVM has no rows, so there is no neighbour"
                                             : fmt::format("scores more than its neighbours {}", row_list(program, solution.support));
  if (!demanded) finding.message += ", which are not those of the claim";
  finding.certificate = certify(certified::LocallyOptimal{program.kind(), program.selection(), certified_rows(program, solution.support),
                                                          certified_solution(program, solution)});
}

Finding check(const ClaimContext& context) {
  const ExactTokens tokens(context.problem);
  const Scores scores = exact_scores(context.problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, selection_or_best(context));
  const SvmOutcome outcome = solve_svm(program, context.budget);
  Finding finding;
  finding.selection = program.selection();
  if (const auto* undecided = std::get_if<SvmUndecided>(&outcome)) {
    finding.message = undecided->reason;
    return finding;
  }
  finding.grade = Grade::proved;
  if (const auto* infeasible = std::get_if<SvmInfeasible>(&outcome)) {
    finding.message = "its p-SVM is infeasible";
    reject(finding, certified::Infeasible{program.kind(), program.selection(), certified_multipliers(program, infeasible->multipliers)});
    return finding;
  }
  conclude(finding, context.request, program, std::get<SvmSolution>(outcome), scores);
  return finding;
}

}  // namespace

Claim locally_optimal_claim() {
  return {{"locally-optimal",
           {{"selection", ParameterKind::selection, false, "one token a sample (default: the largest scores)", {}},
            {"neighbours", ParameterKind::rows, false, "demand exactly these neighbours", {}}},
           {{"v", ""}}},
          "the selected tokens score more than their neighbours",
          "[MM, Def. 2] Let p solve p-SVM(alpha). The neighbours of alpha_i are the tokens t with\n"
          "(k_i,alpha_i - k_it).p = 1. alpha is locally optimal when gamma_i,alpha_i > gamma_it for every neighbour:\n"
          "gradient descent that starts near its direction converges to it. With the exact solution the\n"
          "neighbours are known, not estimated.\n"
          "Holds, proved (certificate locally-optimal). Fails, proved: a neighbour scores at least as much, or the\n"
          "p-SVM is infeasible (certificate not-locally-optimal); or the neighbours are not those given, if they are.\n"
          "Numbers: neighbours [[i, t], ...]; outscored_by when a neighbour does.",
          check};
}

}  // namespace attest
