#include "descent_theorem.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/exact/global_optimality.hpp"
#include "claim_list.hpp"
#include "path_observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace attest {
namespace {

using Eigen::VectorXd;
using End = DescentRun::End;
using Json = nlohmann::ordered_json;

/// The run with constant steps watches the loss, not the limit: its norm grows like the logarithm of this.
constexpr std::int64_t watched_iterations = 10'000;

/// Iterations that grow the norm to many times that of the start, so that a rate can be measured.
constexpr std::int64_t most_iterations = 10'000'000;
std::int64_t far_beyond(const VectorXd& start, double step) {
  constexpr double growth = 30;
  const double wanted = std::min(growth * start.norm() / step, static_cast<double>(most_iterations));
  return std::max(theorem_iterations, static_cast<std::int64_t>(wanted));
}

/// A run of a length that is free to choose: longer where it heads for its limit but its rate has not set in, as with rows that
/// are nearly tight.
ObservedRun run_until_rate(DescentLaboratory& laboratory, const VectorXd& start, DescentPlan plan) {
  plan.iterations = far_beyond(start, plan.step);
  ObservedRun observed = laboratory.run(start, plan);
  while (observed.heads_for_limit() && !observed.falls_at_rate() && plan.iterations < most_iterations) {
    plan.iterations = std::min(10 * plan.iterations, most_iterations);
    observed = laboratory.run(start, plan);
  }
  return observed;
}

struct Judgement {
  Verdict verdict;
  std::string text;
};

/// Constant steps seldom saturate attention; from this lead on the selected token has visibly more weight than the next.
constexpr double visible_lead = 0.1;

/// The trace point where a tenth of the iterations was done.
const TracePoint& early(const DescentRun& run) {
  const std::int64_t tenth = run.last().iteration / 10;
  return *std::find_if(run.trace.begin(), run.trace.end(), [&](const TracePoint& point) { return point.iteration >= tenth; });
}

/// The path's minimiser at the norm that a run with constant steps reached: such a run of gradient descent is judged against it.
/// [docs/theory.md, 5]
struct EqualNorm {
  bool verified = false;
  double path_error = 0;  // of the path's direction
  double distance = 0;    // between the two directions
};

EqualNorm compare_at_equal_norm(const ClaimContext& context, const ObservedRun& observed, bool local, Parametrisation parametrisation) {
  const TracePoint& last = observed.run.last();
  if (!observed.limit.direction || !(last.norm > 0)) return {};
  const VectorXd& limit = *observed.limit.direction;
  const std::optional<VectorXd> point = path_point_at(context, observed.selection, limit, local, last.norm, parametrisation);
  if (!point) return {};
  return {true, direction_error(*point, limit), direction_error(*point, last.p)};
}

/// `safe`: the step is one for which theory promises that the loss never increases.
Judgement judge_constant(const ObservedRun& observed, const Selection& selection, const EqualNorm& equal, bool safe) {
  if (observed.run.end != End::finished && observed.run.end != End::out_of_time) return {Verdict::undecided, why_ended(observed)};
  if (!observed.run.monotone) return {safe ? Verdict::fails : Verdict::undecided, "a step increased the loss"};
  if (observed.run.end == End::out_of_time) return {Verdict::undecided, why_ended(observed)};
  if (observed.selection != selection) return {Verdict::undecided, fmt::format("it selects {} so far", to_string(observed.selection))};
  const TracePoint& before = early(observed.run);
  if (!(observed.run.last().norm > before.norm)) return {Verdict::undecided, "the norm does not grow"};
  if (!(observed.run.last().least_lead >= visible_lead)) return {Verdict::undecided, "the norm is too small for softmax to tell tokens apart"};
  if (!observed.direction_error) return {Verdict::undecided, "the SVM of its selection has no known solution"};
  const bool falls = *observed.direction_error < direction_error(before.p, *observed.limit.direction);
  if (!falls && !(*observed.direction_error <= observed.rounding()))
    return {Verdict::undecided, "the direction error does not fall yet"};
  if (equal.verified && !(equal.distance <= std::max({equal.path_error, *observed.direction_error, observed.rounding()})))
    return {Verdict::undecided, fmt::format("the path at this norm is {:.3g} away, farther than the limit", equal.distance)};
  return {Verdict::holds, fmt::format("norm {:.4g}, direction error {:.3g}{}{}, loss never increased", observed.run.last().norm,
                                      *observed.direction_error, falls ? " and falling" : "",
                                      equal.verified ? fmt::format(" (the path's at this norm: {:.3g})", equal.path_error) : "")};
}

std::string rate_text(const Limit& limit) {
  const std::string fastest = fmt::format("norm^-{:.3g}", limit.fastest);
  return limit.slowest == limit.fastest ? fastest : fmt::format("norm^-{:.3g} to {}", limit.slowest, fastest);
}

Judgement judge_run(const ObservedRun& observed, const Selection& selection, bool anywhere) {
  const Verdict contrary = anywhere ? Verdict::fails : Verdict::undecided;
  if (observed.run.end == End::stationary || observed.run.end == End::stuck) return {contrary, why_ended(observed)};
  if (observed.run.end != End::finished) return {Verdict::undecided, why_ended(observed)};
  if (!observed.heads_for_limit()) return {Verdict::undecided, "it does not head for a limit yet"};
  if (observed.selection != selection)
    return {contrary, fmt::format("it ends at selection {}", to_string(observed.selection))};
  if (!observed.falls_at_rate())
    return {Verdict::undecided, observed.rate ? fmt::format("the direction error falls like norm^{:.3g}, not like {}", *observed.rate, rate_text(observed.limit))
                                              : "the run is too short to measure a rate"};
  return {Verdict::holds, fmt::format("norm {:.4g}, direction error {:.3g}{}", observed.run.last().norm, *observed.direction_error,
                                      observed.rate ? fmt::format(", falling like norm^{:.3g}", *observed.rate) : "")};
}

/// The verdict of several runs: the first that fails, else the first that is open, else the last.
void keep_worse(Judgement& kept, const Judgement& one, std::size_t index) {
  const bool worse = (one.verdict == Verdict::fails && kept.verdict != Verdict::fails) ||
                     (one.verdict == Verdict::undecided && kept.verdict == Verdict::holds);
  if (worse) kept = {one.verdict, fmt::format("run {}: {}", index, one.text)};
  if (one.verdict == Verdict::holds && kept.verdict == Verdict::holds) kept = one;
}

Json worst_numbers(const std::vector<ObservedRun>& runs) {
  const auto error = [](const ObservedRun& observed) { return observed.direction_error.value_or(std::numeric_limits<double>::infinity()); };
  const ObservedRun& worst = *std::max_element(runs.begin(), runs.end(), [&](const auto& a, const auto& b) { return error(a) < error(b); });
  const bool monotone = std::all_of(runs.begin(), runs.end(), [](const ObservedRun& one) { return one.run.monotone; });
  return {{"norm", worst.run.last().norm},
          {"direction_error", worst.direction_error ? Json(*worst.direction_error) : Json()},
          {"iterations", worst.run.last().iteration},
          {"monotone", monotone},
          {"rate", worst.rate ? Json(*worst.rate) : Json()}};
}

}  // namespace

