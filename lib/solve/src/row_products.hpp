#pragma once

#include "attest/graph/numeric_problem.hpp"
#include "attest/model/svm_program.hpp"

#include <Eigen/Core>

#include <vector>

namespace attest {

/// Rows a_it = k_i,alpha_i - k_it, sample by sample, and their products with vectors: a pass reads every row once. For weights the rows
/// are (x_i,alpha_i - x_it) z_i^T, of which x and z are kept apart: nothing of d^2 numbers a row is formed.
struct RowProducts {
  /// All rows of a selection. Samples with one token have none. With queries, a column a sample, the keys are x_it z_i^T with the
  /// problem's keys as x_it.
  RowProducts(const NumericProblem& problem, const Selection& selection, const Eigen::MatrixXd& all_queries = {});
  /// Those of a W-SVM, or without queries of a p-SVM, in its numbering.
  RowProducts(const SvmProgram& program, const Eigen::MatrixXd& all_queries);
  /// Some of the rows, ascending.
  RowProducts(const RowProducts& all, const std::vector<Eigen::Index>& kept);

  Eigen::MatrixXd columns;            ///< a column a row; for weights x_i,alpha_i - x_it
  std::vector<Eigen::Index> offsets;  ///< those of the k-th sample are offsets[k] .. offsets[k+1] - 1
  std::vector<std::size_t> samples;   ///< which the k-th is
  Eigen::MatrixXd queries;            ///< for weights z_i, a column a sample

  Eigen::Index size() const { return columns.cols(); }
  Eigen::Index sample_count() const { return static_cast<Eigen::Index>(samples.size()); }
  Eigen::Index begin(Eigen::Index k) const { return offsets[static_cast<std::size_t>(k)]; }
  Eigen::Index count(Eigen::Index k) const { return begin(k + 1) - begin(k); }

  /// The sums of weights_it times column over the rows of each sample, a column a sample.
  Eigen::MatrixXd sums(const Eigen::VectorXd& weights) const;
  /// The product of every row's column with the prompt of its sample, a column a sample.
  Eigen::VectorXd at_prompts(const Eigen::MatrixXd& prompts) const;

  /// a_it.q for all rows.
  Eigen::VectorXd times(const Eigen::VectorXd& q) const;
  /// sum_it weights_it a_it.
  Eigen::VectorXd combined(const Eigen::VectorXd& weights) const;
};

}  // namespace attest
