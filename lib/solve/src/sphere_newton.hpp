#pragma once

#include <Eigen/Core>

#include <functional>
#include <string>

namespace attest {

/// A function on R^d near the unit sphere. NaN stands for "not here": such points are stepped back from.
struct SphereObjective {
  struct Jet {
    double value;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
  };
  /// The same where the Hessian is known by its products with vectors alone.
  struct Slope {
    double value;
    Eigen::VectorXd gradient;
    std::function<Eigen::VectorXd(const Eigen::VectorXd&)> hessian_times;
  };
  std::function<double(const Eigen::VectorXd&)> value;
  std::function<Jet(const Eigen::VectorXd&)> jet = {};      ///< either this
  std::function<Slope(const Eigen::VectorXd&)> slope = {};  ///< or this
};

struct SphereMinimum {
  bool found;          ///< stationary, curved upwards along the sphere, and the function falls outwards
  std::string reason;  ///< why not
  Eigen::VectorXd q;
  double multiplier;
  int iterations;
};

/// Minimises over the unit ball where the minimiser is on its sphere: Newton's method along the sphere with step halving. With q on the
/// sphere, lambda = -gradient.q is the multiplier, gradient + lambda q the residual and Hessian + lambda I what is inverted on
/// the tangent space. A few small factorisations, where an interior-point solver would start afresh; |eigenvalues| for a Hessian that is
/// not positive definite. Where the Hessian is known by its products alone, conjugate gradients stand for the factorisation, as far as
/// they help [truncated Newton]; that it curves upwards is then seen along the directions that they take, from a random start too.
SphereMinimum minimise_on_sphere(const SphereObjective& objective, const Eigen::VectorXd& start);

/// A minimiser inside the unit ball, by the same steps without the sphere, for an objective with slopes. `found` when it is stationary,
/// curved upwards and inside.
SphereMinimum minimise_inside(const SphereObjective& objective, const Eigen::VectorXd& start);

}  // namespace attest
