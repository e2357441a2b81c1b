#pragma once

#include <compare>
#include <concepts>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "attest/base/integer.hpp"

namespace attest {

/// Exact numbers: what a case writes, and what every proof is made of. Always in lowest terms with a positive denominator.
/// A moved-from number may only be assigned or destroyed.
class Rational {
 public:
  Rational() { mpq_init(value_); }
  Rational(const Rational& other) {
    mpz_init_set(mpq_numref(value_), mpq_numref(other.value_));
    mpz_init_set(mpq_denref(value_), mpq_denref(other.value_));
  }
  Rational(Rational&& other) noexcept : value_{*other.value_} { mpq_denref(other.value_)->_mp_d = nullptr; }
  template <std::integral Whole>
  Rational(Whole value) : Rational(Integer(value)) {}  // NOLINT(google-explicit-constructor): 2 * r is meant to be written
  Rational(const Integer& value) {                     // NOLINT(google-explicit-constructor): so is n * r
    mpz_init_set(mpq_numref(value_), value.data());
    mpz_init_set_ui(mpq_denref(value_), 1);
  }
  /// In lowest terms, whatever is given; a zero denominator throws.
  Rational(const Integer& numerator, const Integer& denominator);
  /// The value of a finite double, exactly.
  explicit Rational(double value) : Rational() { mpq_set_d(value_, value); }
  /// "a" or "a/b"; anything else throws.
  explicit Rational(const std::string& text);
  ~Rational() {
    if (mpq_denref(value_)->_mp_d != nullptr) mpq_clear(value_);
  }

  Rational& operator=(const Rational& other) {
    if (mpq_denref(value_)->_mp_d == nullptr) mpq_init(value_);
    mpq_set(value_, other.value_);
    return *this;
  }
  Rational& operator=(Rational&& other) noexcept {
    std::swap(*value_, *other.value_);
    return *this;
  }

  [[nodiscard]] mpq_ptr data() { return value_; }
  [[nodiscard]] mpq_srcptr data() const { return value_; }

  [[nodiscard]] int sign() const { return mpq_sgn(value_); }
  [[nodiscard]] bool is_zero() const { return sign() == 0; }
  [[nodiscard]] std::string str() const;

  Rational& operator+=(const Rational& other) {
    mpq_add(value_, value_, other.value_);
    return *this;
  }
  Rational& operator-=(const Rational& other) {
    mpq_sub(value_, value_, other.value_);
    return *this;
  }
  Rational& operator*=(const Rational& other) {
    mpq_mul(value_, value_, other.value_);
    return *this;
  }
  /// A zero divisor throws.
  Rational& operator/=(const Rational& other);

  friend Rational operator+(Rational a, const Rational& b) { return std::move(a += b); }
  friend Rational operator-(Rational a, const Rational& b) { return std::move(a -= b); }
  friend Rational operator*(Rational a, const Rational& b) { return std::move(a *= b); }
  friend Rational operator/(Rational a, const Rational& b) { return std::move(a /= b); }
  friend Rational operator-(Rational a) {
    mpq_neg(a.value_, a.value_);
    return a;
  }

  friend bool operator==(const Rational& a, const Rational& b) { return mpq_equal(a.value_, b.value_) != 0; }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) { return mpq_cmp(a.value_, b.value_) <=> 0; }
  template <std::signed_integral Whole>
  friend bool operator==(const Rational& a, Whole b) {
    return mpq_cmp_si(a.value_, b, 1) == 0;
  }
  template <std::signed_integral Whole>
  friend std::strong_ordering operator<=>(const Rational& a, Whole b) {
    return mpq_cmp_si(a.value_, b, 1) <=> 0;
  }
  friend std::ostream& operator<<(std::ostream& out, const Rational& value);

  friend Rational abs(Rational a) {
    mpq_abs(a.value_, a.value_);
    return a;
  }

 private:
  mpq_t value_;
};

inline Integer numerator(const Rational& a) {
  Integer result;
  mpz_set(result.data(), mpq_numref(a.data()));
  return result;
}
inline Integer denominator(const Rational& a) {
  Integer result;
  mpz_set(result.data(), mpq_denref(a.data()));
  return result;
}

/// The largest decimal exponent that is read: beyond it a number is a mistake, not data.
inline constexpr int max_decimal_exponent = 5000;

/// The decimal `-?digits[.digits][e±digits]` as the rational it writes: "0.1" is 1/10.
std::optional<Rational> parse_decimal(std::string_view text);

/// A decimal, or "a/b" with integers a and b != 0.
std::optional<Rational> parse_rational(std::string_view text);

/// The value of a finite double, exactly.
Rational exact_value(double value);

/// The double nearest to a rational (ties to even); ±infinity beyond the largest finite double.
double nearest_double(const Rational& value);

/// The least double that is not below the value, and the largest that is not above it.
double upper_double(const Rational& value);
double lower_double(const Rational& value);

/// "a" or "a/b" in lowest terms.
std::string to_string(const Rational& value);

}  // namespace attest
