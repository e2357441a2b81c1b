#include "rational.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace attest::check {

namespace {

constexpr std::size_t longest_text = 1'000'000;  // §1
constexpr int largest_decimal_exponent = 5000;   // §3

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool take_minus(std::string_view& text) {
  if (text.empty() || text.front() != '-') return false;
  text.remove_prefix(1);
  return true;
}

/// GMP is called directly since Boost's reader takes a leading 0 for the mark of an octal number.
Integer digits_value(std::string_view digits) {
  Integer value;
  mpz_set_str(value.backend().data(), std::string(digits).c_str(), 10);
  return value;
}

/// `[+-]?digits` between −5000 and 5000.
std::optional<int> exponent_value(std::string_view text) {
  const bool negative = take_minus(text);
  if (!negative && !text.empty() && text.front() == '+') text.remove_prefix(1);
  if (!all_digits(text)) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
  if (text.size() > 4) return std::nullopt;
  const int value = std::stoi(std::string(text));
  if (value > largest_decimal_exponent) return std::nullopt;
  return negative ? -value : value;
}

}  // namespace

std::size_t bits(const Rational& x) {
  return mpz_sizeinbase(mpq_numref(x.backend().data()), 2) + mpz_sizeinbase(mpq_denref(x.backend().data()), 2);
}

std::optional<Rational> parse_rational(std::string_view text) {
  if (text.size() > longest_text) return std::nullopt;
  const bool negative = take_minus(text);
  const std::size_t slash = text.find('/');
  const std::string_view above = text.substr(0, slash);
  const std::string_view below = slash == text.npos ? "1" : text.substr(slash + 1);
  if (!all_digits(above) || !all_digits(below)) return std::nullopt;
  const Integer denominator = digits_value(below);
  if (denominator.is_zero()) return std::nullopt;
  const Rational value(digits_value(above), denominator);
  return negative ? Rational(-value) : value;
}

std::optional<Rational> parse_decimal(std::string_view text) {
  if (text.size() > longest_text) return std::nullopt;
  const bool negative = take_minus(text);
  int exponent = 0;
  if (const std::size_t mark = text.find_first_of("eE"); mark != text.npos) {
    const auto read = exponent_value(text.substr(mark + 1));
    if (!read) return std::nullopt;
    exponent = *read;
    text = text.substr(0, mark);
  }
  std::string digits(text);
  if (const std::size_t point = text.find('.'); point != text.npos) {
    if (point + 1 == text.size()) return std::nullopt;  // no digit after the point
    digits.erase(point, 1);
    exponent -= static_cast<int>(text.size() - point - 1);
  }
  if (!all_digits(digits)) return std::nullopt;
  const Integer power = pow(Integer(10), static_cast<unsigned>(std::abs(exponent)));
  const Integer mantissa = digits_value(digits);
  const Rational value = exponent < 0 ? Rational(mantissa, power) : Rational(mantissa * power);
  return negative ? Rational(-value) : value;
}

Rational read_rational(const Json& node) {
  auto value = node.kind == JsonKind::string ? parse_rational(node.text) : std::nullopt;
  if (!value) node.fail("not a rational string");
  return *std::move(value);
}

}  // namespace attest::check
