#include "sphere_newton.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int iteration_limit = 60;
constexpr int halving_limit = 40;
/// The longest step, in radians: beyond it the quadratic model says little about the sphere.
constexpr double longest_step = 0.5;
/// Armijo's constant.
constexpr double sufficient_part = 1e-4;
/// A function value that is a sum of some hundred terms is not known better than this, of its size.
constexpr double value_noise = 64 * std::numeric_limits<double>::epsilon();

/// The objective along the sphere at q, in an orthonormal basis of the tangent space.
struct Tangent {
  double value;
  double multiplier;
  double angle;  // between the negative gradient and q, up to sign
  MatrixXd basis;
  VectorXd gradient;
  MatrixXd hessian;

  Tangent(const SphereObjective::Jet& jet, const VectorXd& q) : value(jet.value), multiplier(-jet.gradient.dot(q)) {
    const auto d = q.size();
    basis = frame_with(q).rightCols(d - 1);
    gradient = basis.transpose() * jet.gradient;
    hessian = basis.transpose() * jet.hessian * basis;
    hessian.diagonal().array() += multiplier;
    angle = std::atan2(gradient.norm(), std::abs(multiplier));
  }

  bool finite() const { return std::isfinite(value) && gradient.allFinite() && hessian.allFinite() && std::isfinite(multiplier); }
};

struct Step {
  VectorXd y;  // in the tangent basis
  bool convex;
};

Step newton_step(const Tangent& tangent) {
  if (tangent.gradient.size() == 0) return {tangent.gradient, true};
  if (const auto solved = solve_positive_definite(tangent.hessian, tangent.gradient)) return {-*solved, true};
  const SymmetricEigen eigen = symmetric_eigen(tangent.hessian);
  const VectorXd sizes = eigen.values.cwiseAbs();
  const VectorXd floored = sizes.cwiseMax(dependence_tolerance.relative * sizes.maxCoeff());
  VectorXd y = -(eigen.vectors * (eigen.vectors.transpose() * tangent.gradient).cwiseQuotient(floored));
  if (tangent.angle <= newton_tolerance.radians) y = longest_step * eigen.vectors.col(0);  // off a saddle, downwards
  return {y, false};
}

VectorXd moved(const VectorXd& q, const MatrixXd& basis, const VectorXd& y) { return (q + basis * y).normalized(); }

/// Halves the step until the value falls enough. Where the promised fall is below the noise of the value, the
/// step is taken as it is: the residual judges it.
bool advance(const SphereObjective& objective, const Tangent& tangent, const Step& step, VectorXd& q) {
  VectorXd y = step.y;
  if (y.norm() > longest_step) y *= longest_step / y.norm();
  for (int k = 0; k < halving_limit; ++k, y /= 2) {
    const VectorXd next = moved(q, tangent.basis, y);
    const double value = objective.value(next);
    const double noise = value_noise * std::abs(tangent.value);
    const double promised = -tangent.gradient.dot(y);
    const bool falls = value <= tangent.value - sufficient_part * promised;
    const bool drowned = step.convex && promised <= noise && value <= tangent.value + noise;
    if (!falls && !drowned) continue;
    q = next;
    return true;
  }
  return false;
}

/// Small enough, or as small as rounding lets it become.
bool stationary(double angle, double last_angle) {
  return angle <= newton_tolerance.radians || (angle <= stationarity_tolerance.radians && angle > last_angle / 2);
}

}  // namespace

SphereMinimum minimise_on_sphere(const SphereObjective& objective, const VectorXd& start) {
  VectorXd q = start.normalized();
  double last_angle = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration <= iteration_limit; ++iteration) {
    const Tangent tangent(objective.jet(q), q);
    if (!tangent.finite()) return {false, "a value or derivative is not finite", q, 0, iteration};
    const Step step = newton_step(tangent);
    if (stationary(tangent.angle, last_angle) && step.convex) {
      if (tangent.multiplier > 0) return {true, "", q, tangent.multiplier, iteration};
      return {false, "the loss falls inwards", q, tangent.multiplier, iteration};
    }
    last_angle = tangent.angle;
    if (!advance(objective, tangent, step, q)) return {false, "no step lowers the loss", q, tangent.multiplier, iteration};
  }
  return {false, "too many iterations", q, 0, iteration_limit};
}

}  // namespace attest
