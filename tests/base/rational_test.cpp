#include "attest/base/rational.hpp"

#include "infinity.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace attest {
namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr double tiniest = std::numeric_limits<double>::denorm_min();

Rational decimal(const std::string& text) {
  const auto value = parse_decimal(text);
  BOOST_REQUIRE_MESSAGE(value.has_value(), text << " is a decimal");
  return *value;
}

/// Sign and all: -0.0 is not 0.0.
bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// A finite double of random sign, exponent (subnormal too) and mantissa.
double random_double(std::mt19937_64& random) {
  while (true) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) return value;
  }
}

/// A decimal of up to 40 digits, anywhere from far below the subnormals to beyond the largest double.
std::string random_decimal(std::mt19937_64& random) {
  std::string text = random() % 2 == 0 ? "-" : "";
  const std::size_t digits = 1 + random() % 40;
  const std::size_t point = 1 + random() % digits;
  for (std::size_t i = 0; i < digits; ++i) {
    if (i == point) text += '.';
    text += static_cast<char>('0' + random() % 10);
  }
  return text + "e" + std::to_string(static_cast<int>(random() % 700) - 360);
}

/// A rational whose denominator is a power of two, written as the decimal that it is.
std::string exact_decimal(const Rational& value) {
  const unsigned bits = static_cast<unsigned>(msb(Integer(denominator(value))));
  return Integer(numerator(value) * pow(Integer(5), bits)).str() + "e-" + std::to_string(bits);
}

BOOST_AUTO_TEST_SUITE(rational)

BOOST_AUTO_TEST_CASE(a_decimal_is_the_rational_it_writes) {
  const std::vector<std::pair<std::string, Rational>> decimals{
      {"0", 0},          {"-0", 0},          {"7", 7},
      {"-12", -12},      {"0.1", {1, 10}},   {"-2.50", {-5, 2}},
      {"1e3", 1000},     {"1E+3", 1000},     {"25e-2", {1, 4}},
      {"0.5e1", 5},      {"007", 7},         {"010", 10},
      {"0.08", {2, 25}}, {"1e0005", 100000}, {"123456789012345678901234567890", Rational("123456789012345678901234567890")}};
  for (const auto& [text, value] : decimals) BOOST_TEST(decimal(text) == value, text);
}

