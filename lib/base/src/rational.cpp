#include "attest/base/rational.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <stdexcept>

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Integer power_of_ten(int exponent) { return pow(Integer(10), static_cast<unsigned long>(exponent)); }

std::string_view take_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

std::optional<int> parse_exponent(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (!all_digits(text)) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
  if (text.size() > 4) return std::nullopt;
  const int magnitude = std::stoi(std::string(text));
  if (magnitude > max_decimal_exponent) return std::nullopt;
  return negative ? -magnitude : magnitude;
}

/// GMP truncates towards zero; the neighbours of that double bracket the value.
double truncated_double(const Rational& value) {
  const double result = mpq_get_d(value.data());
  return std::isfinite(result) ? result : std::copysign(infinity, value.sign());
}

bool beyond_doubles(const Rational& value) {
  static const Rational largest = exact_value(std::numeric_limits<double>::max());
  return abs(value) > largest;
}

}  // namespace

Rational::Rational(const Integer& numerator, const Integer& denominator) : Rational(numerator) {
  if (denominator.is_zero()) throw std::domain_error("a fraction with denominator zero");
  mpz_set(mpq_denref(value_), denominator.data());
  mpq_canonicalize(value_);
}

Rational::Rational(const std::string& text) : Rational() {
  if (mpq_set_str(value_, text.c_str(), 10) != 0 || mpz_sgn(mpq_denref(value_)) == 0)
    throw std::invalid_argument("not a rational: " + text);
  mpq_canonicalize(value_);
}

std::string Rational::str() const {
  const std::string above = numerator(*this).str();
  return mpz_cmp_ui(mpq_denref(value_), 1) == 0 ? above : above + '/' + denominator(*this).str();
}

Rational& Rational::operator/=(const Rational& other) {
  if (other.is_zero()) throw std::domain_error("division by zero");
  mpq_div(value_, value_, other.value_);
  return *this;
}

std::ostream& operator<<(std::ostream& out, const Rational& value) { return out << value.str(); }

std::optional<Rational> parse_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::string_view whole = take_digits(text);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
    if (fraction.empty()) return std::nullopt;
  }
  if (whole.empty()) return std::nullopt;
  int exponent = 0;
  if (text.starts_with('e') || text.starts_with('E')) {
    const auto parsed = parse_exponent(text.substr(1));
    if (!parsed) return std::nullopt;
    exponent = *parsed;
    text = {};
  }
  if (!text.empty()) return std::nullopt;

  // A leading zero would make GMP read octal, so the digits are read in base 10 by hand of mpz_set_str.
  Integer digits;
  const std::string all = std::string(whole) + std::string(fraction);
  if (mpz_set_str(digits.data(), all.c_str(), 10) != 0) return std::nullopt;
  const int scale = exponent - static_cast<int>(fraction.size());
  Rational value = scale >= 0 ? Rational(digits * power_of_ten(scale)) : Rational(digits, power_of_ten(-scale));
  return negative ? Rational(-value) : value;
}

std::optional<Rational> parse_rational(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_decimal(text);
  std::string_view numerator = text.substr(0, slash);
  const std::string_view denominator = text.substr(slash + 1);
  const bool negative = numerator.starts_with('-');
  if (negative) numerator.remove_prefix(1);
  if (!all_digits(numerator) || !all_digits(denominator)) return std::nullopt;
  const Rational above = *parse_decimal(numerator);
  const Rational below = *parse_decimal(denominator);
  if (below.is_zero()) return std::nullopt;
  const Rational value = above / below;
  return negative ? Rational(-value) : value;
}

Rational exact_value(double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("exact_value: not a finite number");
  return Rational(value);
}

double upper_double(const Rational& value) {
  if (beyond_doubles(value)) return value.sign() > 0 ? infinity : std::numeric_limits<double>::lowest();
  const double truncated = truncated_double(value);
  return exact_value(truncated) >= value ? truncated : std::nextafter(truncated, infinity);
}

double lower_double(const Rational& value) { return 0.0 - upper_double(-value); }  // never -0

double nearest_double(const Rational& value) {
  const double low = lower_double(value);
  const double high = upper_double(value);
  if (!std::isfinite(low) || !std::isfinite(high)) {
    // IEEE 754: from the midpoint of the largest double and 2^1024 on, the nearest is infinity.
    static const Rational threshold = Rational((Integer(1) << 1024) - (Integer(1) << 970));
    if (abs(value) >= threshold) return std::copysign(infinity, value.sign());
    return std::copysign(std::numeric_limits<double>::max(), value.sign());
  }
  if (low == high) return high;  // of the two zeros the positive one
  const Rational below = value - exact_value(low);
  const Rational above = exact_value(high) - value;
  if (below != above) return below < above ? low : high;
  // Halfway: the last bits of neighbours differ, in normal and subnormal doubles alike.
  return std::bit_cast<std::uint64_t>(low) % 2 == 0 ? low : high;
}

std::string to_string(const Rational& value) { return value.str(); }

}  // namespace attest
