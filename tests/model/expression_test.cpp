#include "attest/model/expression.hpp"
#include "../occurrences.hpp"
#include "repeated_text.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace attest {
namespace {

/// Plain doubles at one point.
struct Doubles {
  double u;
  double number(const Rational& value) { return nearest_double(value); }
  double variable() { return u; }
  double add(double a, double b) { return a + b; }
  double subtract(double a, double b) { return a - b; }
  double multiply(double a, double b) { return a * b; }
  double divide(double a, double b) { return a / b; }
  double negate(double a) { return -a; }
  double power(double a, int k) { return std::pow(a, k); }
  double exp(double a) { return std::exp(a); }
  double log(double a) { return std::log(a); }
  double log1p(double a) { return std::log1p(a); }
  double tanh(double a) { return std::tanh(a); }
  double sqrt(double a) { return std::sqrt(a); }
};

double value_at(const std::string& text, double u) {
  const auto parsed = parse_expression(text);
  const auto* expression = std::get_if<Expression>(&parsed);
  BOOST_REQUIRE_MESSAGE(expression != nullptr, text << " is an expression");
  Doubles arithmetic{u};
  return evaluate_expression(*expression, arithmetic);
}

ExpressionFault fault_of(const std::string& text) {
  const auto parsed = parse_expression(text);
  const auto* fault = std::get_if<ExpressionFault>(&parsed);
  BOOST_REQUIRE_MESSAGE(fault != nullptr, text.substr(0, 60) << " is not an expression");
  return *fault;
}

BOOST_AUTO_TEST_SUITE(expression)

BOOST_AUTO_TEST_CASE(an_expression_has_the_value_that_its_grammar_gives_it) {
  const std::vector<std::pair<std::string, double>> values{{"u", 3},
                                                           {"1+2*u", 7},
                                                           {"10-4-u", 3},
                                                           {"24/4/u", 2},
                                                           {"24/(4/u)", 18},
                                                           {"-u^2", -9},
                                                           {"(-u)^2", 9},
                                                           {"2^3^2", 512},
                                                           {"2^-1", 0.5},
                                                           {"2^--1", 2},
                                                           {"u^(6/3)", 9},
                                                           {"u^(2^3/4)", 9},
                                                           {"u^0", 1},
                                                           {"u^+2*2", 18},
                                                           {"--u", 3},
                                                           {"-+-u", 3},
                                                           {"2*-u", -6},
                                                           {".5*u", 1.5},
                                                           {"1.5e1", 15},
                                                           {"1E-1*u", 0.3},
                                                           {"007", 7},
                                                           {" log ( 1 +\texp( -u ) )\n", std::log(1 + std::exp(-3.0))},
                                                           {"log1p(exp(-u))", std::log1p(std::exp(-3.0))},
                                                           {"tanh(u)", std::tanh(3.0)},
                                                           {"sqrt(u+1)", 2}};
  for (const auto& [text, expected] : values) BOOST_TEST(std::abs(value_at(text, 3) - expected) <= 1e-15 * std::abs(expected), text);
}

BOOST_AUTO_TEST_CASE(a_fault_says_where_and_what_was_expected) {
  struct Wrong {
    std::string text;
    std::size_t position;
    std::string expected;
  };
  const std::vector<Wrong> wrongs{{"", 0, "a number, u, '('"},
                                  {"  ", 2, "a number, u"},
                                  {"u+", 2, "a number, u"},
                                  {"u u", 2, "an operator or the end"},
                                  {"2u", 1, "an operator or the end"},
                                  {"u)", 1, "an operator or the end"},
                                  {"(u", 2, "an operator or ')'"},
                                  {"exp u", 4, "'(' after exp"},
                                  {"exp()", 4, "a number, u"},
                                  {"exp(u,1)", 5, "an operator or ')'"},
                                  {"1+sin(u)", 2, "one of exp, log, log1p, tanh, sqrt"},
                                  {"x", 0, "a number, u"},
                                  {"uu", 0, "a number, u"},
                                  {"u2", 0, "a number, u"},
                                  {"Exp(u)", 0, "a number, u"},
                                  {"1.", 2, "a digit"},
                                  {".", 1, "a digit"},
                                  {"1e", 2, "a digit"},
                                  {"1e+", 3, "a digit"},
                                  {"2exp(u)", 2, "a digit"},
                                  {"1.2.3", 3, "an operator or the end"},
                                  {"1e5001", 0, "an exponent from -5000 to 5000"},
                                  {"1 e5", 2, "an operator or the end"},
                                  {"u**2", 2, "a number, u"},
                                  {"u^", 2, "a number, u"},
                                  {"u;1", 1, "an operator or the end"},
                                  {"\xC2\xB5", 0, "a number, u"},
                                  {std::string("u\0", 2), 1, "an operator or the end"}};
  for (const Wrong& wrong : wrongs) {
    const ExpressionFault fault = fault_of(wrong.text);
    BOOST_TEST(fault.position == wrong.position, wrong.text << " at " << fault.position);
    BOOST_TEST(has(fault.expected, wrong.expected), wrong.text << ": " << fault.expected);
  }
}

BOOST_AUTO_TEST_CASE(exponents_are_whole_numbers_from_minus_64_to_64) {
  for (const char* text : {"u^64", "u^-64", "u^(-64)", "u^(1e5000/1e5000)", "u^(0.5*4)", "u^(2^6)", "u^(1/2^-2)", "u^(-1)^2"})
    BOOST_TEST(std::holds_alternative<Expression>(parse_expression(text)), text);
}

BOOST_AUTO_TEST_CASE(other_exponents_are_refused_where_they_stand) {
  for (const char* text :
       {"2^65", "2^-65", "2^0.5", "2^u", "2^(u-u)", "2^exp(0)", "2^sqrt(4)", "2^(1/0)", "2^(0^-1)", "2^2^7", "2^(1/3)", "2^1e5000"}) {
    const ExpressionFault fault = fault_of(text);
    BOOST_TEST(fault.position == 2U, text);
    BOOST_TEST(has(fault.expected, "whole number from -64 to 64"), text);
  }
}

BOOST_AUTO_TEST_CASE(an_exponent_that_would_fill_the_memory_is_refused) {
  for (const std::string& exponent : {std::string("((((9^64)^64)^64)^64)*0"), times(1000, "1e5000*") + "0"})
    BOOST_TEST(has(fault_of("u^(" + exponent + ")").expected, "whole number from -64 to 64"));
  BOOST_TEST(std::holds_alternative<Expression>(parse_expression("u^(" + times(7, "1e5000*") + "0)")));
}

BOOST_AUTO_TEST_CASE(nesting_is_read_up_to_200_levels) {
  BOOST_TEST(value_at(times(200, "(") + "u" + times(200, ")"), 3) == 3);
  BOOST_TEST(value_at(times(200, "-") + "u", 3) == 3);
  BOOST_TEST(value_at(times(100, "exp(-") + "u" + times(100, ")"), 3) > 0);
  BOOST_TEST(value_at("u" + times(200, "^1"), 3) == 3);
}

BOOST_AUTO_TEST_CASE(deeper_nesting_is_refused) {
  for (const std::string& text :
       {times(201, "(") + "u" + times(201, ")"), times(201, "-") + "u", times(101, "exp(-") + "u" + times(101, ")"), "u" + times(201, "^1"),
        times(9999, "("), times(9999, "-"), times(4999, "u^")})
    BOOST_TEST(has(fault_of(text).expected, "200 levels"), text.substr(0, 20));
}

BOOST_AUTO_TEST_CASE(a_long_flat_expression_is_read) { BOOST_TEST(value_at("u" + times(4999, "+u") + " ", 1) == 5000); }

BOOST_AUTO_TEST_CASE(more_than_10000_characters_are_refused) {
  const ExpressionFault fault = fault_of("u" + times(5000, "+u"));
  BOOST_TEST(fault.position == 10000U);
  BOOST_TEST(has(fault.expected, "at most 10000 characters"));
}

BOOST_AUTO_TEST_CASE(numbers_are_the_exact_decimals) {
  const auto parsed = parse_expression("0.1");
  BOOST_TEST(std::get<Expression>(parsed).nodes().front().number == Rational(1, 10));
}

BOOST_AUTO_TEST_CASE(the_text_is_kept_as_it_was_written) {
  BOOST_TEST(std::get<Expression>(parse_expression(" exp( -u)")).text() == " exp( -u)");
}

BOOST_AUTO_TEST_CASE(the_variable_may_have_another_name) {
  BOOST_TEST(std::holds_alternative<Expression>(parse_expression("tanh(s)", "s")));
  const auto parsed = parse_expression("tanh(u)", "s");
  BOOST_TEST(has(std::get<ExpressionFault>(parsed).expected, "a number, s"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
