#pragma once

#include <cmath>
#include <vector>

#include "ball.hpp"

namespace attest::check {

/// A real number known to lie within `radius` of `mid`: the fast arithmetic for numbers of which few digits are needed. Every result holds
/// all true values: each operation adds a bound of its own rounding, with more to spare than the roundings of the bound itself take, in
/// whatever direction the processor rounds. A radius that is infinite or no number says nothing, and fails every comparison.
struct Near {
  double mid = 0;
  double radius = 0;
};

namespace near_rounding {

// One operation errs by at most 2^−52 of its result (2^−53 where it rounds to nearest), or by 2^−1074 where it underflows.
constexpr double unit = 0x1p-52;
constexpr double tiny = 0x1p-1000;

/// What fewer than 16 operations on numbers ≥ 0 gave, from above.
inline double above(double x) { return x * (1 + 0x1p-47) + tiny; }

}  // namespace near_rounding

inline Near operator-(const Near& x) { return {-x.mid, x.radius}; }

inline Near operator+(const Near& x, const Near& y) {
  const double mid = x.mid + y.mid;
  return {mid, near_rounding::above(x.radius + y.radius + std::fabs(mid) * near_rounding::unit)};
}

inline Near operator-(const Near& x, const Near& y) { return x + -y; }

inline Near operator*(const Near& x, const Near& y) {
  const double mid = x.mid * y.mid;
  const double spread = std::fabs(x.mid) * y.radius + (std::fabs(y.mid) + y.radius) * x.radius;
  return {mid, near_rounding::above(spread + std::fabs(mid) * near_rounding::unit)};
}

inline Near& operator+=(Near& x, const Near& y) { return x = x + y; }
inline Near& operator-=(Near& x, const Near& y) { return x = x - y; }

/// Of a number above 2^−500, else Undefined.
Near reciprocal(const Near& x);
Near root(const Near& x);

/// x · 2^exponent; it says nothing beyond 2^1000.
Near near(const Integer& x, std::int64_t exponent);
Near near(const Rational& x);
Near near(const Interval& x);
/// An interval that holds it; Undefined if it says nothing.
Interval interval(const Near& x);

/// The product with any number in [exp(−r), exp(r)], where r ≤ 1 (Undefined beyond).
Near spread(const Near& x, double r);

/// From above, as doubles: |x|, a radius, x + y and x · y of numbers ≥ 0, ‖x‖.
double size(const Near& x);
double from_above(const Radius& x);
double sum_above(double x, double y);
double product_above(double x, double y);
double norm_above(const std::vector<Near>& x);
/// x ≥ 0 as a radius; Undefined if it is infinite or no number.
Radius radius_above(double x);

}  // namespace attest::check
