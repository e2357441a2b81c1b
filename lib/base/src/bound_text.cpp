#include "attest/base/bound_text.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>

namespace attest {
namespace {

Rational power_of_ten(long exponent) {
  const Integer power = pow(Integer(10), static_cast<unsigned long>(std::labs(exponent)));
  return exponent < 0 ? Rational(Integer(1), power) : Rational(power);
}

/// The e with 10^e <= value < 10^(e + 1), of a number above 0.
long decimal_exponent(const Rational& value) {
  const auto bits = [](const Integer& number) { return static_cast<double>(mpz_sizeinbase(number.data(), 2)); };
  auto exponent =
      static_cast<long>(std::floor((bits(numerator(value)) - bits(denominator(value))) * std::numbers::ln2 / std::numbers::ln10));
  while (value < power_of_ten(exponent)) --exponent;
  while (value >= power_of_ten(exponent + 1)) ++exponent;
  return exponent;
}

/// The decimal d.ddd times 10^exponent.
std::string written(std::string decimals, long exponent, std::size_t digits) {
  decimals.erase(decimals.find_last_not_of('0') + 1);
  if (exponent < -4 || exponent >= static_cast<long>(digits)) {
    if (decimals.size() > 1) decimals.insert(1, ".");
    const std::string size = std::to_string(std::labs(exponent));
    return decimals + (exponent < 0 ? "e-" : "e+") + (size.size() < 2 ? "0" : "") + size;
  }
  if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + decimals;
  const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
  if (decimals.size() <= whole) return decimals + std::string(whole - decimals.size(), '0');
  return decimals.insert(whole, ".");
}

std::string rounded_text(const Rational& value, std::size_t digits, bool away_from_zero) {
  if (value.sign() == 0) return "0";
  const Rational size = abs(value);
  long exponent = decimal_exponent(size);
  const Rational scaled = size * power_of_ten(static_cast<long>(digits) - 1 - exponent);
  Integer whole;
  (away_from_zero ? mpz_cdiv_q : mpz_fdiv_q)(whole.data(), mpq_numref(scaled.data()), mpq_denref(scaled.data()));
  std::string decimals = to_string(Rational(whole));
  if (decimals.size() > digits) ++exponent;  // 99.99 became 100.0
  return (value.sign() < 0 ? "-" : "") + written(std::move(decimals), exponent, digits);
}

}  // namespace

std::string text_above(const Rational& value, std::size_t digits) { return rounded_text(value, digits, value.sign() > 0); }
std::string text_below(const Rational& value, std::size_t digits) { return rounded_text(value, digits, value.sign() < 0); }

}  // namespace attest
