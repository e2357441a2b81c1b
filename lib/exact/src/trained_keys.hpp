#pragma once

#include "attest/model/parametrisation.hpp"
#include "attest/model/svm_program.hpp"

#include <vector>

namespace attest {

/// k_it, or x_it for weights: what goes with z_i. Numbers of the data are taken from there: as integers that ExactTokens keeps, all of them
/// would take six times the memory.
std::vector<Rational> left_key(const ExactTokens& tokens, bool weights, std::size_t sample, std::size_t token);

/// The same as integers, which of doubles are made in passing.
FractionVector left_fractions(const ExactTokens& tokens, bool weights, std::size_t sample, std::size_t token);

/// k_it - k_it' for p, (x_it - x_it') z_i^T by rows for W.
std::vector<Rational> key_difference(const ExactTokens& tokens, Parametrisation parametrisation, std::size_t sample, std::size_t token,
                                     std::size_t from);

}  // namespace attest
