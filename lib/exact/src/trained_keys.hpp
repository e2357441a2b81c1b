#pragma once

#include "attest/model/parametrisation.hpp"
#include "attest/model/svm_program.hpp"

#include <vector>

namespace attest {

/// k_it - k_it' for p, (x_it - x_it') z_i^T by rows for W.
std::vector<Rational> key_difference(const ExactTokens& tokens, Parametrisation parametrisation, std::size_t sample, std::size_t token,
                                     std::size_t from);

Rational dot(const std::vector<Rational>& a, const std::vector<Rational>& b);

}  // namespace attest
