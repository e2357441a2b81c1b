#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(rational)

BOOST_AUTO_TEST_CASE(rationals_count_by_value) {
  BOOST_TEST((parse_rational("6/4") == Rational(3, 2)));
  BOOST_TEST((parse_rational("-6/4") == Rational(-3, 2)));
  BOOST_TEST((parse_rational("-0") == Rational(0)));
  BOOST_TEST((parse_rational("0/7") == Rational(0)));
  BOOST_TEST((parse_rational("123456789012345678901234567890") == Rational(Integer("123456789012345678901234567890"))));
}

BOOST_AUTO_TEST_CASE(leading_zeros_do_not_mean_octal) {
  BOOST_TEST((parse_rational("010/011") == Rational(10, 11)));
  BOOST_TEST((parse_rational("0008") == Rational(8)));
  BOOST_TEST((parse_decimal("010.010") == Rational(1001, 100)));
}

BOOST_AUTO_TEST_CASE(other_spellings_are_refused) {
  for (const char* text : {"",   "-",    "+1",  "1/",  "/2",  "1/0",   "0/0", "1/00",     "1/-2", "--1",  "1 ",
                           " 1", "1 /2", "1.0", "1e3", "0x1", "1/2/3", "1_0", "\xD9\xA1", "-/2",  "1/+2", "a"})
    BOOST_TEST(!parse_rational(text).has_value(), text);
  BOOST_TEST(!parse_rational(std::string("1\0", 2)).has_value());
}

BOOST_AUTO_TEST_CASE(a_rational_has_at_most_a_million_characters) {
  BOOST_TEST(parse_rational(std::string(1'000'000, '7')).has_value());
  BOOST_TEST(!parse_rational(std::string(1'000'001, '7')).has_value());
  BOOST_TEST(!parse_rational("-" + std::string(1'000'000, '7')).has_value());
  BOOST_TEST(parse_rational("1/" + std::string(999'998, '7')).has_value());
  BOOST_TEST(!parse_rational("1/" + std::string(999'999, '7')).has_value());
}

BOOST_AUTO_TEST_CASE(json_numbers_are_never_rationals) {
  BOOST_CHECK_THROW(read_rational(JsonDocument::parse("1").root()), Rejected);
  BOOST_TEST((read_rational(JsonDocument::parse("\"1\"").root()) == 1));
}

BOOST_AUTO_TEST_CASE(decimals_are_exact) {
  BOOST_TEST((parse_decimal("0.1") == Rational(1, 10)));
  BOOST_TEST((parse_decimal("-12.50e-1") == Rational(-5, 4)));
  BOOST_TEST((parse_decimal(".5") == Rational(1, 2)));
  BOOST_TEST((parse_decimal("2E+3") == Rational(2000)));
  BOOST_TEST((parse_decimal("1e0005000") == Rational(pow(Integer(10), 5000U))));
  BOOST_TEST((parse_decimal("1e-5000") == Rational(1, pow(Integer(10), 5000U))));
  BOOST_TEST((parse_decimal("0e-0") == Rational(0)));
}

BOOST_AUTO_TEST_CASE(other_decimals_are_refused) {
  for (const char* text : {"",   "-",   ".",     "1.",    "1.e3", "e3",     "1e",      "1e+",         "1e+-3",
                           "+1", "--1", "1.2.3", "1e5.0", "1/2",  "1e5001", "1e-5001", "1e999999999", "1e-99999999999999999999",
                           "1 ", "0x1", "inf",   "nan"})
    BOOST_TEST(!parse_decimal(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(scaled_vectors_are_stored_equally_when_equal) {
  const ScaledVector a = scale({*parse_rational("2/4"), *parse_rational("-1/3")});
  const ScaledVector b = scale({*parse_rational("1/2"), *parse_rational("-3/9")});
  BOOST_TEST((a == b));
  BOOST_TEST((a.denominator == 6));
  BOOST_TEST((dot(a, b) == Rational(13, 36)));
  BOOST_TEST((!(a == scale({*parse_rational("1/2"), *parse_rational("1/3")}))));
  const auto sum = combine({{&a, Rational(6)}, {&b, Rational(-3)}}, 2);
  BOOST_TEST((sum[0] == Rational(3, 2)));
  BOOST_TEST((sum[1] == -1));
  BOOST_TEST((combine({}, 2) == std::vector<Rational>(2)));
}

BOOST_AUTO_TEST_CASE(a_common_denominator_that_would_fill_the_memory_is_refused) {
  std::vector<Rational> values(100'000, Rational(1));
  values.back() = Rational(1, pow(Integer(10), 30'000U));  // 10^5 numerators of 10^5 bits
  BOOST_CHECK_THROW((void)scale(values), Rejected);
  values.erase(values.begin(), values.begin() + 99'900);
  BOOST_CHECK_NO_THROW((void)scale(values));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
