#include "descent_runs.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/exact/local_optimality.hpp"
#include "attest/graph/numeric_problem.hpp"
#include "attest/solve/dense.hpp"
#include "attest/solve/lq_svm.hpp"
#include "attest/solve/rate.hpp"
#include "hypotheses.hpp"
#include "sampling.hpp"
#include "weight_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace attest {
namespace {

using Eigen::VectorXd;

constexpr std::string_view normalised_name = "normalised";
constexpr std::string_view constant_name = "constant";
constexpr std::string_view flow_name = "flow";
constexpr std::string_view at_the_proof = "proved";
constexpr std::string_view at_the_end = "iterations";

/// Matrices of more numbers are not written among those of a run.
constexpr Eigen::Index most_written = Eigen::Index{1} << 16U;

VectorXd to_vector(const RationalPoint& point) {
  VectorXd vector(static_cast<Eigen::Index>(point.size()));
  for (std::size_t k = 0; k < point.size(); ++k) vector(static_cast<Eigen::Index>(k)) = nearest_double(point[k]);
  return vector;
}

/// The first trace point of the last stretch: from half the final norm on.
std::size_t last_stretch(const std::vector<TracePoint>& trace) {
  std::size_t first = trace.size() - 1;
  while (first > 0 && trace[first].norm > trace.back().norm / 2) --first;
  return first;
}

/// Norms from this one on count for the rate: the last two decades, not before 10^3 where the run gets that far, and
/// clear of where it started.
double rate_from(const std::vector<TracePoint>& trace) {
  const double end = trace.back().norm;
  return std::max({end / 100, std::min(1e3, end / 10), 2 * trace.front().norm});
}

std::optional<double> measure_rate(const std::vector<TracePoint>& trace, const std::vector<double>& errors, double rounding) {
  std::vector<LogPoint> points;
  for (std::size_t k = 0; k < trace.size(); ++k)
    if (trace[k].norm >= rate_from(trace) && errors[k] > rounding) points.push_back({std::log(trace[k].norm), std::log(errors[k])});
  return fit_slope(points);
}

/// The limit of mirror descent: a solution and tight rows in floating point, so nothing here is exact. Offsets of grad psi fade
/// like norm^(1-q) beside it, those of p like 1/norm. [docs/theory.md, Mirror descent]
Limit lq_limit(const SvmProgram& program, const LqSvmSolution& found, const Scores& scores, double q) {
  if (!found.solved()) return {};
  const TightRows tight = tight_rows(program, found);
  const bool outscored =
      std::any_of(tight.possible.begin(), tight.possible.end(), [&](std::size_t row) { return !selected_outscores(program, row, scores); });
  return {found.p, !outscored, tight.possible.size() > tight.certain.size(), std::min(1.0, q - 1), std::max(1.0, q - 1)};
}

/// Asks at each iterate whether it is in the basin. Doubles have a look first: exact arithmetic takes a hundred times as long, and has the
/// last word. Each time it says no, more iterates pass before it is asked again: a run to a selection with one second-best token ends at
/// the basin's very edge.
class BasinWatch {
 public:
  /// `whole` is the point that a point of the kernel stands for.
  BasinWatch(DescentKernel& kernel, const Basin& basin, std::function<VectorXd(const VectorXd&)> whole)
      : kernel_(&kernel), basin_(&basin), whole_(std::move(whole)), log_level_(std::log(basin.level())) {}

  bool operator()(const VectorXd& p) {
    if (kernel_->log_excess(p) > log_level_ + basin_look_tolerance.relative) return false;
    if (to_pass_ > 0) {
      --to_pass_;
      return false;
    }
    to_pass_ = ++refused_;
    const VectorXd point = whole_(p);
    return basin_->contains({point.data(), static_cast<std::size_t>(point.size())});
  }

 private:
  DescentKernel* kernel_;
  const Basin* basin_;
  std::function<VectorXd(const VectorXd&)> whole_;
  double log_level_;
  std::int64_t refused_ = 0;
  std::int64_t to_pass_ = 0;
};

/// The parts of a trace, a list each.
struct TraceNumbers {
  const ObservedRun& observed;

  void write(Fields& out) const {
    std::vector<std::int64_t> iterations;
    std::vector<double> norms;
    std::vector<double> losses;
    for (const TracePoint& point : observed.run.trace) {
      iterations.push_back(point.iteration);
      norms.push_back(point.norm);
      losses.push_back(point.log_excess);
    }
    out("iteration", iterations)("norm", norms)("log_excess", losses)("direction_error", observed.errors);
  }
};

}  // namespace

