#pragma once

#include "attest/base/progress.hpp"
#include "attest/model/svm_program.hpp"

#include <span>
#include <vector>

namespace attest {

/// The p of least norm whose attention to the selected tokens is at least 1 - epsilon, guessed in doubles: minimise 1/2 |p|^2 subject to
/// log sum_t exp(-a_it.p) <= -log((1 - epsilon)/epsilon) for every sample, a convex program. At its solution p = sum pi_c a_c, with weights
/// pi_c = P_i exp(-y_c)/sum exp(-y) that show by duality that nothing shorter does.
/// `separating` are the multipliers of the SVM, by row: sum lambda_c a_c has all rows >= 1. The weights pi by row; empty when the time was
/// up, or a W-program has too many rows.
std::vector<double> guess_sparsity(const SvmProgram& program, double epsilon, std::span<const double> separating, const Budget& budget);

}  // namespace attest
