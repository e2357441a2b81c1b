#include "attest/solve/closed_form.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/log_gradient.hpp"
#include "attest/solve/path.hpp"
#include "drawn_data.hpp"
#include "sorted_rows.hpp"
#include "weight_dual.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace attest {
namespace {

using drawn::WeightInstance;
using Eigen::VectorXd;

NumericProblem factored(const Problem& problem) { return NumericProblem(problem, Parametrisation::weights, WeightKeys::factors); }

VectorXd drawn_weights(unsigned seed, Eigen::Index size, double norm) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  VectorXd W(size);
  for (double& entry : W) entry = normal(engine);
  return norm * W.normalized();
}

BOOST_AUTO_TEST_SUITE(large_weights)

BOOST_AUTO_TEST_CASE(products_of_rows_find_the_rows_that_the_active_set_method_finds) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const WeightInstance data = drawn::random_weight_instance(9, 12, 6, seed);  // 99 rows, of which some 40 are tight
    const ExactTokens tokens(data.problem);
    const SvmProgram program = SvmProgram::w_svm(tokens, data.selection);
    const ActiveSetGuess one_by_one = guess_active_set(program, Budget(60));
    const ActiveSetGuess by_products = guess_weight_rows(program, Budget(60));
    BOOST_TEST((by_products.end == ActiveSetGuess::End::solved));
    BOOST_TEST(sorted(by_products.rows) == sorted(one_by_one.rows), boost::test_tools::per_element());
    const std::vector<double> right(by_products.rows.size(), 1);
    const std::vector<double> multipliers = by_products.solve_gram(right);
    BOOST_TEST(*std::ranges::min_element(multipliers) > 0);
  }
}

BOOST_AUTO_TEST_CASE(a_program_without_a_solution_is_not_solved_by_products_of_rows) {
  // One query, and each of two equal samples prefers the token that the other does not.
  Problem problem;
  for (int i = 0; i < 2; ++i) problem.tokens.push_back(ExactMatrix::from_doubles(2, 2, {1, 0, 0, 1}));
  problem.labels = {1, 1};
  problem.queries = ExactMatrix::from_doubles(2, 2, {1, 0, 1, 0});
  const ExactTokens tokens(problem);
  BOOST_TEST((guess_weight_rows(SvmProgram::w_svm(tokens, {0, 1}), Budget(60)).end == ActiveSetGuess::End::stalled));
  BOOST_TEST((guess_weight_rows(SvmProgram::w_svm(tokens, {0, 0}), Budget(60)).end == ActiveSetGuess::End::solved));
}

BOOST_AUTO_TEST_CASE(keys_in_factors_are_the_products_in_value_and_gradient) {
  const WeightInstance data = drawn::random_weight_instance(4, 5, 6, 4);
  const NumericProblem products = data.numeric();
  const NumericProblem factors = factored(data.problem);
  for (const double norm : {0.5, 8.0, 300.0}) {
    const VectorXd W = drawn_weights(5, products.dimension, norm);
    BOOST_TEST(erm_value(factors, data.v, W) == erm_value(products, data.v, W), boost::test_tools::tolerance(1e-13));
    const ScaledVector expected = erm_gradient_p(products, data.v, W);
    BOOST_TEST((erm_gradient_p(factors, data.v, W).value - expected.value).norm() <= 1e-13 * expected.scale);
    const LogVector logarithmic = log_gradient_p(products, data.v, W);
    const LogVector found = log_gradient_p(factors, data.v, W);
    BOOST_TEST(found.log_scale == logarithmic.log_scale, boost::test_tools::tolerance(1e-12));
    BOOST_TEST((found.vector - logarithmic.vector).norm() <= 1e-11 * logarithmic.vector.norm());
    BOOST_TEST(log_excess(factors, data.v, data.selection, W) == log_excess(products, data.v, data.selection, W),
               boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(keys_in_factors_of_other_queries_are_not_the_products) {
  WeightInstance data = drawn::random_weight_instance(4, 5, 6, 4);
  const VectorXd W = drawn_weights(5, 36, 2);
  const double before = erm_value(data.numeric(), data.v, W);
  data.problem.queries.reset();
  BOOST_TEST(std::abs(erm_value(factored(data.problem), data.v, W) - before) > 1e-3);
}

BOOST_AUTO_TEST_CASE(the_path_of_the_weights_in_factors_is_the_path) {
  for (const std::size_t n : {std::size_t{3}, std::size_t{7}}) {  // fewer queries than dimensions, and more
    const WeightInstance data = drawn::random_weight_instance(n, 4, 5, 11);
    const Path expected = follow_path(data.numeric(), data.v, data.selection, data.W_mm, {}, Budget(60));
    const Path found = follow_path(factored(data.problem), data.v, data.selection, data.W_mm, {}, Budget(60));
    BOOST_TEST_REQUIRE(expected.verified());
    BOOST_TEST_REQUIRE(found.verified());
    BOOST_TEST_REQUIRE(found.points.size() == expected.points.size());
    for (std::size_t k = 0; k < found.points.size(); ++k) BOOST_TEST(direction_error(found.points[k].p, expected.points[k].p) <= 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(a_point_beside_the_path_in_factors_is_refused) {
  const WeightInstance data = drawn::random_weight_instance(3, 4, 5, 11);
  const NumericProblem factors = factored(data.problem);
  PathSettings settings;
  settings.radii = {64};
  const Path path = follow_path(factors, data.v, data.selection, data.W_mm, settings, Budget(60));
  BOOST_TEST_REQUIRE(path.verified());
  const VectorXd& W = path.points.front().p;
  BOOST_TEST(check_path_point(factors, data.v, data.selection, W, 64).verified);
  const VectorXd beside = 63.9 * (W.normalized() + drawn_weights(10, W.size(), 1e-5)).normalized();
  BOOST_TEST(!check_path_point(factors, data.v, data.selection, beside, 64).verified);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
