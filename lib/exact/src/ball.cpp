#include "attest/exact/ball.hpp"

#include <flint/fmpq.h>

namespace attest {
namespace {

void set_rational(arb_t ball, const Rational& value) {
  fmpq_t exact;
  fmpq_init(exact);
  fmpq_set_mpq(exact, value.data());
  arb_set_fmpq(ball, exact, Ball::precision);
  fmpq_clear(exact);
}

Rational to_rational(const arf_t value) {
  fmpq_t exact;
  fmpq_init(exact);
  arf_get_fmpq(exact, value);
  Rational result;
  fmpq_get_mpq(result.data(), exact);
  fmpq_clear(exact);
  return result;
}

Ball one() { return Ball(Rational(1)); }

/// exp(-|x|) at a point: it never overflows.
Ball falling(const Ball& x) { return x.is_positive() ? exp(-x) : exp(x); }

Ball softplus_at(const Ball& x) {
  const Ball excess = log1p(falling(x));
  return x.is_positive() ? x + excess : excess;
}

Ball sigmoid_at(const Ball& x) {
  const Ball e = falling(x);
  return x.is_positive() ? one() / (one() + e) : e / (one() + e);
}

Ball sigmoid_slope_at(const Ball& x) {
  const Ball e = falling(x);
  return e / square(one() + e);
}

}  // namespace

Ball::Ball(const Rational& value) : Ball() { set_rational(ball_, value); }

Ball::Ball(const Rational& low, const Rational& high) : Ball() {
  Ball low_ball(low);
  const Ball high_ball(high);
  arb_union(ball_, low_ball.ball_, high_ball.ball_, precision);
}

bool Ball::is_moderate() const {
  if (!is_finite()) return false;
  mag_t size;
  mag_init(size);
  arb_get_mag(size, ball_);
  const bool moderate = mag_cmp_2exp_si(size, largest_exponent) <= 0;
  mag_clear(size);
  return moderate;
}

Rational Ball::upper() const {
  arf_t bound;
  arf_init(bound);
  arb_get_ubound_arf(bound, ball_, precision);
  // Too close to 0 to be written down: moved away from it or onto it, whichever is upwards.
  const bool tiny = !arf_is_zero(bound) && arf_cmpabs_2exp_si(bound, -largest_exponent) < 0;
  const Rational result = !tiny                ? to_rational(bound)
                          : arf_sgn(bound) > 0 ? Rational(Integer(1), Integer(1) << largest_exponent)
                                               : Rational(0);
  arf_clear(bound);
  return result;
}

Rational Ball::lower() const { return -(-*this).upper(); }

Ball operator+(const Ball& a, const Ball& b) {
  Ball result;
  arb_add(result.ball_, a.ball_, b.ball_, Ball::precision);
  return result;
}

Ball operator-(const Ball& a, const Ball& b) {
  Ball result;
  arb_sub(result.ball_, a.ball_, b.ball_, Ball::precision);
  return result;
}

Ball operator-(const Ball& a) {
  Ball result;
  arb_neg(result.ball_, a.ball_);
  return result;
}

Ball operator*(const Ball& a, const Ball& b) {
  Ball result;
  arb_mul(result.ball_, a.ball_, b.ball_, Ball::precision);
  return result;
}

Ball operator/(const Ball& a, const Ball& b) {
  Ball result;
  arb_div(result.ball_, a.ball_, b.ball_, Ball::precision);
  return result;
}

Ball square(const Ball& a) {
  Ball result;
  arb_sqr(result.ball_, a.ball_, Ball::precision);
  return result;
}

Ball power(const Ball& a, unsigned exponent) {
  Ball result;
  arb_pow_ui(result.ball_, a.ball_, exponent, Ball::precision);
  return result;
}

Ball exp(const Ball& a) {
  Ball result;
  arb_exp(result.ball_, a.ball_, Ball::precision);
  return result;
}

Ball log(const Ball& a) {
  Ball result;
  arb_log(result.ball_, a.ball_, Ball::precision);
  return result;
}

Ball log1p(const Ball& a) {
  Ball result;
  arb_log1p(result.ball_, a.ball_, Ball::precision);
  return result;
}

Ball tanh(const Ball& a) {
  Ball result;
  arb_tanh(result.ball_, a.ball_, Ball::precision);
  return result;
}

Ball sqrt(const Ball& a) {
  Ball result;
  arb_sqrt(result.ball_, a.ball_, Ball::precision);
  return result;
}

Ball Ball::lower_end() const {
  Ball end;
  arb_get_lbound_arf(arb_midref(end.ball_), ball_, precision);
  return end;
}

Ball Ball::upper_end() const { return -(-*this).lower_end(); }

Ball Ball::union_of(const Ball& a, const Ball& b) {
  Ball result;
  arb_union(result.ball_, a.ball_, b.ball_, precision);
  return result;
}

// softplus and sigmoid increase: the ends of the ball suffice.

Ball softplus(const Ball& a) { return Ball::union_of(softplus_at(a.lower_end()), softplus_at(a.upper_end())); }

Ball sigmoid(const Ball& a) { return Ball::union_of(sigmoid_at(a.lower_end()), sigmoid_at(a.upper_end())); }

/// Even, and falling in |a|: largest at 0 if the ball holds it.
Ball sigmoid_slope(const Ball& a) {
  const Ball at_ends = Ball::union_of(sigmoid_slope_at(a.lower_end()), sigmoid_slope_at(a.upper_end()));
  return a.contains_zero() ? Ball::union_of(at_ends, Ball(Rational(1, 4))) : at_ends;
}

}  // namespace attest
