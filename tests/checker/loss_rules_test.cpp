#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(loss_rules)

namespace {

std::string logistic_bounds(const std::string& cuts = R"(["-1/2","0","1/2"])") {
  return certificate("assumption-a", one_input,
                     R"({"kind":"loss-bounds","interval":["-1","1"],"slope_sup":"-134471/500000",
                           "m0":"3/10","m1":"8/10","covers_scores":true})",
                     R"({"cuts":)" + cuts + "}");
}

/// Cells of width 2/count on [-1, 1].
std::string many_cuts(int count) {
  std::string cuts;
  for (int i = 1; i < count; ++i) cuts += (i > 1 ? ",\"" : "\"") + std::to_string(2 * i - count) + "/" + std::to_string(count) + "\"";
  return "[" + cuts + "]";
}

std::string expression_problem(const std::string& expression) {
  return with(one_input, R"("logistic")", R"({"expression":")" + expression + "\"}");
}

std::string not_decreasing(const std::string& loss, const std::string& a, const std::string& b, const std::string& by) {
  return certificate("assumption-a", expression_problem(loss),
                     R"({"kind":"loss-not-decreasing","interval":["-2","2"],"a":")" + a + R"(","b":")" + b + R"(","covers_scores":false})",
                     R"({"by":")" + by + "\"}");
}

bool accepted(const std::string& text) { return verdict(text) == "accepted"; }

std::string exact_bounds(const std::string& loss, const std::string& statement_rest) {
  return certificate("assumption-a", expression_problem(loss), R"({"kind":"loss-bounds",)" + statement_rest + "}", R"({"cuts":[]})");
}

}  // namespace

BOOST_AUTO_TEST_CASE(logistic_bounds_hold_with_cuts_and_fail_when_tighter_than_the_truth) {
  // on [-1, 1]: sup l' = -1/(1+e) = -0.26894142…, sup |l'| = 0.73105857…, sup l'' = 1/4
  const std::string close = with(with(with(logistic_bounds(many_cuts(1000)), "-134471/500000", "-67/250"), R"("8/10")", R"("14661/20000")"),
                                 R"("3/10")", R"("63/250")");
  BOOST_TEST(verdict(close) == "accepted");
  BOOST_TEST(!accepted(with(close, "-67/250", "-268942/1000000")));
  BOOST_TEST(!accepted(with(close, "14661/20000", "731058/1000000")));
  BOOST_TEST(!accepted(with(close, "63/250", "249/1000")));
}

BOOST_AUTO_TEST_CASE(logistic_bounds_at_points_are_sharp) {
  const auto at = [](const std::string& u, const std::string& slope, const std::string& m0, const std::string& m1) {
    return verdict(certificate("assumption-a", one_input,
                               R"({"kind":"loss-bounds","interval":[")" + u + R"(",")" + u + R"("],"slope_sup":")" + slope + R"(","m0":")" +
                                   m0 + R"(","m1":")" + m1 + R"(","covers_scores":false})",
                               R"({"cuts":[]})"));
  };
  BOOST_TEST(at("1", "-268941/1000000", "1", "1") == "accepted");
  BOOST_TEST(at("1", "-268942/1000000", "1", "1") == "on cell 0 of 1: sup l' exceeds slope_sup");
  BOOST_TEST(at("-1", "-1/2", "1", "731059/1000000") == "accepted");
  BOOST_TEST(at("-1", "-1/2", "1", "731058/1000000") == "on cell 0 of 1: -inf l' exceeds m1");
  BOOST_TEST(at("0", "-1/2", "1/4", "1/2") == "accepted");
  BOOST_TEST(at("0", "-1/2", "249999/1000000", "1/2") == "on cell 0 of 1: sup l'' exceeds m0");
  BOOST_TEST(at("800", "-1/10000000000", "1", "1") == "on cell 0 of 1: sup l' exceeds slope_sup");
  BOOST_TEST(at("-800", "-9999999999/10000000000", "1/10000000000", "2") == "accepted");
}

