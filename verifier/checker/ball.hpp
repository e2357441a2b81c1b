#pragma once

#include <cstdint>
#include <vector>

#include "interval.hpp"

namespace attest::check {

/// A bound mantissa · 2^exponent ≥ 0, mantissa ≤ 2^31; every result is rounded up.
struct Radius {
  std::uint64_t mantissa = 0;
  std::int64_t exponent = 0;
};
Radius operator+(const Radius& a, const Radius& b);
Radius operator*(const Radius& a, const Radius& b);
Radius root(const Radius& a);
/// Whether a < 2^exponent.
bool below_power(const Radius& a, std::int64_t exponent);

/// All numbers within `radius` of mid · 2^−bits, bits of its arithmetic.
struct Ball {
  Integer mid = 0;
  Radius radius;
};

/// Σ (numerator/denominator) x over an array of balls, with the bounds of the coefficients at hand.
struct LinearForm {
  LinearForm(std::vector<Integer> numerators, Integer denominator);

  std::vector<Integer> numerators;
  Integer denominator;  ///< > 0
  std::vector<Radius> sizes;
};

/// Arithmetic of balls with a fixed number of bits after the point (§4.20): long runs need many digits and few ranges, and a
/// ball costs one product of long numbers where an interval costs two or more. Every result contains all true values.
class BallArithmetic {
 public:
  explicit BallArithmetic(std::int64_t bits);

  [[nodiscard]] std::int64_t bits() const { return bits_; }
  [[nodiscard]] Ball enclose(const Rational& x) const;
  [[nodiscard]] Ball enclose(const Interval& x) const;
  [[nodiscard]] Interval interval(const Ball& x) const;

  [[nodiscard]] Ball one() const { return {Integer(1) << static_cast<unsigned long>(bits_), {}}; }
  [[nodiscard]] static Ball negate(const Ball& x) { return {-x.mid, x.radius}; }
  [[nodiscard]] static Ball add(const Ball& x, const Ball& y) { return {x.mid + y.mid, x.radius + y.radius}; }
  [[nodiscard]] static Ball subtract(const Ball& x, const Ball& y) { return {x.mid - y.mid, x.radius + y.radius}; }
  [[nodiscard]] Ball multiply(const Ball& x, const Ball& y) const;
  [[nodiscard]] Ball multiply(const Ball& x, const Rational& factor) const;
  [[nodiscard]] Ball square(const Ball& x) const;
  [[nodiscard]] Ball reciprocal(const Ball& x) const;  ///< of a ball above 0, else Undefined
  [[nodiscard]] Ball root(const Ball& x) const;        ///< of a ball above 0, else Undefined
  /// Undefined beyond 4096 and for a radius of 1/4 or more: no run that closes comes near either.
  [[nodiscard]] Ball exponential(const Ball& x) const;
  [[nodiscard]] Ball sigmoid(const Ball& x) const;  ///< 1/(1 + exp(−x)), as narrow as its slope allows
  [[nodiscard]] Ball evaluate(const LinearForm& form, const std::vector<Ball>& x) const;

  /// sup |x|
  [[nodiscard]] Radius most(const Ball& x) const { return size(x) + x.radius; }
  [[nodiscard]] bool positive(const Ball& x) const;
  /// The greatest integer ≤ the midpoint.
  [[nodiscard]] Integer floor(const Ball& x) const;

 private:
  [[nodiscard]] Radius size(const Ball& x) const;
  [[nodiscard]] Radius unit() const { return {1, -bits_}; }
  [[nodiscard]] Integer exponential_at(const Integer& x) const;
  [[nodiscard]] Integer lower_end(const Ball& x) const;

  std::int64_t bits_;
  std::int64_t log_two_bits_;
  Integer log_two_;
};

}  // namespace attest::check
