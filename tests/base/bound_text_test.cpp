#include <boost/test/unit_test.hpp>

#include <random>

#include "attest/base/bound_text.hpp"

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(bound_text)

BOOST_AUTO_TEST_CASE(digits_are_rounded_to_the_safe_side) {
  BOOST_TEST(text_above(parse_rational("0.2890505").value(), 5) == "0.28906");
  BOOST_TEST(text_below(parse_rational("0.2890505").value(), 5) == "0.28905");
  BOOST_TEST(text_above(parse_rational("-0.2689414").value(), 5) == "-0.26894");
  BOOST_TEST(text_below(parse_rational("-0.2689414").value(), 5) == "-0.26895");
  BOOST_TEST(text_above(parse_rational("99999.01").value(), 5) == "1e+05");
  BOOST_TEST(text_below(parse_rational("99999.99").value(), 5) == "99999");
}

BOOST_AUTO_TEST_CASE(what_has_few_digits_is_written_as_it_is) {
  for (const char* text : {"0", "1", "-1", "0.25", "1e+05", "12345", "0.0001", "1.5e-05", "100", "-3.25e-435", "7e+4000"}) {
    BOOST_TEST(text_above(parse_rational(text).value(), 5) == text);
    BOOST_TEST(text_below(parse_rational(text).value(), 5) == text);
  }
}

BOOST_AUTO_TEST_CASE(a_text_is_a_bound_and_near) {
  std::mt19937_64 random(3);
  for (int k = 0; k < 2000; ++k) {
    const Integer above(static_cast<std::int64_t>(random() >> 2U) - (std::int64_t{1} << 61U));
    const Rational value(above << (random() % 300), (Integer(1) + Integer(static_cast<std::int64_t>(random() >> 2U))) << (random() % 300));
    const Rational low = parse_rational(text_below(value, 4)).value();
    const Rational high = parse_rational(text_above(value, 4)).value();
    BOOST_TEST((low <= value && value <= high), value);
    BOOST_TEST((high - low <= abs(value) / 1000), value);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
