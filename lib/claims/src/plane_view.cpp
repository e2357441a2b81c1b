#include "plane_view.hpp"

#include "attest/graph/numeric_problem.hpp"
#include "attest/solve/dense.hpp"
#include "path_observation.hpp"
#include "run_view.hpp"

#include <algorithm>

namespace attest {
namespace {

/// Singular values of the keys' differences below this share of the largest are rounding.
constexpr double span_threshold = 1e-9;
/// Points along a side at which the loss is taken: bands look smooth.
constexpr std::int64_t loss_grid = 41;
constexpr int loss_digits = 4;
/// A point whose part off the plane is a larger share of it is not where it would be drawn.
constexpr double most_off_plane = 0.5;

/// The point as seen in the plane; none where it lies elsewhere.
std::optional<Eigen::Vector2d> seen_in(const Eigen::MatrixXd& plane, const Eigen::VectorXd& point) {
  const Eigen::Vector2d seen = plane.transpose() * point;
  return (point - plane * seen).norm() <= most_off_plane * point.norm() ? std::optional(seen) : std::nullopt;
}

/// Whether a few columns, the longest among them, which is what small ones are measured by, span more than a plane already: all of large
/// data would take seconds.
bool spans_more(const Eigen::MatrixXd& columns) {
  constexpr Eigen::Index few = 8;
  Eigen::Index longest = 0;
  columns.colwise().squaredNorm().maxCoeff(&longest);
  Eigen::MatrixXd some(columns.rows(), std::min(few, columns.cols()) + 1);
  some << columns.col(longest), columns.leftCols(some.cols() - 1);
  return column_span(some, span_threshold).cols() > 2;
}

}  // namespace

std::optional<Eigen::MatrixXd> plane_of_keys(const Problem& problem) {
  const NumericProblem numeric(problem);
  Eigen::Index columns = 0;
  for (const SampleColumns& keys : numeric.keys) columns += keys.cols() - 1;
  Eigen::MatrixXd differences(numeric.dimension, columns);
  Eigen::Index column = 0;
  for (const SampleColumns& keys : numeric.keys)
    for (Eigen::Index t = 1; t < keys.cols(); ++t) differences.col(column++) = keys.col(t) - keys.col(0);
  if (columns == 0 || spans_more(differences)) return std::nullopt;
  const Eigen::MatrixXd span = column_span(differences, span_threshold);
  if (span.cols() != 2) return std::nullopt;
  // The coordinate axes, where these are the plane: a picture is read more easily in them.
  for (Eigen::Index a = 0; a < numeric.dimension; ++a)
    for (Eigen::Index b = a + 1; b < numeric.dimension; ++b) {
      Eigen::MatrixXd axes = Eigen::MatrixXd::Zero(numeric.dimension, 2);
      axes(a, 0) = axes(b, 1) = 1;
      if ((span - axes * (axes.transpose() * span)).norm() <= span_threshold) return axes;
    }
  return span;
}

std::optional<Eigen::MatrixXd> plane_of(const Eigen::VectorXd& first, const Eigen::VectorXd& second) {
  const Eigen::VectorXd along = first.stableNormalized();
  const Eigen::VectorXd towards = second.stableNormalized();
  const Eigen::VectorXd across = towards - along * along.dot(towards);
  if (!(along.norm() > 0) || !(across.norm() > span_threshold)) return std::nullopt;  // two multiples of one vector, or 0
  Eigen::MatrixXd plane(first.size(), 2);
  plane << along, across.normalized();
  return plane;
}

std::optional<Eigen::MatrixXd> plane_of_directions(const std::vector<RationalPoint>& directions) {
  if (directions.size() != 2) return std::nullopt;
  const auto vector = [](const RationalPoint& point) {
    Eigen::VectorXd image(static_cast<Eigen::Index>(point.size()));
    for (std::size_t j = 0; j < point.size(); ++j) image[static_cast<Eigen::Index>(j)] = nearest_double(point[j]);
    return image;
  };
  return plane_of(vector(directions[0]), vector(directions[1]));
}

std::vector<double> ticks_of(double radius, std::int64_t count) {
  std::vector<double> ticks;
  for (std::int64_t k = 0; k < count; ++k)
    ticks.push_back(count == 1 ? 0 : radius * (2 * static_cast<double>(k) / static_cast<double>(count - 1) - 1));
  return ticks;
}

LossInPlane loss_in_plane(const ClaimContext& context, const Eigen::MatrixXd& plane, double radius) {
  DescentKernel kernel(context.problem(), context.study.scores());
  LossInPlane loss{ticks_of(radius, loss_grid), {}};
  for (const double up : loss.ticks)
    for (const double across : loss.ticks)
      loss.log_excess.push_back(rounded(kernel.log_excess(across * plane.col(0) + up * plane.col(1)), loss_digits));
  return loss;
}

std::vector<Eigen::Vector2d> descent_in_plane(const ClaimContext& context, const Eigen::MatrixXd& plane, double radius,
                                              const DescentPlan& plan) {
  DescentKernel kernel(context.problem(), context.study.scores());
  const DescentRun run = descend(kernel, Eigen::VectorXd::Zero(plane.rows()), plan, context.budget);
  std::vector<Eigen::Vector2d> points;
  for (const TracePoint& point : run.trace) {
    const std::optional<Eigen::Vector2d> seen = seen_in(plane, point.p);
    if (!seen || !(seen->cwiseAbs().maxCoeff() <= radius)) break;
    points.push_back(*seen);
  }
  return points;
}

std::vector<Eigen::Vector2d> path_in_plane(const ClaimContext& context, const Eigen::MatrixXd& plane, double radius,
                                           const Eigen::VectorXd& p_mm) {
  std::vector<Eigen::Vector2d> points;
  for (const double share : {0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0})
    if (const auto p = path_point_at(context, context.study.best(), p_mm, false, share * radius))
      if (const auto seen = seen_in(plane, *p)) points.push_back(*seen);
  return points;
}

}  // namespace attest
