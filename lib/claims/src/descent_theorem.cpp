#include "descent_theorem.hpp"

#include "attest/exact/global_optimality.hpp"
#include "hypotheses.hpp"
#include "judged_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

using Eigen::VectorXd;
using End = DescentRun::End;

/// The iterate at which the last of the runs enters the basin; none while some run has not.
std::optional<std::int64_t> last_arrival(const std::vector<ObservedRun>& runs) {
  std::int64_t last = 0;
  for (const ObservedRun& observed : runs) {
    if (!observed.run.arrival) return std::nullopt;
    last = std::max(last, *observed.run.arrival);
  }
  return last;
}

/// Where a run that is not in the basin goes.
std::string whereabouts(const ObservedRun& observed) {
  if (observed.run.end != End::finished) return why_ended(observed);
  return fmt::format("at norm {:.4g} it {} selection {}", observed.run.last().norm, observed.heads_for_limit() ? "heads for" : "is at",
                     to_string(observed.selection));
}

/// The last hypothesis of the basin theorem where limits are proved. L tends to L* along a run to p^mm(alpha), so that it is in the basin
/// from some iterate on. Along one to p^mm(beta), beta locally optimal, L tends to L(beta) >= L* + chi/n from above, since the tight rows,
/// whose tokens score less, outweigh all others: from some iterate on it is outside. [docs/theory.md, Basin theorem]
std::optional<Decided> decide_basin_by_limits(const std::vector<LimitProof>& proofs, const Selection& selection) {
  for (std::size_t k = 0; k < proofs.size(); ++k)
    if (proofs[k].proves_another_than(selection))
      return decided_exactly(false,
                             fmt::format("run {} provably goes to the direction of selection {}: it is outside from some iterate on", k,
                                         to_string(proofs[k].selection())),
                             *proofs[k].certificate());
  if (proofs.empty() || !bound_of_all(proofs)) return std::nullopt;
  return decided_exactly(true, "L -> L* along every run, since its limit is proved: it is in the basin from some iterate on",
                         *proofs.front().certificate());
}

/// The same by the first iterate of each run that is inside. Iterates are rounded, so it is observed. A run that has not entered the basin
/// may still do so.
Decided decide_basin(const std::vector<ObservedRun>& runs) {
  Decided decided;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (runs[k].run.arrival) continue;
    decided.message =
        fmt::format("run {} has not entered the basin after {} iterations; {}", k, runs[k].run.last().iteration, whereabouts(runs[k]));
    return decided;
  }
  const std::int64_t last = *last_arrival(runs);
  decided.verdict = Verdict::holds;
  decided.message = last == 0 ? "L < L* + chi/n at the start"
                              : fmt::format("L < L* + chi/n at iterate {}: constant steps and flow converge from there on", last);
  return decided;
}

/// What the runs say together, and whether the loss ever increased.
struct Conclusion {
  RunJudgement judgement;
  std::optional<bool> monotone;
  std::optional<LimitBound> bound = {};         ///< where the limit is proved
  std::optional<Certificate> certificate = {};  ///< of what is proved
};

Conclusion conclusion_of(const JudgedRuns& all) {
  RunJudgement kept{Verdict::holds, all.judged[worst_of(all.runs)].text};
  for (std::size_t k = 0; k < all.judged.size(); ++k) keep_worse(kept, all.judged[k], k);
  return {kept, std::ranges::all_of(all.runs, [](const ObservedRun& one) { return one.run.monotone; })};
}

void conclude_proved(Conclusion& conclusion, const LimitBound& bound, const LimitProof& proof, std::string text) {
  conclusion.bound = bound;
  conclusion.certificate = proof.certificate();
  conclusion.judgement = {Verdict::holds, std::move(text), Grade::proved};
}

