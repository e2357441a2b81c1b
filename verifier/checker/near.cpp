#include "near.hpp"

#include <limits>

namespace attest::check {

namespace {

using near_rounding::above;
using near_rounding::tiny;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// The lower end of a number that must be well above 0.
double least(const Near& x) {
  const double lower = (x.mid - x.radius) * (1 - 0x1p-50);
  if (!(lower > 0x1p-500)) throw Undefined("a number is not shown to be above 0");
  return lower;
}

/// mpz_get_d_2exp cuts off less than 2^−53 of a part in [1/2, 1).
struct Part {
  double part;
  long power = 0;

  explicit Part(const Integer& x) { part = mpz_get_d_2exp(&power, x.backend().data()); }
};

Near scaled(double part, std::int64_t power, double relative) {
  if (part == 0) return {};
  if (power > 1000) return {0, infinite};
  if (power < -1000) return {0, 4 * tiny};
  const double mid = std::ldexp(part, static_cast<int>(power));
  return {mid, above(std::fabs(mid) * relative)};
}

Dyadic dyadic(double x) {
  int power = 0;
  const double part = std::frexp(x, &power);
  return {Integer(static_cast<std::int64_t>(std::ldexp(part, 53))), power - 53};
}

}  // namespace

/// With x ≥ b > 0: |1/x − 1/mid| = |x − mid|/(x mid) ≤ radius/(b mid).
Near reciprocal(const Near& x) {
  const double mid = 1 / x.mid;
  return {mid, above(x.radius / (least(x) * x.mid) + mid * near_rounding::unit)};
}

/// |√x − √mid| = |x − mid|/(√x + √mid) ≤ radius/√mid.
Near root(const Near& x) {
  static_cast<void>(least(x));
  const double mid = std::sqrt(x.mid);
  return {mid, above(x.radius / mid + mid * near_rounding::unit)};
}

Near near(const Integer& x, std::int64_t exponent) {
  const Part p(x);
  return scaled(p.part, p.power + exponent, near_rounding::unit);
}

/// Both parts are cut by less than 2^−52 of them, and the quotient rounds.
Near near(const Rational& x) {
  const Part n(numerator(x));
  const Part d(denominator(x));
  return scaled(n.part / d.part, n.power - d.power, 4 * near_rounding::unit);
}

Near near(const Interval& x) {
  const Near lower = near(x.lower.mantissa, x.lower.exponent);
  const Near upper = near(x.upper.mantissa, x.upper.exponent);
  const double mid = lower.mid / 2 + upper.mid / 2;
  return {mid, above(std::fabs(upper.mid - lower.mid) / 2 + lower.radius + upper.radius + std::fabs(mid) * near_rounding::unit)};
}

Interval interval(const Near& x) {
  const double reach = above(x.radius + (std::fabs(x.mid) + x.radius) * near_rounding::unit);
  const double lower = x.mid - reach;
  const double upper = x.mid + reach;
  if (!std::isfinite(lower) || !std::isfinite(upper)) throw Undefined("a number too large for doubles");
  return {dyadic(lower), dyadic(upper)};
}

/// |exp(t) − 1| ≤ exp(r) − 1 ≤ r + r² for |t| ≤ r ≤ 1.
Near spread(const Near& x, double r) {
  if (!(r <= 1)) throw Undefined("the run is not enclosed: the ball is too wide for an exponential");
  return {x.mid, above(x.radius + (std::fabs(x.mid) + x.radius) * (r + r * r))};
}

double size(const Near& x) { return above(std::fabs(x.mid) + x.radius); }

double from_above(const Radius& x) {
  if (x.mantissa == 0) return 0;
  if (x.exponent > 900) return infinite;
  if (x.exponent < -1000) return 0x1p-960;  // a mantissa is at most 2^31
  return std::ldexp(static_cast<double>(x.mantissa), static_cast<int>(x.exponent));
}

double sum_above(double x, double y) { return above(x + y); }

double product_above(double x, double y) { return above(x * y); }

double norm_above(const std::vector<Near>& x) {
  double sum = 0;
  for (const Near& a : x) sum = above(sum + size(a) * size(a));
  return above(std::sqrt(sum));
}

Radius radius_above(double x) {
  if (!std::isfinite(x)) throw Undefined("the run is not enclosed: a bound too large for doubles");
  int power = 0;
  const double part = std::frexp(x, &power);
  return {static_cast<std::uint64_t>(std::ceil(std::ldexp(part, 31))), power - 31};
}

}  // namespace attest::check
