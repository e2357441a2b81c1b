#include "attest/solve/path.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/graph/casadi/excess_graph.hpp"
#include "attest/solve/dense.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/rate.hpp"
#include "excess_kernel.hpp"
#include "nlp.hpp"
#include "path_follower.hpp"
#include "sphere_newton.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// An evaluation of the graph's dense Hessian in more multiplications than these takes longer than the kernel's conjugate gradients.
constexpr double largest_graph_work = 2e6;

/// L depends on p through its products with the rows alone, so a minimiser lies in their span. Where they are fewer than the
/// numbers of p, as they are for weights, the path is looked for in an orthonormal basis of the span.
class RowSpan {
 public:
  RowSpan(const NumericProblem& problem, const Selection& selection) : image_(problem) {
    const Index count = row_count(problem);
    if (count == 0 || count >= problem.dimension) return;
    MatrixXd rows(problem.dimension, count);
    Index row = 0;
    for (std::size_t i = 0; i < image_.keys.size(); ++i) {
      const auto chosen = static_cast<Index>(selection[i]);
      image_.keys[i] = SampleColumns(MatrixXd(problem.keys[i].colwise() - VectorXd(problem.keys[i].col(chosen))));
      for (Index t = 0; t < image_.keys[i].cols(); ++t)
        if (t != chosen) rows.col(row++) = image_.keys[i].col(t);
    }
    basis_ = thin_qr(rows).Q;
    for (SampleColumns& keys : image_.keys) keys = SampleColumns(MatrixXd(basis_.transpose() * keys));
    image_.dimension = count;
  }

  static Index row_count(const NumericProblem& problem) {
    Index count = 0;
    for (const SampleColumns& keys : problem.keys) count += keys.cols() - 1;
    return count;
  }

  const NumericProblem& image() const { return image_; }
  VectorXd coordinates(const VectorXd& p) const { return basis_.size() > 0 ? VectorXd(basis_.transpose() * p) : p; }
  VectorXd point(const VectorXd& q) const { return basis_.size() > 0 ? VectorXd(basis_ * q) : q; }

 private:
  NumericProblem image_;
  MatrixXd basis_;  // empty: the standard one
};

/// The whole space: the iterates of conjugate gradients stay in the span of the rows by themselves.
struct WholeSpace {
  const NumericProblem& problem;

  const NumericProblem& image() const { return problem; }
  MatrixXd queries() const { return {}; }
  const VectorXd& coordinates(const VectorXd& p) const { return p; }
  const VectorXd& point(const VectorXd& q) const { return q; }
};

/// W in the span of the queries: q is W by rows, each in an orthonormal basis of that span where it is smaller than R^d.
class QuerySpan {
 public:
  explicit QuerySpan(const NumericProblem& problem) : problem_(problem), queries_(problem.queries) {
    if (queries_.cols() >= queries_.rows()) return;
    basis_ = thin_qr(queries_).Q;
    queries_ = basis_.transpose() * queries_;
  }

  const NumericProblem& image() const { return problem_; }
  const MatrixXd& queries() const { return queries_; }
  VectorXd coordinates(const VectorXd& p) const { return basis_.size() > 0 ? multiplied(basis_.transpose(), p) : p; }
  VectorXd point(const VectorXd& q) const { return basis_.size() > 0 ? multiplied(basis_, q) : q; }

 private:
  /// Every row by the matrix; rows stand one after the other.
  static VectorXd multiplied(const MatrixXd& matrix, const VectorXd& rows) {
    return (matrix * rows.reshaped(matrix.cols(), rows.size() / matrix.cols())).reshaped();
  }

  const NumericProblem& problem_;
  MatrixXd queries_;  // in the basis
  MatrixXd basis_;    // empty: the standard one
};

/// The path of p, or of W as the image of the weights: q is p/R in the coordinates of a span.
template <class Span>
class SpanPath : public PathProblem {
 public:
  SpanPath(const NumericProblem& problem, Span span, const VectorXd& v, const Selection& selection, const VectorXd& hint,
           const std::optional<double>& cone_mu)
      : problem_(problem), span_(std::move(span)), v_(v), selection_(selection), ray_(span_.coordinates(hint).normalized()),
        cone_mu_(cone_mu) {}

  const VectorXd& ray() const override { return ray_; }
  int degree() const override { return 1; }
  /// Downwards a branch may really end, and each try costs an interior-point solve.
  Halvings halvings() const override { return {2, 6}; }

  VectorXd point(const VectorXd& q, double radius) const override { return inside_ball(span_.point(q), radius); }
  PathCheck check(const VectorXd& p, double radius, const std::vector<VectorXd>& rivals) const override {
    return check_path_point(problem_, v_, selection_, p, radius, rivals);
  }

  bool knows_cone() const override { return cone_mu_.has_value(); }
  bool outside_cone(const VectorXd& q) const override { return cone_mu_ && !(q.dot(ray_) >= (1 - *cone_mu_) * q.norm()); }

 protected:
  const NumericProblem& image() const { return span_.image(); }
  const VectorXd& v() const { return v_; }

