#pragma once

#include <Eigen/Core>

namespace attest {

/// The proximal map of sigma |.|_* at a matrix Y with at least as many rows as columns: P = U max(S - sigma, 0) V^T for Y = U S V^T.
/// What it needs of the factors comes from Y^T Y, whose rounding is of no account for singular values above sigma.
class Shrinkage {
 public:
  Shrinkage(const Eigen::MatrixXd& Y, double sigma);

  /// The singular values of P that are not 0, the largest first.
  const Eigen::VectorXd& values() const { return shrunk_; }
  Eigen::Index rank() const { return shrunk_.size(); }
  /// The singular vectors of P.
  auto left() const { return U_.leftCols(rank()); }
  auto right() const { return V_.leftCols(rank()); }

  /// The derivative of P along H = sum_i h_i r_i^T, times each r_i: a column each.
  /// `sums` has the h_i as columns, `turned` the V^T r_i.
  Eigen::MatrixXd derivative_images(const Eigen::MatrixXd& sums, const Eigen::MatrixXd& turned) const;
  /// V^T.
  auto turn() const { return V_.transpose(); }

 private:
  Eigen::MatrixXd U_;        // of singular values that are not tiny
  Eigen::MatrixXd V_;        // all
  Eigen::VectorXd shrunk_;   // f_j = s_j - sigma
  Eigen::VectorXd damping_;  // f_j / s_j
  Eigen::MatrixXd even_;     // (f_j - f_i) / (s_j - s_i), a line each j: of the symmetric part of U^T H V
  Eigen::MatrixXd odd_;      // (f_j + f_i) / (s_j + s_i): of the other part
};

}  // namespace attest
