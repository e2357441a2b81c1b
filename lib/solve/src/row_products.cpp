#include "row_products.hpp"

#include "attention_pass.hpp"
#include "attest/model/token_rows.hpp"

namespace attest {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

RowProducts::RowProducts(const NumericProblem& problem, const Selection& selection, const MatrixXd& all_queries) : offsets{0} {
  for (std::size_t i = 0; i < problem.keys.size(); ++i) {
    if (problem.keys[i].cols() < 2) continue;
    samples.push_back(i);
    offsets.push_back(offsets.back() + problem.keys[i].cols() - 1);
  }
  columns.resize(problem.keys.front().rows(), offsets.back());
  if (all_queries.size() > 0) queries = all_queries(Eigen::all, samples);
  Index row = 0;
  for (const std::size_t i : samples) {
    const auto chosen = static_cast<Index>(selection[i]);
    for (Index t = 0; t < problem.keys[i].cols(); ++t)
      if (t != chosen) columns.col(row++) = problem.keys[i].col(chosen) - problem.keys[i].col(t);
  }
}

RowProducts::RowProducts(const SvmProgram& program, const MatrixXd& all_queries) : offsets{0} {
  columns.resize(static_cast<Index>(program.dimension()), static_cast<Index>(program.row_count()));
  for (std::size_t k = 0; k < program.samples().size(); ++k) {
    if (program.first_row(k) == program.first_row(k + 1)) continue;
    samples.push_back(program.samples()[k]);
    offsets.push_back(static_cast<Index>(program.first_row(k + 1)));
  }
  if (all_queries.size() > 0) queries = all_queries(Eigen::all, samples);
  for (std::size_t row = 0; row < program.row_count(); ++row) {
    const auto [i, t] = program.name(row);
    const ExactMatrix& tokens = program.problem().tokens[i];
    columns.col(static_cast<Index>(row)) = image_vector(tokens, program.selection()[i]) - image_vector(tokens, t);
  }
  if (has_key_weights(program)) columns = (image_matrix(*program.problem().W) * columns).eval();
}

RowProducts::RowProducts(const RowProducts& all, const std::vector<Index>& kept) : columns(all.columns(Eigen::all, kept)), offsets{0} {
  std::vector<Index> positions;
  std::size_t row = 0;
  for (Index k = 0; k < all.sample_count(); ++k) {
    while (row < kept.size() && kept[row] < all.begin(k + 1)) ++row;
    if (static_cast<Index>(row) == offsets.back()) continue;
    offsets.push_back(static_cast<Index>(row));
    samples.push_back(all.samples[static_cast<std::size_t>(k)]);
    positions.push_back(k);
  }
  if (all.queries.size() > 0) queries = all.queries(Eigen::all, positions);
}

MatrixXd RowProducts::sums(const VectorXd& weights) const {
  const Index d = columns.rows();
  MatrixXd sums = MatrixXd::Zero(d, sample_count());
  for (Index k = 0; k < sample_count(); ++k)
    add_columns(columns.data() + begin(k) * d, d, count(k), weights.data() + begin(k), sums.col(k).data());
  return sums;
}

VectorXd RowProducts::at_prompts(const MatrixXd& prompts) const {
  const Index d = columns.rows();
  VectorXd products(size());
  for (Index k = 0; k < sample_count(); ++k)
    relative_logits(columns.data() + begin(k) * d, d, count(k), prompts.col(k).data(), products.data() + begin(k));
  return products;
}

VectorXd RowProducts::times(const VectorXd& q) const {
  if (queries.size() > 0) return at_prompts(q.reshaped(queries.rows(), columns.rows()).transpose() * queries);
  VectorXd products(size());
  relative_logits(columns.data(), columns.rows(), size(), q.data(), products.data());
  return products;
}

VectorXd RowProducts::combined(const VectorXd& weights) const {
  if (queries.size() > 0) return (queries * sums(weights).transpose()).reshaped();
  VectorXd sum = VectorXd::Zero(columns.rows());
  add_columns(columns.data(), columns.rows(), size(), weights.data(), sum.data());
  return sum;
}

}  // namespace attest
