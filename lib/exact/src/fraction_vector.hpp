#pragma once

#include "attest/model/svm_program.hpp"

#include <vector>

namespace attest {

/// y + factor x, in lowest terms.
FractionVector plus_scaled(const FractionVector& y, const Rational& factor, const FractionVector& x);

std::vector<Rational> to_rationals(const FractionVector& values);

}  // namespace attest
