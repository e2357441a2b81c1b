#pragma once

#include "attest/base/rational.hpp"

#include <arb.h>

#include <cstddef>

namespace attest {

/// A real number enclosed by an Arb ball that carries its precision: results have the larger one of their operands.
class PreciseBall {
 public:
  /// What the clauses of limits are decided with, and at least what a checker has. [docs/certificate.md, section 4.20]
  static constexpr slong clause_bits = 256;

  explicit PreciseBall(slong bits = clause_bits) : bits_(bits) { arb_init(ball_); }
  PreciseBall(const PreciseBall& other) : PreciseBall(other.bits_) { arb_set(ball_, other.ball_); }
  PreciseBall(PreciseBall&& other) noexcept : PreciseBall(other.bits_) { arb_swap(ball_, other.ball_); }
  PreciseBall& operator=(PreciseBall other) noexcept {
    arb_swap(ball_, other.ball_);
    bits_ = other.bits_;
    return *this;
  }
  ~PreciseBall() { arb_clear(ball_); }

  explicit PreciseBall(const Rational& value, slong bits = clause_bits);

  arb_ptr get() { return ball_; }
  arb_srcptr get() const { return ball_; }
  slong bits() const { return bits_; }

  bool is_finite() const { return arb_is_finite(ball_) != 0; }
  bool is_positive() const { return arb_is_positive(ball_) != 0; }
  bool contains_zero() const { return arb_contains_zero(ball_) != 0; }

  /// A double near the middle, for guesses.
  double middle() const;
  /// The least rational of `digits` binary digits that is not below any number of the ball, or a power of 2 or 0 where the ball ends next
  /// to 0; it must be finite and not too large for memory.
  Rational rounded_up(slong digits) const;

 private:
  arb_t ball_;
  slong bits_;
};

PreciseBall operator+(const PreciseBall& a, const PreciseBall& b);
PreciseBall operator-(const PreciseBall& a, const PreciseBall& b);
PreciseBall operator-(const PreciseBall& a);
PreciseBall operator*(const PreciseBall& a, const PreciseBall& b);
PreciseBall operator/(const PreciseBall& a, const PreciseBall& b);
inline PreciseBall& operator+=(PreciseBall& a, const PreciseBall& b) { return a = a + b; }
PreciseBall square(const PreciseBall& a);
PreciseBall exp(const PreciseBall& a);
PreciseBall log(const PreciseBall& a);
PreciseBall log1p(const PreciseBall& a);
PreciseBall tanh(const PreciseBall& a);
PreciseBall power(const PreciseBall& a, unsigned exponent);
PreciseBall sqrt(const PreciseBall& a);
/// The root of a number known not to be negative: what lies below 0 is cut off.
PreciseBall root(const PreciseBall& a);
/// The largest number of the ball.
PreciseBall upper_end(const PreciseBall& a);
PreciseBall lower_end(const PreciseBall& a);
/// The part of a in [low, high], which is known to hold the number.
PreciseBall within(const PreciseBall& a, const Rational& low, const Rational& high);

/// True only if every number of a is at most (below) every number of b.
inline bool at_most(const PreciseBall& a, const PreciseBall& b) { return arb_le(a.get(), b.get()) != 0; }
inline bool below(const PreciseBall& a, const PreciseBall& b) { return arb_lt(a.get(), b.get()) != 0; }

/// Balls one after the other.
class BallVector {
 public:
  explicit BallVector(std::size_t size) : balls_(_arb_vec_init(static_cast<slong>(size))), size_(size) {}
  BallVector(const BallVector& other) : BallVector(other.size_) { _arb_vec_set(balls_, other.balls_, static_cast<slong>(size_)); }
  BallVector(BallVector&& other) noexcept : balls_(other.balls_), size_(other.size_) {
    other.balls_ = nullptr;
    other.size_ = 0;
  }
  BallVector& operator=(BallVector other) noexcept {
    std::swap(balls_, other.balls_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~BallVector() {
    if (balls_ != nullptr) _arb_vec_clear(balls_, static_cast<slong>(size_));
  }

  std::size_t size() const { return size_; }
  arb_ptr operator[](std::size_t k) { return balls_ + k; }
  arb_srcptr operator[](std::size_t k) const { return balls_ + k; }
  arb_ptr data() { return balls_; }
  arb_srcptr data() const { return balls_; }

 private:
  arb_ptr balls_;
  std::size_t size_;
};

void set_rational(arb_ptr ball, const Rational& value, slong bits);
/// numerator/denominator, which need not be in lowest terms
void set_fraction(arb_ptr ball, const Integer& numerator, const Integer& denominator, slong bits);

/// a.b of so many balls one after the other.
PreciseBall dot(arb_srcptr a, arb_srcptr b, std::size_t size, slong bits);
PreciseBall dot(const BallVector& a, const BallVector& b, slong bits);

/// A double within 2^-50 of numerator/denominator, relatively: cheaper than the nearest one.
double near_double(const Integer& numerator, const Integer& denominator);

}  // namespace attest
