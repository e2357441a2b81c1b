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
std::int64_t far_beyond(const Start& start, double step) {
  constexpr double growth = 30;
  constexpr std::int64_t least_off_the_ray = 10'000;
  const double wanted = std::min(growth * start.point.norm() / step, static_cast<double>(most_iterations));
  return std::max(start.angle > 0 ? least_off_the_ray : theorem_iterations, static_cast<std::int64_t>(wanted));
}

/// A run of a length that is free to choose: longer where it heads for the limit but its rate has not set in, as with rows that
/// are nearly tight.
ObservedRun run_until_rate(DescentLaboratory& laboratory, const Start& start, DescentPlan plan, const Selection& selection) {
  plan.iterations = far_beyond(start, plan.step);
  ObservedRun observed = laboratory.run(start.point, plan);
  while (observed.heads_for_limit() && observed.selection == selection && !observed.falls_at_rate() && plan.iterations < most_iterations) {
    plan.iterations = std::min(10 * plan.iterations, most_iterations);
    observed = laboratory.run(start.point, plan);
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

Judgement judge_run(const ObservedRun& observed, const Selection& selection, DescentTheorem::Reach reach, double angle) {
  // How a run ended in doubles refutes nothing, nor does one that a longer run may overturn.
  if (observed.run.end != End::finished) return {Verdict::undecided, why_ended(observed)};
  if (!observed.heads_for_limit()) return {Verdict::undecided, "it does not head for a limit yet"};
  if (observed.selection != selection)
    return {reach == DescentTheorem::Reach::any_start && observed.settled() ? Verdict::fails : Verdict::undecided,
            fmt::format("it ends at selection {}", to_string(observed.selection))};
  if (!observed.falls_at_rate())
    return {Verdict::undecided, observed.rate ? fmt::format("the direction error falls like norm^{:.3g}, not like {}", *observed.rate, rate_text(observed.limit))
                                              : "the run is too short to measure a rate"};
  if (angle > 0 && !(*observed.direction_error <= returned_part.relative * observed.errors.front()))
    return {Verdict::undecided, fmt::format("it starts {:.3g} off the direction and is still {:.3g} off", observed.errors.front(), *observed.direction_error)};
  return {Verdict::holds, fmt::format("norm {:.4g}, direction error {:.3g}{}", observed.run.last().norm, *observed.direction_error,
                                      observed.rate ? fmt::format(", falling like norm^{:.3g}", *observed.rate) : "")};
}

/// The verdict of several runs: the first that fails, else the first that is open.
void keep_worse(Judgement& kept, const Judgement& one, std::size_t index) {
  const bool worse = (one.verdict == Verdict::fails && kept.verdict != Verdict::fails) ||
                     (one.verdict == Verdict::undecided && kept.verdict == Verdict::holds);
  if (worse) kept = {one.verdict, fmt::format("run {}: {}", index, one.text)};
}

/// The run with the largest direction error, which the claim's numbers are about.
std::size_t worst_of(const std::vector<ObservedRun>& runs) {
  const auto error = [](const ObservedRun& observed) { return observed.direction_error.value_or(std::numeric_limits<double>::infinity()); };
  const auto worst = std::max_element(runs.begin(), runs.end(), [&](const auto& a, const auto& b) { return error(a) < error(b); });
  return static_cast<std::size_t>(worst - runs.begin());
}

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
  return fmt::format("at norm {:.4g} it {} selection {}", observed.run.last().norm, observed.heads_for_limit() ? "heads for" : "is at", to_string(observed.selection));
}

/// The last hypothesis of the basin theorem, by the first iterate of each run that is inside. Iterates are rounded, so it is observed. A run
/// that has not entered the basin may still do so.
Finding decide_basin(const std::vector<ObservedRun>& runs) {
  Finding decided;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (runs[k].run.arrival) continue;
    decided.message = fmt::format("run {} has not entered the basin after {} iterations; {}", k, runs[k].run.last().iteration, whereabouts(runs[k]));
    return decided;
  }
  const std::int64_t last = *last_arrival(runs);
  decided.verdict = Verdict::holds;
  decided.message = last == 0 ? "L < L* + chi/n at the start" : fmt::format("L < L* + chi/n at iterate {}: constant steps and flow converge from there on", last);
  return decided;
}

Json worst_numbers(const std::vector<ObservedRun>& runs) {
  const ObservedRun& worst = runs[worst_of(runs)];
  const bool monotone = std::all_of(runs.begin(), runs.end(), [](const ObservedRun& one) { return one.run.monotone; });
  return {{"norm", worst.run.last().norm},
          {"direction_error", worst.direction_error ? Json(*worst.direction_error) : Json()},
          {"iterations", worst.run.last().iteration},
          {"monotone", monotone},
          {"rate", worst.rate ? Json(*worst.rate) : Json()}};
}

