#include "attest/audit/plan.hpp"
#include "../occurrences.hpp"

#include "claim_check.hpp"
#include "decided_claims.hpp"

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

/// A claim that was decided exactly.
DecidedClaim proved(const std::string& claim, Verdict verdict, const Selection& selection) {
  return {.claim = claim, .verdict = verdict, .grade = Grade::proved, .message = "because", .selection = selection};
}

DecidedClaim census(Verdict verdict, const std::vector<Selection>& selections) {
  return {.claim = "census", .verdict = verdict, .grade = Grade::proved, .discoveries = {.locally_optimal = selections}};
}

DecidedClaim locally_optimal(const Selection& selection) {
  DecidedClaim decided = proved("locally-optimal", Verdict::holds, selection);
  decided.discoveries.locally_optimal = {selection};
  return decided;
}

DecidedClaim assumption_b(Verdict verdict, const Selection& selection, bool largest = false) {
  DecidedClaim decided = proved("assumption-b", verdict, selection);
  decided.discoveries.largest_margin_proved = largest;
  return decided;
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
      BOOST_TEST((std::ranges::find(claim->schema.parameters, name, &ParameterSpec::name) != claim->schema.parameters.end()),
                 request.claim << " takes " << name);
    for (const Need& need : claim->schema.needs)
      if (need.field == "v") BOOST_TEST((problem.v || request.parameters.contains(need.unless)), request.claim << " has v");
  }
}

BOOST_AUTO_TEST_SUITE(plan)

BOOST_AUTO_TEST_CASE(data_with_v_get_all_claims_without_a_selection) {
  const AuditPlan plan = plan_data_claims(one_input(), budget);
  const std::multiset<std::string> expected = {"assumption-a", "globally-optimal",    "locally-optimal", "census",          "destinations",
                                               "destinations", "destinations",        "destinations",    "assumption-b",    "step-size",
                                               "derivatives",  "no-stationary-point", "prompt-weight",   "overparametrised"};
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
  const DecidedClaims decided = {census(Verdict::holds, {{0}}), assumption_b(Verdict::holds, {0}, true)};
  const AuditPlan plan = plan_selection_claims(one_input(), decided, {}, budget);
  BOOST_TEST(planned_at(plan, "gd-local", {0}) == 1);
  for (const char* claim : {"gd-global", "path", "cross-validation"}) BOOST_TEST(names(plan).count(claim) == 1U, claim);
  BOOST_TEST_REQUIRE(!plan.selections.empty());
  BOOST_TEST((plan.selections.front().selection == Selection{0}));
  BOOST_TEST(plan.selections.front().why == "the largest scores under v; the largest label margin");
}

BOOST_AUTO_TEST_CASE(a_path_that_is_too_large_is_skipped_unless_its_theorem_is_known_not_to_apply) {
  const Problem problem = random_problem(40, 20, 60);
  const AuditPlan unknown = plan_selection_claims(problem, DecidedClaims{locally_optimal(Selection(40, 0))}, {}, 0.01);
  BOOST_TEST(names(unknown).count("path") == 0U);
  BOOST_TEST(has(find_skipped(unknown, "path")->reason, "--budget"));
  const AuditPlan known =
      plan_selection_claims(problem, DecidedClaims{proved("locally-optimal", Verdict::fails, Selection(40, 0))}, {}, 0.01);
  BOOST_TEST(names(known).count("path") == 1U);
  BOOST_TEST(find_skipped(known, "path") == nullptr);
}

BOOST_AUTO_TEST_CASE(of_large_data_the_w_svm_is_planned_in_both_norms_and_skipped_where_the_time_is_too_short) {
  const Problem problem = random_problem(40, 20, 60);
  const DecidedClaims decided = {locally_optimal(Selection(40, 0))};
  const AuditPlan plan = plan_selection_claims(problem, decided, {}, 20);
  BOOST_TEST(names(plan).count("w-svm") == 2U);
  BOOST_TEST(find_skipped(plan, "w-svm") == nullptr);
  const AuditPlan shorter = plan_selection_claims(problem, decided, {}, 0.01);
  BOOST_TEST(names(shorter).count("w-svm") == 0U);
  BOOST_TEST_REQUIRE(find_skipped(shorter, "w-svm"));
  BOOST_TEST(has(find_skipped(shorter, "w-svm")->reason, "--budget"));
}

