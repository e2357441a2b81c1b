#include <mpfr.h>

#include <cmath>
#include <random>

#include "ball.hpp"
#include "enclosed.hpp"
#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(balls)

namespace {

/// Whether the interval holds f(x), x = numerator/2^power, and how wide it is in units of 2^−bits.
class Truth {
 public:
  Truth(long numerator, int power) {
    mpfr_init2(value_, 6000);
    mpfr_set_si_2exp(value_, numerator, -power, MPFR_RNDN);
  }
  ~Truth() { mpfr_clear(value_); }
  Truth(const Truth&) = delete;
  Truth& operator=(const Truth&) = delete;
  mpfr_ptr get() { return value_; }

  [[nodiscard]] bool in(const Interval& x) const {
    mpfr_t end;
    mpfr_init2(end, 6000);
    mpfr_set_z_2exp(end, x.lower.mantissa.backend().data(), x.lower.exponent, MPFR_RNDD);
    const bool above = mpfr_lessequal_p(end, value_) != 0;
    mpfr_set_z_2exp(end, x.upper.mantissa.backend().data(), x.upper.exponent, MPFR_RNDU);
    const bool below = mpfr_lessequal_p(value_, end) != 0;
    mpfr_clear(end);
    return above && below;
  }

 private:
  mpfr_t value_;
};

Rational dyadic(long numerator, int power) { return Rational(numerator, Integer(1) << static_cast<unsigned>(power)); }

/// A ball around x.
Ball around(const BallArithmetic& balls, const Rational& x, const Radius& radius) {
  Ball ball = balls.enclose(x);
  ball.radius = ball.radius + radius;
  return ball;
}

}  // namespace

BOOST_AUTO_TEST_CASE(exp_holds_the_value_and_loses_a_unit_or_two) {
  std::mt19937 random(1);
  for (const int bits : {64, 100, 237, 1000, 3000}) {
    const BallArithmetic balls(bits);
    for (int i = 0; i < 60; ++i) {
      const long numerator = static_cast<long>(random() % 2'000'000) - 1'900'000;
      const int power = 10 + static_cast<int>(random() % 16);
      Truth truth(numerator, power);
      mpfr_exp(truth.get(), truth.get(), MPFR_RNDN);
      const Interval x = balls.interval(balls.exponential(balls.enclose(dyadic(numerator, power))));
      BOOST_TEST(truth.in(x), numerator << "/2^" << power << " at " << bits);
      if (numerator < 0) BOOST_TEST(x.upper.mantissa - x.lower.mantissa <= 16);
    }
  }
}

BOOST_AUTO_TEST_CASE(exp_below_the_last_bit_is_not_0_from_above) {
  const BallArithmetic balls(64);
  for (const long x : {-40L, -70L, -80L, -1000L, -2'000'000L}) {
    Truth truth(x, 0);
    mpfr_exp(truth.get(), truth.get(), MPFR_RNDU);
    BOOST_TEST(truth.in(balls.interval(balls.exponential(balls.enclose(Rational(x))))), x);
  }
}

BOOST_AUTO_TEST_CASE(exp_and_sigmoid_of_a_wide_ball_hold_the_values_at_its_ends) {
  const BallArithmetic balls(200);
  for (const long middle : {-3'000L, -700L, 0L, 900L, 2'000L})
    for (const int width : {4, 12, 90}) {  // radius 2^−width
      const Ball x = around(balls, dyadic(middle, 8), {1, -width});
      for (const int side : {-1, 0, 1}) {
        Truth truth(middle, 8);
        Truth shift(side, width);
        mpfr_add(truth.get(), truth.get(), shift.get(), MPFR_RNDN);
        mpfr_exp(truth.get(), truth.get(), MPFR_RNDN);
        BOOST_TEST(truth.in(balls.interval(balls.exponential(x))));
        mpfr_add_ui(shift.get(), truth.get(), 1, MPFR_RNDN);
        mpfr_div(truth.get(), truth.get(), shift.get(), MPFR_RNDN);
        BOOST_TEST(truth.in(balls.interval(balls.sigmoid(x))));
      }
    }
}

BOOST_AUTO_TEST_CASE(exp_of_what_is_too_wide_or_too_large_is_undefined) {
  const BallArithmetic balls(64);
  BOOST_CHECK_THROW(static_cast<void>(balls.exponential(around(balls, 0, {1, -2}))), Undefined);
  BOOST_CHECK_THROW(static_cast<void>(balls.exponential(balls.enclose(Rational(4097)))), Undefined);
  BOOST_CHECK_NO_THROW(static_cast<void>(balls.exponential(around(balls, 4, {1, -4}))));
}

