#include "attest/audit/plan.hpp"

#include "claim_check.hpp"

#include <algorithm>
#include <set>

namespace attest {
namespace {

constexpr double budget = 20;

Problem without_v(Problem problem) {
  problem.v.reset();
  return problem;
}

/// Samples of that many tokens with random entries.
Problem random_problem(std::size_t n, std::size_t T, std::size_t d) {
  Problem problem;
  std::uint32_t state = 1;
  const auto draw = [&] {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 8) / 0x1p23 - 1;
  };
  const auto list = [&](std::size_t count) {
    std::vector<double> values(count);
    std::ranges::generate(values, draw);
    return values;
  };
  for (std::size_t i = 0; i < n; ++i) problem.tokens.push_back(ExactMatrix::from_doubles(T, d, list(T * d)));
  problem.labels.assign(n, 1);
  problem.v = ExactMatrix::from_doubles(1, d, list(d));
  return problem;
}

std::multiset<std::string> names(const AuditPlan& plan) {
  std::multiset<std::string> result;
  for (const ClaimRequest& request : plan.claims) result.insert(request.claim);
  return result;
}

const SkippedClaim* find_skipped(const AuditPlan& plan, const std::string& claim) {
  const auto found = std::ranges::find(plan.skipped, claim, &SkippedClaim::claim);
  return found == plan.skipped.end() ? nullptr : &*found;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Json entry(const std::string& claim, const std::string& verdict, const Json& selection, const Json& numbers = Json::object()) {
  return {{"claim", claim}, {"selection", selection}, {"verdict", verdict}, {"grade", "proved"}, {"message", "because"}, {"numbers", numbers}};
}

Json census(const std::string& verdict, const std::vector<Selection>& selections) {
  return entry("census", verdict, nullptr, {{"count", selections.size()}, {"selections", selections}});
}

/// How often a claim is planned at the selection.
std::ptrdiff_t planned_at(const AuditPlan& plan, const std::string& claim, const Selection& selection) {
  return std::ranges::count_if(plan.claims, [&](const ClaimRequest& request) {
    const auto* given = request.find<Selection>("selection");
    return request.claim == claim && given && *given == selection;
  });
}

void check_readable(const AuditPlan& plan, const Problem& problem) {
  for (const ClaimRequest& request : plan.claims) {
    const Claim* claim = find_claim(request.claim);
    BOOST_TEST_REQUIRE(claim != nullptr, request.claim);
    for (const auto& [name, value] : request.parameters)
      BOOST_TEST((std::ranges::find(claim->schema.parameters, name, &ParameterSpec::name) != claim->schema.parameters.end()), request.claim << " takes " << name);
    for (const Need& need : claim->schema.needs)
      if (need.field == "v") BOOST_TEST((problem.v || request.parameters.contains(need.unless)), request.claim << " has v");
  }
}

BOOST_AUTO_TEST_SUITE(plan)

BOOST_AUTO_TEST_CASE(data_with_v_get_all_claims_without_a_selection) {
  const AuditPlan plan = plan_data_claims(one_input(), budget);
  const std::multiset<std::string> expected = {"assumption-a", "globally-optimal", "locally-optimal", "census", "assumption-b", "overparametrised", "derivatives", "step-size", "prompt-weight"};
  BOOST_TEST(names(plan) == expected, boost::test_tools::per_element());
  BOOST_TEST(plan.skipped.empty());
}

BOOST_AUTO_TEST_CASE(data_without_v_get_the_claims_that_do_without_and_the_others_say_so) {
  const AuditPlan plan = plan_data_claims(without_v(one_input()), budget);
  const std::multiset<std::string> expected = {"assumption-b", "overparametrised", "derivatives"};
  BOOST_TEST(names(plan) == expected, boost::test_tools::per_element());
  for (const char* claim : {"assumption-a", "census", "step-size", "globally-optimal", "locally-optimal", "prompt-weight"}) {
    BOOST_TEST_REQUIRE(find_skipped(plan, claim), claim);
    BOOST_TEST(has(find_skipped(plan, claim)->reason, "needs v"));
  }
}

BOOST_AUTO_TEST_CASE(small_data_are_not_too_large) {
  const AuditPlan plan = plan_data_claims(random_problem(6, 4, 8), budget);
  BOOST_TEST(plan.skipped.empty());
}

BOOST_AUTO_TEST_CASE(what_cannot_end_within_the_budget_is_skipped_with_its_reason) {
  const Problem problem = random_problem(40, 20, 60);
  const AuditPlan plan = plan_data_claims(problem, 1);
  for (const char* claim : {"census", "assumption-b"}) {
    BOOST_TEST(names(plan).count(claim) == 0U);
    BOOST_TEST_REQUIRE(find_skipped(plan, claim), claim);
    BOOST_TEST(has(find_skipped(plan, claim)->reason, "--budget"));
  }
  BOOST_TEST(names(plan).count("assumption-a") == 1U);
}

BOOST_AUTO_TEST_CASE(a_larger_budget_lets_it_begin) {
  const AuditPlan plan = plan_data_claims(random_problem(40, 20, 60), 1e6);
  BOOST_TEST(names(plan).count("census") == 1U);
  BOOST_TEST(plan.skipped.empty());
}

BOOST_AUTO_TEST_CASE(the_theorems_are_planned_at_the_largest_scores) {
  const std::vector<Json> decided = {census("holds", {{0}}), entry("assumption-b", "holds", {0}, {{"largest_margin", "proved"}})};
  const AuditPlan plan = plan_selection_claims(one_input(), decided, budget);
  BOOST_TEST(planned_at(plan, "gd-local", {0}) == 1);
  for (const char* claim : {"gd-global", "path", "cross-validation"}) BOOST_TEST(names(plan).count(claim) == 1U, claim);
  BOOST_TEST_REQUIRE(!plan.selections.empty());
  BOOST_TEST((plan.selections.front().selection == Selection{0}));
  BOOST_TEST(plan.selections.front().why == "the largest scores under v; the largest label margin");
}

BOOST_AUTO_TEST_CASE(a_path_that_is_too_large_is_skipped_unless_its_theorem_is_known_not_to_apply) {
  const Problem problem = random_problem(40, 20, 60);
  const AuditPlan unknown = plan_selection_claims(problem, std::vector<Json>{entry("locally-optimal", "holds", Selection(40, 0))}, 1);
  BOOST_TEST(names(unknown).count("path") == 0U);
  BOOST_TEST(has(find_skipped(unknown, "path")->reason, "--budget"));
  const AuditPlan known = plan_selection_claims(problem, std::vector<Json>{entry("locally-optimal", "fails", Selection(40, 0))}, 1);
  BOOST_TEST(names(known).count("path") == 1U);
  BOOST_TEST(find_skipped(known, "path") == nullptr);
}

BOOST_AUTO_TEST_CASE(without_v_no_theorem_about_scores_is_planned) {
  const std::vector<Json> decided = {entry("assumption-b", "holds", {0}, {{"largest_margin", "found"}})};
  const AuditPlan plan = plan_selection_claims(without_v(one_input()), decided, budget);
  BOOST_TEST(planned_at(plan, "p-svm", {0}) == 1);
  BOOST_TEST(planned_at(plan, "w-svm", {0}) == 2);
  for (const char* claim : {"gd-global", "gd-local", "path", "cross-validation", "tightness"}) {
    BOOST_TEST(names(plan).count(claim) == 0U, claim);
    BOOST_TEST(find_skipped(plan, claim), claim);
  }
  BOOST_TEST(plan.selections.front().why == "the largest label margin that was found");
}

BOOST_AUTO_TEST_CASE(without_any_selection_the_svms_are_skipped) {
  const AuditPlan plan = plan_selection_claims(without_v(one_input()), {}, budget);
  BOOST_TEST(plan.claims.empty());
  BOOST_TEST(has(find_skipped(plan, "p-svm")->reason, "no selection"));
  const AuditPlan joint = plan_joint_claims(without_v(one_input()), {}, budget);
  BOOST_TEST(joint.claims.empty());
  BOOST_TEST(find_skipped(joint, "joint-path"));
}

BOOST_AUTO_TEST_CASE(each_of_a_few_locally_optimal_selections_is_followed) {
  const std::vector<Json> decided = {census("holds", {{0, 0}, {0, 1}, {1, 2}})};
  const AuditPlan plan = plan_selection_claims(two_inputs(), decided, budget);
  for (const char* claim : {"gd-local", "path", "cross-validation"}) {
    BOOST_TEST(planned_at(plan, claim, {0, 0}) == 1, claim);
    BOOST_TEST(planned_at(plan, claim, {1, 2}) == 1, claim);
    BOOST_TEST(find_skipped(plan, claim) == nullptr, claim);
  }
  BOOST_TEST(planned_at(plan, "path", {0, 1}) == 0);  // the largest scores: path without a selection is about it
}

BOOST_AUTO_TEST_CASE(of_many_only_the_first_are_followed_and_the_plan_says_so) {
  std::vector<Selection> many;
  for (std::size_t t = 0; t < 6; ++t) many.push_back({t % 2, t / 2});
  const AuditPlan plan = plan_selection_claims(two_inputs(), std::vector<Json>{census("holds", many)}, budget);
  std::size_t followed = 0;
  for (const Selection& selection : many) followed += static_cast<std::size_t>(planned_at(plan, "path", selection));
  BOOST_TEST(followed == most_local_selections);
  BOOST_TEST_REQUIRE(find_skipped(plan, "path"));
  BOOST_TEST(has(find_skipped(plan, "path")->reason, "4 of the 5 other"));
}

BOOST_AUTO_TEST_CASE(selections_of_a_census_that_ran_out_of_time_are_marked) {
  const AuditPlan plan = plan_selection_claims(two_inputs(), std::vector<Json>{census("undecided", {{0, 0}})}, budget);
  BOOST_TEST(plan.selections.back().why == "locally optimal, found before the census ran out of time");
}

BOOST_AUTO_TEST_CASE(what_is_proved_of_the_main_selection_is_used_where_no_census_lists_it) {
  for (const std::vector<Json>& decided : {std::vector<Json>{entry("locally-optimal", "holds", {0})},
                                           std::vector<Json>{entry("locally-optimal", "holds", {0}), census("undecided", {})}}) {
    const AuditPlan plan = plan_selection_claims(one_input(), decided, budget);
    BOOST_TEST(names(plan).count("tightness") == 1U);
    BOOST_TEST(find_skipped(plan, "tightness") == nullptr);
    BOOST_TEST(planned_at(plan, "gd-local", {0}) == 1);  // once, as the main selection
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_proved_of_the_main_selection_is_not_used) {
  Json observed = entry("locally-optimal", "holds", {0});
  observed["grade"] = "observed";
  for (const Json& decided : {observed, entry("locally-optimal", "fails", {0}), entry("locally-optimal", "undecided", {0})}) {
    const AuditPlan plan = plan_selection_claims(one_input(), std::vector<Json>{decided, census("undecided", {})}, budget);
    BOOST_TEST_REQUIRE(find_skipped(plan, "tightness"));
    BOOST_TEST(has(find_skipped(plan, "tightness")->reason, "no locally optimal selection is known"));
  }
}

BOOST_AUTO_TEST_CASE(tightness_is_planned_beside_a_locally_optimal_selection) {
  const AuditPlan plan = plan_selection_claims(one_input(), std::vector<Json>{census("holds", {{0}})}, budget);
  const auto request = std::ranges::find(plan.claims, "tightness", &ClaimRequest::claim);
  BOOST_TEST_REQUIRE((request != plan.claims.end()));
  const Selection selection = *request->find<Selection>("selection");
  // What the plan hopes for is so: its claim applies.
  check_outcome(check(one_input(), "tightness", {{"selection", selection}}), Verdict::holds, Grade::observed);
}

BOOST_AUTO_TEST_CASE(tightness_is_skipped_where_no_selection_is_near) {
  Problem lone = one_input();
  lone.tokens = {ExactMatrix::from_doubles(1, 3, {1, 2, 3})};
  const AuditPlan none = plan_selection_claims(lone, std::vector<Json>{census("holds", {{0}})}, budget);
  BOOST_TEST(names(none).count("tightness") == 0U);
  BOOST_TEST(has(find_skipped(none, "tightness")->reason, "better neighbour"));
  const AuditPlan unknown = plan_selection_claims(one_input(), {}, budget);
  BOOST_TEST(has(find_skipped(unknown, "tightness")->reason, "no locally optimal selection is known"));
}

BOOST_AUTO_TEST_CASE(joint_training_is_planned_where_assumption_b_is_decided) {
  const std::vector<Json> decided = {entry("assumption-b", "fails", {0}), entry("assumption-b", "holds", {0})};
  const AuditPlan plan = plan_joint_claims(one_input(), decided, budget);
  BOOST_TEST(planned_at(plan, "joint-path", {0}) == 2);
  BOOST_TEST(plan.skipped.empty());
}

BOOST_AUTO_TEST_CASE(joint_training_is_skipped_where_it_is_not) {
  const std::vector<Json> decided = {entry("assumption-b", "undecided", {0}), entry("assumption-b", "holds", {0})};
  const AuditPlan plan = plan_joint_claims(one_input(), decided, budget);
  BOOST_TEST(planned_at(plan, "joint-path", {0}) == 1);
  BOOST_TEST_REQUIRE(plan.skipped.size() == 1U);
  BOOST_TEST(has(plan.skipped.front().reason, "over all: Assumption B is undecided"));
}

BOOST_AUTO_TEST_CASE(every_planned_claim_can_be_read_from_a_case) {
  const std::vector<Json> decided = {census("holds", {{0, 0}, {1, 2}}), entry("assumption-b", "holds", {0, 1})};
  for (const Problem& problem : {two_inputs(), without_v(two_inputs())}) {
    check_readable(plan_data_claims(problem, budget), problem);
    check_readable(plan_selection_claims(problem, decided, budget), problem);
    check_readable(plan_joint_claims(problem, decided, budget), problem);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
