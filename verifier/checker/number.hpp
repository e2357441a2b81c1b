#pragma once

#include <utility>

#include "interval.hpp"

namespace attest::check {

/// A real number that is known by an interval of 256 bits (§4.19, "Enclosures"). Operators round outward; a function
/// throws Undefined where it has no value on the whole interval.
class Number {
 public:
  Number(int exact);              // NOLINT(google-explicit-constructor): formulas mix exact and enclosed numbers
  Number(const Rational& exact);  // NOLINT(google-explicit-constructor)
  explicit Number(Interval range) : range_(std::move(range)) {}

  [[nodiscard]] const Interval& range() const { return range_; }

  Number& operator+=(const Number& other) { return *this = *this + other; }
  friend Number operator-(const Number& x);
  friend Number operator+(const Number& x, const Number& y);
  friend Number operator-(const Number& x, const Number& y);
  friend Number operator*(const Number& x, const Number& y);
  friend Number operator/(const Number& x, const Number& y);

 private:
  Interval range_;
};

Number square(const Number& x);
Number exp(const Number& x);
Number log(const Number& x);
Number sqrt(const Number& x);

/// exp↑ of §4.19: an upper bound of exp on x, exact to the last bits where x ≥ −4096.
Number exp_up(const Number& x);

/// max(x, 0): also the cut of an enclosure of a number that cannot be negative.
Number positive_part(const Number& x);
Number largest(const Number& x, const Number& y);
Number smallest(const Number& x, const Number& y);

/// A condition holds when it holds for the whole enclosures.
bool is_less(const Number& x, const Number& y);
bool is_at_most(const Number& x, const Number& y);

}  // namespace attest::check