BOOST_AUTO_TEST_CASE(products_quotients_and_roots_hold_the_values_at_the_ends) {
  const BallArithmetic balls(80);
  const Rational radius(1, 1024);
  const Ball x = around(balls, Rational(7, 3), {1, -10});
  const Ball y = around(balls, Rational(-5, 7), {1, -10});
  const auto holds = [&](const Ball& ball, const Rational& value) {
    const Interval interval = balls.interval(ball);
    const Integer unit = Integer(1) << 80U;
    return Rational(interval.lower.mantissa, unit) <= value && value <= Rational(interval.upper.mantissa, unit);
  };
  for (const int i : {-1, 1})
    for (const int j : {-1, 1}) {
      const Rational a = Rational(7, 3) + i * radius;
      const Rational b = Rational(-5, 7) + j * radius;
      BOOST_TEST(holds(balls.multiply(x, y), a * b));
      BOOST_TEST(holds(balls.multiply(x, Rational(-22, 7)), a * Rational(-22, 7)));
      BOOST_TEST(holds(balls.square(y), b * b));
      BOOST_TEST(holds(balls.reciprocal(x), 1 / a));
      BOOST_TEST(holds(balls.root(balls.square(x)), a));
      BOOST_TEST(holds(balls.evaluate({{3, -8}, 11}, {x, y}), (3 * a - 8 * b) / 11));
    }
  BOOST_CHECK_THROW(static_cast<void>(balls.reciprocal(around(balls, Rational(1, 1024), {1, -10}))), Undefined);
  BOOST_CHECK_THROW(static_cast<void>(balls.root(around(balls, Rational(1, 2048), {1, -10}))), Undefined);
}

BOOST_AUTO_TEST_CASE(radii_are_rounded_up) {
  const auto value = [](const Radius& r) { return std::ldexp(static_cast<double>(r.mantissa), static_cast<int>(r.exponent)); };
  const Radius third{1431655766, -32};  // just above 1/3
  const Radius tiny{1, -300};
  BOOST_TEST(value(third + tiny) > value(third));
  BOOST_TEST(value(third * third) >= value(third) * value(third));
  BOOST_TEST(value(third + third) == 2 * value(third));
  BOOST_TEST(below_power({1, -3}, -2));
  BOOST_TEST(!below_power({1, -2}, -2));
}

BOOST_AUTO_TEST_CASE(a_matrix_is_definite_exactly_when_its_pivots_are_positive) {
  const Arithmetic arithmetic;
  const auto matrix = [&](const std::vector<std::vector<Rational>>& rows) {
    EnclosedMatrix result;
    for (const auto& row : rows) {
      result.emplace_back();
      for (const Rational& x : row) result.back().emplace_back(x, arithmetic);
    }
    return result;
  };
  const Rational third(1, 3);
  BOOST_TEST(Definite::proves(matrix({{2, 1, third}, {1, 2, 1}, {third, 1, 2}})));
  BOOST_TEST(!Definite::proves(matrix({{2, 1, third}, {1, third, 1}, {third, 1, 2}})));                       // a pivot < 0
  BOOST_TEST(!Definite::proves(matrix({{third, third}, {third, third}})));                                    // a pivot of 0
  BOOST_TEST(!Definite::proves(matrix({{third, third}, {third, third + Rational(1, Integer(1) << 300U)}})));  // one too small to see
  const EnclosedVector x = Definite(matrix({{2, 1}, {1, third + 1}})).solve({{Rational(1), arithmetic}, {Rational(0), arithmetic}});
  BOOST_TEST(surely_less(x[0], Enclosed(Rational(801, 1000), arithmetic)));
  BOOST_TEST(surely_less(Enclosed(Rational(-601, 1000), arithmetic), x[1]));
  BOOST_TEST(surely_less(Enclosed(Rational(799, 1000), arithmetic), x[0]));
  BOOST_TEST(surely_less(x[1], Enclosed(Rational(-599, 1000), arithmetic)));
}

BOOST_AUTO_TEST_CASE(exp_far_below_0_is_an_upper_bound_and_no_fault) {
  const Arithmetic arithmetic;
  const Enclosed x = exp(Enclosed(Rational(-3'000'000), arithmetic));
  BOOST_TEST(!surely_positive(x));
  BOOST_TEST(surely_less(x, Enclosed(Rational(1, Integer(1) << 4000U), arithmetic)));
  BOOST_TEST(surely_positive(x.sup()));
  BOOST_CHECK_THROW(static_cast<void>(exp(Enclosed(Rational(2'000'000), arithmetic))), Undefined);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
