#pragma once

#include <Eigen/Core>
#include <casadi/casadi.hpp>

#include <vector>

namespace attest {

inline casadi::DM to_dm(const Eigen::MatrixXd& matrix) {
  return {casadi::Sparsity::dense(matrix.rows(), matrix.cols()), std::vector<double>(matrix.data(), matrix.data() + matrix.size())};
}

inline Eigen::MatrixXd to_eigen(const casadi::DM& matrix) {
  const casadi::DM dense = densify(matrix);
  return Eigen::Map<const Eigen::MatrixXd>(dense.ptr(), dense.size1(), dense.size2());
}

}  // namespace attest
