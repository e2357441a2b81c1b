#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <limits>
#include <span>

namespace attest {

/// sign * e^log: a real number where a double would underflow or overflow. Losses fall like e^-|p|, and paths go to |p| = 2^20.
///
/// 0 has the sign 0 and the logarithm -infinity. NaN is a NaN in `log`, whatever the sign, and no operation loses it.
struct LogNumber {
  double log = -std::numeric_limits<double>::infinity();
  int sign = 0;

  static LogNumber of(double value) { return {std::log(std::abs(value)), std::isnan(value) ? 1 : (value > 0) - (value < 0)}; }
  static LogNumber nan() { return of(std::numeric_limits<double>::quiet_NaN()); }

  bool is_nan() const { return std::isnan(log); }
  bool is_zero() const { return sign == 0 && !is_nan(); }
  /// The nearest double, about: 0 or infinite where doubles end.
  double value() const { return sign * std::exp(log); }
  /// The double that, times e^log_scale, is the number: 0 for 0 at any scale.
  double over(double log_scale) const { return is_zero() ? 0.0 : sign * std::exp(log - log_scale); }

  LogNumber operator-() const { return {log, -sign}; }
  friend LogNumber operator*(const LogNumber& a, const LogNumber& b) { return {a.log + b.log, a.sign * b.sign}; }
  /// Nothing is divided by 0: that is NaN.
  friend LogNumber operator/(const LogNumber& a, const LogNumber& b) {
    return b.sign == 0 ? nan() : LogNumber{a.log - b.log, a.sign * b.sign};
  }
  friend LogNumber operator+(const LogNumber& a, const LogNumber& b);

  friend std::partial_ordering operator<=>(const LogNumber& a, const LogNumber& b) {
    if (a.is_nan() || b.is_nan()) return std::partial_ordering::unordered;
    if (a.sign != b.sign) return a.sign <=> b.sign;
    if (a.sign == 0) return std::partial_ordering::equivalent;
    return a.sign > 0 ? a.log <=> b.log : b.log <=> a.log;
  }
  friend bool operator==(const LogNumber& a, const LogNumber& b) { return (a <=> b) == 0; }
};

/// mantissa * e^shift: a sum of numbers, with e^shift the size of the largest. What the terms cancel is lost to rounding, of
/// the largest term and not of the sum: a mantissa far below 1 says how much.
struct LogSum {
  double shift = -std::numeric_limits<double>::infinity();
  double mantissa = 0;

  LogNumber number() const {
    LogNumber result = LogNumber::of(mantissa);
    result.log += shift;
    return result;
  }
};

/// Of the terms that are not 0; -infinity without any.
inline double largest_log(std::span<const LogNumber> terms) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const LogNumber& term : terms)
    if (!term.is_zero() && term.log > largest) largest = term.log;
  return largest;
}

/// In the order of the terms.
inline LogSum sum_of(std::span<const LogNumber> terms) {
  LogSum sum{largest_log(terms), 0};
  for (const LogNumber& term : terms) sum.mantissa += term.over(sum.shift);
  return sum;
}

inline LogNumber operator+(const LogNumber& a, const LogNumber& b) { return sum_of(std::array{a, b}).number(); }

/// log(1 + e^u) without overflow.
inline double softplus(double u) { return std::max(u, 0.0) + std::log1p(std::exp(-std::abs(u))); }

/// log(log(1 + e^u)): from -36 down it is u to the last bit.
inline double log_softplus(double u) { return u < -36 ? u : std::log(softplus(u)); }

}  // namespace attest
