#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(sparsity_and_head_rules)

namespace {

std::string sparse(const std::string& problem, const std::string& statement, const std::string& witness) {
  return certificate("sparsity-norm", problem, statement, witness);
}

/// The tokens 0, 1, 2 on a line, of which 0 is selected: tanh u is between 38/100 u and u.
const std::string line = R"({"tokens":[[["0"],["1"],["2"]]],"labels":[1],"v":["1"],"loss":"logistic"})";
const std::string bounds = certificate(
    "head-path", line, R"({"kind":"head-bounds","selection":[0],"head":"-tanh(u)*1","bounds":[["38/100","1"]]})", R"({"cuts":[["1"]]})");
const std::string envelope = certificate(
    "head-path", line, R"({"kind":"head-envelope","selection":[0],"head":"-tanh(u)*1","envelope":[{"radius":"40","square":"1/80"}]})",
    R"({"lambda":[[0,1,"1"]],"loss":{"interval":["-1","0"],"slope_sup":"-49/100","m0":"26/100","m1":"74/100","cuts":[]},
        "bounds":[["38/100","1"]],"cuts":[["1"]],
        "entries":[{"shift":[],"reach":"1/1000","slopes":[["499/1000","501/1000"]],"near":{"bounds":[["999/1000","1"]],"cuts":[[]]}}]})");

}  // namespace

BOOST_AUTO_TEST_CASE(a_bracket_of_the_least_norm_is_accepted_and_its_twins_are_not) {
  const std::string good =
      sparse(one_input, R"({"kind":"sparsity-norm","over":"p","selection":[0],"epsilon":"1/10","lower":"2186/1000","upper":"292/100"})",
             R"({"weights":[[0,2,"1"]],"point":[[0,2,"29/10"]]})");
  check_twins(good, {
                        {{"2186/1000", "2187/1000"}, "clause 1: the weights do not show lower"},
                        {{R"("lower":"2186/1000")", R"("lower":"-1")"}, "lower: is negative"},
                        {{R"([[0,2,"1"]])", "[]"}, "clause 1: no weights, but lower is not 0"},
                        {{R"([[0,2,"1"]])", R"([[0,2,"-1"]])"}, "is not > 0"},
                        {{R"("29/10")", R"("26/10")"}, "clause 2: attention 1 - epsilon is not shown for sample 0"},
                        {{R"("29/10")", R"("3")"}, "clause 3: longer than upper"},
                        {{R"("upper":"292/100")", R"("upper":"-292/100")"}, "upper: below lower"},
                        {{R"("epsilon":"1/10")", R"("epsilon":"0")"}, "not between 0 and 1"},
                        {{R"("epsilon":"1/10")", R"("epsilon":"1")"}, "not between 0 and 1"},
                        {{R"("epsilon":"1/10")", R"("epsilon":"6/10")"}, "clause 1: A >= 0 is not shown"},
                        {{R"("epsilon":"1/10")", R"("epsilon":"1/100")"}, "clause 2"},
                        {{R"("epsilon":"1/10",)", ""}, R"(the key "epsilon" is missing)"},
                    });
  BOOST_TEST(verdict(with(with(good, "2186/1000", "0"), R"([[0,2,"1"]])", "[]")) == "accepted");
  // Over both rows the entropy helps: the bracket is closer.
  BOOST_TEST(verdict(with(with(good, R"([[0,2,"1"]])", R"([[0,1,"9/20"],[0,2,"11/20"]])"), "2186/1000", "22/10")) == "accepted");
}

BOOST_AUTO_TEST_CASE(weights_whose_sum_is_zero_show_no_lower_bound) {
  // Attention 1/2 is reached at 0; opposite rows have A = 0 = the length of their sum.
  const std::string opposite = R"({"tokens":[[["0"],["1"]],[["0"],["-1"]]],"labels":[1,1],"loss":"logistic"})";
  const std::string good =
      sparse(opposite, R"({"kind":"sparsity-norm","over":"p","selection":[1,1],"epsilon":"1/2","lower":"0","upper":"10"})",
             R"({"weights":[[0,0,"1"],[1,0,"1"]],"point":[]})");
  check_twins(good, {{{R"("lower":"0")", R"("lower":"10")"}, "clause 1: the sum of weight times row is 0"}});
}

BOOST_AUTO_TEST_CASE(attention_that_no_prompt_reaches_is_shown_by_weights) {
  const std::string between = R"({"tokens":[[["-1"],["0"],["1"]]],"labels":[1],"loss":"logistic"})";
  const std::string good = sparse(between, R"({"kind":"sparsity-infeasible","over":"p","selection":[1],"epsilon":"1/10"})",
                                  R"({"weights":[[0,0,"1"],[0,2,"1"]]})");
  check_twins(good, {
                        {{R"([0,2,"1"]])", R"([0,2,"2"]])"}, "the sum of weight times row is not 0"},
                        {{R"("epsilon":"1/10")", R"("epsilon":"7/10")"}, "A > 0 is not shown"},
                        {{R"([[0,0,"1"],[0,2,"1"]])", "[]"}, "A > 0 is not shown"},
                        {{R"("weights")", R"("point":[],"weights")"}, R"(unknown key "point")"},
                    });
}

