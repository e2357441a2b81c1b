#pragma once

#include <cstdint>
#include <stdexcept>

#include "rational.hpp"

namespace attest::check {

/// A rule of §3 has no value here: its condition fails, or a number left the supported range.
class Undefined : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// mantissa · 2^exponent, with |exponent| at most 2^40 (beyond: Undefined).
struct Dyadic {
  Integer mantissa = 0;
  std::int64_t exponent = 0;
};

/// The sign of a − b.
int compare(const Dyadic& a, const Dyadic& b);

/// The closed interval [lower, upper].
struct Interval {
  Dyadic lower;
  Dyadic upper;
};

/// Interval arithmetic whose endpoints are rounded outward to `bits` binary digits. Every result
/// contains the true range; +, −, ·, 1/x, even powers and the increasing functions add no more to
/// it than a few units of the last binary digit.
class Arithmetic {
 public:
  /// §3 asks for 100 bits; the default leaves room for long chains of operations.
  explicit Arithmetic(std::int64_t bits = 256);

  /// The tightest interval around [lower, upper]. A Dyadic x of this arithmetic is ≤ q exactly
  /// when x ≤ enclose(q, q).lower, and ≥ q exactly when x ≥ enclose(q, q).upper.
  [[nodiscard]] Interval enclose(const Rational& lower, const Rational& upper) const;
  [[nodiscard]] Interval enclose(const Rational& point) const { return enclose(point, point); }

  [[nodiscard]] Interval negate(const Interval& x) const;
  [[nodiscard]] Interval add(const Interval& x, const Interval& y) const;
  [[nodiscard]] Interval subtract(const Interval& x, const Interval& y) const;
  [[nodiscard]] Interval multiply(const Interval& x, const Interval& y) const;
  [[nodiscard]] Interval multiply(std::int64_t factor, const Interval& x) const;
  [[nodiscard]] Interval reciprocal(const Interval& x) const;
  [[nodiscard]] Interval power(const Interval& x, int exponent) const;  ///< exponent ≥ 0
  [[nodiscard]] Interval square(const Interval& x) const { return power(x, 2); }
  [[nodiscard]] Interval exponential(const Interval& x) const;
  [[nodiscard]] Interval logarithm(const Interval& x) const;
  [[nodiscard]] Interval hyperbolic_tangent(const Interval& x) const;
  [[nodiscard]] Interval square_root(const Interval& x) const;
  [[nodiscard]] Interval softplus(const Interval& x) const;       ///< log(1 + exp x)
  [[nodiscard]] Interval sigmoid(const Interval& x) const;        ///< its slope, 1/(1 + exp(−x))
  [[nodiscard]] Interval sigmoid_slope(const Interval& x) const;  ///< its curvature, 1/((1 + exp x)(1 + exp(−x)))

 private:
  [[nodiscard]] Interval round(const Interval& x) const;
  [[nodiscard]] Interval divide(const Interval& x, int divisor) const;  ///< divisor > 0
  [[nodiscard]] Interval exponential_at(const Dyadic& x) const;
  [[nodiscard]] Interval logarithm_at(const Dyadic& x) const;
  [[nodiscard]] Interval hyperbolic_tangent_at(const Dyadic& x) const;
  [[nodiscard]] Interval twice_artanh(const Interval& z) const;
  [[nodiscard]] Interval softplus_at(const Dyadic& x) const;
  [[nodiscard]] Interval sigmoid_at(const Dyadic& x) const;
  [[nodiscard]] Interval sigmoid_slope_at(const Dyadic& x) const;

  std::int64_t bits_;
};

}  // namespace attest::check
