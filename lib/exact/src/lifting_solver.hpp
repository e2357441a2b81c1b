#pragma once

#include "attest/model/svm_program.hpp"

#include <optional>
#include <vector>

namespace attest {

/// x with M x = right over the rationals, by Dixon's p-adic lifting: x is found modulo p, p^2, … until p^m determines
/// it, by Hadamard's bound on the numerators and the denominator. Nothing when M is singular. M is square, not empty.
///
/// FLINT 2.9 solves the same systems with fmpz_mat_solve_dixon and two others; this is faster, since M x is summed in machine words
/// and one reconstruction usually gives the denominator of all entries. bench/lifting, Gram systems of 20, 40, 80, 160 rows:
/// the fastest of FLINT's takes 2.2, 2.0, 1.7, 1.7 times as long for rows of doubles, 1.2, 1.35, 1.15, 1.16 for short decimals.
std::optional<FractionVector> solve_by_lifting(const std::vector<std::vector<Integer>>& matrix, const std::vector<Integer>& right);

}  // namespace attest
