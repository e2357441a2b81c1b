#pragma once

#include "attest/base/rational.hpp"

namespace attest {

/// Numbers > 0 to few significant bits, with slack for a checker that has less precision.
struct SlackRounding {
  unsigned bits;
  Rational slack;

  Rational down(const Rational& value) const {
    Rational scaled = value * (1 - slack);
    Integer scale = 1;
    while (scaled < Rational(Integer(1) << bits)) {
      scaled *= 2;
      scale *= 2;
    }
    return Rational(Integer(numerator(scaled) / denominator(scaled)), scale);
  }
  Rational up(const Rational& value) const { return down(value) * (1 + 4 * slack); }
};

}  // namespace attest
