#pragma once

#include "attest/model/svm_program.hpp"

#include <vector>

namespace attest {

/// A row of a matrix over its least common denominator.
FractionVector row_fractions(const ExactMatrix& matrix, std::size_t row);

/// A row less another one, over the least common denominator of the two.
FractionVector row_difference(const ExactMatrix& matrix, std::size_t row, std::size_t from);

/// a - b over the least common denominator.
FractionVector difference(const FractionVector& a, const FractionVector& b);

/// A row of a program before keys are taken: x_i,alpha_i - x_it, of the v-SVM Y_i x_i,alpha_i.
FractionVector token_row(const SvmProgram& program, std::size_t row);

/// Whether some rows demand a.w = b, as those of generalised programs do.
bool has_equalities(const SvmProgram& program);

/// Whether W makes the keys of a program: keys are not tokens, and play a part.
bool has_key_weights(const SvmProgram& program);
/// The rows of that W; none when there is none.
std::vector<FractionVector> key_weights(const SvmProgram& program);

}  // namespace attest
