#pragma once

#include <boost/multiprecision/gmp.hpp>

#include <optional>
#include <string_view>

#include "json.hpp"

namespace attest::check {

using Integer = boost::multiprecision::mpz_int;
using Rational = boost::multiprecision::mpq_rational;

/// A rational of §1, `-?[0-9]+(/[0-9]+)?` with a denominator that is not zero.
std::optional<Rational> parse_rational(std::string_view text);

/// A decimal: the `number` of §3 with an optional minus sign before it. Decimals whose exponent
/// lies outside ±5000 are refused before their power of ten is formed.
std::optional<Rational> parse_decimal(std::string_view text);

/// How many bits numerator and denominator have together.
std::size_t bits(const Rational& x);

/// The rational that a certificate holds at this place; throws Rejected.
Rational read_rational(const Json& node);

}  // namespace attest::check
