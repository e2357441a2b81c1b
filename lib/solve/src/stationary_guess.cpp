#include "attest/solve/stationary_guess.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/closed_form.hpp"
#include "attest/solve/dense.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_newton_steps = 60;
/// Of the length on which attention changes: a longer step leaves the reach of the quadratic model.
constexpr double longest_newton_step = 2;
/// Newton's method has settled at steps of this length, of the point's size: what is left is rounding.
constexpr RelativeTolerance settled_step{1e-9};
/// Curvatures below this part of the largest count as 0: steps along them would be rounding.
constexpr RelativeTolerance flat_curvature{1e-12};

MatrixXd differences_of(const NumericProblem& problem) {
  Eigen::Index columns = 0;
  for (const SampleColumns& keys : problem.keys) columns += keys.cols();
  MatrixXd differences(problem.dimension, columns);
  Eigen::Index column = 0;
  for (const SampleColumns& keys : problem.keys)
    for (Eigen::Index t = 0; t < keys.cols(); ++t) differences.col(column++) = keys.col(t) - keys.col(0);
  return differences;
}

}  // namespace

StationarySearch::StationarySearch(const Problem& problem, Parametrisation parametrisation)
    : reduced_(problem, parametrisation), v_(image_vector(*problem.v)) {
  const MatrixXd differences = differences_of(reduced_);
  span_ = column_span(differences, span_tolerance.relative);
  const double longest = differences.colwise().norm().maxCoeff();
  if (longest > 0) length_ = 1 / longest;
  for (SampleColumns& keys : reduced_.keys) keys = SampleColumns(MatrixXd(span_.transpose() * (keys.colwise() - VectorXd(keys.col(0)))));
  reduced_.dimension = span_.cols();
}

std::optional<VectorXd> StationarySearch::from(VectorXd start) const {
  VectorXd& p = start;
  for (int k = 0; k < most_newton_steps; ++k) {
    const VectorXd gradient = erm_gradient_p(reduced_, v_, p).value;
    const MatrixXd hessian = erm_hessian_p(reduced_, v_, p).value;
    if (!gradient.allFinite() || !hessian.allFinite()) return std::nullopt;
    VectorXd step = -least_squares(hessian, gradient, flat_curvature.relative);
    const double length = step.norm();
    if (!std::isfinite(length)) return std::nullopt;
    if (length > longest_newton_step * length_) step *= longest_newton_step * length_ / length;
    p += step;
    if (length <= settled_step.relative * (length_ + p.norm())) return span_ * p;
  }
  return std::nullopt;
}

}  // namespace attest
