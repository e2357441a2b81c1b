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
Eigen::MatrixXd products(const SampleColumns& tokens, const Eigen::VectorXd& query) {
  Eigen::MatrixXd keys(tokens.rows() * query.size(), tokens.cols());
  for (Eigen::Index t = 0; t < tokens.cols(); ++t) keys.col(t) = (query * tokens.col(t).transpose()).reshaped();
  return keys;
}

}  // namespace

NumericProblem::NumericProblem(const Problem& problem, Parametrisation parametrisation, WeightKeys weight_keys) : loss(problem.loss) {
  const bool weights = parametrisation == Parametrisation::weights;
  const Eigen::MatrixXd all_queries = weights ? query_columns(problem) : Eigen::MatrixXd();
  const bool as_they_are = weights ? weight_keys == WeightKeys::factors : !problem.W;
  const Eigen::MatrixXd W = problem.W ? image_matrix(*problem.W) : Eigen::MatrixXd();
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    tokens.emplace_back(problem.tokens[i]);
    if (as_they_are)
      keys.push_back(tokens.back());
    else if (weights)
      keys.emplace_back(products(tokens.back(), all_queries.col(static_cast<Eigen::Index>(i))));
    else
      keys.emplace_back(Eigen::MatrixXd(W * tokens.back()));
    labels.push_back(problem.labels[i]);
  }
  if (weights && weight_keys == WeightKeys::factors) queries = all_queries;
  dimension = has_factored_keys() ? keys.front().rows() * keys.front().rows() : keys.front().rows();
}

Eigen::VectorXd NumericProblem::prompt(std::size_t i, const Eigen::VectorXd& p) const {
  if (!has_factored_keys()) return p;
  const Eigen::Index d = queries.rows();
  return p.reshaped(d, d).transpose() * queries.col(static_cast<Eigen::Index>(i));
}

void NumericProblem::add_keys(std::size_t i, const Eigen::VectorXd& sum, Eigen::VectorXd& total) const {
  if (has_factored_keys())
    total.reshaped(queries.rows(), sum.size()).noalias() += queries.col(static_cast<Eigen::Index>(i)) * sum.transpose();
  else
    total += sum;
}

double NumericProblem::longest_key(std::size_t i) const {
  const double longest = keys[i].colwise().norm().maxCoeff();
  return has_factored_keys() ? longest * queries.col(static_cast<Eigen::Index>(i)).norm() : longest;
}

NumericProblem trained_image(const Problem& problem, Parametrisation parametrisation) {
  constexpr std::size_t most_numbers = std::size_t{1} << 22U;
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) tokens += problem.token_count(i);
  const bool few = tokens * problem.dimension() * problem.dimension() <= most_numbers;
  return NumericProblem(problem, parametrisation, few ? WeightKeys::products : WeightKeys::factors);
}

}  // namespace attest
