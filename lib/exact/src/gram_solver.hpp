#pragma once

#include "attest/model/svm_program.hpp"

#include <vector>

namespace attest {

/// The rows of an active set with their exact Gram matrix, kept as integers: row c is a_c = n_c / s_c.
class ActiveRows {
 public:
  explicit ActiveRows(std::size_t dimension) : dimension_(dimension) {}

  std::size_t size() const { return rows_.size(); }
  const FractionVector& operator[](std::size_t k) const { return rows_[k]; }
  void add(FractionVector row);
  void drop(std::size_t k);

  /// lambda with G lambda = b, G = A A^T; the rows must be independent.
  std::vector<Rational> solve(const std::vector<Rational>& right) const;
  /// A a: the products with another row.
  std::vector<Rational> products(const FractionVector& row) const;
  /// sum lambda_k a_k.
  std::vector<Rational> combine(const std::vector<Rational>& weights) const;

 private:
  std::size_t dimension_;
  std::vector<FractionVector> rows_;
  std::vector<std::vector<Integer>> gram_;  // n_j.n_k
};

/// Which rows, in this order, are independent of those before them: the rank over a prime field, so rows that
/// are kept are independent over the rationals too; now and then one more than needed is left out.
std::vector<std::size_t> independent_rows(const std::vector<FractionVector>& rows, std::size_t dimension);

/// A vector x != 0 with sum x_k a_k = 0 when such vectors form a line; empty otherwise.
std::vector<Rational> only_dependency(const std::vector<FractionVector>& rows, std::size_t dimension);

Integer dot(const std::vector<Integer>& a, const std::vector<Integer>& b);

}  // namespace attest
