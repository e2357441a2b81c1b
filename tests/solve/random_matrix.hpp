#pragma once

#include <Eigen/Core>

#include <random>

namespace attest {

/// Entries from -1 to 1.
inline Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 engine(seed);
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return static_cast<double>(engine()) / 0x1p31 - 1; });
}

}  // namespace attest
