#include "attest/exact/local_optimality.hpp"

#include "claim_list.hpp"
#include "descent_theorem.hpp"
#include "hypotheses.hpp"
#include "limit_prover.hpp"
#include "svm_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

/// A neighbour that scores more than the selected token, with a positive multiplier. [docs/theory.md, Tightness]
Decided decide_better_neighbour(const SvmProgram& program, const SvmSolution& solution, const Scores& scores) {
  const auto lead = [&](const RowName& name) {
    return scores[name.sample][name.token] - scores[name.sample][program.selection()[name.sample]];
  };
  for (const Multiplier& one : solution.multipliers)
    if (const RowName name = program.name(one.row); lead(name) > 0)
      return decided_exactly(
          true, fmt::format("neighbour [{},{}] scores more than the selected token; its multiplier is positive", name.sample, name.token),
          certify_better_neighbour(program, solution, name));
  const std::optional<RowName> best = outscoring_neighbour(program, solution, scores);
  if (!best || lead(*best) == 0)
    return decided_exactly(false,
                           best ? fmt::format("neighbour [{},{}] ties with the selected token; none scores more", best->sample, best->token)
                                : "the selection is locally optimal: every neighbour scores less",
                           certify_no_better_neighbour(program, solution));
  Decided decided;  // another dual solution may weigh it
  decided.message =
      fmt::format("neighbour [{},{}] scores more than the selected token, but its multiplier is 0 here", best->sample, best->token);
  return decided;
}

Decided decide_independence(const SvmProgram& program, const SvmSolution& solution) {
  if (shown_independent(program, solution.support))
    return decided_exactly(true, fmt::format("the {} tight rows are linearly independent", solution.support.size()),
                           certify_independent_rows(program, solution));
  Decided decided;
  decided.message = fmt::format("the {} tight rows do not seem to be linearly independent", solution.support.size());
  return decided;
}

/// What one run from the ray says. Left: it began at the selection and ends at another one, all along its last stretch.
struct Departure {
  Verdict verdict;
  std::string text;
  Grade grade = Grade::observed;
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

/// A limit that is proved is of a locally optimal selection, and p^mm of another selection has another direction: its largest logits are
/// others. So a run that provably has one does not converge to p^mm(alpha).
Departure with_proof(Departure seen, const ObservedRun& observed, const LimitProof& proof, const Selection& selection) {
  if (!proof.proves_another_than(selection) || observed.run.trace.front().selection != selection) return seen;
  return {Verdict::holds,
          fmt::format("descent leaves the ray for selection {}; proved: {}", to_string(proof.selection()),
                      bound_of(*proof.proved()).text(Parametrisation::prompt)),
          Grade::proved};
}

/// Those about one run are about the last.
struct Numbers {
  std::vector<RunNumbers> runs;
  double direction_error;  ///< to p^mm of the claim's selection
  DescentMethod method;
  double step;
  std::vector<Share> shares;
  std::optional<LimitBound> proof;  ///< of all runs

  void write(Fields& out) const {
    const ObservedRun& last = runs.back().observed;
    out("norm", last.run.last().norm)("direction_error", direction_error)("iterations", last.run.last().iteration)(
        "monotone", last.run.monotone)("rate", last.rate)("method", name_of(method))("step", step)("runs", runs)("shares", shares);
    write_bound(proof, out);
  }
};

Finding observe(const ClaimContext& context, const Theorem& theorem, const Selection& selection, const DecidedSvm& direction) {
  const Eigen::VectorXd p_mm = direction.solution();
  const DescentPace pace = descent_pace(context, Parametrisation::prompt, direction);
  const DescentMethod method = chosen_method(context.request).value_or(DescentMethod::normalised);
  const std::optional<DescentPlan> plan = descent_plan(context, method, pace.iterations);
  if (!plan) return theorem.conclude(Verdict::undecided, "no step is given, and 1/L_p is not known");
  DescentLaboratory laboratory(context);
  const LimitProver prover(context, Parametrisation::prompt, *plan);
  std::vector<ObservedRun> runs;
  std::vector<LimitProof> proofs;
  Departure kept{Verdict::holds, "", Grade::proved};
  for (const Eigen::VectorXd& start : starting_points(context, {pace.scale * p_mm})) {
    runs.push_back(laboratory.run(start, *plan));
    proofs.push_back(prover.prove(runs.back(), proofs.size()));
    const Departure one = with_proof(judge(runs.back(), selection, p_mm), runs.back(), proofs.back(), selection);
    if (kept.verdict == Verdict::holds) kept = {one.verdict, one.text, std::min(kept.grade, one.grade)};
  }
  Finding finding = theorem.conclude(kept.verdict, kept.text);
  finding.grade = kept.grade;
  if (kept.grade == Grade::proved) finding.certificate = proofs.front().certificate();
  finding.run_certificates = certificates_of(proofs);
  const double error = direction_error(runs.back().run.last().p, p_mm);
  std::vector<Share> shares = shares_of(runs);
  const std::optional<LimitBound> proof = kept.grade == Grade::proved ? bound_of_all(proofs) : std::nullopt;
  finding.evidence = Numbers{run_numbers(std::move(runs), proofs), error, method, plan->step, std::move(shares), proof};
  return finding;
}

Finding check(const ClaimContext& context) {
  const Selection& selection = context.selection_or_best();
  Theorem theorem;
  theorem.assume(HypothesisId::assumption_a, decide_assumption_a(context));
  const DecidedSvm direction = decide_direction(context, Parametrisation::prompt, selection, SvmProof::exact);
  if (theorem.assume(HypothesisId::feasible_p_svm, direction)) {
    const auto& [program, outcome] = *direction.svm;
    const SvmSolution& solution = std::get<SvmSolution>(outcome);
    theorem.assume(HypothesisId::better_neighbour, decide_better_neighbour(program, solution, context.study.scores()));
    theorem.assume(HypothesisId::independent_rows, decide_independence(program, solution));
  }
  Finding finding = theorem.applies() ? observe(context, theorem, selection, direction) : theorem.obstacle(selection);
  finding.selection = selection;
  return finding;
}

}  // namespace

