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

/// min 1/2 |w|^2 subject to A w >= b as a CasADi graph: variable x, objective f, constraints g; lower are their bounds.
struct SvmGraph {
  casadi::MX x;
  casadi::MX f;
  casadi::MX g;
  Eigen::VectorXd lower;
};
SvmGraph svm_graph(const SvmProgram& program);

}  // namespace attest
