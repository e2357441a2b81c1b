#include "sphere_newton.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/dense.hpp"
#include "sphere_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

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

bool advance(const SphereObjective& objective, const Tangent& tangent, const Step& step, VectorXd& q) {
  return advance_by(objective, {tangent.value, -tangent.gradient.dot(step.y), step.convex, tangent.basis * step.y}, q);
}

}  // namespace

SphereMinimum minimise_on_sphere(const SphereObjective& objective, const VectorXd& start) {
  if (!objective.jet) return minimise_by_products(objective, start);
  VectorXd q = start.normalized();
  double last_angle = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration <= newton_iteration_limit; ++iteration) {
    const Tangent tangent(objective.jet(q), q);
    if (!tangent.finite()) return {false, "a value or derivative is not finite", q, 0, iteration};
    const Step step = newton_step(tangent);
    if (is_stationary(tangent.angle, last_angle) && step.convex) {
      if (tangent.multiplier > 0) return {true, "", q, tangent.multiplier, iteration};
      return {false, "the loss falls inwards", q, tangent.multiplier, iteration};
    }
    last_angle = tangent.angle;
    if (!advance(objective, tangent, step, q)) return {false, "no step lowers the loss", q, tangent.multiplier, iteration};
  }
  return {false, "too many iterations", q, 0, newton_iteration_limit};
}

}  // namespace attest