Claim tightness_claim() {
  std::vector<ParameterSpec> parameters = descent_parameters({"one run, from 100 p^mm", "normalised", "100000, fewer on large data"});
  parameters.insert(parameters.begin(), {"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"});
  return {
      .schema = {"tightness", std::move(parameters), {{"v", ""}}},
      .title = "Theorem: local optimality is needed",
      .summary = "descent leaves a direction that is not locally optimal",
      .source = "[MM; conditions ours]",
      .words =
          "If a neighbour scores more than the selected token and its multiplier λ is positive, and the tight rows are linearly "
          "independent, no descent converges to the max-margin direction: started on its ray, descent leaves it. The two conditions "
          "are this project's; without any the statement is false.",
      .formula =
          R"(\gamma_{it} > \gamma_{i \alpha_i} \text{ and } \lambda_{it} > 0 \text{ for a neighbour } t, \text{ tight rows independent} \quad \Rightarrow \quad \frac{p(k)}{\|p(k)\|} \text{ does not converge to } \frac{p^{\mathrm{mm}}(\alpha)}{\|p^{\mathrm{mm}}(\alpha)\|})",
      .text =
          "Local optimality is needed: if p^mm(alpha) exists and a neighbour scores more than the selected token, descent does not "
          "converge to p^mm(alpha). For descent this needs conditions (docs/theory.md): Assumption A, p-SVM(alpha) is feasible, the "
          "better neighbour's multiplier is positive (certificates better-neighbour, no-better-neighbour) and the tight rows are "
          "linearly independent (certificate independent-rows); all decided exactly. The conclusion is about descent that starts on "
          "the ray of p^mm, or at `starts`: it ends at another selection. Proved: of every run a certificate shows, as for descent, that "
          "it converges to the direction of another, locally optimal selection; else observed.\n"
          "Inapplicable: a hypothesis fails.\n"
          "Undecided: descent has not left the ray yet (no finite run shows that it never does), or independence or a positive "
          "multiplier is not shown.",
      .numbers = {{"norm", "norm at the end, of the last run"},
                  {"direction_error", "|a/|a| - b/|b|| of its end to p^mm(alpha)"},
                  {"iterations", "its iterations"},
                  {"monotone", "constant steps: none of its steps increased the loss"},
                  {"rate", "slope of log error over log norm at large norms, to the limit that it reaches"},
                  {"method", "how the runs descend"},
                  {"step", "their step, or arc length"},
                  {"runs", "a list of runs, as for descent"},
                  {"shares", "which selections the runs reached: selection, runs, share"},
                  {"proved_by", "how the limits of all runs are proved, by what says least; null where one is not"},
                  {"from_iterate", "the last of the iterates that the proofs are about"},
                  {"rate_constant", "the direction error to the limit that is reached is at most this over the norm; rounded up"}},
      .hypotheses = {HypothesisId::assumption_a, HypothesisId::feasible_p_svm, HypothesisId::better_neighbour,
                     HypothesisId::independent_rows},
      .check = check};
}

}  // namespace attest