BOOST_AUTO_TEST_CASE(the_least_norm_over_W_counts_the_queries) {
  // The row is (1,-1)(3,0)^T, of length 3 sqrt 2.
  const std::string good =
      sparse(R"({"tokens":[[["1","0"],["0","1"]]],"labels":[1],"queries":[["3","0"]],"loss":"logistic"})",
             R"({"kind":"sparsity-norm","over":"W","selection":[0],"epsilon":"1/10","lower":"517/1000","upper":"519/1000"})",
             R"({"weights":[[0,1,"1"]],"point":[[0,1,"12215/100000"]]})");
  check_twins(good, {{{"517/1000", "518/1000"}, "clause 1"},
                     {{R"([["3","0"]])", R"([["2","0"]])"}, "clause 2"},
                     {{R"("over":"W")", R"("over":"p")"}, "clause"}});
}

BOOST_AUTO_TEST_CASE(bounds_of_a_head_are_accepted_and_their_twins_are_not) {
  check_twins(bounds, {
                          {{R"(["38/100","1"])", R"(["39/100","1"])"}, "not shown on cell 1 of 2"},
                          {{R"(["38/100","1"])", R"(["38/100","99/100"])"}, "not shown on cell 0 of 2"},
                          {{R"(["38/100","1"])", R"(["43/100","1"])"}, "not shown on cell 0 of 2"},
                          {{R"(["38/100","1"])", R"(["0","1"])"}, "c_lo is not > 0"},
                          {{R"(["38/100","1"])", "null"}, "not an array"},
                          {{R"([["1"]]})", R"([[]]})"}, "not shown on cell 0 of 1"},
                          {{R"([["1"]]})", R"([["2"]]})"}, "cuts do not lead from"},
                          {{R"([["1"]]})", R"([["1","1/2"]]})"}, "cuts do not lead from"},
                          {{R"("selection":[0])", R"("selection":[1])"}, "has tokens on both sides"},
                          {{R"("labels":[1])", R"("labels":[-1])"}, "not shown on cell 0"},
                          {{R"(["2"]])", R"(["0"]])"}, "has the v.x of the selected one"},
                          {{R"("v":["1"],)", ""}, "problem.v is missing"},
                          {{R"("-tanh(u)*1")", R"("-log(u)*1")"}, "the head: log of an interval"},
                          {{R"("-tanh(u)*1")", R"("logistic")"}, "statement.head"},
                          {{R"("-tanh(u)*1")", R"({"expression":"u"})"}, "statement.head: not a string"},
                      });
}

BOOST_AUTO_TEST_CASE(cells_lead_away_from_the_selected_token_to_either_side) {
  const std::string mirrored =
      with(with(with(bounds, R"([["0"],["1"],["2"]])", R"([["0"],["-1"],["-2"]],[["3"]])"), R"([1],"v")", R"([-1,1],"v")"),
           R"("selection":[0])", R"("selection":[0,0])");
  const std::string good = with(with(mirrored, R"([["38/100","1"]])", R"([["38/100","1"],null])"), R"([["1"]]})", R"([["-1"],[]]})");
  check_twins(good, {{{R"(,null])", R"(,["1","1"]])"}, "not null, but the sample has one token"},
                     {{R"([["-1"],[]]})", R"([["-1"],["3"]]})"}, "cuts do not lead from"},
                     {{R"([["-1"],[]]})", R"([["1"],[]]})"}, "cuts do not lead from"}});
}

BOOST_AUTO_TEST_CASE(the_envelope_of_a_head_is_accepted_and_its_twins_are_not) {
  check_twins(envelope, {
                            {{R"("square":"1/80")", R"("square":"1/90")"}, "clause 8"},
                            {{R"("radius":"40")", R"("radius":"1")"}, "clause 5: the first stage does not close"},
                            {{R"("reach":"1/1000")", R"("reach":"1")"}, "clause 5: not between 0 and 1"},
                            {{R"("reach":"1/1000")", R"("reach":"1/20")"}, "not shown on cell 0 of 1"},
                            {{R"("interval":["-1","0"])", R"("interval":["-9/10","0"])"}, "clause 2: the interval does not hold"},
                            {{R"("m1":"74/100")", R"("m1":"73/100")"}, "-inf l' exceeds m1"},
                            {{R"(["499/1000","501/1000"])", R"(["499/1000","5002/10000"])"}, "clause 6: -inf l' exceeds M_i"},
                            {{R"(["499/1000","501/1000"])", R"(["5001/10000","501/1000"])"}, "clause 6: sup l' exceeds -mu_i"},
                            {{R"(["999/1000","1"])", R"(["1","1"])"}, "near.bounds[0]: not shown on cell 0 of 1"},
                            {{R"("bounds":[["38/100","1"]])", R"("bounds":[["39/100","1"]])"}, "not shown on cell 1 of 2"},
                            {{R"("selection":[0])", R"("over":"p","selection":[0])"}, R"(unknown key "over")"},
                            {{R"([[0,1,"1"]])", R"([[0,2,"1"]])"}, "does not solve the SVM"},
                            {{R"("square":"1/80")", R"("square":"1/80","rate":null)"}, R"(unknown key "rate")"},
                        });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