void DescentTheorem::assume_loss() { theorem.assume("Assumption A", decide(context_, assumption_a_claim(), {})); }

void DescentTheorem::assume_step() {
  const auto* step = context_.request.find<Rational>("step");
  if (chosen_method(context_.request) != DescentMethod::constant || step == nullptr) return;
  const std::optional<double> safe = safe_step(context_, parametrisation_);
  Finding decided;  // the spectral norms in L_p are floating point: observed
  if (safe) {
    decided.verdict = nearest_double(*step) <= *safe ? Verdict::holds : Verdict::fails;
    decided.message = fmt::format("step {:.6g}, 1/L_p = {:.6g}", nearest_double(*step), *safe);
  } else {
    decided.message = "1/L_p is not known";
  }
  theorem.assume("step at most 1/L_p", decided);
}

Finding DescentTheorem::observe(const Selection& selection, const std::vector<VectorXd>& starts, const std::vector<VectorXd>& watched,
                                bool anywhere) {
  const std::optional<DescentMethod> method = chosen_method(context_.request);
  const std::optional<DescentPlan> planned =
      descent_plan(context_, method.value_or(DescentMethod::normalised), theorem_iterations, parametrisation_);
  const std::optional<double> safe = safe_step(context_, parametrisation_);
  if (!planned || (!safe && q_ == 2)) return theorem.conclude(Verdict::undecided, "L_p is 0 or too large for doubles, so there is no step size");
  const DescentPlan plan = *planned;
  const bool free_length = context_.request.find<std::int64_t>("iterations") == nullptr && plan.method != DescentMethod::constant;
  DescentLaboratory laboratory(context_, parametrisation_, q_);
  laboratory.limit(selection);  // while there is time: a run whose time is up can then say how far it is from it
  const bool local = !decide_global_optimality(laboratory.scores(), selection).unique;
  std::vector<ObservedRun> runs;
  Judgement kept{Verdict::holds, ""};
  Json at_equal_norm = Json::array();
  for (const VectorXd& start : starts) {
    runs.push_back(free_length ? run_until_rate(laboratory, start, plan) : laboratory.run(start, plan));
    if (plan.method != DescentMethod::constant) {
      keep_worse(kept, judge_run(runs.back(), selection, anywhere), runs.size() - 1);
      continue;
    }
    const EqualNorm equal = q_ == 2 ? compare_at_equal_norm(context_, runs.back(), local, parametrisation_) : EqualNorm{};
    keep_worse(kept, judge_constant(runs.back(), selection, equal, q_ == 2), runs.size() - 1);
    at_equal_norm.push_back(equal.verified ? Json{{"path_error", equal.path_error}, {"gd_vs_path", equal.distance}} : Json());
  }
  Json numbers = worst_numbers(runs);
  if (plan.method == DescentMethod::constant && q_ == 2) numbers["at_equal_norm"] = at_equal_norm;
  if (!method && q_ == 2) {
    for (const VectorXd& start : watched) {
      const ObservedRun observed = laboratory.run(start, {DescentMethod::constant, *safe, watched_iterations});
      if (!observed.run.monotone) {
        numbers["monotone"] = false;
        kept = {Verdict::fails, "a constant step of 1/L_p increased the loss"};
      } else if (observed.run.last().iteration == 0 || observed.run.end == End::out_of_time) {
        numbers["monotone"] = nullptr;
        keep_worse(kept, {Verdict::undecided, "constant steps, for the loss: " + why_ended(observed)}, 0);
      }
    }
  }
  Finding finding = theorem.conclude(kept.verdict, kept.text);
  finding.selection = selection;
  finding.numbers = std::move(numbers);
  finding.numbers["method"] = name_of(plan.method);
  finding.numbers["step"] = plan.step;
  finding.numbers["runs"] = Json::array();
  for (const ObservedRun& observed : runs) finding.numbers["runs"].push_back(encode_run(observed, parametrisation_));
  finding.numbers["shares"] = encode_shares(runs);
  return finding;
}

}  // namespace attest
