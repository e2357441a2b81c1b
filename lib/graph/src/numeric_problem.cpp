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

NumericProblem::NumericProblem(const Problem& problem)
    : dimension(static_cast<Eigen::Index>(problem.dimension())), loss(problem.loss) {
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    tokens.push_back(image_matrix(problem.tokens[i]).transpose());
    keys.push_back(problem.W ? Eigen::MatrixXd(image_matrix(*problem.W) * tokens.back()) : tokens.back());
    labels.push_back(problem.labels[i]);
  }
}

}  // namespace attest
