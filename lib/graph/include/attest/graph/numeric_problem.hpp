#pragma once

#include "attest/graph/sample_columns.hpp"
#include "attest/model/parametrisation.hpp"
#include "attest/model/problem.hpp"

#include <Eigen/Core>

#include <vector>

namespace attest {

/// How the keys x_it z_i^T of the weights are kept.
enum class WeightKeys {
  products,  ///< d^2 numbers a token
  factors,   ///< x_it, and the z_i apart
};

/// The double image of a problem's samples, as the kernels read it: a column a token. Only what is not in the problem is kept beside it:
/// keys with W, products, queries.
struct NumericProblem {
  explicit NumericProblem(const Problem& problem, Parametrisation parametrisation = Parametrisation::prompt,
                          WeightKeys weight_keys = WeightKeys::products);

  Eigen::Index dimension = 0;         ///< of what is trained
  std::vector<SampleColumns> tokens;  ///< X_i^T, d x T_i
  std::vector<SampleColumns> keys;    ///< K_i^T = W X_i^T, d x T_i; for weights x_it z_i^T by rows, d^2 x T_i, or X_i^T
  Eigen::MatrixXd queries;            ///< z_i, a column a sample, where they are kept apart from the keys; else empty
  std::vector<double> labels;
  Loss loss;

  bool has_factored_keys() const { return queries.size() > 0; }
  /// What the logits of sample i are the products of `keys` with: p itself, or W z_i for the W that p is by rows.
  Eigen::VectorXd prompt(std::size_t i, const Eigen::VectorXd& p) const;
  /// total += sum, a sum of columns of `keys[i]`; times z_i^T, by rows, where the query is kept apart.
  void add_keys(std::size_t i, const Eigen::VectorXd& sum, Eigen::VectorXd& total) const;
  /// The norm of the longest key of sample i.
  double longest_key(std::size_t i) const;
};

/// The image of what is trained; of weights the products where these are few numbers, else the factors.
NumericProblem trained_image(const Problem& problem, Parametrisation parametrisation);

/// A row, as v is one, as doubles.
Eigen::VectorXd image_vector(const ExactMatrix& matrix, std::size_t row = 0);
Eigen::MatrixXd image_matrix(const ExactMatrix& matrix);

/// The z_i as doubles, a column a sample.
Eigen::MatrixXd query_columns(const Problem& problem);

}  // namespace attest
