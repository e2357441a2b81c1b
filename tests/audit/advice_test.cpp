#include "attest/audit/advice.hpp"
#include "../occurrences.hpp"

#include "claim_check.hpp"
#include "decided_claims.hpp"

namespace attest {
namespace {

DecidedHypothesis hypothesis(HypothesisId id, Verdict verdict, const std::string& message, Obstacle obstacle = Obstacle::none) {
  return {id, verdict, message, obstacle};
}

const std::string contradiction = "infeasible: rows [0,1], [0,2] contradict each other";

BOOST_AUTO_TEST_SUITE(advice)

BOOST_AUTO_TEST_CASE(a_tie_is_named_with_what_to_change) {
  const auto list = advise(DecidedClaims{
      theorem("gd-global", {hypothesis(HypothesisId::unique_optimum, Verdict::fails, "token 2 of sample 0 scores the same")})});
  BOOST_TEST_REQUIRE(list.size() == 1U);
  BOOST_TEST(list[0].theorem == "gd-global");
  BOOST_TEST(has(list[0].message, "token 2 of sample 0 scores the same: change v or one of the tied tokens"));
}

BOOST_AUTO_TEST_CASE(a_theorem_whose_hypotheses_hold_needs_no_advice) {
  BOOST_TEST(advise(DecidedClaims{theorem("gd-global", {hypothesis(HypothesisId::assumption_a, Verdict::holds, "")})}).empty());
}

BOOST_AUTO_TEST_CASE(claims_that_are_no_theorems_get_none) {
  BOOST_TEST(advise(DecidedClaims{{.claim = "p-svm", .verdict = Verdict::fails, .selection = Selection{0}}}).empty());
}

BOOST_AUTO_TEST_CASE(theorems_with_the_same_trouble_share_their_advice) {
  const auto infeasible = hypothesis(HypothesisId::feasible_p_svm, Verdict::fails, contradiction);
  const auto list = advise(DecidedClaims{theorem("gd-global", {infeasible}), theorem("path", {infeasible}), theorem("path", {infeasible})});
  BOOST_TEST_REQUIRE(list.size() == 1U);
  BOOST_TEST(list[0].theorem == "gd-global, path");
  BOOST_TEST(has(list[0].message, contradiction));
}

BOOST_AUTO_TEST_CASE(what_the_audit_found_elsewhere_is_pointed_to) {
  const DecidedClaims decided = {
      {.claim = "census", .verdict = Verdict::holds, .discoveries = {.locally_optimal = {{1}, {2}}}},
      {.claim = "w-svm", .verdict = Verdict::holds, .selection = Selection{0}},
      theorem("path", {hypothesis(HypothesisId::feasible_p_svm, Verdict::fails, contradiction)}),
      theorem("joint-path", {hypothesis(HypothesisId::feasible_p_svm, Verdict::fails, "infeasible: others")}, {1})};
  const auto list = advise(decided);
  BOOST_TEST_REQUIRE(list.size() == 2U);
  BOOST_TEST(has(list[0].message, "locally optimal are 2 selections, such as (1)"));
  BOOST_TEST(has(list[0].message, "a full matrix W does prefer them"));
  BOOST_TEST(!has(list[1].message, "a full matrix W"));  // that of another selection
}

BOOST_AUTO_TEST_CASE(a_start_that_is_not_in_the_basin_is_no_matter_of_time) {
  const auto outside = hypothesis(HypothesisId::start_in_basin, Verdict::undecided,
                                  "run 0 has not entered the basin after 100000 iterations; it heads for selection (1)");
  const auto list = advise(DecidedClaims{theorem("gd-global", {outside})});
  BOOST_TEST_REQUIRE(list.size() == 1U);
  BOOST_TEST(has(list[0].message, "where descent ends depends on its start"));
  BOOST_TEST(!has(list[0].message, "allow more time"));
}

BOOST_AUTO_TEST_CASE(a_loss_that_is_not_enclosed_is_no_matter_of_time) {
  const auto open = hypothesis(HypothesisId::assumption_a, Verdict::undecided, "the loss could not be enclosed on [1e7, 2e7]");
  const auto list = advise(DecidedClaims{theorem("gd-global", {open})});
  BOOST_TEST_REQUIRE(list.size() == 1U);
  BOOST_TEST(has(list[0].message, "scale v down"));
  BOOST_TEST(!has(list[0].message, "allow more time"));
}

BOOST_AUTO_TEST_CASE(an_open_hypothesis_asks_for_time_unless_another_fails) {
  const auto open = hypothesis(HypothesisId::assumption_b, Verdict::undecided, "the time was up");
  const auto alone = advise(DecidedClaims{theorem("joint-path", {open})});
  BOOST_TEST_REQUIRE(alone.size() == 1U);
  BOOST_TEST(has(alone[0].message, "--budget"));
  const auto both =
      advise(DecidedClaims{theorem("joint-path", {open, hypothesis(HypothesisId::feasible_v_svm, Verdict::fails, "infeasible")})});
  BOOST_TEST_REQUIRE(both.size() == 1U);
  BOOST_TEST(has(both[0].message, "feasible v-SVM"));
}

BOOST_AUTO_TEST_CASE(what_only_follows_from_another_hypothesis_is_not_repeated) {
  const auto list = advise(DecidedClaims{theorem(
      "gd-local", {hypothesis(HypothesisId::feasible_p_svm, Verdict::fails, contradiction),
                   hypothesis(HypothesisId::locally_optimal, Verdict::fails, "its p-SVM is infeasible", Obstacle::infeasible_svm)})});
  BOOST_TEST(list.size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_obstacle_chooses_the_remedy_not_the_words) {
  const auto lone = advise(DecidedClaims{
      theorem("path", {hypothesis(HypothesisId::feasible_p_svm, Verdict::fails, "in other words", Obstacle::zero_solution)})});
  BOOST_TEST_REQUIRE(lone.size() == 1U);
  BOOST_TEST(lone[0].message == "feasible p-SVM: in other words: give samples of two tokens or more");
  const auto opposed =
      advise(DecidedClaims{theorem("path", {hypothesis(HypothesisId::feasible_p_svm, Verdict::fails, "its solution is 0")})});
  BOOST_TEST_REQUIRE(opposed.size() == 1U);
  BOOST_TEST(has(opposed[0].message, "no p prefers the selected tokens"));
}

BOOST_AUTO_TEST_CASE(a_hypothesis_without_a_remedy_of_its_own_is_still_named) {
  const auto list = advise(DecidedClaims{theorem("new-theorem", {hypothesis(HypothesisId::equal_scores, Verdict::fails, "it is not so")})});
  BOOST_TEST_REQUIRE(list.size() == 1U);
  BOOST_TEST(has(list[0].message, "equal non-optimal scores: it is not so: "));
}

BOOST_AUTO_TEST_CASE(a_solution_of_0_is_advised_about_once_and_not_again_for_the_joint_program) {
  BOOST_TEST(!remedy_of(HypothesisId::feasible_p_svm, Obstacle::zero_solution).empty());
  BOOST_TEST(remedy_of(HypothesisId::feasible_joint_svm, Obstacle::zero_solution).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
