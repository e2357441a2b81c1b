#include "attest/exact/local_optimality.hpp"

#include "claim_list.hpp"
#include "descent_theorem.hpp"
#include "limit_direction.hpp"
#include "svm_decision.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// A neighbour that scores more than the selected token, with a positive multiplier. [docs/theory.md, Tightness]
Finding decide_better_neighbour(const SvmProgram& program, const SvmSolution& solution, const Scores& scores) {
  const auto lead = [&](const RowName& name) { return scores[name.sample][name.token] - scores[name.sample][program.selection()[name.sample]]; };
  for (const Multiplier& one : solution.multipliers)
    if (const RowName name = program.name(one.row); lead(name) > 0)
      return decided_exactly(true, fmt::format("neighbour [{},{}] scores more than the selected token; its multiplier is positive", name.sample, name.token),
                             certified::BetterNeighbour{program.selection(), certified_solution(program, solution), name});
  const std::optional<RowName> best = outscoring_neighbour(program, solution, scores);
  if (!best || lead(*best) == 0)
    return decided_exactly(false,
                           best ? fmt::format("neighbour [{},{}] ties with the selected token; none scores more", best->sample, best->token)
                                : "the selection is locally optimal: every neighbour scores less",
                           certified::NoBetterNeighbour{program.selection(), certified_solution(program, solution)});
  Finding decided;  // another dual solution may weigh it
  decided.message = fmt::format("neighbour [{},{}] scores more than the selected token, but its multiplier is 0 here", best->sample, best->token);
  return decided;
}

Finding decide_independence(const SvmProgram& program, const SvmSolution& solution) {
  if (shown_independent(program, solution.support))
    return decided_exactly(true, fmt::format("the {} tight rows are linearly independent", solution.support.size()),
                           certified::IndependentRows{program.selection(), certified_rows(program, solution.support),
                                                      certified_solution(program, solution)});
  Finding decided;
  decided.message = fmt::format("the {} tight rows do not seem to be linearly independent", solution.support.size());
  return decided;
}

/// What one run from the ray says. Left: it began at the selection and ends at another one, all along its last stretch.
struct Departure {
  Verdict verdict;
  std::string text;
};

Departure judge(const ObservedRun& observed, const Selection& selection, const Eigen::VectorXd& p_mm) {
  if (observed.run.end != DescentRun::End::finished) return {Verdict::undecided, why_ended(observed)};
  if (observed.run.trace.front().selection != selection) return {Verdict::undecided, "the start does not select these tokens"};
  // However well it follows the ray, a longer run may leave it.
  if (observed.selection == selection) return {Verdict::undecided, "descent has not left the ray yet"};
  if (!observed.heads_for_limit()) return {Verdict::undecided, "descent leaves the ray but does not head for a limit yet"};
  return {Verdict::holds, fmt::format("descent leaves the ray for selection {}, {:.3g} away", to_string(observed.selection),
                                      direction_error(observed.run.last().p, p_mm))};
}

Finding observe(const ClaimContext& context, const Theorem& theorem, const Selection& selection, const Eigen::VectorXd& p_mm) {
  const DescentMethod method = chosen_method(context.request).value_or(DescentMethod::normalised);
  const std::optional<DescentPlan> plan = descent_plan(context, method, theorem_iterations);
  if (!plan) return theorem.conclude(Verdict::undecided, "no step is given, and 1/L_p is not known");
  DescentLaboratory laboratory(context);
  std::vector<ObservedRun> runs;
  Departure kept{Verdict::holds, ""};
  for (const Eigen::VectorXd& start : starting_points(context, {cone_scale * p_mm})) {
    runs.push_back(laboratory.run(start, *plan));
    const Departure one = judge(runs.back(), selection, p_mm);
    if (kept.verdict == Verdict::holds) kept = one;
  }
  Finding finding = theorem.conclude(kept.verdict, kept.text);
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
  theorem.assume("Assumption A", decide(context, assumption_a_claim(), {}));
  const Finding direction = decide_direction(context, selection);
  if (theorem.assume("feasible p-SVM", direction)) {
    const ExactTokens tokens(context.problem);
    const SvmProgram program = SvmProgram::p_svm(tokens, selection);
    const SvmOutcome outcome = solve_svm(program, context.budget);
    const auto* solution = std::get_if<SvmSolution>(&outcome);
    theorem.assume("a better neighbour with weight", solution ? decide_better_neighbour(program, *solution, exact_scores(context.problem)) : Finding{});
    theorem.assume("independent tight rows", solution ? decide_independence(program, *solution) : Finding{});
  }
  Finding finding = theorem.applies() ? observe(context, theorem, selection, solution_of(direction)) : theorem.obstacle(selection);
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
          "descent does not converge to p^mm(alpha). For descent this needs conditions (docs/theory.md): Assumption A, the\n"
          "tight rows are linearly independent and the better neighbour's multiplier is positive; all decided exactly. The\n"
          "conclusion is observed: descent that starts on the ray of p^mm ends at another selection.\n"
          "Inapplicable: a hypothesis fails. Undecided: descent has not left the ray yet; no finite run shows that it never does.\n"
          "Numbers: norm, direction_error (to p^mm(alpha)), iterations, monotone, rate, runs, shares, method, step.",
          check};
}

}  // namespace attest