/// The limit that is proved from every start, or of every run; or of a run that refutes the claim.
void take_proofs(const DescentQuestion& question, const JudgedRuns& all, Conclusion& conclusion) {
  if (conclusion.judgement.verdict == Verdict::fails) {
    if (conclusion.judgement.grade == Grade::observed) return;
    conclusion.certificate = std::ranges::find_if(all.proofs, [&](const LimitProof& proof) {
                               return proof.proves_another_than(question.selection);
                             })->certificate();
    return;
  }
  const std::string place = place_text(all.runs[worst_of(all.runs)]);
  if (!all.by_starts.empty()) {
    const LimitBound bound = *bound_of_all(all.by_starts);
    conclude_proved(conclusion, bound, all.by_starts.front(),
                    fmt::format("{}; proved of constant steps from the {} starts: {}", place, all.by_starts.size(),
                                bound.text(question.parametrisation)));
    return;
  }
  const std::optional<LimitBound> of_all = bound_of_all(all.proofs);
  if (all.from_everywhere && all.from_everywhere->proved()) {
    const LimitBound bound = bound_of(*all.from_everywhere->proved());
    const bool flow = chosen_method(question.context.request) == DescentMethod::flow;
    conclude_proved(
        conclusion, bound, *all.from_everywhere,
        fmt::format("{}; proved from every start ({}): {}", place, flow ? "flow" : "constant steps", bound.text(question.parametrisation)));
  } else if (of_all && std::ranges::all_of(all.judged, [](const RunJudgement& one) { return one.grade == Grade::proved; })) {
    const std::string whose = all.runs.size() == 1 ? "" : fmt::format(" of all {} runs", all.runs.size());
    conclude_proved(conclusion, *of_all, all.proofs.front(),
                    fmt::format("{}; proved{}: {}", place, whose, of_all->text(question.parametrisation)));
  }
}

/// Takes what a run with constant steps of 1/L_p says of the loss into the conclusion.
void watch_loss(const ObservedRun& observed, Conclusion& conclusion) {
  if (!observed.run.monotone) {
    conclusion.monotone = false;
    conclusion.judgement = {Verdict::fails, "a constant step of 1/L_p increased the loss"};
  } else if (observed.run.last().iteration == 0 || observed.run.end == End::out_of_time || observed.run.end == End::not_finite) {
    conclusion.monotone = std::nullopt;
    keep_worse(conclusion.judgement, {Verdict::undecided, "constant steps, for the loss: " + why_ended(observed)}, 0);
  }
}

/// Constant steps that watch the loss: beside limits that are proved a few will do.
std::int64_t watched_steps(const DescentQuestion& question) {
  constexpr std::int64_t few = 1000;
  return question.stops ? std::min(few, question.pace.watched) : question.pace.watched;
}

Finding concluded(const Theorem& theorem, const Conclusion& conclusion) {
  Finding finding = theorem.conclude(conclusion.judgement.verdict, conclusion.judgement.text);
  finding.grade = conclusion.judgement.grade;
  finding.certificate = conclusion.certificate;
  return finding;
}

/// Of starts that were made by their angle to the ray, the first on it; none of others.
std::vector<double> angles_of(const std::vector<Start>& starts) {
  std::vector<double> angles;
  if (starts.size() < 2 || !(starts.back().angle > 0)) return angles;
  for (const Start& start : starts) angles.push_back(start.angle);
  return angles;
}

DescentNumbers numbers_of(const DescentQuestion& question, const DescentPlan& plan, const std::vector<Start>& starts, JudgedRuns all,
                          const Conclusion& conclusion) {
  const std::size_t worst = worst_of(all.runs);
  const std::optional<std::int64_t> entered = last_arrival(all.runs);
  std::vector<Share> shares = shares_of(all.runs);
  DescentNumbers numbers{run_numbers(std::move(all.runs), all.proofs, question.parametrisation),
                         worst,
                         std::move(shares),
                         plan.method,
                         plan.step,
                         conclusion.monotone};
  if (!all.proofs.empty() || !all.by_starts.empty()) numbers.proof = conclusion.bound;
  if (plan.method == DescentMethod::constant && question.q == 2) numbers.at_equal_norm = std::move(all.at_equal_norm);
  if (question.reach == DescentTheorem::Reach::cone) {
    numbers.angles = angles_of(starts);
    return numbers;
  }
  // Where the theorem speaks of any start it speaks of iterate 0.
  const bool any_start = question.reach == DescentTheorem::Reach::any_start;
  for (RunNumbers& one : numbers.runs) one.basin_iterate = any_start ? 0 : one.observed.run.arrival;
  numbers.basin_iterate = any_start ? 0 : entered;
  return numbers;
}

