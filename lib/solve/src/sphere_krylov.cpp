#include "line_search.hpp"
#include "sphere_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace attest {
namespace {

using Eigen::VectorXd;

/// A function value that is a sum of some hundred terms is not known better than this, of its size.
constexpr double objective_noise = 64 * std::numeric_limits<double>::epsilon();

/// Conjugate gradients stop after so many products, or once the residual is this part of the gradient: where the angle is still
/// large, Newton's step is worth no more.
constexpr int krylov_product_limit = 400;
constexpr double coarsest_krylov_solve = 0.1;
constexpr double finest_krylov_solve = 1e-4;

/// Products that look for a direction of negative curvature at a point that seems a minimum.
constexpr int probe_limit = 24;

/// The objective at q along the sphere, or without it.
class Place {
 public:
  Place(const SphereObjective& objective, VectorXd q, bool on_sphere)
      : q_(std::move(q)), on_sphere_(on_sphere), slope_(objective.slope(q_)), multiplier_(on_sphere ? -slope_.gradient.dot(q_) : 0.0),
        gradient_(along(slope_.gradient)) {}

  double value() const { return slope_.value; }
  double multiplier() const { return multiplier_; }
  const VectorXd& gradient() const { return gradient_; }
  bool finite() const { return std::isfinite(slope_.value) && gradient_.allFinite() && std::isfinite(multiplier_); }

  /// The part along the sphere.
  VectorXd along(const VectorXd& x) const { return on_sphere_ ? VectorXd(x - x.dot(q_) * q_) : x; }
  VectorXd hessian_times(const VectorXd& x) const { return along(slope_.hessian_times(x)) + multiplier_ * x; }

 private:
  VectorXd q_;
  bool on_sphere_;
  SphereObjective::Slope slope_;
  double multiplier_;
  VectorXd gradient_;
};

struct Solve {
  VectorXd step;
  bool convex = true;  // no direction of negative curvature was met
};

/// Hessian^-1 b, about: conjugate gradients until the residual is `part` of b, or a direction of negative curvature is met, which is then
/// followed as far as a step may go.
Solve conjugate_gradients(const Place& place, const VectorXd& b, double part, int limit) {
  Solve solve{VectorXd::Zero(b.size())};
  VectorXd residual = b;
  VectorXd direction = b;
  double square = residual.squaredNorm();
  const double enough = part * part * square;
  for (int k = 0; k < limit && square > enough; ++k) {
    const VectorXd image = place.hessian_times(direction);
    const double curvature = direction.dot(image);
    if (!(curvature > 0)) {
      solve.convex = false;
      solve.step += longest_step / direction.norm() * direction;
      return solve;
    }
    const double length = square / curvature;
    solve.step += length * direction;
    residual -= length * image;
    const double next = residual.squaredNorm();
    direction = residual + next / square * direction;
    square = next;
  }
  return solve;
}

/// A direction of negative curvature that a few products from a random start meet; empty when they meet none.
VectorXd downward(const Place& place, Eigen::Index size, int seed) {
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  std::normal_distribution<double> normal;
  VectorXd start(size);
  for (double& entry : start) entry = normal(random);
  start = place.along(start).normalized();
  const Solve probe = conjugate_gradients(place, start, newton_tolerance.radians, probe_limit);
  if (probe.convex) return {};
  return probe.step.dot(place.gradient()) <= 0 ? probe.step : VectorXd(-probe.step);
}

/// Both kinds of minimum. The residual is an angle on the sphere; inside it is the gradient itself, since f is about as large as its
/// argument.
SphereMinimum minimise(const SphereObjective& objective, VectorXd q, bool on_sphere) {
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration <= newton_iteration_limit; ++iteration) {
    const Place place(objective, q, on_sphere);
    if (!place.finite()) return {false, "a value or derivative is not finite", q, 0, iteration};
    const double residual = on_sphere ? std::atan2(place.gradient().norm(), std::abs(place.multiplier())) : place.gradient().norm();
    ProposedStep proposed{place.value(), 0, false, {}, on_sphere};
    if (is_stationary(residual, last)) {
      proposed.step = downward(place, q.size(), iteration);
      if (proposed.step.size() == 0) {
        if (on_sphere && !(place.multiplier() > 0)) return {false, "the loss falls inwards", q, place.multiplier(), iteration};
        return {true, "", q, place.multiplier(), iteration};
      }
    } else {
      Solve solve = conjugate_gradients(place, -place.gradient(), std::clamp(residual, finest_krylov_solve, coarsest_krylov_solve),
                                        krylov_product_limit);
      proposed.step = std::move(solve.step);
      proposed.convex = solve.convex;
    }
    last = residual;
    proposed.promised = -place.gradient().dot(proposed.step);
    if (!advance_by(objective, proposed, q)) return {false, "no step lowers the loss", q, place.multiplier(), iteration};
    if (!on_sphere && !(q.norm() < 1)) return {false, "the loss falls outwards", q, 0, iteration};
  }
  return {false, "too many iterations", q, 0, newton_iteration_limit};
}

}  // namespace

bool advance_by(const SphereObjective& objective, const ProposedStep& proposed, VectorXd& q) {
  VectorXd step = proposed.step;
  double promised = proposed.promised;
  if (const double length = step.norm(); length > longest_step) {
    step *= longest_step / length;
    promised *= longest_step / length;
  }
  for (int k = 0; k < halving_limit; ++k, step /= 2, promised /= 2) {
    const VectorXd there = q + step;
    const VectorXd next = proposed.on_sphere ? VectorXd(there.normalized()) : there;
    const double value = objective.value(next);
    const double noise = objective_noise * std::abs(proposed.value);
    const bool falls = value <= proposed.value - sufficient_part * promised;
    const bool drowned = proposed.convex && promised <= noise && value <= proposed.value + noise;
    if (!falls && !drowned) continue;
    q = next;
    return true;
  }
  return false;
}

SphereMinimum minimise_by_products(const SphereObjective& objective, const VectorXd& start) {
  return minimise(objective, start.normalized(), true);
}

SphereMinimum minimise_inside(const SphereObjective& objective, const VectorXd& start) { return minimise(objective, start, false); }

}  // namespace attest
