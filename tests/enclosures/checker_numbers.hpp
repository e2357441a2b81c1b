#pragma once

#include "attest/base/rational.hpp"
#include "interval.hpp"

namespace attest::enclosures {

/// A number of the library for the checker, which has a class of its own.
inline check::Rational checkers(const Rational& value) { return check::Rational(value.data()); }

/// The end of an interval of the checker for the library.
inline Rational end_of(const check::Dyadic& end) {
  const Integer mantissa(end.mantissa.str());
  const auto shift = static_cast<int>(end.exponent < 0 ? -end.exponent : end.exponent);
  return end.exponent < 0 ? Rational(mantissa, Integer(1) << shift) : Rational(mantissa * (Integer(1) << shift));
}

}  // namespace attest::enclosures
