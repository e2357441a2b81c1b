#include "near_number.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace attest {
namespace {

using near_rounding::above;
using near_rounding::tiny;

constexpr NearNumber unknown{0, std::numeric_limits<double>::infinity()};

double lower_end(const NearNumber& x) { return (x.mid - x.radius) * (1 - 0x1p-50); }
constexpr double least_lower_end = 0x1p-500;

/// 1/k!
constexpr auto taylor = [] {
  std::array<double, 14> inverse{};
  double factorial = 1;
  for (std::size_t k = 0; k < inverse.size(); ++k) {
    factorial *= k > 0 ? static_cast<double>(k) : 1;
    inverse[k] = 1 / factorial;  // 13! is a double
  }
  return inverse;
}();

/// exp(x) = 2^k exp(r), r = x - k log 2, |r| < 0.3467. r errs by at most 2^-53 (its last two subtractions; k log 2 is the sum of an exact
/// product and one of 10^-7, and log 2 - high - low is below 2^-86). Taylor's polynomial of degree 13 leaves r^14/14! < 2^-57, and Horner's
/// method 3 times 2^-53: in all less than 2^-50 of exp(r) > 0.7.
NearNumber exp_at(double x) {
  constexpr double largest = 700;
  if (x <= -largest) return {0, tiny};  // exp(-700) < 2^-1009
  if (!(x <= largest)) return unknown;
  constexpr double high = 0x1.62e42feep-1;  // 32 bits, so that k times it is exact
  constexpr double low = 0x1.a39ef35793c76p-33;
  constexpr double whole = 0x1.8p52;  // added and taken away it leaves the nearest whole number
  const double k = (x * 0x1.71547652b82fep0 + whole) - whole;
  const double r = (x - k * high) - k * low;
  double sum = taylor.back();
  for (std::size_t j = taylor.size() - 1; j-- > 0;) sum = taylor[j] + r * sum;
  const double power = std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::int64_t>(k) + 1023) << 52U);
  return rounded(sum * power, 0x1p-49);
}

}  // namespace

/// With x >= b > 0: |1/x - 1/mid| = |x - mid|/(x mid) <= radius/(b mid).
NearNumber reciprocal(const NearNumber& x) {
  const double lower = lower_end(x);
  if (!(lower > least_lower_end)) return unknown;
  const double mid = 1 / x.mid;
  return {mid, above(x.radius / lower / x.mid + mid * near_rounding::unit)};
}

/// |sqrt x - sqrt mid| = |x - mid|/(sqrt x + sqrt mid) <= radius/sqrt mid.
NearNumber root(const NearNumber& x) {
  if (!(lower_end(x) > least_lower_end)) return unknown;
  const double mid = std::sqrt(x.mid);
  return {mid, above(x.radius / mid + mid * near_rounding::unit)};
}

/// |exp t - 1| <= exp r - 1 <= r + r^2 for |t| <= r <= 1.
NearNumber spread(const NearNumber& x, double r) {
  if (!(r <= 1)) return unknown;
  return {x.mid, above(x.radius + (std::abs(x.mid) + x.radius) * (r + r * r))};
}

NearNumber exp(const NearNumber& x) { return spread(exp_at(x.mid), x.radius); }

}  // namespace attest