/// Of several inputs one may lag behind and never catch up, and with unequal scores a worse token may attract: then the start decides.
bool speaks_of_any_start(const ClaimContext& context, const Selection& selection) {
  return context.problem().sample_count() == 1 && have_equal_scores(context.study.scores(), selection);
}

}  // namespace

void DescentTheorem::assume_loss() { theorem.assume(HypothesisId::assumption_a, decide_assumption_a(context_)); }

void DescentTheorem::assume_step() {
  const auto* step = context_.request.find<Rational>("step");
  if (chosen_method(context_.request) != DescentMethod::constant || step == nullptr) return;
  const std::optional<double> safe = safe_step(context_, parametrisation_);
  Decided decided;  // the spectral norms in L_p are floating point: observed
  if (safe) {
    decided.verdict = nearest_double(*step) <= *safe ? Verdict::holds : Verdict::fails;
    decided.message = fmt::format("step {:.6g}, 1/L_p = {:.6g}", nearest_double(*step), *safe);
  } else {
    decided.message = "1/L_p is not known";
  }
  theorem.assume(HypothesisId::safe_step, decided);
}

ObservedDescent DescentTheorem::observe(const Selection& selection, const std::vector<Start>& starts, const std::vector<VectorXd>& watched,
                                        Reach reach) {
  const std::optional<DescentMethod> method = chosen_method(context_.request);
  std::optional<DescentPlan> plan = descent_plan(context_, method.value_or(DescentMethod::normalised), pace.iterations, parametrisation_);
  if (plan && plan->method == DescentMethod::normalised && context_.request.find<Rational>("step") == nullptr)
    plan->step = pace.step.value_or(plan->step);
  const std::optional<double> safe = safe_step(context_, parametrisation_);
  if (!plan || (!safe && q_ == 2))
    return {theorem.conclude(Verdict::undecided, "L_p is 0 or too large for doubles, so there is no step size")};
  DescentLaboratory laboratory(context_, parametrisation_, q_);
  if (reach == Reach::basin) laboratory.watch_basin();
  laboratory.limit(selection);  // while there is time: a run whose time is up can then say how far it is from it
  DescentQuestion question{context_, parametrisation_, q_, selection, reach, pace, proves_ && stops_when_proved(context_)};
  std::vector<LimitProof> by_starts = proves_ ? prove_by_starts(question, *plan, *safe, starts) : std::vector<LimitProof>();
  question.shown = !by_starts.empty();
  JudgedRuns all = run_all(question, laboratory, *plan, starts);
  all.by_starts = std::move(by_starts);
  if (proves_ && !question.shown) prove_limits(question, *plan, *safe, all);
  Conclusion conclusion = conclusion_of(all);
  if (!method && q_ == 2)
    for (const VectorXd& start : watched)
      watch_loss(laboratory.run(start, {DescentMethod::constant, *safe, watched_steps(question)}), conclusion);
  take_proofs(question, all, conclusion);
  if (reach == Reach::basin)
    theorem.assume(HypothesisId::start_in_basin, decide_basin_by_limits(all.proofs, selection).value_or(decide_basin(all.runs)));
  ObservedDescent observed{theorem.applies() ? concluded(theorem, conclusion) : theorem.obstacle(selection)};
  observed.finding.selection = selection;
  observed.finding.run_certificates = certificates_of(all.by_starts.empty() ? all.proofs : all.by_starts);
  observed.numbers = numbers_of(question, *plan, starts, std::move(all), conclusion);
  return observed;
}

void DescentNumbers::write(Fields& out) const {
  const ObservedRun& one = worst_run();
  out("norm", one.run.last().norm)("direction_error", one.direction_error)("iterations", one.run.last().iteration)("monotone", monotone)(
      "rate", one.rate);
  if (at_equal_norm) out("at_equal_norm", *at_equal_norm);
  out("method", name_of(method))("step", step)("runs", runs)("shares", shares);
  if (!angles.empty()) out("angles", angles);
  if (basin_iterate) out("basin_iterate", *basin_iterate);
  if (proof) write_bound(*proof, out);
}

