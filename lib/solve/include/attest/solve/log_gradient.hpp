#pragma once

#include "attest/graph/numeric_problem.hpp"
#include "attest/solve/log_vector.hpp"

#include <Eigen/Core>

namespace attest {

/// dL/dp by equation (1) of docs/theory.md with each sample's largest logit as reference, all exponents shifted by
/// their maximum over samples and tokens: the direction is right at norms where every weight underflows, and the largest term in the
/// vector is of order one.
LogVector log_gradient_p(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& p);

/// dL/dv, the same way: the slopes of the loss underflow as soon as |v| is large.
LogVector log_gradient_v(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& p);

/// log L for a loss that is positive everywhere.
double log_loss(const NumericProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& p);

/// log(L - L_alpha) with L_alpha = (1/n) sum_i l(gamma_i,alpha_i), term by term relative to the selected tokens; NaN
/// where L <= L_alpha. Written apart from the graph of the same quantity, to judge what is found with it.
double log_excess(const NumericProblem& problem, const Eigen::VectorXd& v, const Selection& selection, const Eigen::VectorXd& p);

/// The largest 1 - s_i,alpha_i over the samples, as a logarithm.
double log_missing_attention(const NumericProblem& problem, const Selection& selection, const Eigen::VectorXd& p);

/// The angle between two vectors, accurate near 0; NaN if one of them is zero.
double angle_between(const Eigen::VectorXd& a, const Eigen::VectorXd& b);

}  // namespace attest
