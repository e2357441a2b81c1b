#include "attest/model/case_file.hpp"
#include "claim_check.hpp"

namespace attest {
namespace {

/// A claim of a case of cases/nonlinear-head, with its own parameters.
Checked check_case(const std::string& name, std::uint64_t seed = 0, const Parameters& changed = {}) {
  const auto read = read_case(std::string(ATTEST_CASES) + "/nonlinear-head/" + name + ".json", all_schemas());
  BOOST_TEST_REQUIRE(read.index() == 0U);
  const Case& one = std::get<0>(read);
  ClaimRequest request = one.claims.front();
  for (const auto& [key, value] : changed) request.parameters.insert_or_assign(key, value);
  return check(one.problem, "nonlinear-head", request.parameters, seed, 60);
}

std::int64_t count(const Checked& finding, const char* name) { return finding.numbers.at(name).get<std::int64_t>(); }

BOOST_AUTO_TEST_SUITE(nonlinear_head)

BOOST_AUTO_TEST_CASE(runs_of_smooth_heads_agree_with_the_generalised_svm) {
  for (const char* name : {"tanh", "sigmoid"}) {
    const Checked finding = check_case(name);
    check_outcome(finding, Verdict::holds, Grade::observed);
    BOOST_TEST(count(finding, "agreed") == 10, name);
    BOOST_TEST(number(finding, "direction_error") <= 0.1, name);
    for (const Json& run : finding.numbers.at("runs")) {
      BOOST_TEST(run.at("increment_error").get<double>() <= 0.05, run.dump());
      BOOST_TEST(run.at("rate").get<double>() <= -0.8, run.dump());
    }
    BOOST_TEST(number(finding, "finite_part_error") <= 1e-6, name);
  }
}

BOOST_AUTO_TEST_CASE(a_set_of_several_tokens_is_selected) {
  const Checked finding = check_case("tanh");
  BOOST_TEST((finding.numbers.at("selected_sets") == Json::parse("[[1, 2, 3], [0, 3], [0]]")));
}

BOOST_AUTO_TEST_CASE(every_run_is_counted_once) {
  for (const char* name : {"tanh", "relu", "dead-units"}) {
    const Checked finding = check_case(name, 5);
    const std::int64_t sum =
        count(finding, "agreed") + count(finding, "differed") + count(finding, "ambiguous") + count(finding, "infeasible");
    BOOST_TEST(sum == count(finding, "trained"), name);
    BOOST_TEST(finding.numbers.at("runs").size() == 10U, name);
  }
}

BOOST_AUTO_TEST_CASE(runs_that_are_too_short_are_ambiguous_and_decide_nothing) {
  const Checked finding = check_case("tanh", 0, {{"iterations", std::int64_t{20}}});
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(count(finding, "ambiguous") == 10);
  BOOST_TEST(finding.numbers.at("direction_error").is_null());
}

BOOST_AUTO_TEST_CASE(a_prediction_that_is_not_met_is_not_called_a_success) {
  const Checked finding = check_case("dead-units");
  check_outcome(finding, Verdict::undecided, Grade::observed);
  BOOST_TEST(count(finding, "agreed") == 0);
  for (const Json& run : finding.numbers.at("runs")) BOOST_TEST(run.at("rate").get<double>() > -0.5, run.dump());
}

BOOST_AUTO_TEST_CASE(one_token_a_sample_leaves_nothing_to_select) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(1, 2, {1, 2})};
  problem.labels = {1};
  const Head head{{{1, 0}}, {0}, {1}, std::nullopt};
  check_outcome(check(problem, "nonlinear-head", {{"head", head}}), Verdict::inapplicable, Grade::proved);
}

BOOST_AUTO_TEST_CASE(tokens_that_no_weights_tell_apart_leave_nothing_to_select) {
  Problem equal;
  equal.tokens = {ExactMatrix::from_doubles(2, 1, {0, 0})};
  equal.labels = {1};
  Problem no_query;
  no_query.tokens = {ExactMatrix::from_doubles(2, 1, {1, 2})};
  no_query.labels = {1};
  no_query.queries = ExactMatrix::from_doubles(1, 1, {0});
  Problem first_is_zero;
  first_is_zero.tokens = {ExactMatrix::from_doubles(2, 2, {0, 0, 1, 1}), ExactMatrix::from_doubles(2, 2, {0, 0, 2, 1})};
  first_is_zero.labels = {1, 1};
  for (const Problem& problem : {equal, no_query, first_is_zero}) {
    const Head head{{std::vector<Rational>(problem.dimension(), 1)}, {0}, {1}, std::get<Expression>(parse_expression("tanh(u)"))};
    check_outcome(check(problem, "nonlinear-head", {{"head", head}}), Verdict::inapplicable, Grade::observed);
  }
}

BOOST_AUTO_TEST_CASE(tokens_that_doubles_do_not_tell_apart_decide_nothing) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1e-200, 2e-200})};
  problem.labels = {1};
  const Head head{{{1}}, {0}, {1}, std::get<Expression>(parse_expression("tanh(u)"))};
  check_outcome(check(problem, "nonlinear-head", {{"head", head}}), Verdict::undecided, Grade::observed);
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_runs) {
  const Checked first = check_case("sigmoid", 3);
  BOOST_TEST((first.numbers == check_case("sigmoid", 3).numbers));
  BOOST_TEST((first.numbers != check_case("sigmoid", 4).numbers));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
