#include "claim_list.hpp"
#include "nuclear_svm.hpp"
#include "weight_program.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

Finding report_solution(const ClaimContext& context, const SvmProgram& program, const SvmSolution& solution) {
  Finding finding;
  finding.selection = program.selection();
  finding.grade = Grade::proved;
  const std::size_t rank = weight_rank(program, solution);
  const double objective = nearest_double(solution.objective);
  finding.numbers["objective"] = objective;
  finding.numbers["objective_exact"] = to_string(solution.objective);
  finding.numbers["lower"] = objective;
  finding.numbers["upper"] = objective;
  finding.numbers["margin"] = objective > 0 ? Json(1 / std::sqrt(2 * objective)) : Json();
  finding.numbers["rank"] = rank;
  finding.numbers["solution"] = matrix_rows(weight_matrix(program, solution), program.dimension());
  finding.numbers["support"] = encode_rows(program, solution.support);
  finding.certificate = certify(certified::SvmOptimal{program.kind(), program.selection(), solution.objective,
                                                      certified_rows(program, solution.support), certified_solution(program, solution), {}});
  const DemandedSolution demanded = compare_with_demands(context.request, program, solution);
  finding.verdict = demanded.met ? Verdict::holds : Verdict::fails;
  finding.message = fmt::format("objective {}{}, rank {}, {} tight row{}", short_text(solution.objective),
                                demanded.text, rank,
                                solution.support.size(), solution.support.size() == 1 ? "" : "s");
  return finding;
}

Finding check(const ClaimContext& context) {
  const ExactTokens tokens(context.problem);
  const SvmProgram program = SvmProgram::w_svm(tokens, selection_or_best(context));
  const auto* norm = context.request.find<std::string>("norm");
  if (norm && *norm == "nuclear") return check_nuclear(context, program);
  const SvmOutcome outcome = solve_svm(program, context.budget);
  if (const auto* infeasible = std::get_if<SvmInfeasible>(&outcome)) return infeasible_weights(program, *infeasible);
  if (const auto* solution = std::get_if<SvmSolution>(&outcome)) return report_solution(context, program, *solution);
  Finding finding;
  finding.selection = program.selection();
  finding.message = std::get<SvmUndecided>(outcome).reason;
  return finding;
}

}  // namespace

Claim w_svm_claim() {
  return {{"w-svm",
           {{"selection", ParameterKind::selection, false, "one token a sample (default: the largest scores)", {}},
            {"norm", ParameterKind::choice, false, "which norm is least (default: frobenius)", {"frobenius", "nuclear"}},
            {"objective", ParameterKind::rational, false, "demand this 1/2 |W|^2 exactly (nuclear: this |W|_* within 1e-6)", {}},
            {"support", ParameterKind::rows, false, "demand exactly these tight rows (frobenius only)", {}},
            {"bracket", ParameterKind::interval, false, "nuclear: demand that the least |W|_* is proved to lie here", {}}},
           {{"v", "selection"}}},
          "the W-SVM has a solution (of the given objective)",
          "[TS] W-SVM(alpha): minimise 1/2 |W|^2 (Frobenius) subject to (x_i,alpha_i - x_it).W z_i >= 1 for all i\n"
          "and t != alpha_i, z_i the query of sample i (without queries its first token): the direction in which\n"
          "descent on W converges. The case's own W plays no part. Decided as p-svm is, through products of rows: no matrix of d^2 columns.\n"
          "Holds, proved: feasible, and of exactly the objective and the support given, if they are (certificate\n"
          "svm-optimal). Fails, proved: infeasible (certificate svm-infeasible, Farkas), or of another objective or support.\n"
          "Numbers: objective = 1/2 |W|^2 = lower = upper, objective_exact, margin = 1/|W|, rank (exact), solution (W\n"
          "by rows), support: the tight rows [i, t]; farkas_rows when infeasible.\n"
          "norm nuclear: minimise |W|_* (the sum of the singular values), the limit for W = K Q^T. Holds, proved: the least\n"
          "value lies between lower and upper, both exact, and they differ by at most 1e-6 of upper (certificate\n"
          "nuclear-bracket), and lie in the bracket given, if one is; an objective that is given must lie there within 1e-6 of upper, observed.\n"
          "Undecided: the bracket is wider, or reaches out of the one given. Fails, proved: infeasible, of another objective, or outside the bracket given. Numbers: objective = upper, lower, gap,\n"
          "gap_tolerance, singular_values (of the solution found), rank (how many exceed 1e-5 of the first),\n"
          "spectrum_ratio (of the last of these to the next; null without one), solution, support: the rows with a\n"
          "multiplier above 1e-6 of the largest. Rank, singular_values and support are observed.",
          check};
}

}  // namespace attest
