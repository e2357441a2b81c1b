#pragma once

#include "attest/exact/ball.hpp"
#include "attest/exact/svm.hpp"

#include <span>
#include <vector>

namespace attest {

/// The rows a_c of a p-SVM or W-SVM and their products. A row D z_i^T of the W-SVM is never formed: <a_c, a_e> = (D_c.D_e)(z_i.z_j).
class RowSpace {
 public:
  explicit RowSpace(const SvmProgram& program);

  std::size_t size() const { return rows_.size(); }
  Rational product(std::size_t c, std::size_t e) const;
  /// <a_c, sum x_e a_e> for every row c.
  std::vector<Rational> images(const std::vector<Multiplier>& combination) const;
  std::vector<Ball> images(std::span<const std::size_t> rows, const std::vector<Ball>& weights) const;

 private:
  /// z_i.z_j of the samples of two rows; 1 for p.
  Rational factor(std::size_t group, std::size_t other) const;

  const SvmProgram& program_;
  bool weights_;
  std::vector<FractionVector> rows_;  // a, or D
  std::vector<std::size_t> groups_;   // rows with one query: its position; all rows of p are one
  std::size_t group_count_;
};

}  // namespace attest
