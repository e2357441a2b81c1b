#include "attest/model/loss.hpp"

#include "../base/infinity.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace attest {
namespace {

Loss written(const std::string& text) { return Loss::written(std::get<Expression>(parse_expression(text))); }

/// Equal up to four units in the last place; NaN is equal to nothing.
bool near(double a, double b) { return a == b || std::abs(a - b) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(b); }

/// Whether slope and curvature are those of the value, by differences of order h^4.
bool slopes_fit(const Loss& loss, double u, double tolerance) {
  const double h = 1e-3;
  const auto difference = [&](double LossJet::*part) {
    return (8 * (evaluate(loss, u + h).*part - evaluate(loss, u - h).*part) -
            (evaluate(loss, u + 2 * h).*part - evaluate(loss, u - 2 * h).*part)) /
           (12 * h);
  };
  const LossJet jet = evaluate(loss, u);
  return std::abs(difference(&LossJet::value) - jet.slope) <= tolerance * (1 + std::abs(jet.slope)) &&
         std::abs(difference(&LossJet::slope) - jet.curvature) <= tolerance * (1 + std::abs(jet.curvature));
}

bool is_undefined(const LossJet& jet) { return std::isnan(jet.value) && std::isnan(jet.slope) && std::isnan(jet.curvature); }

BOOST_AUTO_TEST_SUITE(loss)

BOOST_AUTO_TEST_CASE(the_named_losses_have_the_expressions_of_the_specification) {
  BOOST_TEST(Loss::logistic().expression().text() == "log1p(exp(-u))");
  BOOST_TEST(Loss::exponential().expression().text() == "exp(-u)");
  BOOST_TEST(Loss::correlation().expression().text() == "-u");
  BOOST_TEST(Loss::logistic().name() == "logistic");
  BOOST_TEST(written("exp(-u)").name().empty());
}

BOOST_AUTO_TEST_CASE(each_name_gives_the_loss_of_that_name_and_kind) {
  const std::vector<Loss::Kind> kinds{Loss::Kind::logistic, Loss::Kind::exponential, Loss::Kind::correlation};
  BOOST_REQUIRE(Loss::names().size() == kinds.size());
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const auto loss = Loss::named(Loss::names()[k]);
    BOOST_REQUIRE(loss.has_value());
    BOOST_TEST(loss->name() == Loss::names()[k]);
    BOOST_TEST((loss->kind() == kinds[k]));
  }
}

BOOST_AUTO_TEST_CASE(another_word_names_no_loss_and_a_written_one_is_only_written) {
  for (const char* word : {"", "Logistic", "logistic ", "log1p(exp(-u))", "hinge"}) BOOST_TEST(!Loss::named(word), word);
  BOOST_TEST((written("log1p(exp(-u))").kind() == Loss::Kind::written));
}

// Computed with 60 digits (Python's decimal).
BOOST_AUTO_TEST_CASE(the_logistic_loss_is_precise_far_from_zero) {
  struct Known {
    double u, value, slope, curvature;
  };
  const std::vector<Known> table{{0, 0.693147180559945309, -0.5, 0.25},
                                 {1, 0.313261687518222834, -0.268941421369995121, 0.196611933241481853},
                                 {-1, 1.31326168751822283, -0.731058578630004879, 0.196611933241481853},
                                 {50, 1.92874984796391778e-22, -1.92874984796391778e-22, 1.92874984796391778e-22},
                                 {-50, 50.0, -1.0, 1.92874984796391778e-22},
                                 {700, 9.8596765437597708e-305, -9.8596765437597708e-305, 9.8596765437597708e-305},
                                 {-700, 700.0, -1.0, 9.8596765437597708e-305},
                                 {800, 0.0, 0.0, 0.0},
                                 {-800, 800.0, -1.0, 0.0}};
  for (const Known& known : table) {
    const LossJet jet = evaluate(Loss::logistic(), known.u);
    BOOST_TEST(near(jet.value, known.value), known.u);
    BOOST_TEST(near(jet.slope, known.slope), known.u);
    BOOST_TEST(near(jet.curvature, known.curvature), known.u);
  }
}

BOOST_AUTO_TEST_CASE(the_written_logistic_loss_is_as_precise_as_the_named_one) {
  for (const char* text : {"log(1+exp(-u))", "log(exp(-u)+1)", "log1p(exp(-u))"})
    for (const double u : {-1e6, -800.0, -30.0, 0.0, 30.0, 700.0, 1e6}) {
      const LossJet found = evaluate(written(text), u);
      const LossJet named = evaluate(Loss::logistic(), u);
      BOOST_TEST((found.value == named.value && found.slope == named.slope && found.curvature == named.curvature), text << " at " << u);
    }
}