BOOST_AUTO_TEST_CASE(of_real_sizes_paths_norms_and_maps_fit_the_usual_budget_and_no_tiny_one) {
  for (const Problem& problem : {random_problem(200, 64, 128), random_problem(50, 32, 768)}) {
    const DecidedClaims decided = {locally_optimal(Selection(problem.sample_count(), 0))};
    const AuditPlan plan = plan_selection_claims(problem, decided, {}, 20);
    const AuditPlan tiny = plan_selection_claims(problem, decided, {}, 0.1);
    for (const char* claim : {"kq-path", "w-path", "w-gd", "sparsity-norm", "basins"}) {
      BOOST_TEST(names(plan).count(claim) == 1U, claim);
      BOOST_TEST_REQUIRE(find_skipped(tiny, claim), claim);
      BOOST_TEST(has(find_skipped(tiny, claim)->reason, "--budget"));
    }
  }
}

BOOST_AUTO_TEST_CASE(maps_of_large_data_are_as_coarse_as_the_claim_likes) {
  const auto grid_of = [](const Problem& problem) {
    const AuditPlan plan = plan_selection_claims(problem, DecidedClaims{locally_optimal(Selection(problem.sample_count(), 0))}, {}, 20);
    const auto map = std::ranges::find(plan.claims, "basins", &ClaimRequest::claim);
    BOOST_TEST_REQUIRE((map != plan.claims.end()));
    return map->find<std::int64_t>("grid") != nullptr;
  };
  BOOST_TEST(grid_of(random_problem(6, 4, 8)));
  BOOST_TEST(!grid_of(random_problem(50, 32, 128)));
}

BOOST_AUTO_TEST_CASE(without_v_no_theorem_about_scores_is_planned) {
  const DecidedClaims decided = {assumption_b(Verdict::holds, {0})};
  const AuditPlan plan = plan_selection_claims(without_v(one_input()), decided, {}, budget);
  BOOST_TEST(planned_at(plan, "p-svm", {0}) == 1);
  BOOST_TEST(planned_at(plan, "w-svm", {0}) == 2);
  for (const char* claim : {"gd-global", "gd-local", "path", "cross-validation", "tightness"}) {
    BOOST_TEST(names(plan).count(claim) == 0U, claim);
    BOOST_TEST(find_skipped(plan, claim), claim);
  }
  BOOST_TEST(plan.selections.front().why == "the largest label margin that was found");
}

BOOST_AUTO_TEST_CASE(without_any_selection_the_svms_are_skipped) {
  const AuditPlan plan = plan_selection_claims(without_v(one_input()), {}, {}, budget);
  BOOST_TEST(plan.claims.empty());
  BOOST_TEST(has(find_skipped(plan, "p-svm")->reason, "no selection"));
  const AuditPlan joint = plan_joint_claims(without_v(one_input()), {}, budget);
  BOOST_TEST(joint.claims.empty());
  BOOST_TEST(find_skipped(joint, "joint-path"));
}

BOOST_AUTO_TEST_CASE(each_of_a_few_locally_optimal_selections_is_followed) {
  const DecidedClaims decided = {census(Verdict::holds, {{0, 0}, {0, 1}, {1, 2}})};
  const AuditPlan plan = plan_selection_claims(two_inputs(), decided, {}, budget);
  for (const char* claim : {"gd-local", "path", "cross-validation"}) {
    BOOST_TEST(planned_at(plan, claim, {0, 0}) == 1, claim);
    BOOST_TEST(planned_at(plan, claim, {1, 2}) == 1, claim);
    BOOST_TEST(find_skipped(plan, claim) == nullptr, claim);
  }
  BOOST_TEST(planned_at(plan, "path", {0, 1}) == 0);  // the largest scores: path without a selection is about it
}

