#include "attention.hpp"

#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(attention)

namespace {

/// The margin is 1 - delta: the constant 1 is attained.
const std::string line =
    certificate("assumption-b", R"({"tokens":[[["1"],["0"]]],"labels":[1],"loss":"logistic"})",
                R"({"kind":"assumption-b","selection":[0],"over":"all","nu":"1","gamma_squared":"1"})",
                R"({"v":{"w":["1"],"lambda":[[0,"1"]]},"weights":[[[0,"1"]]],"samples":[{"sample":0,"cells":[{"upto":"1","tree":0}]}]})");

std::string refuted(const std::string& problem, const std::string& over, const std::string& witness) {
  return certificate("assumption-b", problem, R"({"kind":"assumption-b-refuted","selection":[0,0],"over":")" + over + R"("})", witness);
}

}  // namespace

BOOST_AUTO_TEST_CASE(samples_with_the_least_label_margin_are_the_support) {
  const JsonDocument data = JsonDocument::parse(R"({"tokens":[[["1"],["0"]],[["2"],["0"]],[["-1"]]],"labels":[1,1,-1],"loss":"logistic"})");
  const Problem problem(data.root());
  const JsonDocument solution = JsonDocument::parse(R"({"w":["1"],"lambda":[[0,"1"]]})");
  const LabelMargin margin(problem, {0, 0, 0}, solution.root());
  BOOST_TEST(margin.v_squared == 1);
  BOOST_TEST(margin.in_support == std::vector<bool>({true, false, true}), boost::test_tools::per_element());
  const JsonDocument words = JsonDocument::parse(R"(["all","support","both"])");
  const auto& over = words.root().array();
  // A sample of one token does not count.
  BOOST_TEST(counting_samples(problem, read_among(*over[0]), margin) == std::vector<bool>({true, true, false}),
             boost::test_tools::per_element());
  BOOST_TEST(counting_samples(problem, read_among(*over[1]), margin) == std::vector<bool>({true, false, false}),
             boost::test_tools::per_element());
  BOOST_CHECK_THROW(read_among(*over[2]), Rejected);
  const JsonDocument longer = JsonDocument::parse(R"({"w":["2"],"lambda":[[0,"2"]]})");
  BOOST_CHECK_THROW(LabelMargin(problem, {0, 0, 0}, longer.root()), Rejected);
}

BOOST_AUTO_TEST_CASE(the_largest_constant_is_accepted_and_its_twins_are_not) {
  check_twins(line, {
                        {{R"("nu":"1")", R"("nu":"1000001/1000000")"}, "the weights do not close the node"},
                        {{R"("nu":"1")", R"("nu":"0")"}, "statement.nu: not > 0"},
                        {{R"("gamma_squared":"1")", R"("gamma_squared":"2")"}, "not 1/(v.v)"},
                        {{R"("over":"all")", R"("over":"some")"}, "neither all nor support"},
                        {{R"("upto":"1")", R"("upto":"1/2")"}, "the last cell does not end at 1"},
                        {{R"([{"upto":"1","tree":0}])", "[]"}, "no cell"},
                        {{R"([{"upto":"1","tree":0}])", R"([{"upto":"0","tree":0},{"upto":"1","tree":0}])"}, "strictly ascending"},
                        {{R"([{"sample":0,"cells":[{"upto":"1","tree":0}]}])", "[]"}, "sample 0 is missing"},
                        {{R"("sample":0)", R"("sample":1)"}, "sample 0 is due"},
                        {{R"("weights")", R"("cover":[],"weights")"}, R"(unknown key "cover")"},
                        {{R"(["0"])", R"(["1/2"])"}, "the weights do not close the node"},
                        {{R"("w":["1"])", R"("w":["2"])"}, "is not tight"},
                    });
}