BOOST_AUTO_TEST_CASE(a_sum_that_is_no_softplus_overflows) { BOOST_TEST(std::isnan(evaluate(written("log(2+exp(-u))"), -800).slope)); }

BOOST_AUTO_TEST_CASE(softplus_of_a_function_follows_the_chain_rule) {
  // f = u^2/2 - 3 at u = 2: f = -1, f' = 2, f'' = 1; s = 1/(1+e).
  const double s = 1 / (1 + std::exp(1.0));
  const LossJet jet = evaluate(written("log(1+exp(u^2/2-3))"), 2);
  BOOST_TEST(near(jet.value, std::log1p(std::exp(-1.0))));
  BOOST_TEST(near(jet.slope, 2 * s));
  BOOST_TEST(near(jet.curvature, s + 4 * s * (1 - s)));
}

BOOST_AUTO_TEST_CASE(at_the_edge_of_a_domain_there_is_no_jet) {
  for (const char* text : {"sqrt(u^4)", "sqrt(sqrt(u^4))", "log(u)", "1/u", "u^-2", "log1p(u-1)", "sqrt(u^4)^0"})
    BOOST_TEST(is_undefined(evaluate(written(text), 0)), text);
}

BOOST_AUTO_TEST_CASE(the_logistic_loss_is_defined_at_infinity) {
  const LossJet right = evaluate(Loss::logistic(), infinity);
  BOOST_TEST((right.value == 0.0 && right.slope == 0.0 && right.curvature == 0.0));
  const LossJet left = evaluate(Loss::logistic(), -infinity);
  BOOST_TEST((left.value == infinity && left.slope == -1.0 && left.curvature == 0.0));
}

BOOST_AUTO_TEST_CASE(nan_in_gives_nan_out) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(is_undefined(evaluate(Loss::logistic(), nan)));
  BOOST_TEST(is_undefined(evaluate(Loss::exponential(), nan)));
  BOOST_TEST(std::isnan(evaluate(Loss::correlation(), nan).value));
}

BOOST_AUTO_TEST_CASE(a_named_loss_is_its_expression) {
  for (const Loss& loss : {Loss::logistic(), Loss::exponential(), Loss::correlation()})
    for (const double u : {-20.0, -3.5, -0.25, 0.0, 1e-9, 0.7, 4.0, 30.0}) {
      const LossJet named = evaluate(loss, u);
      const LossJet expression = evaluate(Loss::written(loss.expression()), u);
      BOOST_TEST(near(named.value, expression.value), loss.name() << " at " << u);
      BOOST_TEST(near(named.slope, expression.slope), loss.name() << " at " << u);
      // Its last step subtracts, so only to a tolerance relative to what is subtracted.
      BOOST_TEST(std::abs(named.curvature - expression.curvature) <= 1e-15 * (1 + std::abs(named.value)), loss.name() << " at " << u);
    }
}

BOOST_AUTO_TEST_CASE(slope_and_curvature_are_the_derivatives_of_the_value) {
  for (const char* text :
       {"u", "3-u", "u*exp(u)", "exp(u)/(1+u^2)", "u^2", "u^3", "u^5", "u^1", "u^0", "(2+u)^-2", "(2+tanh(u))^3", "exp(-u^2)", "log(2+u)",
        "log1p(exp(-u))", "tanh(2*u-1)", "sqrt(1+u^2)", "-u/(3+u)", "1/(1+exp(u))", "log1p(u^2)*sqrt(3+u)"})
    for (const double u : {-0.9, -0.4, 0.3, 1.1}) BOOST_TEST(slopes_fit(written(text), u, 1e-9), text << " at " << u);
  for (const Loss& loss : {Loss::logistic(), Loss::exponential(), Loss::correlation()})
    for (const double u : {-3.0, -0.4, 0.0, 2.0}) BOOST_TEST(slopes_fit(loss, u, 1e-9), loss.name() << " at " << u);
}

BOOST_AUTO_TEST_CASE(the_check_by_differences_notices_a_kink) { BOOST_TEST(!slopes_fit(written("sqrt(u^2+1e-20)"), 0.0, 1e-9)); }

