#include "attest/audit/headline.hpp"
#include "../occurrences.hpp"

#include "claim_check.hpp"
#include "decided_claims.hpp"

namespace attest {
namespace {

DecidedClaim goes(Destinations where) { return {.claim = "destinations", .destinations = std::move(where)}; }

const DecidedHypothesis tie{HypothesisId::unique_optimum, Verdict::fails, "token 1 of sample 0 scores the same"};
const DecidedHypothesis steep{HypothesisId::assumption_a, Verdict::fails, "the loss is flat"};

BOOST_AUTO_TEST_SUITE(headline)

BOOST_AUTO_TEST_CASE(it_says_where_starts_go_with_what_share_and_what_is_proved) {
  const Headline told =
      headline_of(Selection{0}, DecidedClaims{goes({0, 1, {{{0}, 1, 1}}}), goes({10, 10, {{{0}, 8, 8}, {{2}, 1, 0}}, 1})}, {});
  BOOST_TEST(told.sentence == "from 0: α*, proved; of 10 starts of radius 10: α* 80 % (proved), α1 10 %, undecided 10 %");
  BOOST_TEST_REQUIRE(told.destinations.size() == 4U);
  BOOST_TEST(told.destinations[3].name == "undecided");
  BOOST_TEST((!told.destinations[3].selection && told.destinations[3].grade == Grade::observed));
  BOOST_TEST(told.destinations[2].share == 0.1);
}

BOOST_AUTO_TEST_CASE(of_many_destinations_the_first_are_told_and_the_others_counted) {
  Destinations many{10, 100, {}, 9};
  for (std::size_t k = 0; k < 7; ++k) many.reached.push_back({{k}, 13, k < 6 ? 0U : 13U});
  const Headline told = headline_of(Selection{0}, DecidedClaims{goes(many)}, {});
  BOOST_TEST(told.sentence == "of 100 starts of radius 10: α* 13 %, α1 13 %, α2 13 %, α3 13 %, α4 13 %, 2 others 26 %, undecided 9 %");
  BOOST_TEST(told.destinations.size() == 8U);  // all of them stand there
  many.reached.resize(6);
  many.undecided = 0;
  BOOST_TEST(headline_of(Selection{0}, DecidedClaims{goes(many)}, {}).sentence ==
             "of 100 starts of radius 10: α* 13 %, α1 13 %, α2 13 %, α3 13 %, α4 13 %, α5 13 %");
}

BOOST_AUTO_TEST_CASE(a_share_that_is_not_proved_whole_is_not_called_proved) {
  const Headline told = headline_of(Selection{0}, DecidedClaims{goes({1, 10, {{{0}, 10, 9}}})}, {});
  BOOST_TEST(told.sentence == "of 10 starts of radius 1: α* 100 %");
  BOOST_TEST((told.destinations[0].grade == Grade::observed));
  BOOST_TEST(headline_of(Selection{0}, DecidedClaims{goes({1, 10, {{{0}, 10, 10}}})}, {}).sentence ==
             "of 10 starts of radius 1: α* 100 %, proved");
}

BOOST_AUTO_TEST_CASE(names_go_to_the_best_then_to_where_most_starts_go_then_to_what_was_looked_at) {
  const std::vector<AuditedSelection> looked_at = {{{0}, "best"}, {{3}, "beside"}};
  const Headline told =
      headline_of(Selection{0}, DecidedClaims{goes({1, 3, {{{1}, 2, 0}, {{2}, 1, 0}}}), goes({10, 9, {{{2}, 9, 0}}})}, looked_at);
  std::vector<std::string> named;
  for (const NamedSelection& one : told.names) named.push_back(one.name + "=" + to_string(one.selection));
  const std::vector<std::string> expected = {"α*=(0)", "α1=(2)", "α2=(1)", "α3=(3)"};
  BOOST_TEST(named == expected, boost::test_tools::per_element());
  BOOST_TEST(told.name_of({2}) == "α1");
  BOOST_TEST(told.name_of({7}) == "(7)");
}

BOOST_AUTO_TEST_CASE(without_v_there_is_no_best_and_no_descent) {
  const Headline told = headline_of(std::nullopt, DecidedClaims{}, std::vector<AuditedSelection>{{{1}, "margin"}});
  BOOST_TEST(has(told.sentence, "without v"));
  BOOST_TEST(told.names[0].name == "α1");
}

BOOST_AUTO_TEST_CASE(the_key_change_is_what_most_theorems_lack_and_nothing_else) {
  const Headline told = headline_of(Selection{0},
                                    DecidedClaims{theorem("gd-global", {tie}), theorem("path", {tie}), theorem("gd-local", {steep}, {1}),
                                                  theorem("joint-path", {tie, steep})},
                                    {});
  BOOST_TEST_REQUIRE(told.change.has_value());
  BOOST_TEST(has(told.change->message, "token 1 of sample 0 scores the same"));
  const std::vector<std::string> expected = {"gd-global α*", "path α*"};
  BOOST_TEST(told.change->theorems == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(where_every_theorem_lacks_two_things_or_nothing_there_is_no_key_change) {
  BOOST_TEST(!headline_of(Selection{0}, DecidedClaims{theorem("joint-path", {tie, steep})}, {}).change);
  BOOST_TEST(!headline_of(Selection{0}, DecidedClaims{theorem("path", {{HypothesisId::assumption_a, Verdict::holds, ""}})}, {}).change);
}

BOOST_AUTO_TEST_CASE(where_no_p_prefers_the_best_tokens_it_says_what_happens_and_that_w_does) {
  const DecidedClaim infeasible{.claim = "p-svm", .verdict = Verdict::fails, .selection = Selection{0}};
  const DecidedClaim weights{.claim = "w-svm", .verdict = Verdict::holds, .selection = Selection{0}};
  const DecidedClaim lost = goes({0, 1, {}, 1, "at norm 3 it heads for nothing"});
  const Headline told = headline_of(Selection{0}, DecidedClaims{infeasible, weights, lost}, {});
  BOOST_TEST(has(told.without_svm, "descent from 0: at norm 3 it heads for nothing"));
  BOOST_TEST(has(told.without_svm, "a full matrix W does prefer them"));
  BOOST_TEST(told.sentence == "from 0: undecided");
  BOOST_TEST(!has(told.without_svm, "without sample"));
  BOOST_TEST(headline_of(Selection{0}, DecidedClaims{lost}, {}).without_svm.empty());
  BOOST_TEST(headline_of(Selection{1}, DecidedClaims{infeasible, lost}, {}).without_svm.empty());  // of another selection
}

BOOST_AUTO_TEST_CASE(it_names_the_samples_without_which_some_p_prefers_the_best_tokens) {
  DecidedClaim infeasible{.claim = "p-svm", .verdict = Verdict::fails, .selection = Selection{0, 0, 0}};
  infeasible.discoveries.dropped_samples = {1};
  const std::string one = headline_of(Selection{0, 0, 0}, DecidedClaims{infeasible}, {}).without_svm;
  BOOST_TEST(has(one, "; without sample 1 one does: 2 of 3 samples, the largest part that was found"), one);
  infeasible.discoveries.dropped_samples = {0, 2};
  BOOST_TEST(has(headline_of(Selection{0, 0, 0}, DecidedClaims{infeasible}, {}).without_svm, "; without samples 0, 2 one does: 1 of 3"));
}

BOOST_AUTO_TEST_CASE(the_key_change_calls_selections_by_their_names) {
  const DecidedHypothesis elsewhere{HypothesisId::start_in_basin, Verdict::fails,
                                    "run 0 provably goes to the direction of selection (2, 1)"};
  const Headline told =
      headline_of(Selection{0, 0}, DecidedClaims{goes({0, 1, {{{2, 1}, 1, 1}}}), theorem("gd-global", {elsewhere}, {0, 0})}, {});
  BOOST_TEST_REQUIRE(told.change.has_value());
  BOOST_TEST(has(told.change->message, "run 0 provably goes to the direction of α1:"), told.change->message);
  BOOST_TEST(!has(told.change->message, "(2, 1)"));
}

BOOST_AUTO_TEST_CASE(the_errors_to_expect_are_those_of_the_first_starts_that_have_any) {
  Destinations origin{0, 1, {{{2}, 1, 1}}};
  origin.expected = {{5, 0.5, 0.25}};
  origin.rate = ProvedRate{3, 40};
  Destinations far{10, 1, {{{0}, 1, 1}}};
  far.expected = {{5, 0.75}};
  const Headline told = headline_of(Selection{0}, DecidedClaims{goes(origin), goes(far)}, {});
  BOOST_TEST_REQUIRE(told.expected.has_value());
  BOOST_TEST(told.expected->name == "α1");
  BOOST_TEST((told.expected->errors.front().path_error == 0.5 && told.expected->rate->from_norm == 40));
  BOOST_TEST(!headline_of(Selection{0}, DecidedClaims{}, {}).expected.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
