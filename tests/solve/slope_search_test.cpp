#include "attest/solve/slope_search.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace attest;

namespace {

/// One sample whose two tokens are (1, 0), which is selected, and (0, 1): all attention on the second has the same margin.
Problem right_angle() {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {1, 0, 0, 1})};
  problem.labels = {1};
  return problem;
}

/// (Gamma - margin)/(1 - s) at p, with Gamma = 1 and margin = |(s, 1 - s)|.
double slope_at(const std::vector<double>& p) {
  const double moved = 1 / (1 + std::exp(p[0] - p[1]));
  return (1 - std::hypot(1 - moved, moved)) / moved;
}

}  // namespace

BOOST_AUTO_TEST_CASE(ipopt_finds_points_where_moved_attention_costs_almost_nothing) {
  const Problem problem = right_angle();
  const auto points = search_slope_points({problem, {0}, {true}, {1, 0}}, 1, Budget(60));
  BOOST_TEST_REQUIRE(!points.empty());
  BOOST_TEST(slope_at({0, 0}) > 0.5);
  BOOST_TEST(slope_at(points.front()) < 0.05);
}

BOOST_AUTO_TEST_CASE(without_a_sample_that_counts_or_without_time_there_are_no_points) {
  const Problem problem = right_angle();
  BOOST_TEST(search_slope_points({problem, {0}, {false}, {1, 0}}, 1, Budget(60)).empty());
  BOOST_TEST(search_slope_points({problem, {0}, {true}, {1, 0}}, 1, Budget(0)).empty());
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_points) {
  const Problem problem = right_angle();
  const SlopeQuestion question{problem, {0}, {true}, {1, 0}};
  BOOST_TEST((search_slope_points(question, 7, Budget(60)) == search_slope_points(question, 7, Budget(60))));
}
