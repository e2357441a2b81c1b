#include "attest/base/log_number.hpp"

#include "infinity.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <vector>

namespace attest {
namespace {

using Exact = boost::multiprecision::cpp_rational;

/// Doubles from 2^-40 to 2^40 of either sign, and 0 now and then.
double drawn_number(std::mt19937_64& engine) {
  if (engine() % 8 == 0) return 0;
  const double size = std::ldexp(1 + static_cast<double>(engine() >> 12) * 0x1p-52, static_cast<int>(engine() % 81) - 40);
  return engine() % 2 == 0 ? size : -size;
}

/// How far a number is from an exact one, of `size`.
double error_of(const LogNumber& found, const Exact& expected, const Exact& size) {
  const Exact missed = abs(Exact(found.value()) - expected);
  return size == 0 ? (missed == 0 ? 0.0 : infinity) : static_cast<double>(Exact(missed / size));
}

/// Logarithms of at most 60 round by 2^-47.
constexpr double rounding = 1e-13;

bool is_nan(const LogNumber& number) { return number.is_nan() && std::isnan(number.value()); }

BOOST_AUTO_TEST_SUITE(log_number)

BOOST_AUTO_TEST_CASE(a_double_and_its_log_number_are_the_same_number) {
  std::mt19937_64 engine(1);
  for (int k = 0; k < 1000; ++k) {
    const double x = drawn_number(engine);
    BOOST_TEST(error_of(LogNumber::of(x), Exact(x), abs(Exact(x))) <= rounding);
    BOOST_TEST(LogNumber::of(x).sign == (x > 0) - (x < 0));
    BOOST_TEST(LogNumber::of(x).is_zero() == (x == 0));
  }
  BOOST_TEST(LogNumber{}.is_zero());
  BOOST_TEST(LogNumber{}.value() == 0);
}

BOOST_AUTO_TEST_CASE(sums_products_and_quotients_are_those_of_exact_arithmetic) {
  std::mt19937_64 engine(2);
  for (int k = 0; k < 1000; ++k) {
    const double x = drawn_number(engine);
    const double y = drawn_number(engine);
    const LogNumber a = LogNumber::of(x);
    const LogNumber b = LogNumber::of(y);
    const Exact product = Exact(x) * Exact(y);
    BOOST_TEST(error_of(a * b, product, abs(product)) <= rounding);
    // A sum is known to the rounding of its largest term.
    BOOST_TEST(error_of(a + b, Exact(x) + Exact(y), std::max<Exact>(abs(Exact(x)), abs(Exact(y)))) <= rounding);
    BOOST_TEST(error_of(-a, -Exact(x), abs(Exact(x))) <= rounding);
    if (y == 0) continue;
    const Exact quotient = Exact(x) / Exact(y);
    BOOST_TEST(error_of(a / b, quotient, abs(quotient)) <= rounding);
  }
}

BOOST_AUTO_TEST_CASE(a_result_that_is_off_by_1e_minus_12_or_has_the_other_sign_is_detected) {
  const LogNumber three = LogNumber::of(3);
  BOOST_TEST(error_of({three.log + 1e-12, 1}, Exact(3), Exact(3)) > rounding);
  BOOST_TEST(error_of(-three, Exact(3), Exact(3)) > rounding);
  BOOST_TEST(error_of({}, Exact(3), Exact(3)) > rounding);
}

BOOST_AUTO_TEST_CASE(the_order_is_that_of_the_doubles) {
  std::mt19937_64 engine(3);
  for (int k = 0; k < 1000; ++k) {
    const double x = drawn_number(engine);
    const double y = k % 4 == 0 ? x : drawn_number(engine);
    const LogNumber a = LogNumber::of(x);
    const LogNumber b = LogNumber::of(y);
    BOOST_TEST((a < b) == (x < y));
    BOOST_TEST((a <= b) == (x <= y));
    BOOST_TEST((a == b) == (x == y));
  }
}

BOOST_AUTO_TEST_CASE(numbers_below_and_above_all_doubles_are_added_and_compared) {
  const LogNumber tiny{-1e6, 1};
  const LogNumber huge{1e6, 1};
  BOOST_TEST(tiny.value() == 0);
  BOOST_TEST(huge.value() == infinity);
  BOOST_TEST(!tiny.is_zero());
  BOOST_TEST((LogNumber{} < tiny));
  BOOST_TEST((-tiny < LogNumber{}));
  BOOST_TEST((LogNumber{-1e6 - 1, 1} < tiny));
  BOOST_TEST((-tiny < -LogNumber{-1e6 - 1, 1}));
  BOOST_TEST(((tiny + tiny).log == -1e6 + std::log(2.0)));
  BOOST_TEST((tiny * huge == LogNumber::of(1)));
  BOOST_TEST((tiny / huge == LogNumber{-2e6, 1}));
  BOOST_TEST((tiny + -tiny).is_zero());
  BOOST_TEST((tiny + huge == huge));
}

BOOST_AUTO_TEST_CASE(nothing_is_added_by_zero_and_nothing_is_left_by_zero_times) {
  for (const double log : {-1e6, -1.5, 0.0, 3.7, 1e6})
    for (const int sign : {-1, 1}) {
      const LogNumber x{log, sign};
      const LogNumber sum = x + LogNumber{};
      BOOST_TEST(sum.log == log);  // to the last bit
      BOOST_TEST(sum.sign == sign);
      BOOST_TEST((x * LogNumber{}).is_zero());
      BOOST_TEST((LogNumber{} / x).is_zero());
    }
}

BOOST_AUTO_TEST_CASE(nan_is_never_lost) {
  const LogNumber nan = LogNumber::nan();
  BOOST_TEST(is_nan(nan));
  BOOST_TEST(is_nan(LogNumber::of(std::nan(""))));
  BOOST_TEST(!nan.is_zero());
  for (const LogNumber& x : {LogNumber{}, LogNumber::of(2), LogNumber::of(-2), LogNumber{-1e6, 1}, nan}) {
    BOOST_TEST(is_nan(x + nan));
    BOOST_TEST(is_nan(nan + x));
    BOOST_TEST(is_nan(x * nan));
    BOOST_TEST(is_nan(nan / x));
    BOOST_TEST(is_nan(x / nan));
    BOOST_TEST(!(x < nan));
    BOOST_TEST(!(x >= nan));
    BOOST_TEST(!(x == nan));
    BOOST_TEST(std::isnan(sum_of(std::vector{x, nan, x}).mantissa));
  }
  BOOST_TEST(is_nan(LogNumber::of(1) / LogNumber{}));        // nothing is divided by 0
  BOOST_TEST(is_nan(LogNumber{} * LogNumber{infinity, 1}));  // 0 times infinity
  BOOST_TEST(std::isnan((LogNumber{} * LogNumber{infinity, 1}).over(0)));
  BOOST_TEST(!is_nan(LogNumber::of(1) / LogNumber::of(1e-300)));
}

BOOST_AUTO_TEST_CASE(long_sums_are_those_of_exact_arithmetic_at_any_scale) {
  std::mt19937_64 engine(4);
  for (int k = 0; k < 100; ++k) {
    std::vector<LogNumber> terms;
    Exact expected = 0;
    Exact size = 0;
    const double scale = k % 2 == 0 ? 0 : -1e5;
    for (int t = 0; t < 20; ++t) {
      const double x = drawn_number(engine);
      terms.push_back(LogNumber::of(x) * LogNumber{scale, 1});
      expected += Exact(x);
      size += abs(Exact(x));
    }
    const LogSum sum = sum_of(terms);
    BOOST_TEST(sum.shift == largest_log(terms));
    // At -1e5 the logarithms themselves round by 2^-36.
    const double allowed = scale == 0 ? rounding : 1e-10;
    BOOST_TEST(error_of(sum.number() / LogNumber{scale, 1}, expected, size) <= allowed);
    BOOST_TEST(error_of(sum.number() / LogNumber{scale, 1}, expected + size / 1000, size) > allowed);
  }
}

BOOST_AUTO_TEST_CASE(a_sum_of_nothing_is_zero) {
  BOOST_TEST(sum_of({}).number().is_zero());
  BOOST_TEST(sum_of(std::vector<LogNumber>(3)).number().is_zero());
  BOOST_TEST(largest_log(std::vector<LogNumber>(3)) == -infinity);
}

BOOST_AUTO_TEST_CASE(softplus_is_the_logarithm_of_a_sum) {
  for (const double u : {-2000.0, -700.0, -36.5, -35.5, -1.0, 0.0, 0.5, 40.0, 800.0}) {
    const LogNumber sum = LogNumber::of(1) + LogNumber{u, 1};
    BOOST_TEST(std::abs(softplus(u) - sum.log) <= 1e-15 * (1 + std::abs(u)));
    const long double plain = std::log(std::log1p(std::exp(static_cast<long double>(u))));
    BOOST_TEST(std::abs(log_softplus(u) - static_cast<double>(plain)) <= 4e-16 * (1 + std::abs(u)));
  }
  BOOST_TEST(std::log(softplus(-800.0)) == -infinity);  // what log_softplus is for
  BOOST_TEST(log_softplus(-800.0) == -800);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
