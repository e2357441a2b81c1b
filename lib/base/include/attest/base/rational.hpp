#pragma once

#include <boost/multiprecision/gmp.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace attest {

/// Exact numbers: what a case writes, and what every proof is made of.
using Integer = boost::multiprecision::mpz_int;
using Rational = boost::multiprecision::mpq_rational;

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
