#include "interval.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace attest::check {

namespace {

enum class Toward { minus_infinity, plus_infinity };
constexpr auto down = Toward::minus_infinity;
constexpr auto up = Toward::plus_infinity;

constexpr std::int64_t largest_dyadic_exponent = std::int64_t{1} << 40;
constexpr std::int64_t guard_bits = 64;  // lost inside exp and log, never in their results

std::int64_t bit_length(const Integer& x) { return x.is_zero() ? 0 : static_cast<std::int64_t>(msb(abs(x))) + 1; }

/// |x| < 2^top(x), and for x ≠ 0 also |x| ≥ 2^(top(x) − 1).
std::int64_t top(const Dyadic& x) { return x.exponent + bit_length(x.mantissa); }

Integer shifted(const Integer& x, std::int64_t by) { return x << static_cast<unsigned long>(by); }

Dyadic negated(const Dyadic& x) { return {-x.mantissa, x.exponent}; }
Dyadic doubled(const Dyadic& x) { return {x.mantissa, x.exponent + (x.mantissa.is_zero() ? 0 : 1)}; }
Dyadic magnitude(const Dyadic& x) { return {abs(x.mantissa), x.exponent}; }
Dyadic product(const Dyadic& a, const Dyadic& b) {  // exact
  return {a.mantissa * b.mantissa, a.exponent + b.exponent};
}

/// The nearest number of `bits` bits in the direction given.
Dyadic rounded(Dyadic x, std::int64_t bits, Toward toward) {
  if (x.mantissa.is_zero()) return {};
  if (const std::int64_t excess = bit_length(x.mantissa) - bits; excess > 0) {
    mpz_t& m = x.mantissa.backend().data();
    (toward == down ? mpz_fdiv_q_2exp : mpz_cdiv_q_2exp)(m, m, static_cast<mp_bitcnt_t>(excess));
    x.exponent += excess;
  }
  if (x.exponent > largest_dyadic_exponent || x.exponent < -largest_dyadic_exponent)
    throw Undefined("a number beyond 2^(2^40) or below its inverse");
  return x;
}

Dyadic sum(Dyadic a, Dyadic b, std::int64_t bits, Toward toward) {
  if (a.mantissa.is_zero()) return rounded(std::move(b), bits, toward);
  if (b.mantissa.is_zero()) return rounded(std::move(a), bits, toward);
  if (top(a) < top(b)) std::swap(a, b);
  // When |b| < 2^floor lies far below the last bit that is kept, either 0 or ±2^floor stands on
  // the required side of b, and no shift by an unbounded distance is needed.
  if (const std::int64_t floor = top(a) - bits - 2; top(b) <= floor) {
    const int sign = b.mantissa.sign();
    if ((sign > 0) != (toward == up)) return rounded(std::move(a), bits, toward);
    b = {sign, floor};
  }
  const std::int64_t exponent = std::min(a.exponent, b.exponent);
  return rounded({shifted(a.mantissa, a.exponent - exponent) + shifted(b.mantissa, b.exponent - exponent), exponent}, bits, toward);
}

/// n/d · 2^exponent, d > 0: enough quotient bits are formed that rounding the integer quotient and
/// then rounding to `bits` in the same direction is the rounding of the true quotient.
Dyadic quotient(const Integer& n, const Integer& d, std::int64_t exponent, std::int64_t bits, Toward toward) {
  const std::int64_t shift = std::max<std::int64_t>(0, bits + bit_length(d) - bit_length(n) + 1);
  const Integer scaled = shifted(n, shift);
  Integer q;
  (toward == down ? mpz_fdiv_q : mpz_cdiv_q)(q.backend().data(), scaled.backend().data(), d.backend().data());
  return rounded({q, exponent - shift}, bits, toward);
}

Dyadic reciprocal_of(const Dyadic& x, std::int64_t bits, Toward toward) {
  return quotient(x.mantissa.sign(), abs(x.mantissa), -x.exponent, bits, toward);
}

/// The square root of x ≥ 0: with s = floor(sqrt m), sqrt m lies in [s, s + 1], and is s for m = s².
Dyadic root(const Dyadic& x, std::int64_t bits, Toward toward) {
  if (x.mantissa.is_zero()) return {};
  std::int64_t shift = std::max<std::int64_t>(0, 2 * bits + 2 - bit_length(x.mantissa));
  if ((x.exponent - shift) % 2 != 0) ++shift;
  Integer rest;
  Integer s = sqrt(shifted(x.mantissa, shift), rest);
  if (toward == up && !rest.is_zero()) ++s;
  return rounded({s, (x.exponent - shift) / 2}, bits, toward);
}

/// x^k for x ≥ 0; products of numbers rounded one way err that way.
Dyadic nonnegative_power(const Dyadic& x, int k, std::int64_t bits, Toward toward) {
  Dyadic result{1, 0};
  for (int i = 0; i < k; ++i) result = rounded(product(result, x), bits, toward);
  return result;
}

Interval point(const Dyadic& x) { return {x, x}; }
bool positive(const Interval& x) { return x.lower.mantissa.sign() > 0; }
bool holds_zero(const Interval& x) { return x.lower.mantissa.sign() <= 0 && x.upper.mantissa.sign() >= 0; }

/// The smaller one, then the larger one.
Interval ordered(const Dyadic& a, const Dyadic& b) { return compare(a, b) < 0 ? Interval{a, b} : Interval{b, a}; }

/// The largest |t| for t in x.
Dyadic magnitude(const Interval& x) { return ordered(magnitude(x.lower), magnitude(x.upper)).upper; }

}  // namespace

int compare(const Dyadic& a, const Dyadic& b) {
  const int sign = a.mantissa.sign();
  if (sign != b.mantissa.sign()) return sign < b.mantissa.sign() ? -1 : 1;
  if (sign == 0) return 0;
  if (top(a) != top(b)) return (top(a) < top(b)) == (sign > 0) ? -1 : 1;
  const std::int64_t exponent = std::min(a.exponent, b.exponent);
  return shifted(a.mantissa, a.exponent - exponent).compare(shifted(b.mantissa, b.exponent - exponent));
}

Arithmetic::Arithmetic(std::int64_t bits) : bits_(bits) {}

Interval Arithmetic::round(const Interval& x) const { return {rounded(x.lower, bits_, down), rounded(x.upper, bits_, up)}; }

Interval Arithmetic::enclose(const Rational& lower, const Rational& upper) const {
  return {quotient(numerator(lower), denominator(lower), 0, bits_, down), quotient(numerator(upper), denominator(upper), 0, bits_, up)};
}

Interval Arithmetic::negate(const Interval& x) const { return {negated(x.upper), negated(x.lower)}; }

Interval Arithmetic::add(const Interval& x, const Interval& y) const {
  return {sum(x.lower, y.lower, bits_, down), sum(x.upper, y.upper, bits_, up)};
}

Interval Arithmetic::subtract(const Interval& x, const Interval& y) const { return add(x, negate(y)); }

Interval Arithmetic::multiply(const Interval& x, const Interval& y) const {
  const auto below = [](const Dyadic& a) { return a.mantissa.sign() < 0; };
  if (below(x.upper)) return negate(multiply(negate(x), y));
  if (!below(x.lower))  // x ≥ 0: the sign of each end of y says which end of x it wants
    return round({product(below(y.lower) ? x.upper : x.lower, y.lower), product(below(y.upper) ? x.lower : x.upper, y.upper)});
  if (below(y.upper) || !below(y.lower)) return multiply(y, x);
  return round({ordered(product(x.lower, y.upper), product(x.upper, y.lower)).lower,
                ordered(product(x.lower, y.lower), product(x.upper, y.upper)).upper});
}

Interval Arithmetic::divide(const Interval& x, int divisor) const {
  return {quotient(x.lower.mantissa, divisor, x.lower.exponent, bits_, down),
          quotient(x.upper.mantissa, divisor, x.upper.exponent, bits_, up)};
}

Interval Arithmetic::multiply(std::int64_t factor, const Interval& x) const { return multiply(point({factor, 0}), x); }

Interval Arithmetic::reciprocal(const Interval& x) const {
  if (holds_zero(x)) throw Undefined("division by an interval that holds 0");
  return {reciprocal_of(x.upper, bits_, down), reciprocal_of(x.lower, bits_, up)};
}

Interval Arithmetic::power(const Interval& x, int exponent) const {
  const auto bound = [&](const Dyadic& magnitude_bound, Toward toward) {
    return nonnegative_power(magnitude_bound, exponent, bits_, toward);
  };
  const auto odd_bound = [&](const Dyadic& end, Toward toward) {  // an increasing function
    if (end.mantissa.sign() >= 0) return bound(end, toward);
    return negated(bound(negated(end), toward == down ? up : down));
  };
  if (exponent % 2 != 0) return {odd_bound(x.lower, down), odd_bound(x.upper, up)};
  const Interval size = ordered(magnitude(x.lower), magnitude(x.upper));
  return {bound(holds_zero(x) ? Dyadic{} : size.lower, down), bound(size.upper, up)};
}

Interval Arithmetic::square_root(const Interval& x) const {
  if (x.lower.mantissa.sign() < 0) throw Undefined("sqrt of an interval below 0");
  return {root(x.lower, bits_, down), root(x.upper, bits_, up)};
}

// exp, log and tanh increase, so the endpoints suffice (§3).

Interval Arithmetic::exponential(const Interval& x) const { return {exponential_at(x.lower).lower, exponential_at(x.upper).upper}; }

Interval Arithmetic::logarithm(const Interval& x) const {
  if (!positive(x)) throw Undefined("log of an interval that is not above 0");
  return {logarithm_at(x.lower).lower, logarithm_at(x.upper).upper};
}

Interval Arithmetic::hyperbolic_tangent(const Interval& x) const {
  return {hyperbolic_tangent_at(x.lower).lower, hyperbolic_tangent_at(x.upper).upper};
}

/// exp x = (exp y)^(2^s) with y = x/2^s, |y| < 2^−8, and exp y by its Taylor series. After the term
/// t_n = y^n/n! the rest is at most |t_n| (|y| + |y|² + …) ≤ |t_n|. Each squaring doubles the relative
/// width; s ≤ 29, so 2^-(bits + 64) grows to less than 2^-(bits + 30).
Interval Arithmetic::exponential_at(const Dyadic& x) const {
  if (compare(magnitude(x), {1, 20}) > 0) throw Undefined("exp of an argument beyond 2^20");
  if (x.mantissa.is_zero()) return point({1, 0});
  const Arithmetic inner(bits_ + guard_bits);
  const std::int64_t halvings = std::max<std::int64_t>(0, top(x) + 8);
  const Interval y = point({x.mantissa, x.exponent - halvings});
  Interval term = point({1, 0});
  Interval result = term;
  for (int n = 1; top(magnitude(term)) > -inner.bits_; ++n) {
    term = inner.divide(inner.multiply(term, y), n);
    result = inner.add(result, term);
  }
  const Dyadic rest = magnitude(term);
  result = inner.add(result, {negated(rest), rest});
  for (std::int64_t i = 0; i < halvings; ++i) result = inner.square(result);
  return round(result);
}

/// 2 artanh z = 2 (z + z³/3 + z⁵/5 + …) for |z| < 1/2. After the term with z^m the rest is at most
/// |z|^m (z² + z⁴ + …) ≤ |z|^m · (1/4)/(1 − 1/4) ≤ |z|^m. The series is cut by its size beside z, so a
/// small result is as precise as a large one.
Interval Arithmetic::twice_artanh(const Interval& z) const {
  if (z.lower.mantissa.is_zero() && z.upper.mantissa.is_zero()) return z;
  const std::int64_t enough = top(magnitude(z)) - bits_;
  const Interval z_squared = square(z);
  Interval power = z;
  Interval result = z;
  for (int m = 3; top(magnitude(power)) > enough; m += 2) {
    power = multiply(power, z_squared);
    result = add(result, divide(power, m));
  }
  const Dyadic rest = magnitude(power);
  return multiply(2, add(result, {negated(rest), rest}));
}

/// x = m · 2^k with m in [3/4, 3/2), and log x = k log 2 + log m, log m = 2 artanh((m − 1)/(m + 1)),
/// |(m − 1)/(m + 1)| ≤ 1/5, log 2 = 2 artanh(1/3). For k ≠ 0, |k log 2| > 0.69 and log m lies in
/// [−0.29, 0.41], so their sum loses two bits at most; for k = 0 nothing cancels.
Interval Arithmetic::logarithm_at(const Dyadic& x) const {
  const Arithmetic inner(bits_ + guard_bits);
  const std::int64_t length = bit_length(x.mantissa);
  Interval m = point({x.mantissa, -length});  // in [1/2, 1)
  std::int64_t k = top(x);
  if (compare(m.lower, {3, -2}) < 0) {
    m = point(doubled(m.lower));
    --k;
  }
  const Interval one = point({1, 0});
  Interval result = inner.twice_artanh(inner.multiply(inner.subtract(m, one), inner.reciprocal(inner.add(m, one))));
  if (k != 0) {
    static std::map<std::int64_t, Interval> log_two;  // by precision: it is the longest series
    if (!log_two.contains(bits_)) log_two.emplace(bits_, inner.twice_artanh(inner.enclose(Rational(1, 3))));
    result = inner.add(result, inner.multiply(k, log_two.at(bits_)));
  }
  return round(result);
}

/// tanh is odd; for x > 0, tanh x = 1 − 2/(exp(2x) + 1). Where x is so small that this would cancel,
/// x − x³ ≤ x − x³/3 ≤ tanh x ≤ x with x² ≤ 2^-bits; where x is large,
/// 1 − tanh x < 2 exp(−2x) < 2^-bits.
Interval Arithmetic::hyperbolic_tangent_at(const Dyadic& x) const {
  if (x.mantissa.is_zero()) return point(x);
  if (x.mantissa.sign() < 0) return negate(hyperbolic_tangent_at(negated(x)));
  if (top(x) <= -bits_ / 2 - 1) {
    const Dyadic cube = product(product(x, x), x);
    return round({sum(x, negated(cube), bits_, down), x});
  }
  if (compare(x, {bits_, 0}) >= 0) return {sum({1, 0}, {-1, -bits_}, bits_, down), {1, 0}};
  const Arithmetic inner(2 * bits_ + guard_bits);  // 1 − 2/(…) may be as small as 2^-(bits/2 + 2)
  const Interval one = point({1, 0});
  const Interval grown = inner.add(inner.exponential_at(doubled(x)), one);
  return round(inner.subtract(one, inner.multiply(2, inner.reciprocal(grown))));
}

// softplus and its slope increase, so the endpoints suffice; its curvature is even and falls in |x| (§3).

Interval Arithmetic::softplus(const Interval& x) const { return {softplus_at(x.lower).lower, softplus_at(x.upper).upper}; }

Interval Arithmetic::sigmoid(const Interval& x) const { return {sigmoid_at(x.lower).lower, sigmoid_at(x.upper).upper}; }

Interval Arithmetic::sigmoid_slope(const Interval& x) const {
  const Interval size = ordered(magnitude(x.lower), magnitude(x.upper));
  return {sigmoid_slope_at(size.upper).lower, sigmoid_slope_at(holds_zero(x) ? Dyadic{} : size.lower).upper};
}

/// For x ≤ 0 and e = exp x ≤ 1, log(1 + e) = 2 artanh(e/(2 + e)), e/(2 + e) ≤ 1/3: small values are as precise as large
/// ones. For x > 0, log(1 + exp x) = x + log(1 + exp(−x)), and nothing cancels.
Interval Arithmetic::softplus_at(const Dyadic& x) const {
  if (x.mantissa.sign() > 0) return add(point(x), softplus_at(negated(x)));
  const Arithmetic inner(bits_ + guard_bits);
  const Interval e = inner.exponential_at(x);
  return round(inner.twice_artanh(inner.multiply(e, inner.reciprocal(inner.add(e, point({2, 0}))))));
}

Interval Arithmetic::sigmoid_at(const Dyadic& x) const {
  const Arithmetic inner(bits_ + guard_bits);
  return round(inner.reciprocal(inner.add(point({1, 0}), inner.exponential_at(negated(x)))));
}

Interval Arithmetic::sigmoid_slope_at(const Dyadic& x) const {
  const Arithmetic inner(bits_ + guard_bits);
  return round(inner.multiply(inner.sigmoid_at(x), inner.sigmoid_at(negated(x))));
}

}  // namespace attest::check