BOOST_AUTO_TEST_CASE(loss_bounds_twins_are_rejected) {
  const std::string good = with(logistic_bounds(many_cuts(100)), "-134471/500000", "-13/50");
  check_twins(good, {
                        {{R"("-13/50")", R"("0")"}, "statement.slope_sup: not < 0"},
                        {{R"("-13/50")", R"("1/100")"}, "statement.slope_sup: not < 0"},
                        {{R"("-13/50")", R"("-27/100")"}, "sup l' exceeds slope_sup"},
                        {{R"("8/10")", R"("7/10")"}, "-inf l' exceeds m1"},
                        {{R"("3/10")", R"("2/10")"}, "sup l'' exceeds m0"},
                        {{R"("3/10")", R"("-3/10")"}, "exceeds m0"},
                        {{R"(["-1","1"])", R"(["1","-1"])"}, "out of order"},
                        {{R"(["-1","1"])", R"(["-1","1","2"])"}, "3 entries"},
                        {{R"(["-1","1"])", R"([-1,1])"}, "not a rational"},
                        {{R"("-96/100")", R"("-98/100")"}, "cuts do not ascend"},
                        {{R"("98/100")", R"("1")"}, "cuts do not ascend"},
                        {{R"("-98/100")", R"("-1")"}, "cuts do not ascend"},
                        {{R"("covers_scores":true)", R"("covers_scores":1)"}, "not a boolean"},
                        {{R"("m0":"3/10",)", ""}, "\"m0\" is missing"},
                        {{R"("m0":"3/10",)", R"("m0":"3/10","m2":"1",)"}, "unknown key \"m2\""},
                        {{R"("v": ["0","0","1"],)", ""}, "problem.v is missing"},
                        {{R"("v": ["0","0","1"],)", R"("v": ["0","0","2"],)"}, "score of token [0,0]"},
                        {{R"("assumption-a")", R"("p-svm")"}, "has no kind"},
                    });
}

BOOST_AUTO_TEST_CASE(scores_need_not_be_covered_when_the_statement_does_not_say_so) {
  const std::string uncovered = with(with(with(logistic_bounds(many_cuts(100)), "-134471/500000", "-13/50"), R"("v": ["0","0","1"],)", ""),
                                     R"("covers_scores":true)", R"("covers_scores":false)");
  BOOST_TEST(verdict(uncovered) == "accepted");
}

BOOST_AUTO_TEST_CASE(exact_bounds_of_correlation_are_accepted_and_no_tighter_ones) {
  const std::string good = exact_bounds("-u", R"("interval":["-1/3","1"],"slope_sup":"-1","m0":"0","m1":"1","covers_scores":false)");
  BOOST_TEST(verdict(good) == "accepted");
  BOOST_TEST(!accepted(with(good, R"("slope_sup":"-1")", R"("slope_sup":"-1000000000000000000001/1000000000000000000000")")));
  BOOST_TEST(!accepted(with(good, R"("m1":"1")", R"("m1":"999999999999999999999/1000000000000000000000")")));
  BOOST_TEST(verdict(with(good, R"(["-1/3","1"])", R"(["1/3","1/3"])")) == "accepted");
  BOOST_TEST(!accepted(with(with(good, R"(["-1/3","1"])", R"(["1/3","1/3"])"), R"("cuts":[])", R"("cuts":["1/3"])")));
}

BOOST_AUTO_TEST_CASE(a_concave_loss_is_bounded_below_too) {
  const std::string good = exact_bounds("-u-u^2/8", R"("interval":["0","1"],"slope_sup":"-1","m0":"1/4","m1":"5/4","covers_scores":false)");
  check_twins(good, {{{R"("1/4")", R"("1/5")"}, "-inf l'' exceeds m0"}, {{R"("5/4")", R"("6/5")"}, "-inf l' exceeds m1"}});
}

