#include "attest/claims/destinations.hpp"
#include "../solve/drawn_data.hpp"

#include <set>

#include "claim_check.hpp"
#include "papers_data.hpp"

namespace attest {
namespace {

Checked from_norm(const Problem& problem, const char* radius, std::int64_t starts, std::uint64_t seed = 1) {
  return check(problem, "destinations", {{"radius", Rational(radius)}, {"random", starts}}, seed);
}

std::size_t runs_in(const Json& numbers) {
  std::size_t count = numbers.at("undecided").get<std::size_t>();
  for (const Json& one : numbers.at("destinations")) count += one.at("runs").get<std::size_t>();
  return count;
}

/// The best token lies between the others: no p singles it out.
Problem squeezed() {
  Problem problem = one_input();
  problem.tokens = {ExactMatrix::from_doubles(3, 3, {0, 0, 1, 1, 0, 0, -1, 0, 0})};
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(destinations)

BOOST_AUTO_TEST_CASE(of_large_data_a_few_starts_that_say_nothing_are_enough_unless_more_are_asked_for) {
  const Problem problem = drawn::random_weight_instance(50, 16, 64, 1).problem;
  Parameters parameters = {{"radius", Rational(1)}, {"iterations", std::int64_t{10}}};
  const Checked few = check(problem, "destinations", parameters);
  check_outcome(few, Verdict::undecided, Grade::observed);
  BOOST_TEST(number(few, "starts") == 4);
  BOOST_TEST(number(few, "undecided") == 4);
  parameters.emplace("random", std::int64_t{6});
  BOOST_TEST(number(check(problem, "destinations", parameters), "starts") == 6);
}

BOOST_AUTO_TEST_CASE(from_0_the_papers_input_with_ties_provably_goes_to_its_best_token) {
  const Checked found = check(one_input(), "destinations");
  check_outcome(found, Verdict::holds, Grade::proved);
  BOOST_TEST(found.numbers.at("starts") == 1);
  BOOST_TEST(found.numbers.at("radius") == 0);
  BOOST_TEST(found.numbers.at("destinations").at(0).at("selection") == Json({0}));
  BOOST_TEST(found.numbers.at("destinations").at(0).at("grade") == "proved");
  BOOST_TEST((found.discoveries.locally_optimal == std::vector<Selection>{{0}}));
}

BOOST_AUTO_TEST_CASE(every_run_is_counted_once_and_shares_are_of_all_starts) {
  const Checked found = from_norm(problem_of("one-input/distinct"), "2", 24);
  BOOST_TEST(runs_in(found.numbers) == 24U);
  BOOST_TEST(found.numbers.at("runs").size() == 24U);
  BOOST_TEST(found.run_certificates.size() == 24U);
  std::map<Json, std::size_t> counted;
  for (const Json& run : found.numbers.at("runs")) ++counted[run.at("selection")];
  std::size_t before = 24;
  for (const Json& one : found.numbers.at("destinations")) {
    const auto runs = one.at("runs").get<std::size_t>();
    BOOST_TEST(runs == counted[one.at("selection")]);
    BOOST_TEST(runs <= before);  // most first
    BOOST_TEST(one.at("share").get<double>() == static_cast<double>(runs) / 24);
    before = runs;
  }
}

BOOST_AUTO_TEST_CASE(both_locally_optimal_tokens_are_reached_where_there_are_two) {
  const Checked found = from_norm(problem_of("one-input/distinct"), "2", 24);
  std::set<Json> reached;
  for (const Json& one : found.numbers.at("destinations")) reached.insert(one.at("selection"));
  BOOST_TEST((reached == std::set<Json>{Json({0}), Json({1})}));
}

BOOST_AUTO_TEST_CASE(a_share_is_proved_exactly_when_each_of_its_runs_is) {
  const Checked found = from_norm(problem_of("one-input/distinct"), "2", 24);
  for (const Json& one : found.numbers.at("destinations")) {
    std::size_t proved = 0;
    for (const Json& run : found.numbers.at("runs"))
      proved += run.at("selection") == one.at("selection") && !run.at("proved_by").is_null() ? 1 : 0;
    BOOST_TEST(one.at("proved") == proved);
    BOOST_TEST((one.at("grade") == "proved") == (one.at("proved") == one.at("runs")));
  }
  for (std::size_t k = 0; k < 24; ++k)
    BOOST_TEST(found.run_certificates[k].has_value() == !found.numbers.at("runs").at(k).at("proved_by").is_null());
}

BOOST_AUTO_TEST_CASE(where_no_p_prefers_the_best_tokens_runs_are_undecided_and_assigned_to_nothing) {
  const Checked found = check(squeezed(), "destinations");
  check_outcome(found, Verdict::undecided, Grade::observed);
  BOOST_TEST(found.numbers.at("destinations").empty());
  BOOST_TEST(found.numbers.at("undecided") == 1);
  BOOST_TEST(found.numbers.at("runs").at(0).at("selection").is_null());
  BOOST_TEST(found.numbers.at("expected").empty());
}

BOOST_AUTO_TEST_CASE(too_few_iterations_leave_a_run_undecided) {
  const Checked found =
      check(one_input(), "destinations", {{"iterations", std::int64_t{3}}, {"radius", Rational(1)}, {"random", std::int64_t{5}}});
  BOOST_TEST(runs_in(found.numbers) == 5U);
  for (const Json& run : found.numbers.at("runs"))
    if (run.at("proved_by").is_null()) BOOST_TEST(run.at("selection").is_null());
}

BOOST_AUTO_TEST_CASE(the_seed_draws_the_starts) {
  const Problem problem = problem_of("one-input/distinct");
  BOOST_TEST(from_norm(problem, "1", 6, 3).numbers == from_norm(problem, "1", 6, 3).numbers);
  BOOST_TEST(from_norm(problem, "1", 6, 3).numbers != from_norm(problem, "1", 6, 4).numbers);
}

BOOST_AUTO_TEST_CASE(errors_to_expect_fall_with_the_norm_and_keep_below_what_is_proved) {
  const Checked found = check(problem_of("one-input/distinct"), "destinations");
  const Json& expected = found.numbers.at("expected");
  BOOST_TEST_REQUIRE(expected.size() == 3U);
  BOOST_TEST(expected.at(2).at("norm") == 100);
  BOOST_TEST(expected.at(2).at("path_error").get<double>() < expected.at(0).at("path_error").get<double>());
  for (const Json& one : expected) {
    BOOST_TEST(one.at("seen_error").is_number());  // the run had that norm
    if (!one.at("bound").is_number()) continue;
    BOOST_TEST(one.at("path_error").get<double>() <= one.at("bound").get<double>());
    BOOST_TEST(one.at("seen_error").get<double>() <= one.at("bound").get<double>());
  }
  const Json& rate = found.numbers.at("rate");
  BOOST_TEST(rate.at("constant").get<double>() > 0);
  for (const Json& one : expected)
    BOOST_TEST((one.at("bound").is_number() || one.at("norm").get<double>() < rate.at("from_norm").get<double>() ||
                rate.at("constant").get<double>() >= 2 * one.at("norm").get<double>()));
}

BOOST_AUTO_TEST_CASE(a_run_that_ends_without_a_limit_says_how_the_attention_is_shared) {
  const Checked found = from_norm(squeezed(), "1", 1);
  BOOST_TEST(found.message.find("no longer grows, one token has the attention in 0 of 1 samples, in the others tokens share it") !=
                 std::string::npos,
             found.message);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest
