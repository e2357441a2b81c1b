#pragma once

#include "attest/graph/numeric_problem.hpp"

#include <Eigen/Core>

namespace attest {

/// L(v,p) and its derivatives by the closed form of docs/theory.md, section 1, in doubles.
///
/// `scale` says how large the terms are that the derivative sums: rounding and cancellation are judged
/// against it, since near a saturated softmax the derivative itself is far smaller than its terms. Hessians of the weights need their keys
/// as products; value and gradient take either.
struct ScaledVector {
  Eigen::VectorXd value;
  double scale;
};
struct ScaledMatrix {
  Eigen::MatrixXd value;
  double scale;
};

double erm_value(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& p);
ScaledVector erm_gradient_p(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& p);
ScaledMatrix erm_hessian_p(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& p);

/// |d2L/dp2|, spectral. Of many dimensions by Lanczos' method, a pass over the data for each of a few steps: then from below, to some
/// per mille where one eigenvalue does not stand out, and to rounding where it does. NaN where the Hessian is not finite.
double erm_hessian_norm(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& p);

/// In the stacked variable (v, p).
ScaledVector erm_gradient_joint(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& p);
ScaledMatrix erm_hessian_joint(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& p);

}  // namespace attest
