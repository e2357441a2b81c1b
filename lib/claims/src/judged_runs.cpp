#include "judged_runs.hpp"

#include "attest/exact/global_optimality.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

/// Iterations that grow the norm to many times that of the start, so that a rate can be measured.
std::int64_t far_beyond(const Start& start, double step, const DescentPace& pace) {
  const double wanted = std::min(pace.growth * start.point.norm() / step, static_cast<double>(pace.longest));
  return std::max(start.angle > 0 ? pace.iterations / 10 : pace.iterations, static_cast<std::int64_t>(wanted));
}

/// A run of a length that is free to choose: longer where it heads for the limit but its rate has not set in, as with rows that
/// are nearly tight.
ObservedRun run_until_rate(DescentLaboratory& laboratory, const Start& start, DescentPlan plan, const DescentPace& pace,
                           const Selection& selection) {
  plan.iterations = far_beyond(start, plan.step, pace);
  ObservedRun observed = laboratory.run(start.point, plan);
  while (observed.heads_for_limit() && observed.selection == selection && !observed.falls_at_rate() && plan.iterations < pace.longest) {
    plan.iterations = std::min(10 * plan.iterations, pace.longest);
    observed = laboratory.run(start.point, plan);
  }
  return observed;
}

/// That the run goes to the direction of the claim's selection, where that is enough to know.
std::optional<LimitProof> prove_beforehand(const DescentQuestion& question, DescentLaboratory& laboratory, const DescentPlan& plan,
                                           const Start& start, std::size_t k) {
  if (!question.stops || question.shown) return std::nullopt;
  const LimitProver prover(question.context, question.parametrisation, plan);
  return prover.prove(question.selection, laboratory.limit(question.selection), start.point, k);
}

/// From its start to the iterate that the proof is about.
ObservedRun run_to_proof(DescentLaboratory& laboratory, const Start& start, DescentPlan plan, const ProvedLimit& proved) {
  plan.iterations = std::max<std::int64_t>(1, static_cast<std::int64_t>(proved.from_iterate));
  return laboratory.run(start.point, plan);
}

/// What is proved of a run outweighs what is seen of it.
RunJudgement with_proof(const DescentQuestion& question, RunJudgement seen, const ObservedRun& observed, const LimitProof& proof) {
  if (proof.proves(question.selection) && seen.verdict != Verdict::fails)  // a step that increased the loss is not to be hidden
    return {Verdict::holds, fmt::format("{}; proved: {}", place_text(observed), bound_of(*proof.proved()).text(question.parametrisation)),
            Grade::proved};
  if (proof.proves_another_than(question.selection)) {
    // The theorem does not say how wide its cone is: starts that this program chose may be outside. Those that a claim names are its own.
    const bool chosen_here = question.reach == DescentTheorem::Reach::cone && !names_starts(question.context.request);
    return {chosen_here ? Verdict::undecided : Verdict::fails,
            fmt::format("it provably goes to the direction of selection {}", to_string(proof.selection())),
            chosen_here ? Grade::observed : Grade::proved};
  }
  if (seen.verdict == Verdict::holds) seen.text += "; not proved: " + proof.obstacle();
  return seen;
}

/// From every start the theorem speaks of constant steps and flow.
std::optional<LimitProof> prove_from_everywhere(const DescentQuestion& question, const DescentPlan& plan, double safe) {
  const std::optional<DescentMethod> method = chosen_method(question.context.request);
  if (question.reach != DescentTheorem::Reach::any_start || method == DescentMethod::normalised) return std::nullopt;
  const DescentPlan covered = method ? plan : DescentPlan{DescentMethod::constant, safe};
  return LimitProver(question.context, question.parametrisation, covered).prove_from_everywhere(question.selection);
}

}  // namespace

JudgedRuns run_all(const DescentQuestion& question, DescentLaboratory& laboratory, const DescentPlan& plan,
                   const std::vector<Start>& starts) {
  const bool constant = plan.method == DescentMethod::constant;
  const bool free_length = question.context.request.find<std::int64_t>("iterations") == nullptr && !constant && !question.stops;
  const bool local = !decide_global_optimality(question.context.study.scores(), question.selection).unique;
  JudgedRuns all;
  DescentPlan of_shown = plan;
  of_shown.iterations = question.pace.shown;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const Start& start = starts[k];
    const std::optional<LimitProof> known = prove_beforehand(question, laboratory, plan, start, k);
    const ProvedLimit* proved = known ? known->proved() : nullptr;
    all.runs.push_back(proved != nullptr ? run_to_proof(laboratory, start, plan, *proved)
                       : question.shown  ? laboratory.run(start.point, of_shown)
                       : free_length     ? run_until_rate(laboratory, start, plan, question.pace, question.selection)
                                         : laboratory.run(start.point, plan));
    all.beforehand.push_back(known);
    const ObservedRun& observed = all.runs.back();
    if (!constant) {
      all.judged.push_back(judge_run(observed, question.selection, question.reach, start.angle));
      continue;
    }
    all.at_equal_norm.push_back(question.q == 2 ? compare_at_equal_norm(question.context, observed, local, question.parametrisation)
                                                : std::nullopt);
    all.judged.push_back(judge_constant(observed, question.selection, all.at_equal_norm.back(), question.q == 2));
  }
  return all;
}

std::vector<LimitProof> prove_by_starts(const DescentQuestion& question, const DescentPlan& plan, double safe,
                                        const std::vector<Start>& starts) {
  const ClaimRequest& request = question.context.request;
  const bool free =
      !chosen_method(request) && request.find<std::int64_t>("iterations") == nullptr && request.find<Rational>("step") == nullptr;
  if (!question.pace.large || !free || question.reach != DescentTheorem::Reach::cone) return {};
  const LimitProver prover(question.context, question.parametrisation, plan);
  std::vector<LimitProof> proofs;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    proofs.push_back(prover.prove_by_start(question.selection, starts[k].point, k, safe));
    if (!proofs.back().proved()) return {};
  }
  return proofs;
}

std::string place_text(const ObservedRun& observed) {
  const std::string norm = fmt::format("at norm {:.4g}", observed.run.last().norm);
  return observed.direction_error ? fmt::format("direction error {:.3g} {}", *observed.direction_error, norm) : norm;
}

void prove_limits(const DescentQuestion& question, const DescentPlan& plan, double safe, JudgedRuns& all) {
  const LimitProver prover(question.context, question.parametrisation, plan);
  for (std::size_t k = 0; k < all.runs.size(); ++k) {
    const std::optional<LimitProof>& known = all.beforehand[k];
    const bool answers = known && (known->proved() != nullptr || known->selection() == all.runs[k].selection);
    all.proofs.push_back(answers ? *known : prover.prove(all.runs[k], k));
    all.judged[k] = with_proof(question, all.judged[k], all.runs[k], all.proofs[k]);
  }
  all.from_everywhere = prove_from_everywhere(question, plan, safe);
}

}  // namespace attest