/// Of starts that were made by their angle to the ray, the first on it.
void add_angles(Json& numbers, const std::vector<Start>& starts) {
  if (starts.size() < 2 || !(starts.back().angle > 0)) return;
  Json angles = Json::array();
  for (const Start& start : starts) angles.push_back(start.angle);
  numbers["angles"] = std::move(angles);
}

Json encode_iterate(const std::optional<std::int64_t>& iterate) { return iterate ? Json(*iterate) : Json(); }

/// Where the theorem speaks of any start it speaks of iterate 0.
void add_arrivals(Json& numbers, const std::vector<ObservedRun>& runs, bool any_start) {
  for (std::size_t k = 0; k < runs.size(); ++k) numbers["runs"][k]["basin_iterate"] = encode_iterate(any_start ? 0 : runs[k].run.arrival);
  numbers["from_iterate"] = encode_iterate(any_start ? 0 : last_arrival(runs));
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

Finding DescentTheorem::observe(const Selection& selection, const std::vector<Start>& starts, const std::vector<VectorXd>& watched,
                                Reach reach) {
  const std::optional<DescentMethod> method = chosen_method(context_.request);
  const std::optional<DescentPlan> planned =
      descent_plan(context_, method.value_or(DescentMethod::normalised), theorem_iterations, parametrisation_);
  const std::optional<double> safe = safe_step(context_, parametrisation_);
  if (!planned || (!safe && q_ == 2)) return theorem.conclude(Verdict::undecided, "L_p is 0 or too large for doubles, so there is no step size");
  const DescentPlan plan = *planned;
  const bool free_length = context_.request.find<std::int64_t>("iterations") == nullptr && plan.method != DescentMethod::constant;
  DescentLaboratory laboratory(context_, parametrisation_, q_);
  if (reach == Reach::basin) laboratory.watch_basin();
  laboratory.limit(selection);  // while there is time: a run whose time is up can then say how far it is from it
  const bool local = !decide_global_optimality(laboratory.scores(), selection).unique;
  std::vector<ObservedRun> runs;
  std::vector<Judgement> judged;
  Json at_equal_norm = Json::array();
  for (const Start& start : starts) {
    runs.push_back(free_length ? run_until_rate(laboratory, start, plan, selection) : laboratory.run(start.point, plan));
    if (plan.method != DescentMethod::constant) {
      judged.push_back(judge_run(runs.back(), selection, reach, start.angle));
      continue;
    }
    const EqualNorm equal = q_ == 2 ? compare_at_equal_norm(context_, runs.back(), local, parametrisation_) : EqualNorm{};
    judged.push_back(judge_constant(runs.back(), selection, equal, q_ == 2));
    at_equal_norm.push_back(equal.verified ? Json{{"path_error", equal.path_error}, {"gd_vs_path", equal.distance}} : Json());
  }
  Judgement kept{Verdict::holds, judged[worst_of(runs)].text};
  for (std::size_t k = 0; k < judged.size(); ++k) keep_worse(kept, judged[k], k);
  Json numbers = worst_numbers(runs);
  if (plan.method == DescentMethod::constant && q_ == 2) numbers["at_equal_norm"] = at_equal_norm;
  if (!method && q_ == 2) {
    for (const VectorXd& start : watched) {
      const ObservedRun observed = laboratory.run(start, {DescentMethod::constant, *safe, watched_iterations});
      if (!observed.run.monotone) {
        numbers["monotone"] = false;
        kept = {Verdict::fails, "a constant step of 1/L_p increased the loss"};
      } else if (observed.run.last().iteration == 0 || observed.run.end == End::out_of_time || observed.run.end == End::not_finite) {
        numbers["monotone"] = nullptr;
        keep_worse(kept, {Verdict::undecided, "constant steps, for the loss: " + why_ended(observed)}, 0);
      }
    }
  }
  if (reach == Reach::basin) theorem.assume("start in the basin", decide_basin(runs));
  Finding finding = theorem.applies() ? theorem.conclude(kept.verdict, kept.text) : theorem.obstacle(selection);
  finding.selection = selection;
  finding.numbers = std::move(numbers);
  finding.numbers["method"] = name_of(plan.method);
  finding.numbers["step"] = plan.step;
  finding.numbers["runs"] = Json::array();
  for (const ObservedRun& observed : runs) finding.numbers["runs"].push_back(encode_run(observed, parametrisation_));
  finding.numbers["shares"] = encode_shares(runs);
  if (reach == Reach::cone)
    add_angles(finding.numbers, starts);
  else
    add_arrivals(finding.numbers, runs, reach == Reach::any_start);
  return finding;
}

}  // namespace attest
