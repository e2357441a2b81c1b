#include "attest/audit/advice.hpp"

#include "claim_check.hpp"

namespace attest {
namespace {

Json hypothesis(const std::string& name, const std::string& verdict, const std::string& message) {
  return {{"name", name}, {"verdict", verdict}, {"grade", "proved"}, {"message", message}};
}

Json theorem(const std::string& claim, std::vector<Json> hypotheses, const Json& selection = {0}) {
  return {{"claim", claim}, {"selection", selection}, {"verdict", "inapplicable"}, {"hypotheses", std::move(hypotheses)}, {"numbers", Json::object()}};
}

const std::string contradiction = "infeasible: rows [0,1], [0,2] contradict each other";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

BOOST_AUTO_TEST_SUITE(advice)

BOOST_AUTO_TEST_CASE(a_tie_is_named_with_what_to_change) {
  const auto list = advise(std::vector<Json>{theorem("gd-global", {hypothesis("unique globally optimal selection", "fails", "token 2 of sample 0 scores the same")})});
  BOOST_TEST_REQUIRE(list.size() == 1U);
  BOOST_TEST(list[0].theorem == "gd-global");
  BOOST_TEST(has(list[0].message, "token 2 of sample 0 scores the same: change v or one of the tied tokens"));
}

BOOST_AUTO_TEST_CASE(a_theorem_whose_hypotheses_hold_needs_no_advice) {
  BOOST_TEST(advise(std::vector<Json>{theorem("gd-global", {hypothesis("Assumption A", "holds", "")})}).empty());
}

BOOST_AUTO_TEST_CASE(claims_that_are_no_theorems_get_none) {
  BOOST_TEST(advise(std::vector<Json>{{{"claim", "p-svm"}, {"selection", {0}}, {"verdict", "fails"}, {"numbers", Json::object()}}}).empty());
}

BOOST_AUTO_TEST_CASE(theorems_with_the_same_trouble_share_their_advice) {
  const auto infeasible = hypothesis("feasible p-SVM", "fails", contradiction);
  const auto list = advise(std::vector<Json>{theorem("gd-global", {infeasible}), theorem("path", {infeasible}), theorem("path", {infeasible})});
  BOOST_TEST_REQUIRE(list.size() == 1U);
  BOOST_TEST(list[0].theorem == "gd-global, path");
  BOOST_TEST(has(list[0].message, contradiction));
}

BOOST_AUTO_TEST_CASE(what_the_audit_found_elsewhere_is_pointed_to) {
  const std::vector<Json> entries = {
      {{"claim", "census"}, {"selection", nullptr}, {"verdict", "holds"}, {"numbers", {{"selections", {{1}, {2}}}}}},
      {{"claim", "w-svm"}, {"selection", {0}}, {"verdict", "holds"}, {"numbers", Json::object()}},
      theorem("path", {hypothesis("feasible p-SVM", "fails", contradiction)}),
      theorem("joint-path", {hypothesis("feasible p-SVM", "fails", "infeasible: others")}, {1})};
  const auto list = advise(entries);
  BOOST_TEST_REQUIRE(list.size() == 2U);
  BOOST_TEST(has(list[0].message, "locally optimal are 2 selections, such as (1)"));
  BOOST_TEST(has(list[0].message, "a full matrix W does prefer them"));
  BOOST_TEST(!has(list[1].message, "a full matrix W"));  // that of another selection
}

BOOST_AUTO_TEST_CASE(a_start_that_is_not_in_the_basin_is_no_matter_of_time) {
  const auto outside = hypothesis("start in the basin", "undecided", "run 0 has not entered the basin after 100000 iterations; it heads for selection (1)");
  const auto list = advise(std::vector<Json>{theorem("gd-global", {outside})});
  BOOST_TEST_REQUIRE(list.size() == 1U);
  BOOST_TEST(has(list[0].message, "where descent ends depends on its start"));
  BOOST_TEST(!has(list[0].message, "allow more time"));
}

BOOST_AUTO_TEST_CASE(an_open_hypothesis_asks_for_time_unless_another_fails) {
  const auto open = hypothesis("Assumption B", "undecided", "the time was up");
  const auto alone = advise(std::vector<Json>{theorem("joint-path", {open})});
  BOOST_TEST_REQUIRE(alone.size() == 1U);
  BOOST_TEST(has(alone[0].message, "--budget"));
  const auto both = advise(std::vector<Json>{theorem("joint-path", {open, hypothesis("feasible v-SVM", "fails", "infeasible")})});
  BOOST_TEST_REQUIRE(both.size() == 1U);
  BOOST_TEST(has(both[0].message, "feasible v-SVM"));
}

BOOST_AUTO_TEST_CASE(what_only_follows_from_another_hypothesis_is_not_repeated) {
  const auto list = advise(std::vector<Json>{theorem("gd-local", {hypothesis("feasible p-SVM", "fails", contradiction),
                                                                  hypothesis("locally optimal selection", "fails", "its p-SVM is infeasible")})});
  BOOST_TEST(list.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_hypothesis_without_a_remedy_of_its_own_is_still_named) {
  const auto list = advise(std::vector<Json>{theorem("new-theorem", {hypothesis("something new", "fails", "it is not so")})});
  BOOST_TEST_REQUIRE(list.size() == 1U);
  BOOST_TEST(has(list[0].message, "something new: it is not so: "));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
