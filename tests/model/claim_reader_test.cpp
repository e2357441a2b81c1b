#include "case_reading.hpp"

#include <boost/test/unit_test.hpp>

namespace attest {
namespace {

const std::string with_v = "\"v\": [1, 0],";

CaseText one_claim(const std::string& claim, const std::string& more = with_v) { return {.more = more, .claims = "[" + claim + "]"}; }

/// A `descends` with one parameter.
CaseText descends(const std::string& parameter) { return one_claim("{\"claim\": \"descends\", " + parameter + "}"); }

ClaimRequest read_claim(const CaseText& text) { return accepted(text).claims.at(0); }

BOOST_AUTO_TEST_SUITE(claim_reader)

BOOST_AUTO_TEST_CASE(a_claim_carries_its_parameters_expectation_and_grade) {
  const ClaimRequest claim =
      read_claim(one_claim(R"({"claim": "separates", "selection": [1, 2], "objective": "50/101", "expect": "fails", "grade": "proved"})"));
  BOOST_TEST(claim.claim == "separates");
  BOOST_TEST((*claim.find<Selection>("selection") == Selection{1, 2}));
  BOOST_TEST(*claim.find<Rational>("objective") == Rational(50, 101));
  BOOST_TEST((claim.expect == Verdict::fails));
  BOOST_TEST((claim.grade == Grade::proved));
  BOOST_TEST(claim.find<Rational>("step") == nullptr);
}

BOOST_AUTO_TEST_CASE(every_kind_of_parameter_is_read) {
  const ClaimRequest claim = read_claim(one_claim(R"({"claim": "descends", "step": 0.1, "iterations": 1e6, "starts": [[1, 0], ["1/3", 2]],
                                                      "reaches": [[0, 0], [1, 2]], "method": "constant"})"));
  BOOST_TEST(*claim.find<Rational>("step") == Rational(1, 10));
  BOOST_TEST(*claim.find<std::int64_t>("iterations") == 1'000'000);
  BOOST_TEST((claim.find<std::vector<RationalPoint>>("starts")->at(1) == RationalPoint{Rational(1, 3), 2}));
  BOOST_TEST((claim.find<std::vector<Selection>>("reaches")->at(1) == Selection{1, 2}));
  BOOST_TEST(*claim.find<std::string>("method") == "constant");
  const ClaimRequest bounded = read_claim(one_claim(R"({"claim": "bounded", "interval": [-1e400, "1/2"], "strict": false})"));
  BOOST_TEST(bounded.find<RationalInterval>("interval")->low == *parse_decimal("-1e400"));
  BOOST_TEST(bounded.find<RationalInterval>("interval")->high == Rational(1, 2));
  BOOST_TEST(*bounded.find<bool>("strict") == false);
}

BOOST_AUTO_TEST_CASE(rows_are_lists_of_tokens_and_samples_of_the_data) {
  const ClaimRequest claim = read_claim(one_claim(R"({"claim": "bounded", "tight": [[1, 2], [0, 0]], "supports": [[1]], "many": 0})"));
  BOOST_TEST((*claim.find<RowNames>("tight") == RowNames{{1, 2}, {0, 0}}));
  BOOST_TEST((*claim.find<RowNames>("supports") == RowNames{{1}}));
  BOOST_TEST(*claim.find<std::int64_t>("many") == 0);
  BOOST_TEST(read_claim(one_claim(R"({"claim": "bounded", "tight": []})")).find<RowNames>("tight")->empty());
}

BOOST_AUTO_TEST_CASE(rows_that_are_none_of_the_data_are_refused) {
  const auto bounded = [](const std::string& parameter) { return one_claim("{\"claim\": \"bounded\", " + parameter + "}"); };
  check_refused(bounded("\"tight\": [[0, 2]]"), "$.claims[0].tight[0]", "an array of 2", "a token [i, t] of the data");
  check_refused(bounded("\"tight\": [[0, 0], [2, 0]]"), "$.claims[0].tight[1]", "an array of 2", "a token [i, t] of the data");
  check_refused(bounded("\"tight\": [[0]]"), "$.claims[0].tight[0]", "an array of 1", "a token [i, t]");
  check_refused(bounded("\"tight\": [[0, 0, 0]]"), "$.claims[0].tight[0]", "an array of 3", "a token [i, t]");
  check_refused(bounded("\"tight\": [[0, -1]]"), "$.claims[0].tight[0]", "an array of 2", "a token [i, t]");
  check_refused(bounded("\"tight\": [[0, 1], [0, 1]]"), "$.claims[0].tight[1]", "an array of 2", "not listed before");
  check_refused(bounded("\"tight\": 3"), "$.claims[0].tight", "3", "an array of rows");
  check_refused(bounded("\"tight\": [3]"), "$.claims[0].tight[0]", "3", "a token [i, t]");
  check_refused(bounded("\"supports\": [[2]]"), "$.claims[0].supports[0]", "an array of 1", "a sample [i] of the data");
  check_refused(bounded("\"supports\": [[0, 1]]"), "$.claims[0].supports[0]", "an array of 2", "a sample [i] of the data");
  check_refused(bounded("\"many\": -1"), "$.claims[0].many", "-1", "a whole number from 0 to 10^12");
}

BOOST_AUTO_TEST_CASE(claims_are_a_non_empty_array_of_objects) {
  check_refused({.claims = "[]"}, "$.claims", "an empty array", "`attest verify` needs at least one");
  check_refused({.claims = "{}"}, "$.claims", "an empty object", "a non-empty array of claims");
  check_refused({.claims = "[{\"claim\": \"plain\"}, \"plain\"]"}, "$.claims[1]", "\"plain\"", "an object");
  check_refused({.claims = "[{}]"}, "$.claims[0]", "no claim", "claim: the name of a claim");
}

BOOST_AUTO_TEST_CASE(an_unknown_claim_is_refused_with_the_known_and_the_likely_one) {
  check_refused({.claims = R"([{"claim": "plane"}])"}, "$.claims[0].claim", "\"plane\"",
                "one of bounded, descends, plain, separates (did you mean plain?)");
  check_refused({.claims = R"([{"claim": 3}])"}, "$.claims[0].claim", "3", "one of bounded");
  check_refused({.claims = R"([{"claim": ""}])"}, "$.claims[0].claim", "\"\"", "one of bounded");
  check_refused({.claims = R"([{"claim": "Plain"}])"}, "$.claims[0].claim", "\"Plain\"", "(did you mean plain?)");
}

BOOST_AUTO_TEST_CASE(an_unknown_parameter_is_refused_with_the_likely_one) {
  check_refused(one_claim(R"({"claim": "separates", "selectoin": [0, 0]})"), "$.claims[0].selectoin", "unknown key",
                "one of claim, expect, grade, objective, selection (did you mean selection?)");
  check_refused(one_claim(R"({"claim": "plain", "selection": [0, 0]})"), "$.claims[0].selection", "unknown key",
                "one of claim, expect, grade");
}

BOOST_AUTO_TEST_CASE(a_required_parameter_is_missed) {
  check_refused(one_claim(R"({"claim": "separates"})"), "$.claims[0]", "no selection", "selection, which the claim `separates` requires");
}

BOOST_AUTO_TEST_CASE(expect_and_grade_are_words_of_their_own) {
  check_refused(one_claim(R"({"claim": "plain", "expect": "true"})"), "$.claims[0].expect", "\"true\"",
                "holds, fails, undecided or inapplicable");
  check_refused(one_claim(R"({"claim": "plain", "expect": true})"), "$.claims[0].expect", "true", "holds, fails");
  check_refused(one_claim(R"({"claim": "plain", "grade": "holds"})"), "$.claims[0].grade", "\"holds\"", "observed or proved");
  check_refused(one_claim(R"({"claim": "plain", "grade": null})"), "$.claims[0].grade", "null", "observed or proved");
}

BOOST_AUTO_TEST_CASE(a_selection_has_an_existing_token_for_each_sample) {
  const auto separates = [](const std::string& selection) {
    return one_claim(R"({"claim": "separates", "selection": )" + selection + "}");
  };
  accepted(separates("[1, 2]"));
  check_refused(separates("[2, 0]"), "$.claims[0].selection[0]", "2", "a whole number from 0 to 1, the index of a token of sample 0");
  check_refused(separates("[0, 3]"), "$.claims[0].selection[1]", "3", "from 0 to 2");
  check_refused(separates("[-1, 0]"), "$.claims[0].selection[0]", "-1", "a whole number");
  check_refused(separates("[0.0, 0]"), "$.claims[0].selection[0]", "0.0", "a whole number");
  check_refused(separates("[\"0\", 0]"), "$.claims[0].selection[0]", "\"0\"", "a whole number");
  check_refused(separates("[true, 0]"), "$.claims[0].selection[0]", "true", "a whole number");
  check_refused(separates("[18446744073709551616, 0]"), "$.claims[0].selection[0]", "18446744073709551616", "a whole number");
  check_refused(separates("[0]"), "$.claims[0].selection", "an array of 1", "an array of 2 token indices");
  check_refused(separates("[0, 0, 0]"), "$.claims[0].selection", "an array of 3", "an array of 2 token indices");
  check_refused(separates("0"), "$.claims[0].selection", "0", "an array of 2 token indices");
}

BOOST_AUTO_TEST_CASE(a_positive_number_is_above_zero_also_as_a_double) {
  for (const char* wrong : {"0", "-1", "\"-1/3\"", "1e-400", "1e400", "\"x\"", "null"})
    check_refused(descends("\"step\": " + std::string(wrong)), "$.claims[0].step", "", "a number");
  accepted(descends("\"step\": \"1/3\""));
}

BOOST_AUTO_TEST_CASE(a_count_is_a_whole_number_up_to_a_million_millions) {
  for (const char* wrong : {"0", "-1", "1.5", "1000000000001", "1e13", "\"7\"", "null", "[1]", "true"})
    check_refused(descends("\"iterations\": " + std::string(wrong)), "$.claims[0].iterations", "", "a whole number from 1 to 10^12");
  BOOST_TEST(*read_claim(descends("\"iterations\": 1000000000000")).find<std::int64_t>("iterations") == 1'000'000'000'000);
}

BOOST_AUTO_TEST_CASE(an_interval_has_two_ends_in_order) {
  const auto bounded = [](const std::string& interval) { return one_claim(R"({"claim": "bounded", "interval": )" + interval + "}"); };
  accepted(bounded("[1, 1]"));
  check_refused(bounded("[2, 1]"), "$.claims[0].interval", "[2, 1]", "[low, high] with low <= high");
  check_refused(bounded("[1]"), "$.claims[0].interval", "an array of 1", "[low, high]");
  check_refused(bounded("[1, 2, 3]"), "$.claims[0].interval", "an array of 3", "[low, high]");
  check_refused(bounded("[1, \"b\"]"), "$.claims[0].interval[1]", "\"b\"", "a number");
  check_refused(bounded("{}"), "$.claims[0].interval", "an empty object", "[low, high]");
}

BOOST_AUTO_TEST_CASE(a_choice_is_one_of_its_words) {
  check_refused(descends(R"("method": "normalized")"), "$.claims[0].method", "\"normalized\"",
                "one of constant, normalised (did you mean normalised?)");
  check_refused(descends(R"("method": 1)"), "$.claims[0].method", "1", "one of constant, normalised");
}

BOOST_AUTO_TEST_CASE(a_flag_is_true_or_false) {
  for (const char* wrong : {"0", "1", "\"true\"", "null"})
    check_refused(one_claim("{\"claim\": \"bounded\", \"strict\": " + std::string(wrong) + "}"), "$.claims[0].strict", "", "true or false");
}

BOOST_AUTO_TEST_CASE(points_are_vectors_of_the_dimension_of_the_data) {
  check_refused(descends("\"starts\": []"), "$.claims[0].starts", "an empty array", "a non-empty array of points");
  check_refused(descends("\"starts\": [1, 2]"), "$.claims[0].starts[0]", "1", "an array of 2 numbers");
  check_refused(descends("\"starts\": [[1, 2], [1]]"), "$.claims[0].starts[1]", "an array of 1", "an array of 2 numbers");
  check_refused(descends("\"starts\": [[1, \"x\"]]"), "$.claims[0].starts[0][1]", "\"x\"", "a number");
  check_refused(descends("\"starts\": [[1, 1e400]]"), "$.claims[0].starts[0][1]", "1e400", "in the range of doubles");
}

BOOST_AUTO_TEST_CASE(matrices_are_square_and_read_by_rows) {
  const ClaimRequest claim = read_claim(descends(R"("from": [[[1, 2], ["1/3", 4]]])"));
  BOOST_TEST((*claim.find<std::vector<RationalPoint>>("from") == std::vector<RationalPoint>{{1, 2, Rational(1, 3), 4}}));
  check_refused(descends("\"from\": []"), "$.claims[0].from", "an empty array", "a non-empty array of matrices");
  check_refused(descends("\"from\": [[1, 2]]"), "$.claims[0].from[0][0]", "1", "an array of 2 numbers");
  check_refused(descends("\"from\": [[[1, 2]]]"), "$.claims[0].from[0]", "an array of 1", "an array of 2 rows");
  check_refused(descends("\"from\": [[[1, 2], [3]]]"), "$.claims[0].from[0][1]", "an array of 1", "an array of 2 numbers");
  check_refused(descends("\"from\": [[[1, 2], [3, 1e400]]]"), "$.claims[0].from[0][1][1]", "1e400", "in the range of doubles");
}

BOOST_AUTO_TEST_CASE(selections_are_each_a_selection) {
  check_refused(descends("\"reaches\": []"), "$.claims[0].reaches", "an empty array", "a non-empty array of selections");
  check_refused(descends("\"reaches\": [0, 1]"), "$.claims[0].reaches[0]", "0", "an array of 2 token indices");
  check_refused(descends("\"reaches\": [[0, 1], [0, 3]]"), "$.claims[0].reaches[1][1]", "3", "from 0 to 2");
}

BOOST_AUTO_TEST_CASE(what_a_claim_needs_must_be_in_the_case) {
  check_refused(one_claim(R"({"claim": "descends"})", ""), "$.claims[0]", "no v", "v in the case, since the claim `descends` needs it");
  check_refused(one_claim(R"({"claim": "bounded"})", ""), "$.claims[0]", "no v", "needs it, or the parameter `interval`");
}

BOOST_AUTO_TEST_CASE(what_a_claim_needs_may_be_replaced_by_a_parameter) {
  accepted(one_claim(R"({"claim": "descends"})"));
  accepted(one_claim(R"({"claim": "bounded"})"));
  accepted(one_claim(R"({"claim": "bounded", "interval": [0, 1]})", ""));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
