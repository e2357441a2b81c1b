#pragma once

#include "attest/base/rational.hpp"

#include <string>

namespace attest {

/// So many significant digits as %g writes them, of any size, rounded up: a bound that is printed is still a bound.
std::string text_above(const Rational& value, std::size_t digits);
/// The same, rounded down.
std::string text_below(const Rational& value, std::size_t digits);

}  // namespace attest
