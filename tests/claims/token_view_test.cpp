#include "claim_check.hpp"
#include "papers_data.hpp"

#include <cmath>

namespace attest {
namespace {

Json view_of(const Problem& problem, const Selection& selection) {
  return check(problem, "locally-optimal", {{"selection", selection}}).numbers.at("view");
}

/// k_i,alpha_i - k_it, where W keeps the first two coordinates.
std::pair<double, double> planar_row(const Problem& problem, std::size_t sample, std::size_t selected, std::size_t token) {
  const auto a = problem.tokens[sample].image_row(selected);
  const auto b = problem.tokens[sample].image_row(token);
  return {a[0] - b[0], a[1] - b[1]};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(token_view)

BOOST_AUTO_TEST_CASE(the_neighbour_that_ties_comes_first_at_margin_1_and_gap_0) {
  const Json view = view_of(problem_of("one-input/tie"), {1});
  BOOST_TEST(view.at("rows") == 2);
  BOOST_TEST(view.at("norm") == 1);
  BOOST_TEST(view.at("tokens") == Json::parse("[[0, 2], [0, 0]]"));
  BOOST_TEST(view.at("margin") == Json::parse("[1.0, 1.1]"));
  BOOST_TEST(view.at("gap") == Json::parse("[0.0, -0.1]"));
  // The tight row lies on the ray of p^mm: the other one says what is across it.
  BOOST_TEST(view.at("across") == Json::parse("[0.0, -1.0]"));
}

BOOST_AUTO_TEST_CASE(with_a_lower_third_token_the_same_neighbour_has_a_gap) {
  const Json view = view_of(problem_of("one-input/distinct"), {1});
  BOOST_TEST(view.at("gap") == Json::parse("[0.9, -0.1]"));
}

BOOST_AUTO_TEST_CASE(margin_and_across_are_the_coordinates_of_the_row) {
  const Problem problem = problem_of("multi-input/multi-input");
  const Json view = view_of(problem, {0, 0, 0});
  const double norm = view.at("norm").get<double>();
  BOOST_TEST(view.at("tokens").size() == 18U);
  for (std::size_t k = 0; k < 18; ++k) {
    const auto [x, y] = planar_row(problem, view.at("tokens")[k][0], 0, view.at("tokens")[k][1]);
    const double along = view.at("margin")[k].get<double>() / norm;
    BOOST_TEST(std::hypot(along, view.at("across")[k].get<double>()) == std::hypot(x, y), boost::test_tools::tolerance(1e-5));
    BOOST_TEST(view.at("margin")[k].get<double>() >= 1);
  }
}

BOOST_AUTO_TEST_CASE(an_infeasible_selection_has_no_view) {
  const Checked none = check(problem_of("selections/infeasible"), "locally-optimal", {{"selection", Selection{1, 0, 0}}});
  check_outcome(none, Verdict::fails, Grade::proved);
  BOOST_TEST(!none.numbers.contains("view"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest
