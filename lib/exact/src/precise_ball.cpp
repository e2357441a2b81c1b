#include "precise_ball.hpp"

#include <flint/fmpq.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {
namespace {

/// f(result, a, bits)
template <class Function>
PreciseBall of_one(const PreciseBall& a, Function function) {
  PreciseBall result(a.bits());
  function(result.get(), a.get(), a.bits());
  return result;
}

template <class Function>
PreciseBall of_two(const PreciseBall& a, const PreciseBall& b, Function function) {
  PreciseBall result(std::max(a.bits(), b.bits()));
  function(result.get(), a.get(), b.get(), result.bits());
  return result;
}

/// Fractions are no closer to 0 than 2 to this, but 0 itself: exponentials far out would have more bits than memory.
constexpr slong least_exponent = -65536;

}  // namespace

void set_fraction(arb_ptr ball, const Integer& numerator, const Integer& denominator, slong bits) {
  fmpz_t above;
  fmpz_t under;
  fmpz_init(above);
  fmpz_init(under);
  fmpz_set_mpz(above, numerator.data());
  fmpz_set_mpz(under, denominator.data());
  arb_fmpz_div_fmpz(ball, above, under, bits);
  fmpz_clear(above);
  fmpz_clear(under);
}

double near_double(const Integer& numerator, const Integer& denominator) {
  // Each integer is cut to 53 bits, and the quotient is rounded: three times at most 2^-52.
  const double above = mpz_get_d(numerator.data());
  const double under = mpz_get_d(denominator.data());
  const double quotient = above / under;
  const bool plain = std::isfinite(above) && std::isfinite(under) && (quotient == 0 || std::abs(quotient) > 0x1p-1000);
  return plain && (quotient != 0 || above == 0) ? quotient : nearest_double(Rational(numerator, denominator));
}

PreciseBall dot(arb_srcptr a, arb_srcptr b, std::size_t size, slong bits) {
  PreciseBall sum(bits);
  arb_dot(sum.get(), nullptr, 0, a, 1, b, 1, static_cast<slong>(size), bits);
  return sum;
}

PreciseBall dot(const BallVector& a, const BallVector& b, slong bits) { return dot(a.data(), b.data(), a.size(), bits); }

void set_rational(arb_ptr ball, const Rational& value, slong bits) { set_fraction(ball, numerator(value), denominator(value), bits); }

PreciseBall::PreciseBall(const Rational& value, slong bits) : PreciseBall(bits) { set_rational(ball_, value, bits); }

double PreciseBall::middle() const { return arf_get_d(arb_midref(ball_), ARF_RND_NEAR); }

Rational PreciseBall::rounded_up(slong digits) const {
  arf_t bound;
  arf_init(bound);
  arb_get_ubound_arf(bound, ball_, digits);
  if (arf_cmpabs_2exp_si(bound, least_exponent) < 0) {  // arf_get_fmpq ends the process where the exponent is beyond memory
    if (arf_sgn(bound) > 0)
      arf_set_ui_2exp_si(bound, 1, least_exponent);
    else
      arf_zero(bound);
  }
  fmpq_t exact;
  fmpq_init(exact);
  arf_get_fmpq(exact, bound);
  Rational result;
  fmpq_get_mpq(result.data(), exact);
  fmpq_clear(exact);
  arf_clear(bound);
  return result;
}

PreciseBall operator+(const PreciseBall& a, const PreciseBall& b) { return of_two(a, b, arb_add); }
PreciseBall operator-(const PreciseBall& a, const PreciseBall& b) { return of_two(a, b, arb_sub); }
PreciseBall operator-(const PreciseBall& a) {
  PreciseBall result(a.bits());
  arb_neg(result.get(), a.get());
  return result;
}
PreciseBall operator*(const PreciseBall& a, const PreciseBall& b) { return of_two(a, b, arb_mul); }
PreciseBall operator/(const PreciseBall& a, const PreciseBall& b) { return of_two(a, b, arb_div); }

PreciseBall square(const PreciseBall& a) { return of_one(a, arb_sqr); }
PreciseBall exp(const PreciseBall& a) { return of_one(a, arb_exp); }
PreciseBall log(const PreciseBall& a) { return of_one(a, arb_log); }
PreciseBall log1p(const PreciseBall& a) { return of_one(a, arb_log1p); }
PreciseBall tanh(const PreciseBall& a) { return of_one(a, arb_tanh); }
PreciseBall sqrt(const PreciseBall& a) { return of_one(a, arb_sqrt); }
PreciseBall root(const PreciseBall& a) { return of_one(a, arb_sqrtpos); }

PreciseBall power(const PreciseBall& a, unsigned exponent) {
  PreciseBall result(a.bits());
  arb_pow_ui(result.get(), a.get(), exponent, a.bits());
  return result;
}

PreciseBall upper_end(const PreciseBall& a) {
  PreciseBall result(a.bits());
  arb_get_ubound_arf(arb_midref(result.get()), a.get(), a.bits());
  return result;
}

PreciseBall lower_end(const PreciseBall& a) { return -upper_end(-a); }

PreciseBall within(const PreciseBall& a, const Rational& low, const Rational& high) {
  const PreciseBall least(low, a.bits());
  const PreciseBall most(high, a.bits());
  PreciseBall range(a.bits());
  arb_union(range.get(), least.get(), most.get(), a.bits());
  PreciseBall result(a.bits());
  return arb_intersection(result.get(), a.get(), range.get(), a.bits()) != 0 ? result : range;
}

}  // namespace attest
