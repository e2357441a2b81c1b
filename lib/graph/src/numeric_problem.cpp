#include "attest/graph/numeric_problem.hpp"

namespace attest {

Eigen::VectorXd image_vector(const ExactMatrix& matrix, std::size_t row) {
  const auto image = matrix.image_row(row);
  return Eigen::Map<const Eigen::VectorXd>(image.data(), static_cast<Eigen::Index>(image.size()));
}

Eigen::MatrixXd image_matrix(const ExactMatrix& matrix) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(matrix.image().data(), static_cast<Eigen::Index>(matrix.rows()),
                                    static_cast<Eigen::Index>(matrix.columns()));
}

Eigen::MatrixXd query_columns(const Problem& problem) {
  if (problem.queries) return image_matrix(*problem.queries).transpose();
  Eigen::MatrixXd columns(problem.dimension(), problem.sample_count());
  for (std::size_t i = 0; i < problem.sample_count(); ++i) columns.col(static_cast<Eigen::Index>(i)) = image_vector(problem.tokens[i]);
  return columns;
}

namespace {

/// A column a token: the rows of x z^T, one after the other.
Eigen::MatrixXd products(const Eigen::MatrixXd& tokens, const Eigen::VectorXd& query) {
  Eigen::MatrixXd keys(tokens.rows() * query.size(), tokens.cols());
  for (Eigen::Index t = 0; t < tokens.cols(); ++t) keys.col(t) = (query * tokens.col(t).transpose()).reshaped();
  return keys;
}

}  // namespace

NumericProblem::NumericProblem(const Problem& problem, Parametrisation parametrisation) : loss(problem.loss) {
  const Eigen::MatrixXd queries = query_columns(problem);
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    tokens.push_back(image_matrix(problem.tokens[i]).transpose());
    if (parametrisation == Parametrisation::weights)
      keys.push_back(products(tokens.back(), queries.col(static_cast<Eigen::Index>(i))));
    else
      keys.push_back(problem.W ? Eigen::MatrixXd(image_matrix(*problem.W) * tokens.back()) : tokens.back());
    labels.push_back(problem.labels[i]);
  }
  dimension = keys.front().rows();
}

}  // namespace attest
