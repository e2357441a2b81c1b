#include <boost/multiprecision/gmp.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "attest/base/integer.hpp"
#include "attest/base/rational.hpp"

namespace attest {
namespace {

// The second implementation.
using OtherInteger = boost::multiprecision::mpz_int;
using OtherRational = boost::multiprecision::mpq_rational;

/// Of either sign, of 1 to 200 bits, 0 now and then.
std::string random_digits(std::mt19937_64& random) {
  OtherInteger value = 0;
  const auto words = random() % 4;
  for (std::uint64_t k = 0; k < words; ++k) value = (value << 64) + random();
  value >>= static_cast<unsigned>(random() % 63);
  return OtherInteger(random() % 2 == 0 ? value : -value).str();
}

template <typename Number, typename Other>
void compare_arithmetic(const Number& a, const Number& b, const Other& x, const Other& y) {
  BOOST_TEST((a + b).str() == Other(x + y).str());
  BOOST_TEST((a - b).str() == Other(x - y).str());
  BOOST_TEST((a * b).str() == Other(x * y).str());
  BOOST_TEST((-a).str() == Other(-x).str());
  BOOST_TEST(abs(a).str() == Other(abs(x)).str());
  BOOST_TEST((a < b) == (x < y));
  BOOST_TEST((a <= b) == (x <= y));
  BOOST_TEST((a == b) == (x == y));
  BOOST_TEST((a > 1) == (x > 1));
  BOOST_TEST((a == 0) == (x == 0));
  BOOST_TEST(a.sign() == x.sign());
  if (!b.is_zero()) BOOST_TEST((a / b).str() == Other(x / y).str());
}

BOOST_AUTO_TEST_SUITE(exact_numbers)

BOOST_AUTO_TEST_CASE(integers_compute_as_a_second_library_does) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 5000; ++round) {
    const std::string first = random_digits(random);
    const std::string second = random_digits(random);
    const Integer a(first);
    const Integer b(second);
    const OtherInteger x(first);
    const OtherInteger y(second);
    compare_arithmetic(a, b, x, y);
    if (!b.is_zero()) BOOST_TEST((a % b).str() == OtherInteger(x % y).str());
    BOOST_TEST(gcd(a, b).str() == OtherInteger(gcd(x, y)).str());
    BOOST_TEST(lcm(a, b).str() == OtherInteger(lcm(x, y)).str());
    BOOST_TEST((a << 7).str() == OtherInteger(x << 7).str());
    BOOST_TEST((abs(a) >> 7).str() == OtherInteger(abs(x) >> 7).str());
    BOOST_TEST(pow(a, 3).str() == OtherInteger(pow(x, 3U)).str());
    BOOST_TEST(sqrt(abs(a)).str() == OtherInteger(sqrt(OtherInteger(abs(x)))).str());
    if (a.sign() > 0) BOOST_TEST(msb(a) == msb(x));
  }
}

BOOST_AUTO_TEST_CASE(rationals_compute_as_a_second_library_does) {
  std::mt19937_64 random(2);
  const auto draw = [&] {
    const std::string above = random_digits(random);
    std::string below = random_digits(random);
    if (below == "0") below = "6";
    return std::pair{Rational(Integer(above), Integer(below)), OtherRational(OtherInteger(above), OtherInteger(below))};
  };
  for (int round = 0; round < 5000; ++round) {
    const auto [a, x] = draw();
    const auto [b, y] = draw();
    compare_arithmetic(a, b, x, y);
    BOOST_TEST(numerator(a).str() == OtherInteger(numerator(x)).str());
    BOOST_TEST(denominator(a).str() == OtherInteger(denominator(x)).str());
  }
}

BOOST_AUTO_TEST_CASE(fractions_are_kept_in_lowest_terms_with_a_positive_denominator) {
  BOOST_TEST(Rational(6, -4).str() == "-3/2");
  BOOST_TEST(Rational("6/4").str() == "3/2");
  BOOST_TEST(Rational(0, 7).str() == "0");
  BOOST_TEST((Rational(6, -4) == Rational(-3, 2)));
}

BOOST_AUTO_TEST_CASE(a_right_shift_rounds_towards_minus_infinity) { BOOST_TEST((Integer(-3) >> 1).str() == "-2"); }

BOOST_AUTO_TEST_CASE(what_has_no_value_is_refused) {
  BOOST_CHECK_THROW(Integer(1) / Integer(0), std::domain_error);
  BOOST_CHECK_THROW(Integer(1) % Integer(0), std::domain_error);
  BOOST_CHECK_THROW(Rational(1) / Rational(0), std::domain_error);
  BOOST_CHECK_THROW(Rational(1, 0), std::domain_error);
  BOOST_CHECK_THROW(sqrt(Integer(-1)), std::domain_error);
  BOOST_CHECK_THROW(msb(Integer(0)), std::domain_error);
  BOOST_CHECK_THROW(Integer("1x"), std::invalid_argument);
  BOOST_CHECK_THROW(Rational("1/0"), std::invalid_argument);
  BOOST_CHECK_THROW(Rational("one"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(numbers_live_in_containers) {
  std::vector<Rational> values;
  for (int k = 0; k < 1000; ++k) values.emplace_back(1000 - k, 7);
  std::ranges::sort(values);
  BOOST_TEST(values.front().str() == "1/7");
  Rational moved = std::move(values.back());
  BOOST_TEST(moved.str() == "1000/7");
  values.back() = moved;              // assigned after it was moved from
  values.front() = std::move(moved);  // and the old value is destroyed once
  BOOST_TEST(values.front().str() == "1000/7");
  BOOST_TEST(values.back().str() == "1000/7");
  Integer whole = 5;
  whole = *&whole;
  BOOST_TEST(whole.str() == "5");
  std::ostringstream text;
  text << whole << ' ' << values.front();
  BOOST_TEST(text.str() == "5 1000/7");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
