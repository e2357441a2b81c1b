#include "attest/exact/basin.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace attest;

BOOST_AUTO_TEST_SUITE(basin)

namespace {

/// Two samples; in the second the first token has to make up for a direction against it: docs/theory.md, GD-global.
Problem lagging() {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 3, {1, 0, 0, 0, 0, 0}), ExactMatrix::from_doubles(3, 3, {-2, 1, 0, 0, 0, 0, 0, 0, 1})};
  problem.labels = {1, 1};
  problem.v = ExactMatrix::from_doubles(1, 3, {1, 3, 0});
  problem.queries = ExactMatrix::from_doubles(2, 3, {1, 0, 0, 1, 0, 0});
  return problem;
}

bool contains(const Problem& problem, const std::vector<double>& p, Parametrisation parametrisation = Parametrisation::prompt) {
  const ExactTokens tokens(problem);
  return Basin(tokens, exact_scores(problem), parametrisation).contains(p);
}

/// One sample of two tokens of keys 1 and 0 that score 1 and 0: every p is in the basin.
Problem pair(const Loss& loss) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1, 0})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 1, {1});
  problem.loss = loss;
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_ray_of_the_optimum_is_in_it_and_the_one_that_leads_elsewhere_is_not) {
  BOOST_TEST(contains(lagging(), {10, 30, 0}));
  BOOST_TEST(contains(lagging(), {1e4, 3e4, 0}));
  BOOST_TEST(!contains(lagging(), {10, 0, 0}));
  BOOST_TEST(!contains(lagging(), {1e4, 0, 0}));
}

BOOST_AUTO_TEST_CASE(weights_with_one_query_are_a_prompt) {
  BOOST_TEST(contains(lagging(), {10, 0, 0, 30, 0, 0, 0, 0, 0}, Parametrisation::weights));
  BOOST_TEST(!contains(lagging(), {10, 0, 0, 0, 0, 0, 0, 0, 0}, Parametrisation::weights));
  // The transposed matrix is not.
  BOOST_TEST(!contains(lagging(), {10, 30, 0, 0, 0, 0, 0, 0, 0}, Parametrisation::weights));
}

BOOST_AUTO_TEST_CASE(its_edge_is_where_the_loss_says) {
  // l = -u, gaps 1 and 1, n = 2, one free direction: sum of 1 - s = chi = 1 at p = 0, where both have 1/2.
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 1, {1, 0}), ExactMatrix::from_doubles(2, 1, {1, 0})};
  problem.labels = {1, 1};
  problem.v = ExactMatrix::from_doubles(1, 1, {1});
  problem.loss = Loss::correlation();
  BOOST_TEST(!contains(problem, {0}));  // equal is not less
  BOOST_TEST(contains(problem, {1e-30}));
  BOOST_TEST(!contains(problem, {-1e-30}));
}

BOOST_AUTO_TEST_CASE(one_sample_with_equal_scores_is_in_it_everywhere) {
  for (const Loss& loss : {Loss::logistic(), Loss::exponential(), Loss::correlation()})
    for (const double p : {-50.0, -1.0, 0.0, 1.0, 1e6}) BOOST_TEST(contains(pair(loss), {p}), loss.name() << " at " << p);
}

BOOST_AUTO_TEST_CASE(what_is_not_a_number_is_not_in_it) {
  BOOST_TEST(!contains(pair(Loss::logistic()), {std::numeric_limits<double>::quiet_NaN()}));
  BOOST_TEST(!contains(pair(Loss::logistic()), {-std::numeric_limits<double>::infinity()}));
}

BOOST_AUTO_TEST_CASE(a_loss_that_is_not_enclosed_has_no_basin) {
  const Problem problem = pair(Loss::written(std::get<Expression>(parse_expression("1/u - u"))));
  BOOST_TEST(!contains(problem, {1}));
  const ExactTokens tokens(problem);
  BOOST_TEST(Basin(tokens, exact_scores(problem), Parametrisation::prompt).level() == 0);
}

BOOST_AUTO_TEST_CASE(its_level_is_chi_over_n) {
  const Problem problem = lagging();  // scores 1, 0 and 1, 0, 0
  const ExactTokens tokens(problem);
  const double chi = std::log(2.0) - std::log1p(std::exp(-1.0));
  BOOST_TEST(std::abs(Basin(tokens, exact_scores(problem), Parametrisation::prompt).level() - chi / 2) <= 1e-15);
}

BOOST_AUTO_TEST_SUITE_END()
