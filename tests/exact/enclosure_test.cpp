#include "attest/exact/loss_jet.hpp"
#include "mpfi_jet.hpp"
#include "sample.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace attest {
namespace {

/// Whether the ball holds all of the interval: what must be so when the interval is one of 256 bits around a number
/// that the ball encloses with 128.
bool encloses(const Ball& ball, const Interval& interval) { return ball.lower() <= interval.lower() && interval.upper() <= ball.upper(); }

bool meets(const Ball& ball, const Interval& interval) { return ball.lower() <= interval.upper() && interval.lower() <= ball.upper(); }

using enclosures::Sample;

Ball ball_of(const RationalInterval& interval) { return Ball(interval.low, interval.high); }
Interval interval_of(const RationalInterval& interval) { return Interval(interval.low, interval.high); }

Expression parsed(const std::string& text) { return std::get<Expression>(parse_expression(text)); }

std::optional<TaylorJet> second_opinion(const Expression& loss, const RationalInterval& u) {
  return evaluate_with_softplus(loss, TaylorArithmetic{interval_of(u)});
}

bool encloses(const LossJetBalls& balls, const TaylorJet& jet) {
  return encloses(balls.value, jet.value) && encloses(balls.slope, jet.slope()) && encloses(balls.curvature, jet.curvature());
}

bool meets(const LossJetBalls& balls, const TaylorJet& jet) {
  return meets(balls.value, jet.value) && meets(balls.slope, jet.slope()) && meets(balls.curvature, jet.curvature());
}

/// f of the ball of an interval holds f of points in it, as MPFI computes it; and MPFI's f of the interval meets the
/// ball's f of the points.
template <class BallFunction, class IntervalFunction>
void check_function(const char* name, BallFunction on_ball, IntervalFunction on_interval, bool needs_positive) {
  Sample sample(1);
  for (int k = 0; k < 300; ++k) {
    const RationalInterval x = sample.interval(needs_positive ? sample.positive() : sample.number());
    const Ball whole = on_ball(ball_of(x));
    const Interval whole_again = on_interval(interval_of(x));
    for (int j = 0; j < 4; ++j) {
      const Rational point = sample.point(x);
      // An overflow to an unbounded ball holds everything.
      BOOST_TEST((!whole.is_finite() || encloses(whole, on_interval(Interval(point)))),
                 name << " of [" << x.low << ", " << x.high << "] at " << point);
      BOOST_TEST(meets(on_ball(Ball(point)), whole_again), name << " at " << point << " of [" << x.low << ", " << x.high << "]");
    }
  }
}

template <class BallFunction, class IntervalFunction>
void check_operation(const char* name, BallFunction on_ball, IntervalFunction on_interval) {
  Sample sample(2);
  for (int k = 0; k < 300; ++k) {
    const RationalInterval x = sample.interval(sample.number());
    const RationalInterval y = sample.interval(sample.number());
    const Ball whole = on_ball(ball_of(x), ball_of(y));
    for (int j = 0; j < 4; ++j) {
      const Rational a = sample.point(x);
      const Rational b = sample.point(y);
      if (std::string(name) == "/" && b.is_zero()) continue;
      BOOST_TEST((!whole.is_finite() || encloses(whole, on_interval(Interval(a), Interval(b)))), a << " " << name << " " << b);
    }
  }
}

BOOST_AUTO_TEST_SUITE(enclosure)

BOOST_AUTO_TEST_CASE(a_dyadic_number_is_its_own_ball) {
  for (const Rational& value : {Rational(0), Rational(-3, 8), Rational(Integer(1) << 100)}) {
    BOOST_TEST(Ball(value).lower() == value);
    BOOST_TEST(Ball(value).upper() == value);
  }
}

BOOST_AUTO_TEST_CASE(a_tenth_lies_inside_its_ball_of_128_bits) {
  const Ball tenth(Rational(1, 10));
  BOOST_TEST(tenth.lower() < Rational(1, 10));
  BOOST_TEST(Rational(1, 10) < tenth.upper());
  BOOST_TEST(tenth.upper() - tenth.lower() <= Rational(Integer(1), Integer(1) << 127));
}

BOOST_AUTO_TEST_CASE(the_ball_of_an_interval_holds_its_ends) {
  Sample sample(3);
  for (int k = 0; k < 300; ++k) {
    const RationalInterval x = sample.interval(sample.number());
    BOOST_TEST(ball_of(x).lower() <= x.low);
    BOOST_TEST(x.high <= ball_of(x).upper());
  }
}

BOOST_AUTO_TEST_CASE(functions_of_balls_enclose_what_mpfi_computes_at_points) {
  check_function(
      "square", [](const Ball& a) { return square(a); }, [](const Interval& a) { return a.squared(); }, false);
  check_function(
      "exp", [](const Ball& a) { return exp(a); }, [](const Interval& a) { return a.exp(); }, false);
  check_function(
      "log", [](const Ball& a) { return log(a); }, [](const Interval& a) { return a.log(); }, true);
  check_function(
      "log1p", [](const Ball& a) { return log1p(a); }, [](const Interval& a) { return a.log1p(); }, true);
  check_function(
      "tanh", [](const Ball& a) { return tanh(a); }, [](const Interval& a) { return a.tanh(); }, false);
  check_function(
      "sqrt", [](const Ball& a) { return sqrt(a); }, [](const Interval& a) { return a.sqrt(); }, true);
  check_function(
      "negate", [](const Ball& a) { return -a; }, [](const Interval& a) { return Interval(Rational(0)) - a; }, false);
  check_function(
      "power 5", [](const Ball& a) { return power(a, 5); }, [](const Interval& a) { return a.squared().squared() * a; }, false);
}

BOOST_AUTO_TEST_CASE(operations_on_balls_enclose_what_mpfi_computes_at_points) {
  check_operation(
      "+", [](const Ball& a, const Ball& b) { return a + b; }, [](const Interval& a, const Interval& b) { return a + b; });
  check_operation(
      "-", [](const Ball& a, const Ball& b) { return a - b; }, [](const Interval& a, const Interval& b) { return a - b; });
  check_operation(
      "*", [](const Ball& a, const Ball& b) { return a * b; }, [](const Interval& a, const Interval& b) { return a * b; });
  check_operation(
      "/", [](const Ball& a, const Ball& b) { return a / b; }, [](const Interval& a, const Interval& b) { return a / b; });
}

BOOST_AUTO_TEST_CASE(a_value_beside_the_ball_is_not_taken_for_enclosed) {
  const Ball third(Rational(1, 3));
  BOOST_TEST(encloses(third, Interval(Rational(1, 3))));
  const Rational hair(Integer(1), Integer(1) << 120);
  BOOST_TEST(!encloses(third, Interval(Rational(1, 3) + hair)));
  BOOST_TEST(!meets(third, Interval(Rational(1, 3) - hair)));
}

BOOST_AUTO_TEST_CASE(balls_at_points_keep_100_bits) {
  Sample sample(4);
  for (int k = 0; k < 300; ++k) {
    const Ball x(sample.positive());
    for (const Ball& value : {exp(x), sqrt(x), tanh(x), log1p(x), x * x, Ball(Rational(1)) / x})
      BOOST_TEST(value.upper() - value.lower() <= abs(value.upper()) / Rational(Integer(1) << 100));
  }
}

BOOST_AUTO_TEST_CASE(jets_of_random_expressions_enclose_value_slope_and_curvature_at_points) {
  Sample sample(5);
  int defined = 0;
  for (int k = 0; k < 600; ++k) {
    const std::string text = sample.expression(sample.whole(1, 4));
    const Expression loss = parsed(text);
    const RationalInterval u = sample.interval(sample.number() / 16);
    const auto balls = enclose(loss, u);
    if (!balls) continue;
    ++defined;
    for (int j = 0; j < 4; ++j) {
      const Rational point = sample.point(u);
      const auto jet = second_opinion(loss, {point, point});
      BOOST_TEST_REQUIRE(jet.has_value(), text << " at " << point);
      BOOST_TEST(encloses(*balls, *jet), text << " on [" << u.low << ", " << u.high << "] at " << point);
    }
  }
  BOOST_TEST_MESSAGE(defined << " of 600 random expressions are defined on their interval");
  BOOST_TEST(defined >= 200);
}

BOOST_AUTO_TEST_CASE(mpfis_jets_over_an_interval_meet_those_of_balls_at_points) {
  Sample sample(6);
  int defined = 0;
  for (int k = 0; k < 600; ++k) {
    const std::string text = sample.expression(sample.whole(1, 4));
    const Expression loss = parsed(text);
    const RationalInterval u = sample.interval(sample.number() / 16);
    const auto jet = second_opinion(loss, u);
    if (!jet || !jet->value.is_finite() || !jet->first.is_finite() || !jet->second.is_finite()) continue;
    const Rational point = sample.point(u);
    const auto balls = enclose(loss, {point, point});
    if (!balls) continue;
    ++defined;
    BOOST_TEST(meets(*balls, *jet), text << " at " << point);
  }
  BOOST_TEST(defined >= 200);
}

BOOST_AUTO_TEST_CASE(the_jet_of_another_expression_is_not_enclosed) {
  const RationalInterval u{Rational(1, 3), Rational(1, 3)};
  const auto balls = enclose(parsed("log1p(exp(-u))"), u);
  BOOST_TEST(encloses(*balls, *second_opinion(parsed("log(1+exp(-u))"), u)));
  BOOST_TEST(!encloses(*balls, *second_opinion(parsed("log(1+exp(-u))+1e-30"), u)));
  BOOST_TEST(!encloses(*balls, *second_opinion(parsed("log(1+exp(-u))+1e-30*(u-1/3)"), u)));
  BOOST_TEST(!encloses(*balls, *second_opinion(parsed("log(1+exp(-u))+1e-30*(u-1/3)^2"), u)));
}

BOOST_AUTO_TEST_CASE(a_jet_is_undefined_where_a_rule_does_not_apply) {
  const RationalInterval around_zero{-1, 1};
  for (const char* text : {"1/u", "u^-2", "log(u)", "sqrt(u)", "log1p(u-1)", "exp(1/u)", "0*log(u)", "sqrt(u^2)"})
    BOOST_TEST(!enclose(parsed(text), around_zero).has_value(), text);
  BOOST_TEST(!enclose(parsed("exp(u)"), {2000000, 2000001}).has_value());
}

BOOST_AUTO_TEST_CASE(a_jet_is_undefined_at_a_point_on_the_edge_of_a_domain) {
  // 10*sqrt(sqrt(u^4)) - u is 10|u| - u, and sqrt(u^4) is u^2: value, slope and curvature of u^4 are all 0 at 0.
  for (const char* text : {"sqrt(u^4)", "10*sqrt(sqrt(u^4))-u", "sqrt(u^3)", "sqrt(0)", "log(u^4)", "log1p(u^3-1)", "1/u^3", "u^-3",
                           "u^4/u^3", "sqrt(u^4)^0", "0*sqrt(u^4)"})
    BOOST_TEST(!enclose(parsed(text), {0, 0}).has_value(), text);
  for (const char* text : {"u^4", "u^0", "tanh(u^3)", "exp(u^4)", "sqrt(1+u^4)", "log1p(u^3)", "log1p(exp(u))"})
    BOOST_TEST(enclose(parsed(text), {0, 0}).has_value(), text);
}

BOOST_AUTO_TEST_CASE(jets_of_softplus_enclose_those_of_the_logarithm_of_the_exponential) {
  Sample sample(7);
  for (int k = 0; k < 300; ++k) {
    const std::string inner = sample.whole(0, 1) == 0 ? "-u" : "u^2/128-u/3+1/3";
    const std::string text = k % 3 == 0   ? "log1p(exp(" + inner + "))"
                             : k % 3 == 1 ? "log(1+exp(" + inner + "))"
                                          : "log(exp(" + inner + ")+1)";
    const Expression rule_by_rule = parsed("log(1+1*exp(" + inner + "))");  // no softplus
    const RationalInterval u = sample.interval(sample.number() / 2);
    const auto balls = enclose(parsed(text), u);
    BOOST_TEST_REQUIRE(balls.has_value(), text);
    for (int j = 0; j < 4; ++j) {
      const Rational point = sample.point(u);
      BOOST_TEST(encloses(*balls, *second_opinion(rule_by_rule, {point, point})),
                 text << " on [" << u.low << ", " << u.high << "] at " << point);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_jet_of_softplus_over_a_wide_interval_is_its_range) {
  for (const char* text : {"log1p(exp(-u))", "log(1+exp(-u))", "log(exp(-u)+1)"}) {
    const auto balls = enclose(parsed(text), {-30, 30});
    const Rational hair = Rational(1, 100000000);  // a radius keeps 30 bits
    BOOST_TEST((balls->slope.upper() <= hair && balls->slope.lower() >= -1 - hair), text);
    BOOST_TEST((balls->curvature.upper() <= Rational(1, 4) + hair && balls->curvature.lower() >= -hair), text);
  }
  BOOST_TEST(!enclose(parsed("log(1.5+exp(-u))"), {-30, 30}).has_value());  // no softplus, and too wide rule by rule
  BOOST_TEST(!enclose(parsed("log1p(exp(u))"), {0, 2000000}).has_value());
}

BOOST_AUTO_TEST_CASE(a_jet_is_defined_where_every_rule_applies) {
  const RationalInterval right{Rational(9, 10), 1};
  for (const char* text : {"1/u", "u^-2", "log(u)", "sqrt(u)", "log1p(u-1)", "exp(1/u)", "0*log(u)", "sqrt(u^2)", "u^0"})
    BOOST_TEST(enclose(parsed(text), right).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
