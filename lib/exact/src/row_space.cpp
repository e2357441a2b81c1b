#include "row_space.hpp"

#include "row_balls.hpp"

namespace attest {
namespace {

Rational exact_product(const FractionVector& a, const FractionVector& b) {
  return {dot(a.numerators, b.numerators), Integer(a.denominator * b.denominator)};
}

}  // namespace

RowSpace::RowSpace(const SvmProgram& program)
    : program_(program), weights_(program.kind() == SvmProgram::Kind::w), group_count_(weights_ ? program.samples().size() : 1) {
  for (std::size_t row = 0; row < program.row_count(); ++row) {
    rows_.push_back(program.row(row));
    groups_.push_back(weights_ ? program.sample_position(row) : 0);
  }
}

Rational RowSpace::factor(std::size_t group, std::size_t other) const {
  if (!weights_) return 1;
  return {program_.query_product(group, other), Integer(program_.query(group).denominator * program_.query(other).denominator)};
}

Rational RowSpace::product(std::size_t c, std::size_t e) const {
  return exact_product(rows_[c], rows_[e]) * factor(groups_[c], groups_[e]);
}

std::vector<Rational> RowSpace::images(const std::vector<Multiplier>& combination) const {
  const std::size_t d = program_.dimension();
  std::vector<std::vector<Rational>> sums(group_count_, std::vector<Rational>(d, 0));  // q_k: the combination is sum_k q_k z_k^T
  for (const auto& [row, weight] : combination)
    for (std::size_t k = 0; k < d; ++k) sums[groups_[row]][k] += weight * Rational(rows_[row].numerators[k], rows_[row].denominator);
  std::vector<FractionVector> seen;  // the combination times z_i
  for (std::size_t i = 0; i < group_count_; ++i) {
    std::vector<Rational> point(d, 0);
    for (std::size_t j = 0; j < group_count_; ++j) {
      const Rational f = factor(i, j);
      for (std::size_t k = 0; k < d; ++k) point[k] += f * sums[j][k];
    }
    seen.push_back(over_one_denominator(point));
  }
  std::vector<Rational> images;
  for (std::size_t c = 0; c < size(); ++c) images.push_back(exact_product(rows_[c], seen[groups_[c]]));
  return images;
}

std::vector<Ball> RowSpace::images(std::span<const std::size_t> rows, const std::vector<Ball>& weights) const {
  const std::size_t d = program_.dimension();
  std::vector<std::vector<Ball>> sums(group_count_, std::vector<Ball>(d));
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (std::size_t k = 0; k < d; ++k) {
      const FractionVector& row = rows_[rows[j]];
      Ball& sum = sums[groups_[rows[j]]][k];
      sum = sum + weights[j] * Ball(Rational(row.numerators[k], row.denominator));
    }
  std::vector<std::vector<Ball>> seen(group_count_, std::vector<Ball>(d));
  for (std::size_t i = 0; i < group_count_; ++i)
    for (std::size_t j = 0; j < group_count_; ++j) {
      const Ball f(factor(i, j));
      for (std::size_t k = 0; k < d; ++k) seen[i][k] = seen[i][k] + f * sums[j][k];
    }
  std::vector<Ball> images;
  for (std::size_t c = 0; c < size(); ++c) images.push_back(attest::product(rows_[c], seen[groups_[c]]));
  return images;
}

}  // namespace attest
