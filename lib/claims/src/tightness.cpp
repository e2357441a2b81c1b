#include "attest/exact/local_optimality.hpp"

#include "claim_list.hpp"
#include "descent_theorem.hpp"
#include "svm_decision.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr double default_scale = 100;

/// A neighbour that scores more than the selected token, with a positive multiplier. [docs/theory.md, Tightness]
Finding decide_better_neighbour(const SvmProgram& program, const SvmSolution& solution, const Scores& scores) {
  const std::optional<RowName> best = outscoring_neighbour(program, solution, scores);
  if (!best) return decided_exactly(false, "the selection is locally optimal: every neighbour scores less");
  const auto& sample = scores[best->sample];
  if (sample[best->token] == sample[program.selection()[best->sample]])
    return decided_exactly(false, fmt::format("neighbour [{},{}] ties with the selected token; none scores more", best->sample, best->token));
  const bool weighs = std::any_of(solution.multipliers.begin(), solution.multipliers.end(), [&](const Multiplier& one) { return program.name(one.row) == *best; });
  return decided_exactly(weighs, fmt::format("neighbour [{},{}] scores more than the selected token; its multiplier is {}", best->sample, best->token,
                                             weighs ? "positive" : "0"));
}

Finding decide_independence(const SvmProgram& program, const SvmSolution& solution) {
  Finding decided = decided_exactly(true, fmt::format("the {} tight rows are linearly independent", solution.support.size()));
  if (!shown_independent(program, solution.support)) {
    decided.verdict = Verdict::undecided;
    decided.grade = Grade::observed;
    decided.message = fmt::format("the {} tight rows do not seem to be linearly independent", solution.support.size());
  }
  return decided;
}

/// Left: another selection, all along the last stretch.
Finding observe(const ClaimContext& context, const Theorem& theorem, const Selection& selection, const Eigen::VectorXd& p_mm) {
  const DescentMethod method = chosen_method(context.request).value_or(DescentMethod::normalised);
  const std::optional<DescentPlan> plan = descent_plan(context, method, theorem_iterations);
  if (!plan) return theorem.conclude(Verdict::undecided, "no step is given, and 1/L_p is not known");
  DescentLaboratory laboratory(context);
  std::vector<ObservedRun> runs;
  Verdict verdict = Verdict::holds;
  std::string text;
  for (const Eigen::VectorXd& start : starting_points(context, {default_scale * p_mm})) {
    runs.push_back(laboratory.run(start, *plan));
    const ObservedRun& observed = runs.back();
    const double error = direction_error(observed.run.last().p, p_mm);
    if (observed.run.end == DescentRun::End::finished && observed.selection != selection) {
      if (verdict == Verdict::holds) text = fmt::format("descent leaves the ray for selection {}, {:.3g} away", to_string(observed.selection), error);
      continue;
    }
    const bool stays = observed.heads_for_limit() && observed.falls_at_rate();
    if (verdict == Verdict::fails) continue;
    verdict = stays ? Verdict::fails : Verdict::undecided;
    text = stays ? "descent converges to the ray" : observed.run.end == DescentRun::End::finished ? "descent has not left the ray yet" : why_ended(observed);
  }
  Finding finding = theorem.conclude(verdict, text);
  const ObservedRun& last = runs.back();
  finding.numbers = {{"norm", last.run.last().norm}, {"direction_error", direction_error(last.run.last().p, p_mm)},
                     {"iterations", last.run.last().iteration}, {"monotone", last.run.monotone}, {"rate", last.rate ? Json(*last.rate) : Json()},
                     {"method", name_of(method)}, {"step", plan->step}, {"runs", Json::array()}, {"shares", encode_shares(runs)}};
  for (const ObservedRun& observed : runs) finding.numbers["runs"].push_back(encode_run(observed));
  return finding;
}

Finding check(const ClaimContext& context) {
  const Selection selection = selection_or_best(context);
  Theorem theorem;
  const Finding direction = decide_direction(context, selection);
  Finding finding;
  if (theorem.assume("feasible p-SVM", direction)) {
    const ExactTokens tokens(context.problem);
    const SvmProgram program = SvmProgram::p_svm(tokens, selection);
    const auto solution = std::get<SvmSolution>(solve_svm(program, context.budget));
    theorem.assume("a better neighbour with weight", decide_better_neighbour(program, solution, exact_scores(context.problem)));
    theorem.assume("independent tight rows", decide_independence(program, solution));
  }
  finding = theorem.applies() ? observe(context, theorem, selection, solution_of(direction)) : theorem.obstacle();
  finding.selection = selection;
  return finding;
}

}  // namespace

Claim tightness_claim() {
  std::vector<ParameterSpec> parameters = descent_parameters("where the runs start (default: one run, from 100 p^mm)",
                                                             "how to descend (default normalised)", "of each run (default 100000)");
  parameters.insert(parameters.begin(), {"selection", ParameterKind::selection, false, "one token a sample (default: the largest scores)", {}});
  return {{"tightness", std::move(parameters), {{"v", ""}}},
          "descent leaves a direction that is not locally optimal",
          "[MM] Local optimality is needed: if p^mm(alpha) exists and a neighbour scores more than the selected token,\n"
          "descent does not converge to p^mm(alpha). For descent this needs conditions (docs/theory.md): the tight rows\n"
          "are linearly independent and the better neighbour's multiplier is positive. Both are decided exactly. The\n"
          "conclusion is observed: descent that starts on the ray of p^mm ends at another selection.\n"
          "Inapplicable: a hypothesis fails. Fails: descent converges to the ray. Undecided: it has not left it yet.\n"
          "Numbers: norm, direction_error (to p^mm(alpha)), iterations, monotone, rate, runs, shares, method, step.",
          check};
}

}  // namespace attest