BOOST_AUTO_TEST_CASE(what_is_not_a_decimal_is_refused) {
  for (const char* text : {"",    "-",     "+1",    "--1",   ".5",  "5.",  "1e",   "1e+",    "1e1.5",   "1 ",
                           " 1",  "1,5",   "0x10",  "1_000", "nan", "inf", "-inf", "1e5001", "1e-5001", "1e99999999999999999999",
                           "1/2", "1.2.3", "1e1e1", "١"})
    BOOST_TEST(!parse_decimal(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(exponents_are_read_up_to_5000) {
  BOOST_TEST(decimal("1e5000") * decimal("1e-5000") == 1);
  BOOST_TEST(!parse_decimal("0e5001").has_value());
}

BOOST_AUTO_TEST_CASE(a_fraction_is_the_quotient_of_its_integers) {
  BOOST_TEST(*parse_rational("50/101") == Rational(50, 101));
  BOOST_TEST(*parse_rational("-6/4") == Rational(-3, 2));
  BOOST_TEST(*parse_rational("09/010") == Rational(9, 10));
  BOOST_TEST(*parse_rational("0/7") == 0);
  BOOST_TEST(*parse_rational("0.25") == Rational(1, 4));
}

BOOST_AUTO_TEST_CASE(what_is_not_a_fraction_of_integers_is_refused) {
  for (const char* text : {"1/0", "0/0", "1/", "/2", "1/-2", "1.5/2", "1/2/3", "1 / 2", "--1/2", "+1/2", "1e1/2", "/", "-/2"})
    BOOST_TEST(!parse_rational(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(text_and_rational_are_the_same_value_in_lowest_terms) {
  BOOST_TEST(to_string(Rational(-6, 4)) == "-3/2");
  BOOST_TEST(to_string(Rational(4, 2)) == "2");
  BOOST_TEST(*parse_rational(to_string(Rational(22, 7))) == Rational(22, 7));
}

BOOST_AUTO_TEST_CASE(the_value_of_a_double_is_exact) {
  BOOST_TEST(exact_value(0.1) == Rational("3602879701896397/36028797018963968"));
  BOOST_TEST(exact_value(tiniest) * Rational(Integer(1) << 1074) == 1);
  BOOST_TEST(exact_value(-largest) == -Rational((Integer(1) << 1024) - (Integer(1) << 971)));
}

BOOST_AUTO_TEST_CASE(what_is_no_number_has_no_exact_value) {
  for (const double value : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()})
    BOOST_CHECK_THROW(exact_value(value), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(zero_is_the_positive_zero) { BOOST_TEST(same(nearest_double(0), 0.0)); }

BOOST_AUTO_TEST_CASE(every_double_is_its_own_nearest_upper_and_lower_double) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 5000; ++i) {
    const double value = random_double(random);
    const Rational exact = exact_value(value);
    BOOST_TEST(nearest_double(exact) == value);
    BOOST_TEST(upper_double(exact) == value);
    BOOST_TEST(lower_double(exact) == value);
  }
}

BOOST_AUTO_TEST_CASE(the_nearest_double_of_a_decimal_is_that_of_the_c_library) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = random_decimal(random);
    BOOST_TEST(nearest_double(decimal(text)) == std::strtod(text.c_str(), nullptr), text);
  }
}

BOOST_AUTO_TEST_CASE(the_upper_and_lower_double_of_a_decimal_are_its_neighbours) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {
    const std::string text = random_decimal(random);
    const Rational value = decimal(text);
    const double low = lower_double(value);
    const double high = upper_double(value);
    BOOST_TEST((low == high || high == std::nextafter(low, infinity)), text);
    BOOST_TEST((low == -infinity || exact_value(low) <= value), text);
    BOOST_TEST((high == infinity || value <= exact_value(high)), text);
    BOOST_TEST((low == high) == (std::isfinite(low) && exact_value(low) == value), text);
  }
}

BOOST_AUTO_TEST_CASE(a_number_halfway_between_doubles_goes_to_the_even_one) {
  BOOST_TEST(nearest_double(Rational((Integer(1) << 53) + 1)) == 9007199254740992.0);
  BOOST_TEST(nearest_double(Rational((Integer(1) << 53) + 3)) == 9007199254740996.0);
  std::mt19937_64 random(4);
  for (int i = 0; i < 2000; ++i) {
    const double low = random_double(random);
    const double high = std::nextafter(low, infinity);
    if (high == infinity) continue;
    const Rational middle = (exact_value(low) + exact_value(high)) / 2;
    if (denominator(middle) == 1) continue;
    BOOST_TEST(nearest_double(middle) == std::strtod(exact_decimal(middle).c_str(), nullptr));
  }
}

BOOST_AUTO_TEST_CASE(halfway_between_subnormal_doubles_the_even_one_wins) {
  const Rational half = exact_value(tiniest) / 2;
  BOOST_TEST(nearest_double(half) == 0.0);
  BOOST_TEST(nearest_double(3 * half) == 2 * tiniest);
  BOOST_TEST(nearest_double(5 * half) == 2 * tiniest);
  BOOST_TEST(nearest_double(-half) == 0.0);
  BOOST_TEST(nearest_double(-3 * half) == -2 * tiniest);
  for (int k = 1; k < 400; k += 2) {
    const double expected = std::strtod(exact_decimal(k * half).c_str(), nullptr);
    BOOST_TEST(nearest_double(k * half) == expected, k);
  }
}

BOOST_AUTO_TEST_CASE(a_number_just_beside_the_middle_goes_to_the_nearer_double) {
  const Rational half = exact_value(tiniest) / 2;
  const Rational hair = decimal("1e-2000");
  BOOST_TEST(nearest_double(half + hair) == tiniest);
  BOOST_TEST(nearest_double(3 * half - hair) == tiniest);
  const Rational middle((Integer(1) << 53) + 1);
  BOOST_TEST(nearest_double(middle + hair) == 9007199254740994.0);
  BOOST_TEST(nearest_double(middle - hair) == 9007199254740992.0);
}

BOOST_AUTO_TEST_CASE(below_the_tiniest_double_bounds_are_zero_and_the_tiniest) {
  const Rational small = decimal("1e-400");
  BOOST_TEST(upper_double(small) == tiniest);
  BOOST_TEST(lower_double(small) == 0.0);
  BOOST_TEST(upper_double(-small) == 0.0);
  BOOST_TEST(lower_double(-small) == -tiniest);
  BOOST_TEST(nearest_double(small) == 0.0);
}

BOOST_AUTO_TEST_CASE(beyond_the_largest_double_the_bounds_are_the_largest_and_infinity) {
  for (const std::string& text : {std::string("1e309"), std::string("1e400"), std::string("1e5000")}) {
    const Rational value = decimal(text);
    BOOST_TEST(upper_double(value) == infinity);
    BOOST_TEST(lower_double(value) == largest);
    BOOST_TEST(upper_double(-value) == -largest);
    BOOST_TEST(lower_double(-value) == -infinity);
    BOOST_TEST(nearest_double(value) == infinity);
    BOOST_TEST(nearest_double(-value) == -infinity);
  }
}

BOOST_AUTO_TEST_CASE(the_nearest_double_overflows_from_the_middle_to_the_next_power_of_two) {
  const Rational middle((Integer(1) << 1024) - (Integer(1) << 970));
  BOOST_TEST(nearest_double(middle) == infinity);
  BOOST_TEST(nearest_double(middle - 1) == largest);
  BOOST_TEST(nearest_double(-middle) == -infinity);
  BOOST_TEST(nearest_double(1 - middle) == -largest);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
