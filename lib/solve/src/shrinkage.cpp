#include "shrinkage.hpp"

#include "attest/solve/dense.hpp"

namespace attest {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Singular values below this part of the largest are taken for 0 in the derivative, which they change by as little.
constexpr double tiny = 1e-5;

}  // namespace

Shrinkage::Shrinkage(const MatrixXd& Y, double sigma) {
  const SymmetricEigen gram = symmetric_eigen(Y.transpose() * Y);
  const VectorXd s = gram.values.reverse().cwiseMax(0).cwiseSqrt();
  V_ = gram.vectors.rowwise().reverse();
  Index rank = 0;
  while (rank < s.size() && s[rank] > sigma) ++rank;
  Index kept = rank;
  while (kept < s.size() && s[kept] > tiny * s[0]) ++kept;
  U_ = (Y * V_.leftCols(kept)) * s.head(kept).cwiseInverse().asDiagonal();
  shrunk_ = s.head(rank).array() - sigma;
  damping_ = shrunk_.cwiseQuotient(s.head(rank));
  even_.resize(rank, kept);
  odd_.resize(rank, kept);
  for (Index i = 0; i < kept; ++i) {
    const double f_i = i < rank ? shrunk_[i] : 0;
    for (Index j = 0; j < rank; ++j) {
      even_(j, i) = i < rank ? 1 : shrunk_[j] / (s[j] - s[i]);
      odd_(j, i) = (shrunk_[j] + f_i) / (s[j] + s[i]);
    }
  }
}

// In the coordinates of U and V only lines and columns of singular values above sigma change P. Where U has no column the singular
// value is 0, and even and odd are both the damping.
MatrixXd Shrinkage::derivative_images(const MatrixXd& sums, const MatrixXd& turned) const {
  const Index kept = U_.cols();
  const auto turned_right = turned.topRows(rank());
  MatrixXd lines = (left().transpose() * sums) * turned.transpose();  // of U^T H V
  const MatrixXd columns = sums * turned_right.transpose();           // H V
  const MatrixXd across = (U_.transpose() * columns).transpose();     // its columns in U, as lines
  const MatrixXd symmetric = even_.cwiseProduct(lines.leftCols(kept) + across) / 2;
  const MatrixXd other = odd_.cwiseProduct(lines.leftCols(kept) - across) / 2;
  lines.leftCols(kept) = symmetric + other;
  lines.rightCols(lines.cols() - kept) = damping_.asDiagonal() * lines.rightCols(lines.cols() - kept);
  MatrixXd change = symmetric - other;
  change.leftCols(rank()).setZero();  // counted with the lines
  change -= damping_.asDiagonal() * across;
  const MatrixXd down = columns * damping_.asDiagonal() + U_ * change.transpose();
  return left() * (lines * turned) + down * turned_right;
}

}  // namespace attest
