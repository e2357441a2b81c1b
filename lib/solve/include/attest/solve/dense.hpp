#pragma once

#include <Eigen/Core>

#include <optional>

namespace attest {

// Eigen's decompositions of matrices of doubles. They are templates of thousands of lines: here they are compiled once, and every
// file that needs one calls it by name. Matrices without rows or columns are fine everywhere.

/// A = U diag(values) V^T with min(rows, columns) values, the largest first.
struct ThinSvd {
  Eigen::MatrixXd U;
  Eigen::VectorXd values;
  Eigen::MatrixXd V;
};
ThinSvd thin_svd(const Eigen::MatrixXd& matrix);

/// The largest first.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix);

/// The largest singular value; 0 for an empty matrix.
double spectral_norm(const Eigen::MatrixXd& matrix);

/// A symmetric matrix as vectors diag(values) vectors^T, the least value first.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

/// The least first.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

/// A = Q R with min(rows, columns) orthonormal columns in Q.
struct ThinQr {
  Eigen::MatrixXd Q;
  Eigen::MatrixXd R;
};
ThinQr thin_qr(const Eigen::MatrixXd& matrix);

/// An orthogonal matrix whose first column is a multiple of `first`.
Eigen::MatrixXd frame_with(const Eigen::VectorXd& first);

/// Orthonormal columns that span those of a matrix; pivots below `threshold`, of the largest, count as 0.
Eigen::MatrixXd column_span(const Eigen::MatrixXd& matrix, double threshold);

/// The least x that solves A x = b as well as can be; pivots below `threshold`, of the largest, count as 0 (default: rounding).
Eigen::VectorXd least_squares(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right, std::optional<double> threshold = {});

/// A^-1 b for a symmetric A that need not be definite, by pivoted L D L^T factors: as good as they are.
Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right);

/// A^-1 b by Cholesky's factors; none when A is not positive definite.
std::optional<Eigen::VectorXd> solve_positive_definite(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right);

}  // namespace attest