bool ObservedRun::heads_for_limit() const {
  if (run.end != DescentRun::End::finished || !heading_error || !(*heading_error <= heading_tolerance.distance)) return false;
  if (!saturated() || !still_grows()) return false;
  const auto stretch = run.trace.begin() + static_cast<std::ptrdiff_t>(last_stretch(run.trace));
  return std::all_of(stretch + 1, run.trace.end(), [&](const TracePoint& point) { return point.selection == selection; });
}

bool ObservedRun::saturated() const {
  constexpr double saturated_lead = 10;
  return run.last().least_lead >= saturated_lead;
}

bool ObservedRun::still_grows() const {
  // From half the iterations to the end the norm grows by a fair part of what it has grown in all. A run around a minimiser at finite norm
  // does not.
  constexpr double least_part = 0.02;
  const std::vector<TracePoint>& trace = run.trace;
  const auto half =
      std::find_if(trace.begin(), trace.end(), [&](const TracePoint& point) { return 2 * point.iteration >= trace.back().iteration; });
  double longest = 0;  // the farthest the run has come from its start
  for (const TracePoint& point : trace) longest = std::max(longest, (point.p - trace.front().p).norm());
  return longest > 0 && trace.back().norm - half->norm >= least_part * longest;
}

double ObservedRun::rounding() const {
  // Steps that are all alike are all rounded the same way: errors add up.
  constexpr double a_step = 4 * std::numeric_limits<double>::epsilon();
  return direction_floor.distance + a_step * static_cast<double>(run.last().iteration);
}

bool ObservedRun::falls_at_rate() const {
  if (direction_error && *direction_error <= rounding()) return true;
  // Where theory's power is small, half of it: an error that merely does not grow does not fall.
  const double allowed =
      std::min(limit.degenerate ? degenerate_rate_tolerance.exponent : descent_rate_tolerance.exponent, limit.slowest / 2);
  return rate && *rate <= -limit.slowest + allowed && *rate >= -limit.fastest - allowed;
}

ObservedRun compare_with_limit(DescentRun run, const Selection& selection, Limit limit) {
  ObservedRun observed{run.trace.front().p, std::move(run), selection, std::move(limit)};
  if (!observed.limit.direction) return observed;
  const VectorXd& direction = *observed.limit.direction;
  const std::vector<TracePoint>& trace = observed.run.trace;
  for (const TracePoint& point : trace) observed.errors.push_back(direction_error(point.p, direction));
  observed.direction_error = observed.errors.back();
  observed.heading_error = direction_error(trace.back().p - trace[last_stretch(trace)].p, direction);
  observed.rate = measure_rate(trace, observed.errors, observed.rounding());
  return observed;
}

namespace {

/// Only where that saves much: coordinates round.
std::optional<QueryFrame> frame_of(const Problem& problem, Parametrisation parametrisation, double q) {
  const bool few = 2 * problem.sample_count() <= problem.dimension() && problem.dimension() >= 64;
  return parametrisation == Parametrisation::weights && q == 2 && few ? std::optional<QueryFrame>(problem) : std::nullopt;
}

DescentKernel kernel_of(const ClaimContext& context, Parametrisation parametrisation, const std::optional<QueryFrame>& frame) {
  if (frame) return {context.problem(), context.study.scores(), 0, frame->queries()};
  return {context.problem(), context.study.scores(), 0, parametrisation};
}

}  // namespace

QueryFrame::QueryFrame(const Problem& problem) {
  ThinQr factors = thin_qr(query_columns(problem));
  basis_ = std::move(factors.Q);
  queries_ = std::move(factors.R);
}

VectorXd QueryFrame::within(const VectorXd& W) const {
  return (basis_.transpose() * W.reshaped(basis_.rows(), W.size() / basis_.rows())).reshaped();
}

VectorXd QueryFrame::whole(const VectorXd& part) const {
  return (basis_ * part.reshaped(basis_.cols(), part.size() / basis_.cols())).reshaped();
}

DescentLaboratory::DescentLaboratory(const ClaimContext& context, Parametrisation parametrisation, double q)
    : context_(context), parametrisation_(parametrisation), q_(q), frame_(frame_of(context.problem(), parametrisation, q)),
      kernel_(kernel_of(context, parametrisation, frame_)) {}

