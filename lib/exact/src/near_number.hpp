#pragma once

#include <cmath>

namespace attest {

/// A real number within `radius` of `mid`, in doubles: some twenty times as fast as a ball, for what needs few digits. Each operation adds
/// a bound of its own rounding, which is at most 2^-53 of the result, or 2^-1074 where it underflows, with more to spare than the roundings
/// of the bound itself take. A radius that is infinite or no number says nothing and fails every comparison.
struct NearNumber {
  double mid = 0;
  double radius = 0;

  bool is_positive() const { return mid - radius > 0; }
};

namespace near_rounding {

constexpr double unit = 0x1p-52;
constexpr double tiny = 0x1p-1000;

/// What fewer than 16 operations on numbers that are not negative gave, from above.
inline double above(double x) { return x * (1 + 0x1p-48) + tiny; }

}  // namespace near_rounding

/// A double within `relative` of a number.
inline NearNumber rounded(double x, double relative = near_rounding::unit) { return {x, near_rounding::above(std::abs(x) * relative)}; }

inline NearNumber operator-(const NearNumber& x) { return {-x.mid, x.radius}; }

inline NearNumber operator+(const NearNumber& x, const NearNumber& y) {
  const double mid = x.mid + y.mid;
  return {mid, near_rounding::above(x.radius + y.radius + std::abs(mid) * near_rounding::unit)};
}

inline NearNumber operator-(const NearNumber& x, const NearNumber& y) { return x + -y; }

inline NearNumber operator*(const NearNumber& x, const NearNumber& y) {
  const double mid = x.mid * y.mid;
  const double around = std::abs(x.mid) * y.radius + (std::abs(y.mid) + y.radius) * x.radius;
  return {mid, near_rounding::above(around + std::abs(mid) * near_rounding::unit)};
}

inline NearNumber& operator+=(NearNumber& x, const NearNumber& y) { return x = x + y; }

/// Of a number that is shown to be above 2^-500; else it says nothing.
NearNumber reciprocal(const NearNumber& x);
NearNumber root(const NearNumber& x);

/// The product with any number of [exp(-r), exp(r)].
NearNumber spread(const NearNumber& x, double r);
NearNumber exp(const NearNumber& x);

}  // namespace attest
