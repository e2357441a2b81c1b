#pragma once

#include "naive_erm.hpp"

#include <Eigen/Core>

// The numbers of naive_erm.hpp as those of Eigen.
namespace attest::naive {

inline Vector to_naive(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }

inline Eigen::VectorXd to_eigen(const Vector& vector) {
  Eigen::VectorXd result(static_cast<Eigen::Index>(vector.size()));
  for (std::size_t k = 0; k < vector.size(); ++k) result(static_cast<Eigen::Index>(k)) = static_cast<double>(vector[k]);
  return result;
}

inline Eigen::MatrixXd to_eigen(const Matrix& matrix) {
  Eigen::MatrixXd result(static_cast<Eigen::Index>(matrix.size()), static_cast<Eigen::Index>(matrix.size()));
  for (std::size_t k = 0; k < matrix.size(); ++k) result.row(static_cast<Eigen::Index>(k)) = to_eigen(matrix[k]).transpose();
  return result;
}

inline Eigen::VectorXd random_vector(Draw& draw, std::size_t d, double scale = 1) {
  return scale * Eigen::Map<const Eigen::VectorXd>(draw.numbers(d).data(), static_cast<Eigen::Index>(d));
}

}  // namespace attest::naive