ObservedRun DescentLaboratory::run(const VectorXd& start, DescentPlan plan) {
  plan.q = q_;
  const VectorXd within = frame_ ? frame_->within(start) : start;
  const VectorXd beyond = frame_ ? VectorXd(start - frame_->whole(within)) : VectorXd();  // no query sees it, and nothing changes it
  const auto whole = [&](const VectorXd& p) -> VectorXd { return frame_ ? VectorXd(beyond + frame_->whole(p)) : p; };
  if (basin_) plan.arrived = BasinWatch(kernel_, *basin_, whole);
  DescentRun run = descend(kernel_, within, plan, context_.budget, context_.progress);
  for (TracePoint& point : run.trace) {
    if (!frame_) break;
    point.p = whole(point.p);
    point.norm = point.p.stableNorm();
  }
  const Selection selection = run.last().selection;
  ObservedRun observed = compare_with_limit(std::move(run), selection, limit(selection));
  if (reached_.insert(selection).second) observed.attention = attention_along(context_.problem(), observed.run.trace);
  return observed;
}

void DescentLaboratory::watch_basin() { basin_.emplace(context_.study.tokens(), context_.study.scores(), parametrisation_); }

const Limit& DescentLaboratory::limit(const Selection& selection) {
  const auto [entry, fresh] = limits_.try_emplace(selection);
  if (!fresh) return entry->second;
  if (const auto bracketed = context_.study.svm_bracket(parametrisation_, selection, context_.budget)) {
    if (q_ != 2) {
      const auto found = context_.study.lq_svm(q_, selection, context_.budget);
      return entry->second = lq_limit(bracketed->program, *found, context_.study.scores(), q_);
    }
    const bool optimal = decide_local_optimality(context_, parametrisation_, selection).verdict == Verdict::holds;
    entry->second = Limit{solution_image(*bracketed), optimal, bracketed->bracket.possible.size() > bracketed->bracket.multipliers.size()};
    return entry->second;
  }
  const auto svm = context_.study.svm(parametrisation_, selection, context_.budget);
  const SvmSolution* solution = svm->solution();
  if (solution == nullptr || solution->support.empty()) return entry->second;
  const Scores& scores = context_.study.scores();
  entry->second = q_ == 2 ? Limit{solution_image(*svm), !outscoring_neighbour(svm->program, *solution, scores), svm->degenerate()}
                          : lq_limit(svm->program, *context_.study.lq_svm(q_, selection, context_.budget), scores, q_);
  return entry->second;
}

std::vector<ParameterSpec> descent_parameters(const DescentFallbacks& fallbacks, ParameterKind starts) {
  const std::string_view where =
      starts == ParameterKind::matrices ? "where the runs start: d x d matrices, by rows" : "where the runs start";
  return {{"starts", starts, false, where, {}, fallbacks.starts},
          {"random", ParameterKind::count, false, "so many random starts, drawn by the seed, as well", {}},
          {"radius", ParameterKind::positive, false, "the norm of random starts", {}, "1"},
          {"method", ParameterKind::choice, false, "how to descend", {normalised_name, constant_name, flow_name}, fallbacks.method},
          {"step", ParameterKind::positive, false, "step or arc length", {}, "0.1; constant: 1/L_p"},
          {"iterations", ParameterKind::count, false, "of each run", {}, fallbacks.iterations}};
}

ParameterSpec stop_parameter() {
  return {"stop",
          ParameterKind::choice,
          false,
          "where a run ends: at the iterate from which its limit is proved, if it is, or after its iterations",
          {at_the_proof, at_the_end},
          "iterations; in a sweep proved, unless iterations are given"};
}

bool stops_when_proved(const ClaimContext& context) {
  if (const auto* given = context.request.find<std::string>("stop")) return *given == at_the_proof;
  return context.verdicts_alone && context.request.find<std::int64_t>("iterations") == nullptr;
}

std::vector<VectorXd> starting_points(const ClaimContext& context, const std::vector<VectorXd>& fallback) {
  std::vector<VectorXd> points;
  if (const auto* given = context.request.find<std::vector<RationalPoint>>("starts"))
    for (const RationalPoint& point : *given) points.push_back(to_vector(point));
  if (const auto* count = context.request.find<std::int64_t>("random")) {
    const auto* radius = context.request.find<Rational>("radius");
    Sampler sampler(context.seed);
    for (std::int64_t k = 0; k < *count; ++k)
      points.emplace_back((radius ? nearest_double(*radius) : 1.0) * sampler.unit_vector(fallback.front().size()));
  }
  return points.empty() ? fallback : points;
}

bool names_starts(const ClaimRequest& request) {
  return request.find<std::vector<RationalPoint>>("starts") != nullptr || request.find<std::int64_t>("random") != nullptr;
}

std::optional<DescentMethod> chosen_method(const ClaimRequest& request) {
  const auto* name = request.find<std::string>("method");
  if (name == nullptr) return std::nullopt;
  if (*name == constant_name) return DescentMethod::constant;
  return *name == flow_name ? DescentMethod::flow : DescentMethod::normalised;
}

