#pragma once

#include "attest/exact/svm.hpp"

#include <optional>
#include <vector>

namespace attest {

/// Proved bounds of min |W|_* over the rows of a W-SVM (docs/theory.md, "Nuclear bracket").
///
/// Upper: W = A B^T satisfies every row, and |W|_* <= 1/2 (|A|^2 + |B|^2). Lower: M = sum lambda_c D_c z_i^T has |M| <= 1, and
/// |W|_* >= sum lambda_c for every feasible W.
struct NuclearBracket {
  std::size_t columns = 0;  ///< m
  std::vector<Rational> A;  ///< d x m by rows
  std::vector<Rational> B;
  std::vector<Multiplier> multipliers;
  std::vector<std::vector<Rational>> root;  ///< shows |M| <= 1; empty where exact pivots do
  Rational lower;
  Rational upper;

  /// Of the upper bound.
  Rational relative_gap() const { return upper > 0 ? Rational((upper - lower) / upper) : Rational(0); }
};

/// What a floating-point solve suggests: W = A B^T and a multiplier a row.
struct NuclearHint {
  std::size_t columns;
  const std::vector<double>& A;
  const std::vector<double>& B;
  const std::vector<double>& multipliers;
};

/// Rounds and rescales the hint until its bounds are exact; nothing when W is feasible for no multiple.
std::optional<NuclearBracket> prove_nuclear_bracket(const SvmProgram& program, const NuclearHint& hint);

}  // namespace attest
