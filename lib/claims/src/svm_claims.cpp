#include "claim_list.hpp"
#include "svm_decision.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

void report_solution(Finding& finding, const SvmProgram& program, const SvmSolution& solution) {
  const double norm = std::sqrt(2 * nearest_double(solution.objective));
  Json doubles = Json::array();
  for (const Rational& entry : solution.w) doubles.push_back(nearest_double(entry));
  finding.numbers["objective"] = nearest_double(solution.objective);
  finding.numbers["objective_exact"] = to_string(solution.objective);
  finding.numbers["margin"] = norm > 0 ? Json(1 / norm) : Json();
  finding.numbers["solution"] = std::move(doubles);
  finding.numbers["support"] = encode_rows(program, solution.support);
}

/// What all three programs share once solved. `v_proof` stands in the witness of the joint program.
Finding conclude(const ClaimContext& context, const SvmProgram& program, const SvmOutcome& outcome,
                 const std::optional<certified::Solution>& v_proof = {}) {
  Finding finding;
  finding.selection = program.selection();
  if (const auto* undecided = std::get_if<SvmUndecided>(&outcome)) {
    finding.message = undecided->reason;
    return finding;
  }
  finding.grade = Grade::proved;
  if (const auto* infeasible = std::get_if<SvmInfeasible>(&outcome)) {
    std::vector<std::size_t> rows;
    for (const Multiplier& multiplier : infeasible->multipliers) rows.push_back(multiplier.row);
    finding.verdict = Verdict::fails;
    finding.numbers["farkas_rows"] = encode_rows(program, rows);
    finding.message = fmt::format("infeasible: rows {} contradict each other", row_list(program, rows));
    finding.certificate =
        certify(certified::SvmInfeasible{program.kind(), program.selection(), certified_multipliers(program, infeasible->multipliers), v_proof});
    return finding;
  }
  const auto& solution = std::get<SvmSolution>(outcome);
  report_solution(finding, program, solution);
  finding.certificate = certify(certified::SvmOptimal{program.kind(), program.selection(), solution.objective,
                                                      certified_rows(program, solution.support), certified_solution(program, solution), v_proof});
  const DemandedSolution demanded = compare_with_demands(context.request, program, solution);
  finding.verdict = demanded.met ? Verdict::holds : Verdict::fails;
  finding.message = fmt::format("objective {}{}, {} tight row{}", short_text(solution.objective),
                                demanded.text,
                                solution.support.size(), solution.support.size() == 1 ? "" : "s");
  return finding;
}

Finding check_p(const ClaimContext& context) {
  const ExactTokens tokens(context.problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, selection_or_best(context));
  return conclude(context, program, solve_svm(program, context.budget));
}

Finding check_v(const ClaimContext& context) {
  const ExactTokens tokens(context.problem);
  const SvmProgram program = SvmProgram::v_svm(tokens, selection_or_best(context));
  return conclude(context, program, solve_svm(program, context.budget));
}

Finding check_joint(const ClaimContext& context) {
  const ExactTokens tokens(context.problem);
  const Selection selection = selection_or_best(context);
  const SvmProgram v_program = SvmProgram::v_svm(tokens, selection);
  const SvmOutcome v_outcome = solve_svm(v_program, context.budget);
  const auto* v_solution = std::get_if<SvmSolution>(&v_outcome);
  if (!v_solution) {
    Finding finding = conclude(context, v_program, v_outcome);
    if (finding.verdict == Verdict::fails) {
      finding.verdict = Verdict::inapplicable;
      finding.message = "the v-SVM is infeasible, so it has no support vectors; " + finding.message;
    }
    return finding;
  }
  std::vector<bool> in_support(context.problem.sample_count(), false);
  Json samples = Json::array();
  for (const std::size_t row : v_solution->support) {
    in_support[v_program.name(row).sample] = true;
    samples.push_back(v_program.name(row).sample);
  }
  const SvmProgram program = SvmProgram::joint_svm(tokens, selection, in_support);
  Finding finding = conclude(context, program, solve_svm(program, context.budget), certified_solution(v_program, *v_solution));
  finding.numbers["support_samples"] = std::move(samples);
  return finding;
}

std::vector<ParameterSpec> svm_parameters(ParameterKind rows = ParameterKind::rows) {
  return {{"selection", ParameterKind::selection, false, "one token a sample (default: the largest scores)", {}},
          {"objective", ParameterKind::rational, false, "demand exactly this 1/2 |w|^2", {}},
          {"support", rows, false, "demand exactly these tight rows", {}}};
}

}  // namespace

Claim p_svm_claim() {
  return {{"p-svm", svm_parameters(), {{"v", "selection"}}},
          "the p-SVM has a solution (of the given objective)",
          "[MM, Sec. 2] p-SVM(alpha): minimise 1/2 |p|^2 subject to (k_i,alpha_i - k_it).p >= 1 for all i and\n"
          "t != alpha_i. Its solution is the direction in which the theorems say that descent and the\n"
          "regularisation path converge. A floating-point solve guesses the tight rows; the solution is then\n"
          "computed and its KKT conditions are checked in rational arithmetic, for every row.\n"
          "Holds, proved: feasible, and of exactly the objective and the support given, if they are (certificate\n"
          "svm-optimal). Fails, proved: infeasible (certificate svm-infeasible, Farkas), or of another objective or support.\n"
          "Numbers: objective = 1/2 |p|^2, objective_exact, margin = 1/|p|, solution, support: the tight rows\n"
          "[i, t], ties and degenerate ones included; farkas_rows when infeasible.",
          check_p};
}

Claim v_svm_claim() {
  return {{"v-svm", svm_parameters(ParameterKind::samples), {{"v", "selection"}}},
          "the v-SVM has a solution (of the given objective)",
          "[MM, Sec. 3] v-SVM(alpha): minimise 1/2 |v|^2 subject to Y_i v.x_i,alpha_i >= 1 for all i. Its margin\n"
          "is the label margin Gamma = 1/|v| of the selected tokens. Decided as p-svm is.\n"
          "Numbers: objective, objective_exact, margin, solution, support: the support vectors [i]. Grade: proved;\n"
          "certificates svm-optimal and svm-infeasible.",
          check_v};
}

Claim joint_svm_claim() {
  return {{"joint-svm", svm_parameters(), {{"v", "selection"}}},
          "the joint p-SVM has a solution (of the given objective)",
          "[MM, Sec. 3] The p-SVM in which the rows of sample i have bound 1 if i is a support vector of\n"
          "v-SVM(alpha), Y_i v(alpha).x_i,alpha_i = 1, and bound 0 otherwise: the limit of p when v and p are\n"
          "trained together. Decided as p-svm is; the certificate holds the v-SVM's proof too.\n"
          "Inapplicable when the v-SVM is infeasible.\n"
          "Numbers: as p-svm, and support_samples, the support vectors of the v-SVM. Grade: proved.",
          check_joint};
}

}  // namespace attest
