#include "claim_check.hpp"
#include "papers_data.hpp"

namespace attest {
namespace {

Checked map_of(const Problem& problem, const char* radius, std::int64_t grid) {
  return check(problem, "basins", {{"radius", Rational(radius)}, {"grid", grid}});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(basins)

BOOST_AUTO_TEST_CASE(every_start_of_the_papers_input_with_ties_provably_goes_to_its_best_token) {
  const Checked map = map_of(problem_of("one-input/tie"), "2", 5);
  check_outcome(map, Verdict::holds, Grade::proved);
  BOOST_TEST(map.numbers.at("proved") == 25);
  BOOST_TEST(map.numbers.at("limits").size() == 1);
  BOOST_TEST(map.numbers.at("limits").at(0).at("selection") == Json({0}));
}

BOOST_AUTO_TEST_CASE(the_map_has_both_basins_where_a_second_token_is_locally_optimal) {
  const Problem problem = problem_of("one-input/distinct");
  const Checked map = map_of(problem, "3/2", 3);
  BOOST_TEST(map.numbers.at("limits").size() == 2);
  // The start (0, -3/2), which the paper's run takes to token 1, and (0, 0), which it takes to token 0. Rows go up.
  const auto limit = [&](std::size_t k) {
    return map.numbers.at("limits").at(map.numbers.at("map").at(k).get<std::size_t>()).at("selection");
  };
  BOOST_TEST(limit(1) == Json({1}));
  BOOST_TEST(limit(4) == Json({0}));
}

BOOST_AUTO_TEST_CASE(keys_that_span_three_dimensions_have_no_map) {
  const Checked map = map_of(problem_of("arrays/random"), "1", 3);
  check_outcome(map, Verdict::undecided, Grade::observed);
  BOOST_TEST(map.message.find("two dimensions") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest
