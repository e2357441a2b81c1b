#include "checkpoints.hpp"

#include "attest/graph/numeric_problem.hpp"
#include "attest/solve/dense.hpp"
#include "attest/solve/factored_path.hpp"
#include "attest/solve/path.hpp"
#include "hypotheses.hpp"
#include "nuclear_rivals.hpp"
#include "path_observation.hpp"
#include "seconds.hpp"
#include "weight_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attest {
namespace {

using Eigen::VectorXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<const RowMatrix>;

constexpr std::size_t most_checkpoints = 1000;
constexpr std::size_t most_radii = 48;
/// As far as the points of a path are verified.
constexpr double largest_radius = 0x1p20;

/// Up to `most` of the numbers from 0 on, evenly spaced, the first and the last among them.
std::vector<std::size_t> evenly(std::size_t count, std::size_t most) {
  std::vector<std::size_t> kept;
  const std::size_t parts = std::min(count, most) - 1;
  for (std::size_t k = 0; k <= parts; ++k) kept.push_back(parts == 0 ? 0 : k * (count - 1) / parts);
  return kept;
}

VectorXd point_of(const TrainingRun& run, std::size_t index) {
  const std::size_t size = run.values.size() / run.count;
  if (run.trained != TrainingRun::Trained::factors)
    return Eigen::Map<const VectorXd>(run.values.data() + index * size, static_cast<Eigen::Index>(size));
  const auto m = static_cast<Eigen::Index>(run.columns);
  const auto d = static_cast<Eigen::Index>(size) / m;
  const RowMatrix W = Rows(run.values.data() + index * size, d, m) * Rows(run.queries.data() + index * size, d, m).transpose();
  return Eigen::Map<const VectorXd>(W.data(), W.size());
}

/// What iterations are to a run of descent: the steps, where they are whole numbers.
std::vector<std::int64_t> iterations_of(const std::vector<double>& steps) {
  constexpr double largest = 1e15;
  const bool whole = std::ranges::all_of(steps, [&](double step) { return step == std::floor(step) && std::abs(step) <= largest; });
  std::vector<std::int64_t> iterations(steps.size());
  std::iota(iterations.begin(), iterations.end(), 0);
  if (whole) std::ranges::transform(steps, iterations.begin(), [](double step) { return static_cast<std::int64_t>(step); });
  return iterations;
}

/// softmax at p, or at the prompts W z_i of the samples: the least weight of a selected token.
class AttentionMeter {
 public:
  AttentionMeter(const Problem& problem, Parametrisation parametrisation)
      : problem_(problem), queries_(query_columns(problem)), weights_(parametrisation == Parametrisation::weights) {}

  double least(const VectorXd& p, const Selection& selection) const {
    const Eigen::Index d = problem_.tokens.front().rows();
    double least = 1;
    for (std::size_t i = 0; i < selection.size(); ++i) {
      const VectorXd logits =
          weights_ ? VectorXd(problem_.tokens[i].transpose() * (Rows(p.data(), d, d) * queries_.col(static_cast<Eigen::Index>(i))))
                   : VectorXd(problem_.keys[i].transpose() * p);
      const double selected = logits(static_cast<Eigen::Index>(selection[i]));
      least = std::min(least, 1 / (logits.array() - selected).exp().sum());
    }
    return least;
  }

 private:
  NumericProblem problem_;
  Eigen::MatrixXd queries_;
  bool weights_;
};

struct PathError {
  double radius;
  double error;
};

/// At a radius between those of the list, which ascend: in logarithms, unless an error is 0.
std::optional<double> interpolated(const std::vector<PathError>& errors, double radius) {
  const auto after = std::ranges::lower_bound(errors, radius, {}, &PathError::radius);
  if (after == errors.end()) return std::nullopt;
  if (after->radius == radius) return after->error;
  if (after == errors.begin()) return std::nullopt;
  const auto before = std::prev(after);
  const double part = std::log(radius / before->radius) / std::log(after->radius / before->radius);
  if (!(before->error > 0 && after->error > 0)) return before->error + part * (after->error - before->error);
  return before->error * std::pow(after->error / before->error, part);
}

/// The norms of the checkpoints that a path can reach, thinned, with steps of at most 2 between them.
std::vector<double> path_radii(const CheckpointSeries& series) {
  std::vector<double> norms;
  for (std::size_t k = 0; k < series.size(); ++k)
    if (const double radius = series.radius(k); radius > 0 && radius <= largest_radius) norms.push_back(radius);
  std::ranges::sort(norms);
  norms.erase(std::unique(norms.begin(), norms.end()), norms.end());
  std::vector<double> radii;
  if (norms.empty()) return radii;
  for (const std::size_t k : evenly(norms.size(), most_radii)) {
    while (!radii.empty() && norms[k] > 2 * radii.back() && radii.back() >= 1) radii.push_back(2 * radii.back());
    radii.push_back(norms[k]);
  }
  return radii;
}

/// Of the path, roughly, as path, w-path and kq-path estimate it.
double path_seconds(const ProblemSize& size, TrainingRun::Trained trained) {
  switch (trained) {
    case TrainingRun::Trained::prompt: return size.tokens * size.dimension * 2e-4;
    case TrainingRun::Trained::weights: return weight_path_seconds(size);
    case TrainingRun::Trained::factors: break;
  }
  return factored_path_seconds(size);
}

}  // namespace

void Checkpoint::write(Fields& out) const {
  out("checkpoint", index)("step", step)("norm", norm)("loss", loss)("log_excess", log_excess)("attention", attention)(
      "selection", selection)("direction_error", direction_error)("best_error", best_error)("path_error", path_error);
}

CheckpointSeries::CheckpointSeries(const TrainingRun& run) : trained_(run.trained), indices_(evenly(run.count, most_checkpoints)) {
  for (const std::size_t index : indices_) {
    points_.push_back(point_of(run, index));
    steps_.push_back(run.steps[index]);
  }
}

double CheckpointSeries::radius(std::size_t k) const {
  if (trained_ != TrainingRun::Trained::factors) return points_[k].stableNorm();
  const auto d = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(points_[k].size()))));
  return singular_values(Eigen::MatrixXd(points_[k].reshaped(d, d))).sum();
}

DescentRun CheckpointSeries::trace(const Problem& problem, const Scores& scores) const {
  DescentKernel kernel(problem, scores, 0, parametrisation());
  const std::vector<std::int64_t> iterations = iterations_of(steps_);
  DescentRun run;
  for (std::size_t k = 0; k < size(); ++k)
    run.trace.push_back({iterations[k], points_[k].stableNorm(), kernel.log_excess(points_[k]), points_[k], kernel.selection(points_[k]),
                         kernel.least_lead(points_[k])});
  return run;
}

std::vector<Checkpoint> CheckpointSeries::observe(const Problem& problem, const DescentRun& trace, const Scores& scores) const {
  DescentKernel kernel(problem, scores, 0, parametrisation());
  const AttentionMeter meter(problem, parametrisation());
  std::vector<Checkpoint> checkpoints;
  for (std::size_t k = 0; k < size(); ++k) {
    const TracePoint& point = trace.trace[k];
    const LossLevel level = kernel.loss_level(point.p);
    checkpoints.push_back({indices_[k], steps_[k], point.norm, level.base + level.distance.value(), point.log_excess,
                           meter.least(point.p, point.selection), point.selection});
  }
  return checkpoints;
}

Limit nuclear_limit(const ClaimContext& context, const Selection& selection) {
  const DecidedNuclear decided = decide_nuclear(context, selection);
  if (decided.verdict != Verdict::holds || !(lower_double(decided.svm->bracket->lower) > 0)) return {};
  const VectorXd direction = decided.solution();
  return {direction, possible_rivals(context.problem(), context.study.scores(), selection, direction).empty()};
}

std::vector<std::optional<double>> path_errors(const ClaimContext& context, const CheckpointSeries& series, const Selection& selection,
                                               const VectorXd& direction) {
  std::vector<std::optional<double>> found(series.size());
  PathSettings settings;
  settings.seed = context.seed;
  settings.radii = path_radii(series);
  if (selection != context.study.best()) settings.cone_mu = local_cone_mu;
  if (settings.radii.empty() || path_seconds(ProblemSize(context.problem()), series.trained()) > context.budget.seconds_left())
    return found;
  const Path path = series.trained() == TrainingRun::Trained::factors
                        ? follow_factored_path(context.problem(), selection, direction, settings, context.budget)
                        : follow_path(trained_image(context.problem(), series.parametrisation()), image_vector(*context.problem().v),
                                      selection, direction, settings, context.budget);
  std::vector<PathError> errors;
  for (const PathPoint& point : path.points)
    if (point.check.verified) errors.push_back({point.radius, direction_error(point.p, direction)});
  for (std::size_t k = 0; k < series.size(); ++k) found[k] = interpolated(errors, series.radius(k));
  return found;
}

}  // namespace attest
