#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(score_rules)

namespace {

const std::string optimal =
    certificate("globally-optimal", one_input, R"({"kind":"globally-optimal","selection":[0],"unique":true,"gap":"1/10"})", "{}");

/// Scores 1, 1 and -1, -2.
const std::string tied_problem = R"({"tokens":[[["1"],["1"]],[["1"],["2"]]],"labels":[1,-1],"v":["1"],"loss":"correlation"})";

}  // namespace

BOOST_AUTO_TEST_CASE(a_globally_optimal_selection_is_accepted_and_its_twins_are_not) {
  check_twins(optimal, {
                           {{R"("selection":[0])", R"("selection":[1])"}, "token [0,0] scores more"},
                           {{R"("selection":[0])", R"("selection":[3])"}, "sample 0 has no token 3"},
                           {{R"("selection":[0])", R"("selection":[-1])"}, "not an integer"},
                           {{R"("selection":[0])", R"("selection":[0.0])"}, "not an integer"},
                           {{R"("selection":[0])", R"("selection":[0,0])"}, "2 entries, not 1"},
                           {{R"("selection":[0])", R"("selection":[])"}, "0 entries, not 1"},
                           {{R"("gap":"1/10")", R"("gap":"1/11")"}, "statement.gap"},
                           {{R"("gap":"1/10")", R"("gap":0.1)"}, "not a rational"},
                           {{R"("gap":"1/10")", R"("gap":null)"}, "statement.gap"},
                           {{R"("unique":true)", R"("unique":false)"}, "statement.unique"},
                           {{R"("unique":true)", R"("unique":"true")"}, "not a boolean"},
                           {{R"("witness": {})", R"("witness": {"a":1})"}, "unknown key"},
                           {{R"("witness": {})", R"("witness": [])"}, "witness: not an object"},
                           {{R"("v": ["0","0","1"],)", ""}, "problem.v is missing"},
                           {{R"("labels": [1])", R"("labels": [-1])"}, "scores more"},
                       });
  BOOST_TEST(verdict(with(optimal, R"("gap":"1/10")", R"("gap":"010/100")")) == "accepted");
}

BOOST_AUTO_TEST_CASE(a_tie_has_gap_zero_and_is_not_unique) {
  const std::string tied =
      certificate("globally-optimal", tied_problem, R"({"kind":"globally-optimal","selection":[1,0],"unique":false,"gap":"0"})", "{}");
  check_twins(tied,
              {{{R"("unique":false)", R"("unique":true)"}, "statement.unique"}, {{R"([1,0])", R"([1,1])"}, "token [1,0] scores more"}});
}

BOOST_AUTO_TEST_CASE(single_tokens_have_a_null_gap) {
  const std::string single = certificate("globally-optimal", R"({"tokens":[[["1"]]],"labels":[-1],"v":["3"],"loss":"logistic"})",
                                         R"({"kind":"globally-optimal","selection":[0],"unique":true,"gap":null})", "{}");
  check_twins(single, {{{"null", "\"0\""}, "statement.gap"}, {{"true", "false"}, "statement.unique"}});
}

BOOST_AUTO_TEST_CASE(a_better_token_refutes_and_a_worse_one_does_not) {
  const std::string refuted = certificate("globally-optimal", one_input,
                                          R"({"kind":"not-globally-optimal","selection":[1],"unique":false})", R"({"sample":0,"token":0})");
  check_twins(refuted, {
                           {{R"("token":0)", R"("token":2)"}, "token [0,2] does not score enough"},
                           {{R"("token":0)", R"("token":1)"}, "is the selected token"},
                           {{R"("token":0)", R"("token":3)"}, "has no token 3"},
                           {{R"("sample":0)", R"("sample":1)"}, "there is no sample 1"},
                           {{R"("sample":0)", R"("sample":4294967296)"}, "not an integer"},
                           {{R"("selection":[1])", R"("selection":[0])"}, "is the selected token"},
                       });
}

BOOST_AUTO_TEST_CASE(an_equal_token_refutes_uniqueness_alone) {
  const std::string refuted = certificate(
      "globally-optimal", tied_problem, R"({"kind":"not-globally-optimal","selection":[0,0],"unique":true})", R"({"sample":0,"token":1})");
  check_twins(refuted, {{{R"("unique":true)", R"("unique":false)"}, "token [0,1] does not score enough"},
                        {{R"("sample":0)", R"("sample":1)"}, "token [1,1] does not score enough"}});
}