BOOST_AUTO_TEST_CASE(powers_at_zero_have_their_derivatives) {
  const LossJet square = evaluate(written("u^2"), 0.0);
  BOOST_TEST((square.value == 0.0 && square.slope == 0.0 && square.curvature == 2.0));
  const LossJet constant = evaluate(written("u^0"), 0.0);
  BOOST_TEST((constant.value == 1.0 && constant.slope == 0.0 && constant.curvature == 0.0));
}

BOOST_AUTO_TEST_CASE(tanh_keeps_its_slope_where_it_is_nearly_one) {
  // 4 q / (1 + q)^2 with q = exp(-40), by the same means.
  BOOST_TEST(near(evaluate(written("tanh(u)"), 20.0).slope, 1.69934170211663558e-17));
  BOOST_TEST(near(evaluate(written("tanh(u)"), -20.0).slope, 1.69934170211663558e-17));
}

BOOST_AUTO_TEST_CASE(where_a_rule_is_not_defined_the_jet_is_nan) {
  for (const char* text : {"log(u)", "log(-1+u)", "log1p(-1+u)", "log1p(-2+u)", "1/u", "u/(u*2)", "u^-1", "sqrt(u)", "sqrt(-1+u)",
                           "sqrt(u^2)", "sqrt(0)", "0*sqrt(0)+u"})
    BOOST_TEST(is_undefined(evaluate(written(text), 0.0)), text);
}

BOOST_AUTO_TEST_CASE(where_a_rule_is_defined_the_jet_is_a_number) {
  for (const char* text : {"log(1+u)", "log1p(u)", "1/(1+u)", "(1+u)^-1", "sqrt(1+u)", "log1p(exp(u))", "sqrt(1+u^4)"})
    BOOST_TEST(std::isfinite(evaluate(written(text), 0.0).curvature), text);
}

BOOST_AUTO_TEST_CASE(a_rise_is_the_difference_of_two_losses) {
  // In long doubles the difference keeps some digits; for tiny drops it is the slope's.
  const auto logistic = [](long double u) { return u > 0 ? std::log1p(std::exp(-u)) : -u + std::log1p(std::exp(u)); };
  for (const double u : {-30.0, -1.0, 0.0, 0.7, 5.0, 39.0, 45.0})
    for (const double drop : {-3.0, -0.2, -0.04, 0.01, 0.05, 0.06, 1.0, 20.0}) {
      const LogNumber found = rise(Loss::logistic(), u, {std::log(std::abs(drop)), drop > 0 ? 1 : -1});
      const long double expected = logistic(static_cast<long double>(u) - drop) - logistic(u);
      BOOST_TEST(found.sign == (drop > 0 ? 1 : -1));
      const double error = std::abs(std::exp(found.log) / static_cast<double>(std::abs(expected)) - 1);
      BOOST_TEST(error <= 1e-12, u << ", " << drop << ": " << error);
    }
}

BOOST_AUTO_TEST_CASE(rises_of_written_losses_are_those_of_the_named_ones) {
  for (const double u : {-2.0, 0.0, 3.0})
    for (const double log_drop : {-1000.0, -250.0, -100.0, -10.0, -3.5, -2.0, 1.0})
      for (const int sign : {-1, 1}) {
        const LogNumber named = rise(Loss::exponential(), u, {log_drop, sign});
        const LogNumber spelled = rise(written("exp(-u)"), u, {log_drop, sign});
        BOOST_TEST(named.sign == spelled.sign);
        BOOST_TEST(std::abs(named.log - spelled.log) <= 1e-12);
      }
}

BOOST_AUTO_TEST_CASE(no_drop_no_rise) {
  for (const Loss& loss : {Loss::logistic(), Loss::exponential(), Loss::correlation(), written("exp(-u)")})
    BOOST_TEST(rise(loss, 1.0, {-std::numeric_limits<double>::infinity(), 0}).sign == 0);
}

BOOST_AUTO_TEST_CASE(steepness_is_known_where_the_slope_underflows) {
  BOOST_TEST(steepness(Loss::logistic(), 5000.0).log == -5000.0);
  BOOST_TEST(steepness(Loss::logistic(), -5000.0).log == 0.0);
  BOOST_TEST(steepness(Loss::exponential(), 5000.0).log == -5000.0);
  for (const Loss& loss : {Loss::logistic(), Loss::exponential(), Loss::correlation(), written("1 - tanh(u/2)"), written("u")})
    for (const double u : {-2.0, 0.0, 3.0}) {
      const LogNumber found = steepness(loss, u);
      BOOST_TEST(std::abs(found.sign * std::exp(found.log) + evaluate(loss, u).slope) <= 1e-15);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
