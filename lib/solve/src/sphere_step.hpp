#pragma once

#include "attest/base/tolerance.hpp"
#include "sphere_newton.hpp"

namespace attest {

// What Newton's method along the sphere does alike with factorised Hessians and with products alone.

inline constexpr int newton_iteration_limit = 60;

/// The longest step, in radians: beyond it the quadratic model says little about the sphere.
inline constexpr double longest_step = 0.5;

/// A step from q that is to be tried.
struct ProposedStep {
  double value;     ///< at q
  double promised;  ///< by how much the value falls, to first order
  bool convex;      ///< whether the Hessian was positive definite
  Eigen::VectorXd step;
  bool on_sphere = true;  ///< else where the step leads
};

/// Halves the step until the value falls enough and moves q. Where the promised fall is below the noise of the value, the
/// step is taken as it is: the residual judges it.
bool advance_by(const SphereObjective& objective, const ProposedStep& proposed, Eigen::VectorXd& q);

/// An angle that is small enough, or as small as rounding lets it become.
inline bool is_stationary(double angle, double last_angle) {
  return angle <= newton_tolerance.radians || (angle <= stationarity_tolerance.radians && angle > last_angle / 2);
}

/// As minimise_on_sphere, for an objective with slopes.
SphereMinimum minimise_by_products(const SphereObjective& objective, const Eigen::VectorXd& start);

}  // namespace attest
