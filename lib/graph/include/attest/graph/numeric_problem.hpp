#pragma once

#include "attest/model/parametrisation.hpp"
#include "attest/model/problem.hpp"

#include <Eigen/Core>

#include <vector>

namespace attest {

/// The double image of a problem's samples, as the kernels read it: a column a token.
struct NumericProblem {
  explicit NumericProblem(const Problem& problem, Parametrisation parametrisation = Parametrisation::prompt);

  Eigen::Index dimension = 0;           ///< of what is trained, and of the keys
  std::vector<Eigen::MatrixXd> tokens;  ///< X_i^T, d x T_i
  std::vector<Eigen::MatrixXd> keys;    ///< K_i^T = W X_i^T, d x T_i; for weights x_it z_i^T by rows, d^2 x T_i
  std::vector<double> labels;
  Loss loss;
};

/// A row, as v is one, as doubles.
Eigen::VectorXd image_vector(const ExactMatrix& matrix, std::size_t row = 0);
Eigen::MatrixXd image_matrix(const ExactMatrix& matrix);

/// The z_i as doubles, a column a sample.
Eigen::MatrixXd query_columns(const Problem& problem);

}  // namespace attest
