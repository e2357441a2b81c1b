#pragma once

#include "attest/model/svm_program.hpp"

#include <Eigen/Core>
#include <casadi/casadi.hpp>

namespace attest {

/// The double image of a program's rows, one a line, and of its bounds.
struct SvmImage {
  Eigen::MatrixXd rows;
  Eigen::VectorXd bounds;
};
SvmImage svm_image(const SvmProgram& program);

/// min 1/2 |w|^2 subject to A w >= b as a CasADi graph: variable x, objective f, constraints g between lower and upper.
struct SvmGraph {
  casadi::MX x;
  casadi::MX f;
  casadi::MX g;
  Eigen::VectorXd lower;
  Eigen::VectorXd upper;
};
SvmGraph svm_graph(const SvmProgram& program);

/// The program with (1/q) sum_j |w_j|^q for 1/2 |w|^2 and all bounds 1, in the form that is twice differentiable. [MD] For q >= 2
/// that is the program itself. For q < 2 it is its dual with the sign changed: with 1/q + 1/s = 1 and x = (lambda, y)
///   min (1/s) sum_j |y_j|^s - sum_c lambda_c   subject to   lambda >= 0, A^T lambda = y.
/// y is a variable so that the Hessian is diagonal: CasADi needs minutes to colour a dense one of some hundred rows.
SvmGraph lq_svm_graph(const Eigen::MatrixXd& rows, double q);

}  // namespace attest
