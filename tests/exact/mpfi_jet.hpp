#pragma once

#include "attest/exact/ball.hpp"
#include "attest/model/claim_request.hpp"
#include "attest/model/softplus.hpp"

#include <mpfi.h>

#include <optional>
#include <stdexcept>

namespace attest {

/// A real number enclosed by an MPFI interval of 256 bits: the second implementation of Ball.
class Interval {
 public:
  static constexpr mpfr_prec_t precision = 256;

  Interval() { mpfi_init2(interval_, precision); }
  explicit Interval(const Rational& value) : Interval() { mpfi_set_q(interval_, value.data()); }
  Interval(const Rational& low, const Rational& high) : Interval() { mpfi_interv_q(interval_, low.data(), high.data()); }
  Interval(const Interval& other) : Interval() { mpfi_set(interval_, other.interval_); }
  Interval& operator=(const Interval& other) {
    mpfi_set(interval_, other.interval_);
    return *this;
  }
  ~Interval() { mpfi_clear(interval_); }

  bool is_finite() const { return mpfi_bounded_p(interval_) != 0; }
  bool is_positive() const { return mpfi_is_strictly_pos(interval_) != 0; }
  bool contains_zero() const { return mpfi_has_zero(interval_) != 0; }
  Rational lower() const { return end_of(&interval_->left); }
  Rational upper() const { return end_of(&interval_->right); }

  friend Interval operator+(const Interval& a, const Interval& b) { return of(mpfi_add, a, b); }
  friend Interval operator-(const Interval& a, const Interval& b) { return of(mpfi_sub, a, b); }
  friend Interval operator*(const Interval& a, const Interval& b) { return of(mpfi_mul, a, b); }
  friend Interval operator/(const Interval& a, const Interval& b) { return of(mpfi_div, a, b); }
  Interval squared() const { return of(mpfi_sqr, *this); }
  Interval exp() const { return of(mpfi_exp, *this); }
  Interval log() const { return of(mpfi_log, *this); }
  Interval log1p() const { return of(mpfi_log1p, *this); }
  Interval tanh() const { return of(mpfi_tanh, *this); }
  Interval sqrt() const { return of(mpfi_sqrt, *this); }

 private:
  template <class Operation, class... Operands>
  static Interval of(Operation operation, const Operands&... operands) {
    Interval result;
    operation(result.interval_, operands.interval_...);
    return result;
  }
  static Rational end_of(mpfr_srcptr end) {
    if (mpfr_number_p(end) == 0) throw std::domain_error("an interval without an end");
    Rational value;
    mpfr_get_q(value.data(), end);
    return value;
  }

  mpfi_t interval_;
};

/// Taylor coefficients f, f', f''/2 over an interval.
struct TaylorJet {
  Interval value;
  Interval first;
  Interval second;

  Interval slope() const { return first; }
  Interval curvature() const { return second + second; }
};

/// The loss by Taylor recurrences, not by the jet rules of docs/certificate.md, so that an error in those shows:
/// tanh is 1 - 2/(exp(2f) + 1), a power is a product, log1p(exp f) solves y' = f'/(1 + exp(-f)).
struct TaylorArithmetic {
  using Jet = std::optional<TaylorJet>;
  Interval u;

  static Interval constant(int value) { return Interval(Rational(value)); }

  Jet number(const Rational& value) const { return TaylorJet{Interval(value), constant(0), constant(0)}; }
  Jet variable() const { return TaylorJet{u, constant(1), constant(0)}; }
  Jet add(const Jet& a, const Jet& b) const {
    if (!a || !b) return std::nullopt;
    return TaylorJet{a->value + b->value, a->first + b->first, a->second + b->second};
  }
  Jet negate(const Jet& a) const { return subtract(number(0), a); }
  Jet subtract(const Jet& a, const Jet& b) const {
    if (!a || !b) return std::nullopt;
    return TaylorJet{a->value - b->value, a->first - b->first, a->second - b->second};
  }
  Jet multiply(const Jet& a, const Jet& b) const {
    if (!a || !b) return std::nullopt;
    return TaylorJet{a->value * b->value, a->value * b->first + a->first * b->value,
                     a->value * b->second + a->first * b->first + a->second * b->value};
  }
  /// q with q b = a, coefficient by coefficient.
  Jet divide(const Jet& a, const Jet& b) const {
    if (!a || !b || b->value.contains_zero()) return std::nullopt;
    const Interval value = a->value / b->value;
    const Interval first = (a->first - value * b->first) / b->value;
    return TaylorJet{value, first, (a->second - value * b->second - first * b->first) / b->value};
  }
  Jet power(const Jet& a, int exponent) const {
    if (exponent < 0) return divide(number(1), power(a, -exponent));
    if (!a) return std::nullopt;
    Jet result = number(1);
    for (int k = 0; k < exponent; ++k) result = multiply(result, a);
    return result;
  }
  Jet exp(const Jet& a) const {
    if (!a) return std::nullopt;
    const Interval e = a->value.exp();
    return TaylorJet{e, e * a->first, e * (a->second + a->first.squared() / constant(2))};
  }
  Jet log(const Jet& a) const {
    if (!a || !a->value.is_positive()) return std::nullopt;
    return logarithm(a->value.log(), a->value, *a);
  }
  Jet log1p(const Jet& a) const {
    if (!a || !(constant(1) + a->value).is_positive()) return std::nullopt;
    return logarithm(a->value.log1p(), constant(1) + a->value, *a);
  }
  Jet softplus(const Jet& a) const {
    if (!a) return std::nullopt;
    const Jet slope = divide(number(1), add(number(1), exp(negate(a))));
    return TaylorJet{a->value.exp().log1p(), slope->value * a->first, slope->value * a->second + slope->first * a->first / constant(2)};
  }
  Jet tanh(const Jet& a) const { return subtract(number(1), divide(number(2), add(exp(add(a, a)), number(1)))); }
  Jet sqrt(const Jet& a) const {
    if (!a || !a->value.is_positive()) return std::nullopt;
    const Interval r = a->value.sqrt();
    const Interval first = a->first / (constant(2) * r);
    return TaylorJet{r, first, (a->second - first.squared()) / (constant(2) * r)};
  }

 private:
  static Jet logarithm(const Interval& value, const Interval& argument, const TaylorJet& a) {
    const Interval first = a.first / argument;
    return TaylorJet{value, first, a.second / argument - first.squared() / constant(2)};
  }
};

}  // namespace attest