BOOST_AUTO_TEST_CASE(where_descent_from_0_goes_comes_first_then_where_most_runs_go) {
  DecidedClaim origin{.claim = "destinations", .destinations = Destinations{0, 1, {{{1, 2}, 1, 1}}}};
  DecidedClaim far{.claim = "destinations", .destinations = Destinations{10, 9, {{{1, 0}, 5, 0}, {{1, 2}, 4, 0}}}};
  const DecidedClaims decided = {census(Verdict::holds, {{0, 0}, {1, 0}, {1, 2}}), origin, far};
  const std::vector<Selection> expected = {{1, 2}, {1, 0}, {0, 0}};
  BOOST_TEST((local_selections_by_runs(decided) == expected));
  const AuditPlan plan = plan_selection_claims(two_inputs(), decided, {}, budget);
  BOOST_TEST(planned_at(plan, "locally-optimal", {1, 2}) == 1);
  std::vector<Selection> followed;
  for (const AuditedSelection& one : plan.selections)
    if (has(one.why, "locally optimal")) followed.push_back(one.selection);
  BOOST_TEST((followed == expected));
}

BOOST_AUTO_TEST_CASE(the_map_is_that_of_the_main_selection_and_of_where_descent_goes) {
  const DecidedClaim origin{.claim = "destinations", .destinations = Destinations{0, 1, {{{1, 2}, 1, 1}}}};
  const auto mapped = [&](const DecidedClaims& decided) {
    const AuditPlan plan = plan_selection_claims(two_inputs(), decided, {}, budget);
    const auto map = std::ranges::find(plan.claims, "basins", &ClaimRequest::claim);
    BOOST_TEST_REQUIRE((map != plan.claims.end()));
    const auto* selections = map->find<std::vector<Selection>>("selections");
    return selections ? *selections : std::vector<Selection>{};
  };
  BOOST_TEST((mapped({census(Verdict::holds, {{0, 0}, {0, 1}, {1, 2}}), origin}) == std::vector<Selection>{{0, 1}, {1, 2}}));
  BOOST_TEST((mapped({origin}) == std::vector<Selection>{{1, 2}}));
  BOOST_TEST(mapped({}).empty());  // keys of two dimensions are mapped without any
  BOOST_TEST(find_skipped(plan_selection_claims(one_input(), DecidedClaims{}, {}, budget), "basins") != nullptr);
}

BOOST_AUTO_TEST_CASE(of_many_only_the_first_are_followed_and_the_plan_says_so) {
  std::vector<Selection> many;
  for (std::size_t t = 0; t < 6; ++t) many.push_back({t % 2, t / 2});
  const AuditPlan plan = plan_selection_claims(two_inputs(), DecidedClaims{census(Verdict::holds, many)}, {}, budget);
  std::size_t followed = 0;
  for (const Selection& selection : many) followed += static_cast<std::size_t>(planned_at(plan, "path", selection));
  BOOST_TEST(followed == most_local_selections);
  BOOST_TEST_REQUIRE(find_skipped(plan, "path"));
  BOOST_TEST(has(find_skipped(plan, "path")->reason, "4 of the 5 other"));
}

BOOST_AUTO_TEST_CASE(selections_of_a_census_that_ran_out_of_time_are_marked) {
  const AuditPlan plan = plan_selection_claims(two_inputs(), DecidedClaims{census(Verdict::undecided, {{0, 0}})}, {}, budget);
  BOOST_TEST(plan.selections.back().why == "locally optimal, found before the census ran out of time");
}

