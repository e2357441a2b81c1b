#pragma once

#include <gmp.h>

#include <compare>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <utility>

namespace attest {

/// An integer of any size: GMP's, with its memory managed and operators by value. Thin on purpose: nearly every file of the library reads
/// this header, and general number libraries cost each of them seconds. A moved-from number may only be assigned or destroyed.
class Integer {
 public:
  Integer() { mpz_init(value_); }
  Integer(const Integer& other) { mpz_init_set(value_, other.value_); }
  Integer(Integer&& other) noexcept : value_{*other.value_} { other.value_->_mp_d = nullptr; }
  template <std::signed_integral Whole>
  Integer(Whole value) {  // NOLINT(google-explicit-constructor): 2 * n is meant to be written
    static_assert(sizeof(Whole) <= sizeof(long));
    mpz_init_set_si(value_, value);
  }
  template <std::unsigned_integral Whole>
  Integer(Whole value) {  // NOLINT(google-explicit-constructor)
    static_assert(sizeof(Whole) <= sizeof(unsigned long));
    mpz_init_set_ui(value_, value);
  }
  /// A finite double without its fraction.
  explicit Integer(double value) { mpz_init_set_d(value_, value); }
  /// Decimal digits, perhaps after a minus sign; anything else throws.
  explicit Integer(const std::string& digits);
  ~Integer() {
    if (value_->_mp_d != nullptr) mpz_clear(value_);
  }

  Integer& operator=(const Integer& other) {
    if (value_->_mp_d == nullptr) mpz_init(value_);
    mpz_set(value_, other.value_);
    return *this;
  }
  Integer& operator=(Integer&& other) noexcept {
    std::swap(*value_, *other.value_);
    return *this;
  }

  [[nodiscard]] mpz_ptr data() { return value_; }
  [[nodiscard]] mpz_srcptr data() const { return value_; }

  [[nodiscard]] int sign() const { return mpz_sgn(value_); }
  [[nodiscard]] bool is_zero() const { return sign() == 0; }
  [[nodiscard]] std::string str() const;
  /// The double next to it on the side of zero.
  [[nodiscard]] double truncated() const { return mpz_get_d(value_); }
  /// Its value, of one that a machine word holds.
  [[nodiscard]] long machine_word() const { return mpz_get_si(value_); }

  Integer& operator+=(const Integer& other) {
    mpz_add(value_, value_, other.value_);
    return *this;
  }
  Integer& operator-=(const Integer& other) {
    mpz_sub(value_, value_, other.value_);
    return *this;
  }
  Integer& operator*=(const Integer& other) {
    mpz_mul(value_, value_, other.value_);
    return *this;
  }
  /// Towards zero; a zero divisor throws, here and below.
  Integer& operator/=(const Integer& other);
  Integer& operator%=(const Integer& other);
  Integer& operator<<=(std::size_t bits) {
    mpz_mul_2exp(value_, value_, bits);
    return *this;
  }
  /// Towards minus infinity.
  Integer& operator>>=(std::size_t bits) {
    mpz_fdiv_q_2exp(value_, value_, bits);
    return *this;
  }
  Integer& operator++() { return *this += Integer(1); }

  friend Integer operator+(Integer a, const Integer& b) { return std::move(a += b); }
  friend Integer operator-(Integer a, const Integer& b) { return std::move(a -= b); }
  friend Integer operator*(const Integer& a, const Integer& b) {
    Integer product;
    mpz_mul(product.value_, a.value_, b.value_);
    return product;
  }
  friend Integer operator/(Integer a, const Integer& b) { return std::move(a /= b); }
  friend Integer operator%(Integer a, const Integer& b) { return std::move(a %= b); }
  friend Integer operator<<(Integer a, std::size_t bits) { return std::move(a <<= bits); }
  friend Integer operator>>(Integer a, std::size_t bits) { return std::move(a >>= bits); }
  friend Integer operator-(Integer a) {
    mpz_neg(a.value_, a.value_);
    return a;
  }

  friend bool operator==(const Integer& a, const Integer& b) { return mpz_cmp(a.value_, b.value_) == 0; }
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b) { return mpz_cmp(a.value_, b.value_) <=> 0; }
  template <std::signed_integral Whole>
  friend bool operator==(const Integer& a, Whole b) {
    return mpz_cmp_si(a.value_, b) == 0;
  }
  template <std::signed_integral Whole>
  friend std::strong_ordering operator<=>(const Integer& a, Whole b) {
    return mpz_cmp_si(a.value_, b) <=> 0;
  }
  friend std::ostream& operator<<(std::ostream& out, const Integer& value);

  friend Integer abs(Integer a) {
    mpz_abs(a.value_, a.value_);
    return a;
  }
  friend Integer gcd(const Integer& a, const Integer& b) {
    Integer result;
    mpz_gcd(result.value_, a.value_, b.value_);
    return result;
  }
  friend Integer lcm(const Integer& a, const Integer& b) {
    Integer result;
    mpz_lcm(result.value_, a.value_, b.value_);
    return result;
  }
  friend Integer pow(const Integer& base, unsigned long exponent) {
    Integer result;
    mpz_pow_ui(result.value_, base.value_, exponent);
    return result;
  }
  /// The largest integer whose square is not above a; a negative one throws.
  friend Integer sqrt(const Integer& a);
  /// The place of the highest bit that is set: 0 for 1; a number that is not positive throws.
  friend std::size_t msb(const Integer& a);

 private:
  mpz_t value_;
};

}  // namespace attest
