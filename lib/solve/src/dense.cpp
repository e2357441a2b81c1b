#include "attest/solve/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>

namespace attest {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Index least_side(const MatrixXd& matrix) { return std::min(matrix.rows(), matrix.cols()); }

/// From this side on Jacobi's rotations, which are the more accurate, take too long.
constexpr Index divide_from = 48;

}  // namespace

ThinSvd thin_svd(const MatrixXd& matrix) {
  if (matrix.size() == 0) return {MatrixXd(matrix.rows(), 0), VectorXd(0), MatrixXd(matrix.cols(), 0)};
  const auto parts = [](const auto& factors) -> ThinSvd { return {factors.matrixU(), factors.singularValues(), factors.matrixV()}; };
  constexpr auto thin = Eigen::ComputeThinU | Eigen::ComputeThinV;
  return least_side(matrix) < divide_from ? parts(Eigen::JacobiSVD<MatrixXd>(matrix, thin)) : parts(Eigen::BDCSVD<MatrixXd>(matrix, thin));
}

VectorXd singular_values(const MatrixXd& matrix) {
  if (matrix.size() == 0) return VectorXd(0);
  if (least_side(matrix) < divide_from) return Eigen::JacobiSVD<MatrixXd>(matrix).singularValues();
  return Eigen::BDCSVD<MatrixXd>(matrix).singularValues();
}

// By the Gram matrix of the shorter side: its rounding, of the size of the largest value, is halved by the root.
double spectral_norm(const MatrixXd& matrix) {
  if (matrix.size() == 0) return 0;
  const double scale = matrix.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  if (!(scale > 0) || !std::isfinite(scale)) return scale;
  const MatrixXd unit = matrix / scale;  // so that squares neither overflow nor vanish
  const MatrixXd gram = unit.rows() <= unit.cols() ? MatrixXd(unit * unit.transpose()) : MatrixXd(unit.transpose() * unit);
  return scale * std::sqrt(symmetric_eigenvalues(gram).maxCoeff<Eigen::PropagateNaN>());
}

SymmetricEigen symmetric_eigen(const MatrixXd& matrix) {
  if (matrix.size() == 0) return {VectorXd(0), MatrixXd(0, 0)};
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd symmetric_eigenvalues(const MatrixXd& matrix) {
  if (matrix.size() == 0) return VectorXd(0);
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

ThinQr thin_qr(const MatrixXd& matrix) {
  const Index rank = least_side(matrix);
  if (rank == 0) return {MatrixXd(matrix.rows(), 0), MatrixXd(0, matrix.cols())};
  const Eigen::HouseholderQR<MatrixXd> factors(matrix);
  return {factors.householderQ() * MatrixXd::Identity(matrix.rows(), rank),
          factors.matrixQR().topRows(rank).triangularView<Eigen::Upper>()};
}

MatrixXd frame_with(const VectorXd& first) {
  return Eigen::HouseholderQR<MatrixXd>(first).householderQ() * MatrixXd::Identity(first.size(), first.size());
}

MatrixXd column_span(const MatrixXd& matrix, double threshold) {
  if (matrix.size() == 0) return MatrixXd(matrix.rows(), 0);
  Eigen::ColPivHouseholderQR<MatrixXd> factors(matrix);
  factors.setThreshold(threshold);
  return factors.householderQ() * MatrixXd::Identity(matrix.rows(), factors.rank());
}

VectorXd least_squares(const MatrixXd& matrix, const VectorXd& right, std::optional<double> threshold) {
  if (matrix.size() == 0) return VectorXd::Zero(matrix.cols());
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
  if (threshold) factors.setThreshold(*threshold);
  return factors.compute(matrix).solve(right);
}

VectorXd solve_symmetric(const MatrixXd& matrix, const VectorXd& right) { return matrix.ldlt().solve(right); }

std::optional<VectorXd> solve_positive_definite(const MatrixXd& matrix, const VectorXd& right) {
  const Eigen::LLT<MatrixXd> factors(matrix);
  if (factors.info() != Eigen::Success) return std::nullopt;
  return factors.solve(right);
}

}  // namespace attest