BOOST_AUTO_TEST_CASE(what_is_proved_of_the_main_selection_is_used_where_no_census_lists_it) {
  for (const DecidedClaims& decided :
       {DecidedClaims{locally_optimal({0})}, DecidedClaims{locally_optimal({0}), census(Verdict::undecided, {})}}) {
    BOOST_TEST((selection_to_loosen(one_input(), decided) == Selection{0}));
    const AuditPlan plan = plan_selection_claims(one_input(), decided, {Selection{2}, ""}, budget);
    BOOST_TEST(planned_at(plan, "tightness", {2}) == 1);
    BOOST_TEST(find_skipped(plan, "tightness") == nullptr);
    BOOST_TEST(planned_at(plan, "gd-local", {0}) == 1);  // once, as the main selection
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_proved_of_the_main_selection_is_not_used) {
  for (const Verdict verdict : {Verdict::holds, Verdict::fails, Verdict::undecided}) {
    const DecidedClaim decided = proved("locally-optimal", verdict, {0});  // without a discovery
    BOOST_TEST(!selection_to_loosen(one_input(), DecidedClaims{decided, census(Verdict::undecided, {})}).has_value());
    const AuditPlan plan = plan_selection_claims(one_input(), DecidedClaims{decided, census(Verdict::undecided, {})}, {}, budget);
    BOOST_TEST_REQUIRE(find_skipped(plan, "tightness"));
    BOOST_TEST(has(find_skipped(plan, "tightness")->reason, "no locally optimal selection is known"));
  }
}

BOOST_AUTO_TEST_CASE(of_the_locally_optimal_selections_the_main_one_is_loosened_and_else_the_first) {
  BOOST_TEST((selection_to_loosen(two_inputs(), DecidedClaims{census(Verdict::holds, {{0, 0}, {0, 1}})}) == Selection{0, 1}));
  BOOST_TEST((selection_to_loosen(two_inputs(), DecidedClaims{census(Verdict::holds, {{0, 0}, {1, 2}})}) == Selection{0, 0}));
  BOOST_TEST(!selection_to_loosen(without_v(two_inputs()), DecidedClaims{census(Verdict::holds, {{0, 0}})}).has_value());
}

BOOST_AUTO_TEST_CASE(tightness_is_planned_at_the_loose_selection) {
  const AuditPlan plan = plan_selection_claims(one_input(), DecidedClaims{census(Verdict::holds, {{0}})}, {Selection{1}, ""}, budget);
  BOOST_TEST(planned_at(plan, "tightness", {1}) == 1);
  BOOST_TEST((plan.selections.back().selection == Selection{1}));
  BOOST_TEST(plan.selections.back().why == "one token away from the locally optimal (0), and worse");
}

BOOST_AUTO_TEST_CASE(tightness_is_skipped_where_no_loose_selection_was_found_and_the_reason_is_told) {
  const DecidedClaims decided = {census(Verdict::holds, {{0}})};
  const AuditPlan none = plan_selection_claims(one_input(), decided, {}, budget);
  BOOST_TEST(names(none).count("tightness") == 0U);
  BOOST_TEST(find_skipped(none, "tightness")->reason ==
             "no selection was found beside a locally optimal one whose p-SVM has a better neighbour");
  const AuditPlan stopped = plan_selection_claims(one_input(), decided, {std::nullopt, "the time was up"}, budget);
  BOOST_TEST(has(find_skipped(stopped, "tightness")->reason, "has a better neighbour: the time was up"));
  const AuditPlan unknown = plan_selection_claims(one_input(), {}, {}, budget);
  BOOST_TEST(has(find_skipped(unknown, "tightness")->reason, "no locally optimal selection is known"));
}

BOOST_AUTO_TEST_CASE(joint_training_is_planned_where_assumption_b_is_decided) {
  const DecidedClaims decided = {assumption_b(Verdict::fails, {0}), assumption_b(Verdict::holds, {0})};
  const AuditPlan plan = plan_joint_claims(one_input(), decided, budget);
  BOOST_TEST(planned_at(plan, "joint-path", {0}) == 2);
  BOOST_TEST(plan.skipped.empty());
}

BOOST_AUTO_TEST_CASE(joint_training_is_skipped_where_it_is_not) {
  const DecidedClaims decided = {assumption_b(Verdict::undecided, {0}), assumption_b(Verdict::holds, {0})};
  const AuditPlan plan = plan_joint_claims(one_input(), decided, budget);
  BOOST_TEST(planned_at(plan, "joint-path", {0}) == 1);
  BOOST_TEST_REQUIRE(plan.skipped.size() == 1U);
  BOOST_TEST(has(plan.skipped.front().reason, "over all: Assumption B is undecided"));
}

BOOST_AUTO_TEST_CASE(every_planned_claim_can_be_read_from_a_case) {
  const DecidedClaims decided = {census(Verdict::holds, {{0, 0}, {1, 2}}), assumption_b(Verdict::holds, {0, 1})};
  for (const Problem& problem : {two_inputs(), without_v(two_inputs())}) {
    check_readable(plan_data_claims(problem, budget), problem);
    check_readable(plan_selection_claims(problem, decided, {}, budget), problem);
    check_readable(plan_joint_claims(problem, decided, budget), problem);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