BOOST_AUTO_TEST_CASE(the_frame_of_the_file_is_strict) {
  check_twins(optimal,
              {
                  {{R"("attest_certificate": 1)", R"("attest_certificate": 2)"}, "not the integer 1"},
                  {{R"("attest_certificate": 1)", R"("attest_certificate": 1.0)"}, "not the integer 1"},
                  {{R"("attest_certificate": 1)", R"("attest_certificate": "1")"}, "not the integer 1"},
                  {{R"("attest_certificate": 1, )", ""}, "is missing"},
                  {{R"({"attest_certificate": 1)", R"({"note":"","attest_certificate": 1)"}, "unknown key \"note\""},
                  {{R"("claim": "globally-optimal")", R"("claim": "census")"}, "has no kind"},
                  {{R"("claim": "globally-optimal")", R"("claim": 1)"}, "claim: not a string"},
                  {{R"("claim": "globally-optimal")", R"("claim": "globally-optimal", "claim": "globally-optimal")"}, "stands twice"},
                  {{R"("kind":"globally-optimal")", R"("kind":"loss-bounds")"}, "has no kind"},
                  {{R"("kind":"globally-optimal",)", ""}, "\"kind\" is missing"},
                  {{R"("witness": {}})", R"("witness": {}} x)"}, "bytes after the end"},
                  {{R"("witness": {}})", R"("witness": {})"}, "not JSON"},
              });
  BOOST_TEST(verdict("[]").find("not an object") != std::string::npos);
  BOOST_TEST(verdict("").find("ends too early") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_problem_is_strict) {
  check_twins(optimal, {
                           {{R"(["1","0","9/10"])", R"(["1","0"])"}, "problem.tokens[0][1]: has 2 entries, not 3"},
                           {{R"(["1","0","9/10"])", R"(["1","0",0.9])"}, "problem.tokens[0][1][2]: not a rational"},
                           {{R"(["1","0","9/10"])", R"(["1","0","9/0"])"}, "not a rational"},
                           {{R"([["-1/10","1","1"],["1","0","9/10"],["0","0","9/10"]])", "[]"}, "problem.tokens[0]: no token"},
                           {{R"([[["-1/10","1","1"],["1","0","9/10"],["0","0","9/10"]]])", "[]"}, "problem.tokens: no sample"},
                           {{R"([["-1/10","1","1"],["1","0","9/10"],["0","0","9/10"]])", "[[]]"}, "no component"},
                           {{R"("labels": [1])", R"("labels": [1,1])"}, "problem.labels"},
                           {{R"("labels": [1])", R"("labels": [0])"}, "not a label"},
                           {{R"("labels": [1])", R"("labels": ["1"])"}, "not a label"},
                           {{R"("labels": [1])", R"("labels": [1.0])"}, "not a label"},
                           {{R"("v": ["0","0","1"])", R"("v": ["0","1"])"}, "problem.v"},
                           {{R"("v": ["0","0","1"])", R"("v": null)"}, "problem.v: not an array"},
                           {{R"(["0","0","0"]])", R"(["0","0"]])"}, "problem.W[2]"},
                           {{R"([["1","0","0"],)", "["}, "problem.W: has 2 entries, not 3"},
                           {{R"("loss": "logistic")", R"("loss": "logistic", "queries": [])"}, "problem.queries"},
                           {{R"("loss": "logistic")", R"("loss": "logistic", "query": [])"}, "unknown key"},
                           {{R"(, "loss": "logistic")", ""}, "\"loss\" is missing"},
                       });
  BOOST_TEST(verdict(with(optimal, R"("loss": "logistic")", R"("loss": "logistic", "queries": [["0","1","2"]])")) == "accepted");
}

BOOST_AUTO_TEST_CASE(samples_may_differ_in_their_number_of_tokens) {
  BOOST_TEST(
      verdict(certificate("globally-optimal", R"({"tokens":[[["1"]],[["1"],["2"],["3"]]],"labels":[1,1],"v":["1"],"loss":"logistic"})",
                          R"({"kind":"globally-optimal","selection":[0,2],"unique":true,"gap":"1"})", "{}")) == "accepted");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
