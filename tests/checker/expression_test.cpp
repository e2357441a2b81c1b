#include <random>

#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(expression)

namespace {

Loss loss_of(const std::string& expression) {
  JsonDocument document;
  Json& object = document.add(nullptr, JsonKind::object);
  document.add(&object, JsonKind::string, expression, "expression");
  return Loss(document.root());
}

bool reads(const std::string& expression) {
  try {
    (void)loss_of(expression);
    return true;
  } catch (const Rejected&) {
    return false;
  }
}

bool is_defined(const std::string& expression, const Rational& lower, const Rational& upper) {
  try {
    (void)loss_of(expression).jet(lower, upper);
    return true;
  } catch (const Undefined&) {
    return false;
  }
}

/// The value at one point of an expression that needs no rounding there.
Rational value(const std::string& expression, const Rational& u) {
  const Jet jet = loss_of(expression).jet(u, u);
  BOOST_TEST(compare(jet.value.lower, jet.value.upper) == 0, expression);
  const Dyadic& x = jet.value.lower;
  const Integer power = Integer(1) << static_cast<unsigned>(std::abs(x.exponent));
  return x.exponent < 0 ? Rational(x.mantissa, power) : Rational(x.mantissa * power);
}

bool overlaps(const Interval& x, const Interval& y) { return compare(x.lower, y.upper) <= 0 && compare(y.lower, x.upper) <= 0; }

bool inside(const Interval& inner, const Interval& outer) {
  return compare(outer.lower, inner.lower) <= 0 && compare(inner.upper, outer.upper) <= 0;
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(precedence_is_that_of_the_grammar) {
  BOOST_TEST((value("-u^2", 3) == -9));
  BOOST_TEST((value("(-u)^2", 3) == 9));
  BOOST_TEST((value("2^3^2", 0) == 512));
  BOOST_TEST((value("(2^3)^2", 0) == 64));
  BOOST_TEST((value("1/-u", 4) == Rational(-1, 4)));
  BOOST_TEST((value("8/2/2", 0) == 2));
  BOOST_TEST((value("8-2-2", 0) == 4));
  BOOST_TEST((value("2*u^-1", 4) == Rational(1, 2)));
  BOOST_TEST((value("1+2*u", 3) == 7));
  BOOST_TEST((value("--+-u", 3) == -3));
  BOOST_TEST((value("2^-2^2", 0) == Rational(1, 16)));
  BOOST_TEST((value("u^(2^3-6/2-3)", 3) == 9));
  BOOST_TEST((value("u^+2", 3) == 9));
  BOOST_TEST((value("u^0", 0) == 1));
  BOOST_TEST((value("u^(4*2^-1)", 3) == 9));
  BOOST_TEST((value("sqrt(4)", 0) == 2));
  BOOST_TEST((value("exp(0)*log(1)+tanh(0)+log1p(0)", 0) == 0));
}

BOOST_AUTO_TEST_CASE(numbers_are_the_decimals_written) {
  BOOST_TEST((value(".5e1", 0) == 5));
  BOOST_TEST((value("1.25E+2", 0) == 125));
  BOOST_TEST((value("250e-1", 0) == 25));
  BOOST_TEST((value("00012.5", 0) == Rational(25, 2)));
  BOOST_TEST(reads("1e5000"));
  BOOST_TEST(reads("1e-0005000"));
  for (const char* text :
       {"1e5001", "1e-5001", "1e999999999", "1.", "1.e3", ".", "1e", "1e+", "1..2", "0x1", "1_0", "1 .5", "1 e3", "1e 3"})
    BOOST_TEST(!reads(text), text);
}

BOOST_AUTO_TEST_CASE(white_space_stands_between_lexemes_only) {
  BOOST_TEST((value(" \t\n\r1 +\n2 * exp\t( u ) ", 0) == 3));
  for (const char* text : {"e xp(u)", "log 1p(u)", "1\v+1", "1\xC2\xA0+1"}) BOOST_TEST(!reads(text), text);
}

BOOST_AUTO_TEST_CASE(text_outside_the_grammar_is_refused) {
  for (const char* text :
       {"",   " ",     "x",        "U",           "Exp(u)",      "exp u", "exp",    "exp()",   "u u",      "2u",       "u2",    "(u", "u)",
        "()", "u+",    "*u",       "u**2",        "u^",          "^2",    "sin(u)", "log2(u)", "log10(u)", "pow(u,2)", "u,u",   "u;", "1/",
        "--", "exp(u", "logistic", "exponential", "correlation", "uu",    "pi",     "u!",      "[u]",      "u\\",      "abs(u)"})
    BOOST_TEST(!reads(text), text);
  BOOST_TEST(!reads(std::string("u\0", 2)));
}

BOOST_AUTO_TEST_CASE(exponents_are_integers_in_range) {
  for (const char* text : {"u^64", "u^-64", "u^(128/2)", "u^(1e1)", "u^2.0", "u^(0^0)", "u^(1e5000*1e-5000)"})
    BOOST_TEST(reads(text), text);
  for (const char* text : {"u^65", "u^-65", "u^0.5", "u^(1/2)", "u^u", "u^(u-u)", "u^exp(0)", "u^(sqrt(4))", "u^(1/0)", "u^(0^-1)",
                           "u^(2^65/2^64)", "u^4^4", "u^(1/3*3.1)"})
    BOOST_TEST(!reads(text), text);
  std::string tower = "9";
  for (int i = 0; i < 40; ++i) tower.insert(0, 1, '(').append(")^64");
  BOOST_TEST(!reads(tower.insert(0, "u^(0*").append(")")));  // a memory bomb
}

BOOST_AUTO_TEST_CASE(length_and_nesting_are_limited) {
  BOOST_TEST(reads(repeated("u+", 4999) + "u"));
  BOOST_TEST(reads(std::string(9'999, ' ') + "u"));
  BOOST_TEST(!reads(std::string(10'000, ' ') + "u"));
  BOOST_TEST(reads(repeated("(", 200) + "u" + repeated(")", 200)));
  BOOST_TEST(!reads(repeated("(", 201) + "u" + repeated(")", 201)));
  BOOST_TEST(reads(repeated("-", 200) + "u"));
  BOOST_TEST(!reads(repeated("-", 9'000) + "u"));
  BOOST_TEST(!reads(repeated("u^", 4'000) + "1"));
  BOOST_TEST(reads(repeated("1^", 200) + "1"));
  BOOST_TEST(!reads(repeated("1^", 201) + "1"));
  BOOST_TEST((value(repeated("u+", 4999) + "u", 1) == 5000));
}

BOOST_AUTO_TEST_CASE(an_undefined_node_makes_the_jet_undefined) {
  BOOST_TEST(is_defined("log(u)", Rational(1, 1000), 1));
  BOOST_TEST(!is_defined("log(u)", 0, 1));
  BOOST_TEST(is_defined("log1p(u)", Rational(-99, 100), 1));
  BOOST_TEST(!is_defined("log1p(u)", -1, 1));
  BOOST_TEST(is_defined("1/u", 1, 2));
  BOOST_TEST(!is_defined("1/u", -1, 2));
  BOOST_TEST(!is_defined("1/u", 0, 2));
  BOOST_TEST(!is_defined("u^-2", -1, 1));
  BOOST_TEST(is_defined("sqrt(u)", 1, 2));
  BOOST_TEST(!is_defined("sqrt(u)", 0, 2));
  BOOST_TEST(!is_defined("sqrt(u)", 0, 0));
  BOOST_TEST(!is_defined("sqrt(0)", 0, 1));
  BOOST_TEST(!is_defined("0*log(-1)", 0, 1));
  BOOST_TEST(!is_defined("log(-1)^0", 0, 1));
  BOOST_TEST(!is_defined("exp(exp(u))", 14, 15));
  BOOST_TEST(is_defined("exp(exp(u))", 0, 13));
  BOOST_TEST(is_defined("tanh(exp(u))", 0, 1'000'000));
}

BOOST_AUTO_TEST_CASE(at_a_point_on_the_edge_of_a_domain_the_jet_is_undefined) {
  // Each has value, slope and curvature 0 inside the outer function, which hides that the whole is not smooth there.
  for (const char* text : {"sqrt(u^4)", "sqrt(sqrt(u^4))", "sqrt(u^3)", "log(u^4)", "log1p(u^3-1)", "1/u^3", "u^-3", "(u^3)^-1", "u^4/u^3",
                           "sqrt(u^4)^0", "0*sqrt(u^4)", "(1/u)^0"}) {
    BOOST_TEST(!is_defined(text, 0, 0), text);
    BOOST_TEST(is_defined(text, 1, 1), text);
  }
}

BOOST_AUTO_TEST_CASE(softplus_has_its_true_range_however_it_is_written) {
  for (const std::string text : {"log1p(exp(-u))", "log(1+exp(-u))", "log(exp(-u)+1)", "log((1.0)+(exp(-u)))", "log(+exp(-u)+10e-1)"}) {
    const Jet jet = loss_of(text).jet(-10, 10);
    const Jet left = loss_of(text).jet(-10, -10);
    const Jet right = loss_of(text).jet(10, 10);
    BOOST_TEST(compare(jet.value.lower, right.value.lower) == 0, text);
    BOOST_TEST(compare(jet.value.upper, left.value.upper) == 0, text);
    BOOST_TEST(compare(jet.first.lower, left.first.lower) == 0, text);
    BOOST_TEST(compare(jet.first.upper, right.first.upper) == 0, text);
    BOOST_TEST(compare(jet.second.lower, right.second.lower) == 0, text);
    BOOST_TEST(compare(jet.second.upper, {1, -2}) == 0, text);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_softplus_is_enclosed_rule_by_rule) {
  // The same functions, or nearly, in trees that section 3 does not name.
  for (const std::string text : {"log(2-1+exp(-u))", "log(exp(-u)+1+0)", "log(1-(0-exp(-u)))", "log(1+1*exp(-u))", "log1p(1*exp(-u))",
                                 "log(1*1+exp(-u))", "log(1.5+exp(-u))", "log(exp(-u)+exp(0))", "log(-1+exp(-u)+2)"}) {
    const Jet jet = loss_of(text).jet(-10, 10);
    BOOST_TEST(compare(jet.second.upper, {1, 0}) > 0, text);
    BOOST_TEST(inside(loss_of(text).jet(1, 1).second, jet.second), text);
  }
}

BOOST_AUTO_TEST_CASE(softplus_is_precise_where_it_is_tiny) {
  const Arithmetic arithmetic;
  for (const int u : {-1'000'000, -1000, -40, 0, 3, 40, 1000, 1'000'000}) {
    const Jet jet = loss_of("log1p(exp(u))").jet(u, u);
    for (const Interval& part : {jet.value, jet.first, jet.second}) {
      BOOST_TEST(part.lower.mantissa.sign() > 0, u);
      const Interval width = arithmetic.multiply(arithmetic.subtract({part.upper, part.upper}, {part.lower, part.lower}),
                                                 arithmetic.enclose(Rational(Integer(1) << 200U)));
      BOOST_TEST(compare(width.upper, part.lower) <= 0, u);
    }
  }
  BOOST_TEST(!is_defined("log1p(exp(u))", 0, 1'048'577));
}

BOOST_AUTO_TEST_CASE(derivatives_agree_with_difference_quotients) {
  // Values alone at 1500 bits give the quotients, so the rules for f' and f'' are not used.
  const Arithmetic fine(1500);
  const Rational h(1, Integer(1) << 200U);
  const Rational slack(1, Integer(1) << 200U);
  std::mt19937 random(11);
  for (const std::string expression :
       {"log1p(exp(-u))", "log(1+exp(u^2-2))", "log(exp(3-2*u)+1)", "exp(-u)", "-u", "u*u*exp(u)", "u^7-3*u^2", "1/(u^2+1)", "u^-3", "u^-1",
        "tanh(u*2-1)", "sqrt(u+5)", "log(u^2+1)", "exp(-u^2)/(1+exp(u))", "sqrt(tanh(u)^2+1)^3", "(u+1)/(u+7)", "log1p(tanh(u)/2)",
        "2^-3*u^64", "exp(2*tanh(-u))-u/3"}) {
    const Loss loss = loss_of(expression);
    for (int i = 0; i < 6; ++i) {
      const Rational x(static_cast<int>(random() % 4000) + 100, 1000);
      const Interval left = loss.jet(x - h, x - h, fine).value;
      const Interval middle = loss.jet(x, x, fine).value;
      const Interval right = loss.jet(x + h, x + h, fine).value;
      const Interval first = fine.multiply(fine.subtract(right, left), fine.enclose(1 / (2 * h)));
      const Interval second = fine.multiply(fine.subtract(fine.add(left, right), fine.multiply(2, middle)), fine.enclose(1 / (h * h)));
      // the quotients err by about h² times a higher derivative
      const Interval widen = fine.enclose(-slack, slack);
      const Jet jet = loss.jet(x, x);
      BOOST_TEST(overlaps(jet.first, fine.add(first, widen)), expression);
      BOOST_TEST(overlaps(jet.second, fine.add(second, widen)), expression);
      const Jet wide = loss.jet(x - Rational(1, 20), x + Rational(1, 30));
      BOOST_TEST(inside(jet.value, wide.value), expression);
      BOOST_TEST(inside(jet.first, wide.first), expression);
      BOOST_TEST(inside(jet.second, wide.second), expression);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_loss_is_a_name_or_an_expression_object) {
  const auto loads = [](const std::string& text) {
    const JsonDocument document = JsonDocument::parse(text);
    try {
      return Loss(document.root()).text();
    } catch (const Rejected&) {
      return std::string("refused");
    }
  };
  BOOST_TEST(loads(R"("logistic")") == "logistic");
  BOOST_TEST(loads(R"({"expression":"-u"})") == "-u");
  for (const char* text : {R"("-u")", R"("Logistic")", R"({"expression":"-x"})", R"({"expression":"-u","a":1})", R"({})",
                           R"({"expression":1})", "null", "1", "[]"})
    BOOST_TEST(loads(text) == "refused", text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