std::string_view name_of(DescentMethod method) {
  return method == DescentMethod::constant ? constant_name : method == DescentMethod::flow ? flow_name : normalised_name;
}

Rational exact_step(const ClaimRequest& request, const DescentPlan& plan) {
  if (const auto* given = request.find<Rational>("step")) return *given;
  return plan.step == nearest_double(default_step) ? default_step : exact_value(plan.step);
}

std::optional<double> safe_step(const ClaimContext& context, Parametrisation parametrisation) {
  const std::optional<double> lipschitz = context.study.lipschitz(parametrisation, context.budget);
  if (!lipschitz || !(*lipschitz > 0)) return std::nullopt;
  const double step = std::nextafter(1 / *lipschitz, 0.0);
  if (!(step > 0 && std::isfinite(step))) return std::nullopt;  // L_p beyond doubles leaves no step
  return step;
}

std::optional<DescentPlan> descent_plan(const ClaimContext& context, DescentMethod method, std::int64_t default_iterations,
                                        Parametrisation parametrisation) {
  const auto* iterations = context.request.find<std::int64_t>("iterations");
  const auto* step = context.request.find<Rational>("step");
  DescentPlan plan{method, nearest_double(default_step), iterations ? *iterations : default_iterations};
  if (step) {
    plan.step = nearest_double(*step);
  } else if (method == DescentMethod::constant) {
    const std::optional<double> safe = safe_step(context, parametrisation);
    if (!safe) return std::nullopt;
    plan.step = *safe;
  }
  return plan;
}

std::vector<Share> shares_of(const std::vector<ObservedRun>& runs) {
  std::map<Selection, std::size_t> counts;
  for (const ObservedRun& observed : runs) ++counts[observed.selection];
  std::vector<Share> shares;
  for (const auto& [selection, count] : counts)
    shares.push_back({selection, count, static_cast<double>(count) / static_cast<double>(runs.size())});
  return shares;
}

void RunNumbers::write(Fields& out) const {
  const TracePoint& last = observed.run.last();
  if (parametrisation == Parametrisation::weights && last.p.size() > most_written)
    out("start", std::nullopt)("final", std::nullopt);
  else if (parametrisation == Parametrisation::weights)
    out("start", rows_of(observed.start))("final", rows_of(last.p));
  else
    out("start", observed.start)("final", last.p);
  out("norm", last.norm)("direction_error", observed.direction_error)("heading_error", observed.heading_error)("rate", observed.rate)(
      "selection", observed.selection)("locally_optimal", observed.limit.locally_optimal)("iterations", last.iteration)(
      "monotone", observed.run.monotone)("limit", last.p.size() > most_written ? std::nullopt : observed.limit.direction)(
      "trace", TraceNumbers{observed})("positions", positions_of(observed.run.trace))("attention", observed.attention);
  if (basin_iterate) out("basin_iterate", *basin_iterate);
  if (!proof) return;
  const ProvedLimit* proved = proof->proved();
  write_bound(proved ? std::optional(bound_of(*proved)) : std::nullopt, out);
  out("obstacle", proved ? std::nullopt : std::optional(proof->obstacle()));
}

std::vector<RunNumbers> run_numbers(std::vector<ObservedRun> runs, const std::vector<LimitProof>& proofs, Parametrisation parametrisation) {
  std::vector<RunNumbers> numbers;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    numbers.emplace_back(std::move(runs[k]), parametrisation);
    if (k < proofs.size()) numbers.back().proof = proofs[k];
  }
  return numbers;
}

std::string why_ended(const ObservedRun& observed) {
  using enum DescentRun::End;
  const std::int64_t iteration = observed.run.last().iteration;
  switch (observed.run.end) {
    case finished: return "";
    case stationary: return fmt::format("the gradient is 0 in doubles after {} iterations", iteration);
    case still: return fmt::format("after {} iterations the step is too small to change p in doubles", iteration);
    case stuck:
      return fmt::format("after {} iterations the flow needs steps too short for doubles, at norm {:.4g}", iteration,
                         observed.run.last().norm);
    case not_finite: return fmt::format("after {} iterations the gradient or the loss is not a number", iteration);
    case out_of_time:
      return fmt::format("the time was up after {} iterations, at norm {:.4g}{}", iteration, observed.run.last().norm,
                         observed.direction_error ? fmt::format(" and direction error {:.3g}", *observed.direction_error) : "");
  }
  return "";
}

}  // namespace attest
