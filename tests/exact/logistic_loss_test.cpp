#include "attest/exact/logistic_loss.hpp"

#include "attest/exact/loss_jet.hpp"

#include <boost/test/unit_test.hpp>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(logistic_loss)

LogisticDecision decide(const std::string& text) { return decide_logistic(Loss::written(std::get<Expression>(parse_expression(text)))); }

BOOST_AUTO_TEST_CASE(the_logistic_loss_is_known_by_name_and_as_it_is_usually_written) {
  BOOST_TEST(std::holds_alternative<IsLogistic>(decide_logistic(Loss::logistic())));
  for (const char* text : {"log1p(exp(-u))", "log(1 + exp(-u))", "log(exp(-u)+1)", "+(log((1.0)+exp(-(u))))"})
    BOOST_TEST(std::holds_alternative<IsLogistic>(decide(text)), text);
}

BOOST_AUTO_TEST_CASE(another_loss_is_refuted_at_a_point_where_enclosures_tell_them_apart) {
  std::vector<Loss> others = {Loss::exponential(), Loss::correlation()};
  for (const char* text :
       {"log(1+exp(u))", "log(1+exp(-2*u))", "2*log(1+exp(-u))", "log(2+exp(-u))", "exp(-u)*log(2)", "log1p(exp(-u)) + 1e-9"})
    others.push_back(Loss::written(std::get<Expression>(parse_expression(text))));
  for (const Loss& loss : others) {
    const LogisticDecision decision = decide_logistic(loss);
    BOOST_TEST_REQUIRE(std::holds_alternative<NotLogistic>(decision), loss.expression().text());
    const Rational& u = std::get<NotLogistic>(decision).u;
    const auto found = enclose(loss.expression(), {u, u});
    const auto logistic = enclose(Loss::logistic().expression(), {u, u});
    BOOST_TEST((found->value.lower() > logistic->value.upper() || logistic->value.lower() > found->value.upper()));
  }
}

BOOST_AUTO_TEST_CASE(what_is_neither_written_so_nor_seen_to_differ_is_undecided) {
  // The first two are the logistic loss, the third is not; the fourth has no value where it is looked at.
  for (const char* text : {"log(1 + exp(0 - u))", "log(1 + 1/exp(u))", "log1p(exp(-u)) + 1e-15", "log(u - 1000)"})
    BOOST_TEST(std::holds_alternative<LogisticUndecided>(decide(text)), text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