std::vector<NumberSpec> descent_number_specs(const std::vector<NumberSpec>& runs, const std::vector<NumberSpec>& more) {
  std::vector<NumberSpec> specs = {
      {"norm", "norm at the end, of the run with the largest direction error"},
      {"direction_error", "|a/|a| - b/|b|| of its end to the limit"},
      {"iterations", "its iterations"},
      {"monotone", "no constant step increased the loss; null while a run that watches the loss has nothing to say"},
      {"rate", "slope of log error over log norm at large norms, of the same run"},
      {"at_equal_norm", "with constant steps, for each run; null where the path is not verified"},
      {"at_equal_norm[].path_error", "direction error of the regularisation path's minimiser at the norm of the run"},
      {"at_equal_norm[].gd_vs_path", "descent against path at equal norm"},
      {"method", "how the runs descend"},
      {"step", "their step, or arc length"}};
  specs.insert(specs.end(), runs.begin(), runs.end());
  specs.push_back({"shares", "which selections the runs reached: selection, runs, share"});
  specs.insert(specs.end(), more.begin(), more.end());
  return specs;
}

std::vector<NumberSpec> with_proof_specs(std::vector<NumberSpec> specs) {
  specs.insert(specs.end(), {{"proved_by",
                              "how the conclusion is proved: cone, basin or wedge (docs/theory.md), of several runs what says least; null "
                              "where it is not, runs[].obstacle says why"},
                             {"from_iterate", "the iterate that the proof is about, the last of the runs'; 0 from every start"},
                             {"rate_constant",
                              "the direction error is at most this over the norm from there on, of every run; rounded up, null where "
                              "no rate is proved"}});
  return specs;
}

Finding with_evidence(ObservedDescent observed) {
  if (observed.numbers) observed.finding.evidence = std::move(*observed.numbers);
  return std::move(observed.finding);
}

ObservedDescent observe_gd_global(const ClaimContext& context, Parametrisation parametrisation) {
  const Selection& selection = context.study.best();
  DescentTheorem descent(context, parametrisation);
  descent.assume_loss();
  descent.theorem.assume(HypothesisId::unique_optimum, decide_unique_optimum(context, selection));
  const DecidedSvm direction = decide_direction(context, parametrisation, selection);
  descent.theorem.assume(feasible_svm(parametrisation), direction);
  const bool any_start = speaks_of_any_start(context, selection);
  if (any_start)
    descent.theorem.assume(
        HypothesisId::equal_scores,
        decided_exactly(true, "all tokens of the sample that are not selected score the same", certified::EqualScores{selection}));
  descent.assume_step();
  if (!descent.theorem.applies()) return {descent.theorem.obstacle(selection)};
  const std::vector<VectorXd> starts = starting_points(context, {VectorXd::Zero(direction.solution().size())});
  descent.pace = descent_pace(context, parametrisation, direction);
  return descent.observe(selection, as_starts(starts), starts, any_start ? DescentTheorem::Reach::any_start : DescentTheorem::Reach::basin);
}

ObservedDescent observe_gd_local(const ClaimContext& context, Parametrisation parametrisation) {
  const Selection& selection = context.selection_or_best();
  DescentTheorem descent(context, parametrisation);
  descent.assume_loss();
  const DecidedSvm direction = decide_direction(context, parametrisation, selection);
  descent.theorem.assume(feasible_svm(parametrisation), direction);
  descent.theorem.assume(HypothesisId::locally_optimal, decide_local_optimality(context, parametrisation, selection));
  descent.assume_step();
  if (!descent.theorem.applies()) return {descent.theorem.obstacle(selection)};
  const VectorXd limit = direction.solution();
  descent.pace = descent_pace(context, parametrisation, direction);
  const double scale = chosen_method(context.request) == DescentMethod::constant ? watched_scale : descent.pace.scale;
  return descent.observe(selection, cone_starts(context, selection, limit, {scale, descent.pace.directions}, parametrisation),
                         {watched_scale * limit}, DescentTheorem::Reach::cone);
}

}  // namespace attest