BOOST_AUTO_TEST_CASE(rows_outside_of_the_support_need_a_cover_which_costs_a_factor_of_two) {
  // Sample 1 is no support vector; its row 2 is twice that of sample 0.
  const std::string covered = certificate(
      "assumption-b", R"({"tokens":[[["1"],["0"]],[["4"],["2"]]],"labels":[1,1],"loss":"logistic"})",
      R"({"kind":"assumption-b","selection":[0,0],"over":"all","nu":"1/2","gamma_squared":"1"})",
      R"({"v":{"w":["1"],"lambda":[[0,"1"]]},"weights":[[[0,"1"]]],"samples":[{"sample":0,"cells":[{"upto":"1","tree":0}]}],"cover":[{"row":[1,1],"lambda":[[0,1,"2"]]}]})");
  check_twins(covered, {
                           {{R"("nu":"1/2")", R"("nu":"1")"}, "the weights do not close the node"},
                           {{R"(,"cover":[{"row":[1,1],"lambda":[[0,1,"2"]]}])", ""}, R"(the key "cover" is missing)"},
                           {{R"([{"row":[1,1],"lambda":[[0,1,"2"]]}])", "[]"}, "0 entries, not 1"},
                           {{R"([0,1,"2"])", R"([0,1,"3"])"}, "not a combination of the row"},
                           {{R"([0,1,"2"])", R"([1,1,"1"])"}, "the row [1,1] is not of S"},
                           {{R"("row":[1,1])", R"("row":[0,1])"}, "the row [1,1] is due"},
                           {{R"(["2"]])", R"(["7/2"]])"}, "not a combination of the row"},
                       });
  const std::string short_row = with(with(covered, R"(["2"]])", R"(["7/2"]])"), R"([0,1,"2"])", R"([0,1,"1/2"])");
  BOOST_TEST(verdict(short_row).find("the multipliers sum to less than 1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(attention_in_the_limit_refutes_where_another_selection_has_the_margin) {
  const std::string limit = refuted(R"({"tokens":[[["1","0"],["0","1"]],[["1","0"],["0","1"]]],"labels":[1,1],"loss":"logistic"})", "all",
                                    R"({"by":"limit","v":{"w":["1","0"],"lambda":[[0,"1"]]},"p":["-1","1"],"u":["0","2/2"]})");
  check_twins(limit, {
                         {{R"(["-1","1"])", R"(["1","-1"])"}, "below 1 for the token [0,0]"},
                         {{R"(["-1","1"])", R"(["0","0"])"}, "below 1 for the token [0,0]"},
                         {{R"("p":["-1","1"],"u":["0","2/2"])", R"("p":["1","-1"],"u":["1","0"])"}, "attention goes to the selection"},
                         {{R"("2/2")", R"("2/3")"}, "below 1"},
                         {{R"(["0","2/2"])", R"(["1/9","2/2"])"}, "longer than v"},
                         {{R"("by":"limit")", R"("by":"trust")"}, "not a way to refute"},
                     });
}

BOOST_AUTO_TEST_CASE(a_least_row_that_costs_nothing_refutes) {
  // Sample 1 is no support vector, and its row is the shorter one.
  const std::string soft = refuted(R"({"tokens":[[["1"],["0"]],[["3"],["5/2"]]],"labels":[1,1],"loss":"logistic"})", "all",
                                   R"({"by":"soft-row","v":{"w":["1"],"lambda":[[0,"1"]]},"p":["7"]})");
  check_twins(soft, {
                        {{R"("5/2")", R"("2")"}, "the least row [0,1] lowers the margin"},
                        {{R"("5/2")", R"("1")"}, "the least row [0,1] lowers the margin"},
                        {{R"("over":"all")", R"("over":"support")"}, "the least row [0,1] lowers the margin"},
                        {{R"(["7"])", R"(["0"])"}, "row [0,1] is not > 0"},
                        {{R"(["7"])", R"(["-7"])"}, "row [0,1] is not > 0"},
                    });
}

BOOST_AUTO_TEST_CASE(a_support_vector_without_weight_refutes) {
  const std::string weightless =
      refuted(R"({"tokens":[[["1","0"],["-1","0"]],[["1","1"],["0","0"]]],"labels":[1,1],"loss":"logistic"})", "support",
              R"({"by":"weightless","v":{"w":["1","0"],"lambda":[[0,"1"]]},"p":["2","0"],"sample":1,"y":["0","1/1"]})");
  check_twins(weightless, {
                              {{R"("1/1")", R"("1/2")"}, "too small for sample 1"},
                              {{R"(["0","1/1"])", R"(["1","1/1"])"}, "not orthogonal to v"},
                              {{R"("sample":1)", R"("sample":0)"}, "the least row [1,1] is of another sample"},
                              {{R"("sample":1)", R"("sample":2)"}, "there is no sample 2"},
                              {{R"(["2","0"])", R"(["2","3"])"}, "the least row [0,1] is of another sample"},
                              {{R"(["2","0"])", R"(["2","-2"])"}, "row [1,1] is not > 0"},
                              {{R"(["1","1"])", R"(["2","1"])"}, "not a support vector"},
                          });
}

BOOST_AUTO_TEST_CASE(a_margin_at_a_finite_p_refutes) {
  // Attention is even at p = 0, and the mean of the tokens is 2.
  const std::string point = refuted(R"({"tokens":[[["1"],["3"]],[["2"],["1/1"]]],"labels":[1,1],"loss":"logistic"})", "all",
                                    R"({"by":"point","v":{"w":["1"],"lambda":[[0,"1"]]},"p":["0"],"u":["4"]})");
  check_twins(point, {
                         {{R"("1/1")", R"("-1/1")"}, "no margin for sample 1"},
                         {{R"("p":["0"])", R"("p":["-2000000"])"}, "beyond 2^20"},
                         {{R"(["4"])", R"(["-4"])"}, "no margin for sample 0"},
                         {{R"(["4"])", R"(["0"])"}, "witness.u: is 0"},
                     });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
