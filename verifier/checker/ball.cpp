#include "ball.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace attest::check {

namespace {

constexpr int radius_digits = 31;

Integer shifted_left(const Integer& x, std::int64_t by) { return x << static_cast<unsigned long>(by); }

/// The greatest integer ≤ x · 2^−by.
Integer shifted_right(const Integer& x, std::int64_t by) {
  Integer result;
  mpz_fdiv_q_2exp(result.backend().data(), x.backend().data(), static_cast<mp_bitcnt_t>(by));
  return result;
}

Integer floor_quotient(const Integer& n, const Integer& d) {
  Integer result;
  mpz_fdiv_q(result.backend().data(), n.backend().data(), d.backend().data());
  return result;
}

std::uint64_t ceiling_shift(std::uint64_t m, std::int64_t by) {
  if (by >= 64) return m == 0 ? 0 : 1;
  const std::uint64_t kept = m >> static_cast<unsigned>(by);
  return (kept << static_cast<unsigned>(by)) == m ? kept : kept + 1;
}

/// The same bound with a mantissa of 31 bits, so that sums and products stay within 64.
Radius normal(std::uint64_t mantissa, std::int64_t exponent) {
  if (mantissa == 0) return {};
  const int excess = 64 - std::countl_zero(mantissa) - radius_digits;
  if (excess > 0) return {ceiling_shift(mantissa, excess), exponent + excess};
  return {mantissa << static_cast<unsigned>(-excess), exponent + excess};
}

/// |x| · 2^exponent from above. mpz_get_d_2exp truncates, so the part cut off is less than one unit.
Radius upper_bound(const Integer& x, std::int64_t exponent) {
  if (x.is_zero()) return {};
  long power = 0;
  const double part = std::fabs(mpz_get_d_2exp(&power, x.backend().data()));
  return {static_cast<std::uint64_t>(std::ldexp(part, radius_digits)) + 1, exponent + power - radius_digits};
}

/// a / (x · 2^exponent) from above, x > 0.
Radius radius_quotient(const Radius& a, const Integer& x, std::int64_t exponent) {
  long power = 0;
  const double part = mpz_get_d_2exp(&power, x.backend().data());
  const auto least = static_cast<std::uint64_t>(std::ldexp(part, radius_digits));  // in [2^30, 2^31)
  return normal((a.mantissa << 32U) / least + 1, a.exponent - 32 - (exponent + power - radius_digits));
}

/// artanh(1/n) · 2^bits = Σ 2^bits/((2k + 1) n^(2k + 1)), less than two units a term too small.
Integer inverse_artanh(unsigned long n, std::int64_t bits) {
  Integer power = shifted_left(1, bits) / n;
  Integer sum = power;
  for (unsigned long k = 3; !power.is_zero(); k += 2) {
    power /= n * n;
    sum += power / k;
  }
  return sum;
}

/// log 2 = 18 artanh(1/26) − 2 artanh(1/4801) + 8 artanh(1/8749). Of the 64 bits more, the error 28 · 2 · (number of terms) takes fewer
/// than 24.
Integer log_two_at(std::int64_t bits) {
  const std::int64_t inner = bits + 64;
  const Integer sum = 18 * inverse_artanh(26, inner) - 2 * inverse_artanh(4801, inner) + 8 * inverse_artanh(8749, inner);
  return shifted_right(sum, 64);
}

std::int64_t integer_root(std::int64_t x) { return static_cast<std::int64_t>(std::sqrt(static_cast<double>(x))); }

/// exp y · 2^bits for 0 ≤ y < 2^−1, y in units of 2^−bits. Σ y^j/j! with j = km + i is Σ_i y^i Σ_k (y^m)^k/j!: the terms of the inner sums
/// come by short divisions, and only every m-th by a long product. A term is less than 4 units off, so the sum is less than 8 · (number of
/// terms) + 2m off.
Integer exponential_series(const Integer& y, std::int64_t bits, std::int64_t log_block) {
  const std::size_t block = std::size_t{1} << static_cast<unsigned>(log_block);
  Integer block_power = y;
  for (std::int64_t i = 0; i < log_block; ++i) block_power = shifted_right(block_power * block_power, bits);
  std::vector<Integer> sums(block);
  Integer term = shifted_left(1, bits);
  for (std::size_t j = 0; !term.is_zero();) {
    sums[j % block] += term;
    ++j;
    term /= j;
    if (j % block == 0) term = shifted_right(term * block_power, bits);
  }
  Integer result = sums.back();
  for (std::size_t i = block - 1; i-- > 0;) result = shifted_right(result * y, bits) + sums[i];
  return result;
}

}  // namespace

Radius operator+(const Radius& a, const Radius& b) {
  if (a.mantissa == 0) return b;
  if (b.mantissa == 0) return a;
  const auto& [high, low] = a.exponent >= b.exponent ? std::pair(a, b) : std::pair(b, a);
  // A radius may stand with fewer digits than 31: shift the higher one down as far as 64 bits allow.
  const std::int64_t room = std::min<std::int64_t>(high.exponent - low.exponent, 31);
  const std::int64_t rest = high.exponent - low.exponent - room;
  return normal((high.mantissa << static_cast<unsigned>(room)) + ceiling_shift(low.mantissa, rest), low.exponent + rest);
}

Radius operator*(const Radius& a, const Radius& b) { return normal(a.mantissa * b.mantissa, a.exponent + b.exponent); }

/// A root in doubles is less than one unit off, and the part cut off another.
Radius root(const Radius& a) {
  if (a.mantissa == 0) return {};
  const bool odd = (a.exponent & 1) != 0;
  const std::uint64_t mantissa = a.mantissa << (odd ? 31U : 32U);
  const std::int64_t exponent = a.exponent - (odd ? 31 : 32);
  return normal(static_cast<std::uint64_t>(std::sqrt(static_cast<double>(mantissa))) + 2, exponent / 2);
}

bool below_power(const Radius& a, std::int64_t exponent) {
  const Radius x = normal(a.mantissa, a.exponent);
  if (x.mantissa == 0 || x.exponent + radius_digits < exponent) return true;
  return x.exponent + radius_digits == exponent && x.mantissa < (std::uint64_t{1} << radius_digits);
}

LinearForm::LinearForm(std::vector<Integer> numerators_, Integer denominator_)
    : numerators(std::move(numerators_)), denominator(std::move(denominator_)) {
  sizes.reserve(numerators.size());
  for (const Integer& n : numerators) sizes.push_back(radius_quotient(upper_bound(n, 0), denominator, 0));
}

BallArithmetic::BallArithmetic(std::int64_t bits)
    : bits_(bits), log_two_bits_(bits + 8192 + integer_root(bits + 8192) + 64), log_two_(log_two_at(log_two_bits_)) {}

Ball BallArithmetic::enclose(const Rational& x) const {
  const Integer scaled = shifted_left(numerator(x), bits_);
  Ball ball{floor_quotient(scaled, denominator(x)), unit()};
  if (ball.mid * denominator(x) == scaled) ball.radius = {};
  return ball;
}

Interval BallArithmetic::interval(const Ball& x) const {
  Integer radius = x.radius.mantissa;
  const std::int64_t shift = x.radius.exponent + bits_;
  if (shift >= 0)
    radius = shifted_left(radius, shift);
  else
    radius = shifted_right(radius, -shift) + 1;
  if (x.radius.mantissa == 0) radius = 0;
  return {{x.mid - radius, -bits_}, {x.mid + radius, -bits_}};
}

/// The midpoint of the ends rounded outward to units, and half of their distance.
Ball BallArithmetic::enclose(const Interval& x) const {
  const auto units = [&](const Dyadic& end) {
    const std::int64_t shift = end.exponent + bits_;
    if (end.mantissa.is_zero() || shift < -(bits_ + (std::int64_t{1} << 20))) return Integer(0);
    if (shift > (std::int64_t{1} << 20)) throw Undefined("a slope beyond 2^(2^20)");
    return shift >= 0 ? shifted_left(end.mantissa, shift) : shifted_right(end.mantissa, -shift);
  };
  const Integer lower = units(x.lower) - 1;
  const Integer upper = units(x.upper) + 1;
  const Integer mid = shifted_right(lower + upper, 1);
  return {mid, upper_bound(upper - mid, -bits_) + unit()};
}

Radius BallArithmetic::size(const Ball& x) const { return upper_bound(x.mid, -bits_); }

Ball BallArithmetic::multiply(const Ball& x, const Ball& y) const {
  return {shifted_right(x.mid * y.mid, bits_), size(x) * y.radius + size(y) * x.radius + x.radius * y.radius + unit()};
}

Ball BallArithmetic::square(const Ball& x) const {
  const Radius cross = size(x) * x.radius;
  return {shifted_right(x.mid * x.mid, bits_), cross + cross + x.radius * x.radius + unit()};
}

Ball BallArithmetic::multiply(const Ball& x, const Rational& factor) const {
  const Radius size = radius_quotient(upper_bound(numerator(factor), 0), denominator(factor), 0);
  return {floor_quotient(x.mid * numerator(factor), denominator(factor)), size * x.radius + unit()};
}

Integer BallArithmetic::lower_end(const Ball& x) const { return interval(x).lower.mantissa; }

bool BallArithmetic::positive(const Ball& x) const { return lower_end(x).sign() > 0; }

/// With x ≥ b > 0: |1/x − 1/mid| = |x − mid|/(x mid) ≤ radius/(b mid).
Ball BallArithmetic::reciprocal(const Ball& x) const {
  const Integer least = lower_end(x);
  if (least.sign() <= 0) throw Undefined("division by a ball that holds 0");
  const Radius error = radius_quotient(radius_quotient(x.radius, least, -bits_), x.mid, -bits_);
  return {floor_quotient(shifted_left(1, 2 * bits_), x.mid), error + unit()};
}

/// |√x − √mid| = |x − mid|/(√x + √mid) ≤ radius/√mid, and floor(√(mid · 2^bits)) ≤ √mid in units.
Ball BallArithmetic::root(const Ball& x) const {
  if (!positive(x)) throw Undefined("the square root of a ball that holds 0");
  const Integer mid = sqrt(shifted_left(x.mid, bits_));
  return {mid, radius_quotient(x.radius, mid, -bits_) + unit()};
}

Integer BallArithmetic::floor(const Ball& x) const { return shifted_right(x.mid, bits_); }

/// exp x = 2^n (exp y)^(2^s), y = (x − n log 2)/2^s. A squaring at most doubles the relative error, and the product of all is at most 2^(s
/// + 1) of that of exp y, which is less than 2^24 units; the s + 48 bits more leave a small part of one unit, and the last shift rounds by
/// one.
Integer BallArithmetic::exponential_at(const Integer& x) const {
  if (x.sign() < 0 && -x > shifted_left(bits_ + 8, bits_)) return 0;  // exp x < 2^−bits: one unit holds it
  long power = 0;
  const double part = mpz_get_d_2exp(&power, x.backend().data());
  const double approximate = std::ldexp(part, static_cast<int>(power - bits_));
  auto n = static_cast<std::int64_t>(std::floor(approximate / 0.6931471805599453));
  const std::int64_t kept = std::max<std::int64_t>(bits_ + n, 0);
  const std::int64_t halvings = 4 + integer_root(kept) / 2;
  const std::int64_t inner = kept + halvings + 48;
  const Integer log_two = shifted_right(log_two_, log_two_bits_ - inner - 32);  // 32 bits more: n log 2 is off by less than a unit
  Integer rest = (inner >= bits_ ? shifted_left(x, inner - bits_) : shifted_right(x, bits_ - inner)) - shifted_right(n * log_two, 32);
  for (; rest.sign() < 0; --n) rest += shifted_right(log_two, 32);
  const std::int64_t terms = inner / (halvings + 4) + 4;
  const std::int64_t log_block =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(terms))) / 2);
  Integer result = exponential_series(shifted_right(rest, halvings), inner, log_block);
  for (std::int64_t i = 0; i < halvings; ++i) result = shifted_right(result * result, inner);
  const std::int64_t shift = inner - bits_ - n;
  return shift >= 0 ? shifted_right(result, shift) : shifted_left(result, -shift);
}

/// exp(mid + t) lies within exp(mid)(e^r − 1) of exp(mid) for |t| ≤ r, and e^r − 1 ≤ r + r² for r ≤ 1.
Ball BallArithmetic::exponential(const Ball& x) const {
  if (!below_power(x.radius, -2)) throw Undefined("the enclosure of the run is too wide for an exponential");
  if (x.mid > shifted_left(4096, bits_)) throw Undefined("exp of an argument beyond 4096");
  Ball result{exponential_at(x.mid), unit() + unit()};
  result.radius = (size(result) + result.radius) * (x.radius + x.radius * x.radius) + result.radius;
  return result;
}

/// Its slope is s(1 − s), whose logarithm has a slope in [−1, 1]: on the ball it is at most that of the midpoint times e^r ≤ 1 + 2r.
Ball BallArithmetic::sigmoid(const Ball& x) const {
  if (!below_power(x.radius, -2)) throw Undefined("the enclosure of the run is too wide for an exponential");
  const bool negative = x.mid.sign() < 0;
  const Ball power = exponential({negative ? x.mid : Integer(-x.mid), {}});  // exp(−|mid|)
  const Ball inverse = reciprocal(add(one(), power));
  const Ball small = multiply(power, inverse);
  Ball result = negative ? small : inverse;
  const Radius slope = (size(small) + small.radius) * (size(inverse) + inverse.radius);
  result.radius = result.radius + slope * (x.radius + x.radius * x.radius + x.radius * x.radius);
  return result;
}

Ball BallArithmetic::evaluate(const LinearForm& form, const std::vector<Ball>& x) const {
  Integer sum = 0;
  Radius radius = unit();
  for (std::size_t a = 0; a < x.size(); ++a) {
    if (form.numerators[a].is_zero()) continue;
    mpz_addmul(sum.backend().data(), form.numerators[a].backend().data(), x[a].mid.backend().data());
    radius = radius + form.sizes[a] * x[a].radius;
  }
  return {floor_quotient(sum, form.denominator), radius};
}

}  // namespace attest::check
