#pragma once

#include "attest/model/svm_program.hpp"

#include <vector>

namespace attest {

/// Rows of a program with their exact Gram matrix, kept as integers: row c is a_c = n_c / s_c. Of a row D z^T of the W-SVM
/// only D and the sample are kept; its products are (D.D')(z.z').
class ActiveRows {
 public:
  explicit ActiveRows(const SvmProgram& program) : program_(program) {}

  std::size_t size() const { return rows_.size(); }
  void add(std::size_t row);
  void drop(std::size_t k);

  /// Which rows, in this order, are independent of those before them: pivots of the Gram matrix modulo a prime. Independent
  /// columns of the Gram matrix belong to independent rows, so those kept are independent over the rationals; now and then
  /// one is left out that is, too.
  std::vector<std::size_t> independent() const;
  /// lambda with G lambda = right, G = A A^T; the rows must be independent.
  FractionVector solve(const FractionVector& right) const;
  /// A a: the products with another row of the program.
  FractionVector products(std::size_t row) const;
  /// The point sum lambda_k a_k.
  FractionVector combine(const FractionVector& weights) const;

 private:
  struct Row {
    FractionVector vector;  // a, or D
    std::size_t position;   // of its sample
    Integer denominator;    // of the whole row
  };
  Row make(std::size_t row) const;
  Integer product(const Row& a, const Row& b) const;  // of the numerators

  const SvmProgram& program_;
  std::vector<Row> rows_;
  std::vector<std::vector<Integer>> gram_;  // n_j.n_k
};

/// The rank over the rationals of vectors of one size.
std::size_t exact_rank(const std::vector<FractionVector>& vectors);

}  // namespace attest
