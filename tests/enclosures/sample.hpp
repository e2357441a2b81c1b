#pragma once

#include "attest/base/rational.hpp"
#include "attest/model/rational_interval.hpp"

#include <cstdint>
#include <random>
#include <string>

namespace attest::enclosures {

/// Random intervals and expressions, the same with every compiler: the distributions of the standard library need not be.
class Sample {
 public:
  explicit Sample(std::uint64_t seed) : engine_(seed) {}

  int whole(int low, int high) { return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1)); }

  /// Of any size from 2^-20 to 2^6, dyadic or not.
  Rational number() {
    const int denominator = whole(0, 1) == 0 ? 1 << whole(0, 20) : whole(1, 1000);
    return Rational(whole(-64 * denominator, 64 * denominator), denominator);
  }
  Rational positive() {
    const Rational value = number();
    return value.sign() == 0 ? Rational(1, 3) : value.sign() < 0 ? -value : value;
  }
  /// A point, or an interval from 2^-150 to 64 wide.
  RationalInterval interval(const Rational& low) {
    switch (whole(0, 3)) {
      case 0: return {low, low};
      case 1: return {low, low + Rational(Integer(1), Integer(1) << whole(1, 150))};
      case 2: return {low, low + Rational(whole(1, 100), 100)};
      default: return {low, low + positive()};
    }
  }
  /// Often an end.
  Rational point(const RationalInterval& interval) {
    switch (whole(0, 5)) {
      case 0: return interval.low;
      case 1: return interval.high;
      default: return interval.low + (interval.high - interval.low) * Rational(whole(0, 1000), 1000);
    }
  }

  /// A loss in u.
  std::string expression(int depth) {
    if (depth == 0) return whole(0, 2) == 0 ? fraction() : "u";
    const std::string a = "(" + expression(depth - 1) + ")";
    switch (whole(0, 10)) {
      case 0: return a + "+(" + expression(depth - 1) + ")";
      case 1: return a + "-(" + expression(depth - 1) + ")";
      case 2: return a + "*(" + expression(depth - 1) + ")";
      case 3: return a + "/(" + expression(depth - 1) + ")";
      case 4: return "-" + a;
      case 5: return a + "^" + std::to_string(whole(-3, 5));
      case 6: return "exp(" + a + "/8)";
      case 7: return "log(1+" + a + "^2)";
      case 8: return whole(0, 1) == 0 ? "log1p(" + a + ")" : "log1p(exp(" + a + "/8))";
      case 9: return "tanh(" + a + ")";
      default: return "sqrt(" + a + ")";
    }
  }

 private:
  /// One after the other: of two operands of a + compilers take either first.
  std::string fraction() {
    const int above = whole(1, 9);
    return std::to_string(above) + "/" + std::to_string(whole(1, 9));
  }

  std::mt19937_64 engine_;
};

}  // namespace attest::enclosures