BOOST_AUTO_TEST_CASE(undefined_jets_are_rejected) {
  const std::string rest = R"("interval":["-1","1"],"slope_sup":"-1/1000","m0":"1000","m1":"1000","covers_scores":false)";
  BOOST_TEST(verdict(exact_bounds("-log(2+u)", rest)) == "accepted");
  BOOST_TEST(verdict(exact_bounds("-log(1+u)", rest)).find("log of an interval") != std::string::npos);
  BOOST_TEST(verdict(exact_bounds("1/u", rest)).find("division by an interval that holds 0") != std::string::npos);
  BOOST_TEST(verdict(exact_bounds("-sqrt(1+u)", rest)).find("sqrt of an interval") != std::string::npos);
  BOOST_TEST(verdict(exact_bounds("-exp(2000000+u)", rest)).find("exp of an argument") != std::string::npos);
  BOOST_TEST(verdict(exact_bounds("-exp(800+u)", rest)).find("exceeds m1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_malformed_loss_is_rejected_even_where_it_is_not_used) {
  const std::string good = certificate("globally-optimal", one_input, R"({"kind":"not-globally-optimal","selection":[1],"unique":false})",
                                       R"({"sample":0,"token":0})");
  check_twins(good, {{{R"("logistic")", R"("hinge")"}, "problem.loss: unknown loss \"hinge\""},
                     {{R"("logistic")", R"({"expression":"u^u"})"}, "problem.loss: the exponent"},
                     {{R"("logistic")", R"({"expression":"1e999999999"})"}, "problem.loss: the number"}});
}

BOOST_AUTO_TEST_CASE(a_loss_that_rises_is_shown_by_values_or_slope) {
  BOOST_TEST(verdict(not_decreasing("u^2", "0", "1", "values")) == "accepted");
  BOOST_TEST(verdict(not_decreasing("u^2", "0", "1", "slope")) == "accepted");
  BOOST_TEST(verdict(not_decreasing("u^2", "-1/2", "1", "values")) == "accepted");
  BOOST_TEST(verdict(not_decreasing("u^2", "-1", "1", "values")) == "accepted");  // equal and exact
  BOOST_TEST(verdict(not_decreasing("0*u", "-1/3", "1/3", "values")) == "accepted");
  BOOST_TEST(verdict(not_decreasing("exp(u)", "-1/3", "1/3", "slope")) == "accepted");
}

BOOST_AUTO_TEST_CASE(a_loss_that_falls_is_not_shown_to_rise) {
  BOOST_TEST(verdict(not_decreasing("-u", "0", "1", "values")).find("by values") != std::string::npos);
  BOOST_TEST(verdict(not_decreasing("-u", "0", "1", "slope")).find("by slope") != std::string::npos);
  BOOST_TEST(!accepted(not_decreasing("log1p(exp(-u))", "-2", "2", "values")));
  BOOST_TEST(!accepted(not_decreasing("u^2", "-1", "1", "slope")));
  BOOST_TEST(!accepted(not_decreasing("u^2", "-1", "1/2", "values")));
  BOOST_TEST(!accepted(not_decreasing("log(u)", "0", "1", "values")));
  BOOST_TEST(!accepted(not_decreasing("u - 1e-60*u^3", "-2", "2", "fiat")));
  BOOST_TEST(!accepted(not_decreasing("u^2", "1", "1", "values")));
  BOOST_TEST(!accepted(not_decreasing("u^2", "1", "0", "values")));
  BOOST_TEST(!accepted(not_decreasing("u^2", "1", "3", "values")));
  BOOST_TEST(!accepted(not_decreasing("u^2", "-3", "3", "values")));
}

BOOST_AUTO_TEST_CASE(covered_scores_are_the_exact_range) {
  const std::string good =
      certificate("assumption-a", expression_problem("u"),
                  R"({"kind":"loss-not-decreasing","interval":["9/10","1"],"a":"9/10","b":"1","covers_scores":true})", R"({"by":"slope"})");
  check_twins(good, {{{R"(["9/10","1"])", R"(["8/10","1"])"}, "least and the largest score"},
                     {{R"(["9/10","1"])", R"(["9/10","2"])"}, "least and the largest score"},
                     {{R"("v": ["0","0","1"],)", ""}, "problem.v is missing"}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
