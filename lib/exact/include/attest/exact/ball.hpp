#pragma once

#include "attest/base/rational.hpp"

#include <arb.h>

namespace attest {

/// A real number enclosed by an Arb ball (midpoint and radius, 128 bits, every operation rounds outward).
class Ball {
 public:
  static constexpr slong precision = 128;

  Ball() { arb_init(ball_); }
  Ball(const Ball& other) : Ball() { arb_set(ball_, other.ball_); }
  Ball(Ball&& other) noexcept : Ball() { arb_swap(ball_, other.ball_); }
  Ball& operator=(Ball other) noexcept {
    arb_swap(ball_, other.ball_);
    return *this;
  }
  ~Ball() { arb_clear(ball_); }

  explicit Ball(const Rational& value);
  /// The ball around [low, high].
  Ball(const Rational& low, const Rational& high);

  arb_ptr get() { return ball_; }
  arb_srcptr get() const { return ball_; }

  bool is_finite() const { return arb_is_finite(ball_) != 0; }
  bool is_positive() const { return arb_is_positive(ball_) != 0; }
  bool is_zero() const { return arb_is_zero(ball_) != 0; }
  bool contains_zero() const { return arb_contains_zero(ball_) != 0; }

  /// Whether no number of the ball exceeds 2^largest_exponent: larger ones are not written as fractions.
  static constexpr slong largest_exponent = 65536;
  bool is_moderate() const;

  /// Rational bounds of the enclosed number; the ball must be moderate.
  Rational upper() const;
  Rational lower() const;

  friend Ball operator+(const Ball& a, const Ball& b);
  friend Ball operator-(const Ball& a, const Ball& b);
  friend Ball operator-(const Ball& a);
  friend Ball operator*(const Ball& a, const Ball& b);
  friend Ball operator/(const Ball& a, const Ball& b);
  friend Ball square(const Ball& a);
  friend Ball power(const Ball& a, unsigned exponent);
  friend Ball exp(const Ball& a);
  friend Ball log(const Ball& a);
  friend Ball log1p(const Ball& a);
  friend Ball tanh(const Ball& a);
  friend Ball sqrt(const Ball& a);
  /// log(1 + exp a), its slope 1/(1 + exp(-a)) and its curvature exp(a)/(1 + exp a)^2, each by its true range.
  friend Ball softplus(const Ball& a);
  friend Ball sigmoid(const Ball& a);
  friend Ball sigmoid_slope(const Ball& a);

 private:
  /// The least and the largest number of a finite ball, each as a ball of radius 0.
  Ball lower_end() const;
  Ball upper_end() const;
  static Ball union_of(const Ball& a, const Ball& b);

  arb_t ball_;
};

// Declared here too, so that they can be named as attest::exp beside a member of that name.
Ball square(const Ball& a);
Ball power(const Ball& a, unsigned exponent);
Ball exp(const Ball& a);
Ball log(const Ball& a);
Ball log1p(const Ball& a);
Ball tanh(const Ball& a);
Ball sqrt(const Ball& a);
Ball softplus(const Ball& a);
Ball sigmoid(const Ball& a);
Ball sigmoid_slope(const Ball& a);

}  // namespace attest
