#pragma once

#include "attest/solve/descent_kernel.hpp"

#include <Eigen/Core>

namespace attest {

/// sign(x) |x|^exponent, entry by entry.
Eigen::VectorXd signed_power(const Eigen::VectorXd& x, double exponent);

/// The steps of mirror descent with psi(p) = (1/q) sum_j |p_j|^q, q > 1: grad psi(p), which has the entries
/// sign(p_j) |p_j|^(q-1), moves against the gradient. [MD]
///
/// grad psi(p) = r^(q-1) u with r about the largest entry of p: u is of order one where grad psi(p) would overflow, and only
/// u is ever computed.
class MirrorMap {
 public:
  explicit MirrorMap(double q) : q_(q) {}

  /// grad psi(p) moves by -step * gradient. False, and p is as before, where that is too little to change it in doubles.
  bool step_by(Eigen::VectorXd& p, const LogVector& gradient, double step);
  /// grad psi(p) moves along `direction` until p has moved by `length`.
  void move_by(Eigen::VectorXd& p, const Eigen::VectorXd& direction, double length);

 private:
  double q_;
  double ratio_ = 1;  // of the last move in u to that for q = 2: a guess for the next
};

}  // namespace attest
