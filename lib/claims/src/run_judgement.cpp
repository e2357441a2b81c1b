#include "run_judgement.hpp"

#include "attest/base/tolerance.hpp"
#include "path_observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace attest {
namespace {

using Eigen::VectorXd;
using End = DescentRun::End;

/// Constant steps seldom saturate attention; from this lead on the selected token has visibly more weight than the next.
constexpr double visible_lead = 0.1;

/// The trace point where a tenth of the iterations was done.
const TracePoint& early(const DescentRun& run) {
  const std::int64_t tenth = run.last().iteration / 10;
  return *std::find_if(run.trace.begin(), run.trace.end(), [&](const TracePoint& point) { return point.iteration >= tenth; });
}

std::string rate_text(const Limit& limit) {
  const std::string fastest = fmt::format("norm^-{:.3g}", limit.fastest);
  return limit.slowest == limit.fastest ? fastest : fmt::format("norm^-{:.3g} to {}", limit.slowest, fastest);
}

}  // namespace

std::optional<EqualNorm> compare_at_equal_norm(const ClaimContext& context, const ObservedRun& observed, bool local,
                                               Parametrisation parametrisation) {
  const TracePoint& last = observed.run.last();
  if (!observed.limit.direction || !(last.norm > 0)) return std::nullopt;
  const VectorXd& limit = *observed.limit.direction;
  const std::optional<VectorXd> point = path_point_at(context, observed.selection, limit, local, last.norm, parametrisation);
  if (!point) return std::nullopt;
  return EqualNorm{direction_error(*point, limit), direction_error(*point, last.p)};
}

RunJudgement judge_constant(const ObservedRun& observed, const Selection& selection, const std::optional<EqualNorm>& equal, bool safe) {
  if (observed.run.end != End::finished && observed.run.end != End::out_of_time) return {Verdict::undecided, why_ended(observed)};
  if (!observed.run.monotone) return {safe ? Verdict::fails : Verdict::undecided, "a step increased the loss"};
  if (observed.run.end == End::out_of_time) return {Verdict::undecided, why_ended(observed)};
  if (observed.selection != selection) return {Verdict::undecided, fmt::format("it selects {} so far", to_string(observed.selection))};
  const TracePoint& before = early(observed.run);
  if (!(observed.run.last().norm > before.norm)) return {Verdict::undecided, "the norm does not grow"};
  if (!(observed.run.last().least_lead >= visible_lead))
    return {Verdict::undecided, "the norm is too small for softmax to tell tokens apart"};
  if (!observed.direction_error) return {Verdict::undecided, "the SVM of its selection has no known solution"};
  const bool falls = *observed.direction_error < direction_error(before.p, *observed.limit.direction);
  if (!falls && !(*observed.direction_error <= observed.rounding())) return {Verdict::undecided, "the direction error does not fall yet"};
  if (equal && !(equal->distance <= std::max({equal->path_error, *observed.direction_error, observed.rounding()})))
    return {Verdict::undecided, fmt::format("the path at this norm is {:.3g} away, farther than the limit", equal->distance)};
  return {Verdict::holds,
          fmt::format("norm {:.4g}, direction error {:.3g}{}{}, loss never increased", observed.run.last().norm, *observed.direction_error,
                      falls ? " and falling" : "", equal ? fmt::format(" (the path's at this norm: {:.3g})", equal->path_error) : "")};
}

RunJudgement judge_run(const ObservedRun& observed, const Selection& selection, DescentTheorem::Reach reach, double angle) {
  // How a run ended in doubles refutes nothing, nor does one that a longer run may overturn.
  if (observed.run.end != End::finished) return {Verdict::undecided, why_ended(observed)};
  if (!observed.heads_for_limit()) return {Verdict::undecided, "it does not head for a limit yet"};
  if (observed.selection != selection)
    return {reach == DescentTheorem::Reach::any_start && observed.settled() ? Verdict::fails : Verdict::undecided,
            fmt::format("it ends at selection {}", to_string(observed.selection))};
  if (!observed.falls_at_rate())
    return {Verdict::undecided, observed.rate ? fmt::format("the direction error falls like norm^{:.3g}, not like {}", *observed.rate,
                                                            rate_text(observed.limit))
                                              : "the run is too short to measure a rate"};
  if (angle > 0 && !(*observed.direction_error <= returned_part.relative * observed.errors.front()))
    return {Verdict::undecided,
            fmt::format("it starts {:.3g} off the direction and is still {:.3g} off", observed.errors.front(), *observed.direction_error)};
  return {Verdict::holds, fmt::format("norm {:.4g}, direction error {:.3g}{}", observed.run.last().norm, *observed.direction_error,
                                      observed.rate ? fmt::format(", falling like norm^{:.3g}", *observed.rate) : "")};
}

void keep_worse(RunJudgement& kept, const RunJudgement& one, std::size_t index) {
  const bool proved = one.grade == Grade::proved && kept.grade == Grade::observed;
  const bool worse = (one.verdict == Verdict::fails && (kept.verdict != Verdict::fails || proved)) ||
                     (one.verdict == Verdict::undecided && kept.verdict == Verdict::holds);
  if (worse) kept = {one.verdict, fmt::format("run {}: {}", index, one.text), one.grade};
}

std::size_t worst_of(const std::vector<ObservedRun>& runs) {
  const auto error = [](const ObservedRun& observed) { return observed.direction_error.value_or(std::numeric_limits<double>::infinity()); };
  const auto worst = std::max_element(runs.begin(), runs.end(), [&](const auto& a, const auto& b) { return error(a) < error(b); });
  return static_cast<std::size_t>(worst - runs.begin());
}

}  // namespace attest
