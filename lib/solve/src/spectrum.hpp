#pragma once

#include "attest/solve/dense.hpp"

#include <cmath>
#include <limits>

namespace attest {

/// A square matrix that is given by its rows, one after the other.
inline Eigen::MatrixXd as_matrix(const Eigen::VectorXd& by_rows) {
  const auto d = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(by_rows.size()))));
  return by_rows.reshaped(d, d).transpose();
}

inline Eigen::VectorXd stacked(const Eigen::MatrixXd& K, const Eigen::MatrixXd& Q) {
  Eigen::VectorXd both(K.size() + Q.size());
  both << K.reshaped(), Q.reshaped();
  return both;
}

/// Orthonormal columns that span the queries, which are columns: the unit matrix where they are as many as dimensions.
inline Eigen::MatrixXd query_basis(const Eigen::MatrixXd& queries) {
  if (queries.cols() >= queries.rows()) return Eigen::MatrixXd::Identity(queries.rows(), queries.rows());
  return thin_qr(queries).Q;
}

/// The singular values of a matrix, descending, and its factors of least norm: W = K Q^T with K = U sqrt(S), Q = V sqrt(S).
/// Values that are rounding count as 0 in the factors: their roots would be far larger than what they stand for.
struct Spectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd K;
  Eigen::MatrixXd Q;

  explicit Spectrum(const Eigen::MatrixXd& W) {
    const ThinSvd factors = thin_svd(W);
    values = factors.values;
    const double rounding = 4 * static_cast<double>(values.size()) * std::numeric_limits<double>::epsilon() * values[0];
    const Eigen::VectorXd roots = (values.array() > rounding).select(values.array().sqrt(), 0.0);
    K = factors.U * roots.asDiagonal();
    Q = factors.V * roots.asDiagonal();
  }
};

}  // namespace attest
