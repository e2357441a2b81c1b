#include "claim_check.hpp"
#include "papers_data.hpp"

#include <cmath>

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

std::vector<RationalPoint> two_directions(const Problem& problem, int slope) {
  std::vector<RationalPoint> directions(2, RationalPoint(problem.dimension(), Rational(0)));
  directions[0][0] = 3;
  directions[1][0] = 1;
  directions[1][1] = slope;
  return directions;
}

BOOST_AUTO_TEST_CASE(the_plane_of_two_directions_is_mapped_in_any_dimension) {
  const Problem problem = problem_of("arrays/random");
  const Checked map =
      check(problem, "basins", {{"radius", Rational(1)}, {"grid", std::int64_t{2}}, {"directions", two_directions(problem, 2)}});
  const Json& plane = map.numbers.at("plane");
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t j = 0; j < problem.dimension(); ++j) BOOST_TEST(plane[k][j].get<double>() == (j == k ? 1.0 : 0.0));
  BOOST_TEST(map.numbers.at("map").size() == 4U);
}

BOOST_AUTO_TEST_CASE(two_multiples_of_one_direction_span_no_plane) {
  const Problem problem = problem_of("arrays/random");
  const Checked map = check(problem, "basins", {{"directions", two_directions(problem, 0)}});
  check_outcome(map, Verdict::undecided, Grade::observed);
  BOOST_TEST(map.message.find("span no plane") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_plane_of_two_selections_is_mapped_where_the_keys_span_more) {
  const Problem problem = problem_of("arrays/random");
  const auto locals = check(problem, "census").discoveries.locally_optimal;
  BOOST_TEST_REQUIRE(locals.size() >= 2U);
  const std::vector<Selection> two = {locals[0], locals[1]};
  const Checked map = check(problem, "basins", {{"radius", Rational(1)}, {"grid", std::int64_t{2}}, {"selections", two}});
  BOOST_TEST(map.numbers.at("plane_of") == Json(two));
  const auto first = map.numbers.at("plane")[0].get<std::vector<double>>();
  const auto p_mm = check(problem, "p-svm", {{"selection", two[0]}}).numbers.at("solution").get<std::vector<double>>();
  double along = 0;
  double norm = 0;
  for (std::size_t j = 0; j < first.size(); ++j) {
    along += first[j] * p_mm[j];
    norm += p_mm[j] * p_mm[j];
  }
  BOOST_TEST(along == std::sqrt(norm), boost::test_tools::tolerance(1e-9));  // the first axis is p^mm of the first
}

BOOST_AUTO_TEST_CASE(one_selection_spans_a_plane_with_the_first_step_and_three_span_none) {
  const Problem problem = problem_of("arrays/random");
  const auto locals = check(problem, "census").discoveries.locally_optimal;
  const Parameters few = {{"radius", Rational(1)}, {"grid", std::int64_t{1}}};
  Parameters one = few;
  one.emplace("selections", std::vector<Selection>{locals[0]});
  BOOST_TEST(check(problem, "basins", one).numbers.at("plane_of").size() == 1U);
  Parameters three = few;
  three.emplace("selections", std::vector<Selection>(3, locals[0]));
  const Checked none = check(problem, "basins", three);
  check_outcome(none, Verdict::undecided, Grade::observed);
  BOOST_TEST(none.message.find("span no plane") != std::string::npos, none.message);
}

BOOST_AUTO_TEST_CASE(keys_that_span_a_plane_are_mapped_in_it_whatever_selections_are_named) {
  const Checked map = check(problem_of("one-input/tie"), "basins",
                            {{"radius", Rational(1)}, {"grid", std::int64_t{1}}, {"selections", std::vector<Selection>{{0}}}});
  BOOST_TEST(map.numbers.at("plane_of").empty());
}

BOOST_AUTO_TEST_CASE(a_start_that_is_seen_to_go_somewhere_is_no_proof_of_it) {
  // Three iterations prove nothing of this start, and are too few to see it.
  const Problem problem = problem_of("one-input/distinct");
  const Checked map = check(problem, "basins", {{"radius", Rational(1)}, {"grid", std::int64_t{3}}, {"iterations", std::int64_t{3}}});
  check_outcome(map, Verdict::undecided, Grade::observed);
  const auto& numbers = map.numbers;
  std::size_t seen = 0;
  for (std::size_t k = 0; k < 9; ++k) {
    const bool proved = !numbers.at("map").at(k).is_null();
    BOOST_TEST(proved == map.run_certificates[k].has_value());
    BOOST_TEST((!proved || numbers.at("map_seen").at(k).is_null()));
    seen += numbers.at("map_seen").at(k).is_null() ? 0 : 1;
  }
  BOOST_TEST(numbers.at("seen") == seen);
  BOOST_TEST(numbers.at("proved").get<std::size_t>() + seen < 9U);
}

BOOST_AUTO_TEST_CASE(the_loss_of_the_plane_falls_towards_the_best_direction_and_descent_follows_it) {
  const Checked map = map_of(problem_of("one-input/tie"), "5", 3);
  const Json& loss = map.numbers.at("loss");
  const std::size_t side = loss.at("ticks").size();
  BOOST_TEST(loss.at("log_excess").size() == side * side);
  const auto at = [&](std::size_t across, std::size_t up) { return loss.at("log_excess")[up * side + across].get<double>(); };
  BOOST_TEST(at(side / 2, side - 1) < at(side / 2, 0));  // p^mm is (-0.1, 1), scaled
  // At 0 the three tokens have a third of the attention each: L = l(14/15), L* = l(1).
  BOOST_TEST(at(side / 2, side / 2) == std::log(std::log1p(std::exp(-14.0 / 15)) - std::log1p(std::exp(-1.0))),
             boost::test_tools::tolerance(1e-3));
  const Json& descent = map.numbers.at("descent");
  BOOST_TEST(descent.front() == Json::parse("[0.0, 0.0]"));
  BOOST_TEST(descent.back()[1].get<double>() > 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest
