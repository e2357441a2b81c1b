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
  std::function<double(const Eigen::VectorXd&)> value;
  std::function<Jet(const Eigen::VectorXd&)> jet;
};

struct SphereMinimum {
  bool found;          ///< stationary, curved upwards along the sphere, and the function falls outwards
  std::string reason;  ///< why not
  Eigen::VectorXd q;
  double multiplier;
  int iterations;
};

/// Minimises over the unit ball where the minimiser is on its sphere: Newton's method along the sphere with
/// |eigenvalues| for a Hessian that is not positive definite, and step halving. With q on the sphere,
/// lambda = -gradient.q is the multiplier, gradient + lambda q the residual and Hessian + lambda I what is inverted on
/// the tangent space. A few small factorisations, where an interior-point solver would start afresh.
SphereMinimum minimise_on_sphere(const SphereObjective& objective, const Eigen::VectorXd& start);

}  // namespace attest
