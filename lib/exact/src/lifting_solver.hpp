#pragma once

#include "attest/model/svm_program.hpp"

#include <optional>
#include <vector>

namespace attest {

/// x with M x = right over the rationals, by Dixon's p-adic lifting: x is found modulo p, p^2, … until p^m determines
/// it, by Hadamard's bound on the numerators and the denominator. Nothing when M is singular. M is square, not empty.
std::optional<FractionVector> solve_by_lifting(const std::vector<std::vector<Integer>>& matrix, const std::vector<Integer>& right);

}  // namespace attest
