#pragma once

#include "attest/model/svm_program.hpp"

#include <vector>

namespace attest {

/// Some rows of a program as integers, before keys are taken of them.
class TokenRows {
 public:
  TokenRows(const SvmProgram& program, std::vector<std::size_t> rows);

  const std::vector<std::size_t>& rows() const { return rows_; }
  const FractionVector& vector(std::size_t k) const { return vectors_[k]; }
  /// The point sum weights_k a_k, as SvmProgram has points.
  FractionVector combine(const FractionVector& weights) const;

 private:
  const SvmProgram* program_;
  std::vector<std::size_t> rows_;
  std::vector<FractionVector> vectors_;
  Integer common_ = 1;  // over one denominator the sums are sums of integers
};

}  // namespace attest