 private:
  const NumericProblem& problem_;
  Span span_;
  VectorXd v_;
  Selection selection_;
  VectorXd ray_;
  std::optional<double> cone_mu_;
};

/// By the graph, with dense Hessians and IPOPT.
class GraphPath : public SpanPath<RowSpan> {
 public:
  GraphPath(const NumericProblem& problem, const VectorXd& v, const Selection& selection, const VectorXd& hint,
            const std::optional<double>& cone_mu, const Budget& budget)
      : SpanPath(problem, RowSpan(problem, selection), v, selection, hint, cone_mu), graph_(image(), selection), budget_(budget) {}

  SphereObjective objective(double radius) const override { return excess_on_sphere(graph_, graph_.parameters(v(), radius)); }

  bool has_interior_point() const override { return true; }
  NlpResult interior_point(const VectorXd& start, double radius, std::optional<double> multiplier) override {
    if (!ball_) {
      const casadi::Dict derivatives = {{"grad_f", graph_.gradient()}, {"hess_lag", graph_.lagrangian_hessian()}};
      ball_.emplace(
          graph_.program(),
          NlpSettings{.tolerance = path_ipopt_tolerance, .warm = true, .seconds = budget_.seconds_left(), .derivatives = derivatives});
    }
    const VectorXd no_lower = VectorXd::Constant(1, -std::numeric_limits<double>::infinity());
    return ball_->solve({start, multiplier ? VectorXd::Constant(1, *multiplier / 2) : VectorXd()}, no_lower, VectorXd::Ones(1),
                        graph_.parameters(v(), radius));
  }

 private:
  ExcessGraph graph_;
  Budget budget_;
  std::optional<Nlp> ball_;
};

/// By the kernel, with products of Hessians alone.
template <class Span>
class KernelPath : public SpanPath<Span> {
 public:
  KernelPath(const NumericProblem& problem, Span span, const VectorXd& v, const Selection& selection, const VectorXd& hint,
             const std::optional<double>& cone_mu)
      : SpanPath<Span>(problem, span, v, selection, hint, cone_mu), kernel_(span.image(), v, selection, span.queries()) {}

  SphereObjective objective(double radius) const override { return kernel_.on_sphere(radius); }
  bool may_end_inside() const override { return true; }
  VectorXd random_start(std::mt19937_64& random, std::normal_distribution<double>& normal) const override {
    return kernel_.combined(random_direction(kernel_.row_count(), random, normal)).normalized();
  }

 private:
  ExcessKernel kernel_;
};

std::unique_ptr<PathProblem> path_problem(const NumericProblem& problem, const VectorXd& v, const Selection& selection,
                                          const VectorXd& hint, const std::optional<double>& cone_mu, const Budget& budget) {
  if (problem.has_factored_keys()) return std::make_unique<KernelPath<QuerySpan>>(problem, QuerySpan(problem), v, selection, hint, cone_mu);
  const auto rows = static_cast<double>(RowSpan::row_count(problem));
  const double numbers = std::min(rows, static_cast<double>(problem.dimension));
  if (rows * numbers * numbers > largest_graph_work)
    return std::make_unique<KernelPath<WholeSpace>>(problem, WholeSpace{problem}, v, selection, hint, cone_mu);
  return std::make_unique<GraphPath>(problem, v, selection, hint, cone_mu, budget);
}

}  // namespace

std::vector<double> growing_radii(double first, double last, double growth) {
  std::vector<double> radii;
  for (double radius = first; radius < last; radius *= growth) radii.push_back(radius);
  radii.push_back(last);
  return radii;
}

std::vector<double> doubling_radii(double first, double last) { return growing_radii(first, last, 2); }

bool Path::verified() const {
  if (!ended.empty() || points.empty()) return false;
  for (const PathPoint& point : points)
    if (!point.check.verified) return false;
  return true;
}

VectorXd Path::final_direction() const { return points.empty() ? VectorXd() : VectorXd(points.back().p.normalized()); }

VectorXd Path::secant_direction() const {
  if (points.size() < 2) return final_direction();
  return (points.back().p - points[points.size() - 2].p).normalized();
}

Path follow_path(const NumericProblem& problem, const VectorXd& v, const Selection& selection, const VectorXd& hint,
                 const PathSettings& settings, const Budget& budget) {
  const auto begin = std::chrono::steady_clock::now();
  const std::unique_ptr<PathProblem> prompt = path_problem(problem, v, selection, hint, settings.cone_mu, budget);
  const double build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  Path path = follow(*prompt, settings, budget);
  path.build_seconds = build_seconds;
  return path;
}

std::optional<double> direction_rate(const Path& path, const VectorXd& target, double from_radius) {
  std::vector<LogPoint> points;
  for (const PathPoint& point : path.points) {
    const double error = direction_error(point.p, target);
    if (point.check.verified && point.radius >= from_radius && error > direction_floor.distance)
      points.push_back({std::log(point.radius), std::log(error)});
  }
  return fit_slope(points);
}

}  // namespace attest
