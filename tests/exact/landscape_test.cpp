#include "attest/exact/ascent.hpp"
#include "attest/exact/first_step.hpp"
#include "attest/exact/head_bounds.hpp"
#include "attest/exact/sparsity.hpp"
#include "attest/exact/stationary_point.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace attest;

namespace {

Problem line(const std::vector<std::vector<double>>& tokens, std::vector<int> labels) {
  Problem problem;
  for (const auto& sample : tokens) problem.tokens.push_back(ExactMatrix::from_doubles(sample.size(), 1, sample));
  problem.labels = std::move(labels);
  problem.v = ExactMatrix::from_doubles(1, 1, {1});
  return problem;
}

/// The first sample pulls p up, the second down, with forces that are equal at one p < 0 alone.
Problem tug_of_war() { return line({{1, 0}, {2, 0}}, {1, -1}); }

double force(double p) {
  const auto share = [](double x) { return 1 / (1 + std::exp(-x)); };
  const double up = 1 / (1 + std::exp(share(p))) * share(p) * (1 - share(p));
  const double down = 1 / (1 + std::exp(-2 * share(2 * p))) * 4 * share(2 * p) * (1 - share(2 * p));
  return up - down;
}

double balance() {
  double low = -20;
  double high = 0;
  while (high - low > 1e-15 * 20) (force((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  return low;
}

std::variant<Ascent, NoAscent> ascent_of(const Problem& problem, Parametrisation over = Parametrisation::prompt) {
  return find_ascent(ExactTokens(problem), exact_scores(problem), over);
}

std::optional<StationaryBox> box_near(const Problem& problem, double p) {
  return enclose_stationary_point(ExactTokens(problem), exact_scores(problem), Parametrisation::prompt, std::vector<double>{p});
}

bool stationary_at_origin(const Problem& problem) {
  return is_stationary_at_origin(ExactTokens(problem), exact_scores(problem), Parametrisation::prompt);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(landscape)

BOOST_AUTO_TEST_CASE(keys_in_the_order_of_scores_have_a_direction) {
  const Problem problem = line({{1, 0}, {3, 2, -1}}, {1, 1});
  const auto found = ascent_of(problem);
  const auto* ascent = std::get_if<Ascent>(&found);
  BOOST_TEST_REQUIRE(ascent != nullptr);
  BOOST_TEST((std::get<AscentDirection>(*ascent).u.front() > 0));
}

BOOST_AUTO_TEST_CASE(keys_that_pull_both_ways_are_shown_to_have_none) {
  const auto found = ascent_of(tug_of_war());
  const auto* none = std::get_if<NoAscent>(&found);
  BOOST_TEST_REQUIRE(none != nullptr);
  BOOST_TEST(none->excluded);
}

/// Scores so near to each other that no perceptron ends: tokens rise along the head itself, or against it.
BOOST_AUTO_TEST_CASE(tokens_rise_along_the_head_where_all_labels_agree) {
  for (const int label : {1, -1}) {
    Problem problem;
    problem.tokens = {ExactMatrix::from_doubles(3, 2, {0, 0, 1, 0x1p-40, -1, 0x1p-41}), ExactMatrix::from_doubles(1, 2, {5, 7})};
    problem.labels = {label, -label};  // all scores of the second sample are equal
    problem.v = ExactMatrix::from_doubles(1, 2, {0, 3});
    const auto found = ascent_of(problem);
    const auto* ascent = std::get_if<Ascent>(&found);
    BOOST_TEST_REQUIRE(ascent != nullptr);
    BOOST_TEST((std::get<AscentDirection>(*ascent).u == std::vector<Rational>{0, 3 * label}));
  }
}

BOOST_AUTO_TEST_CASE(the_head_raises_no_keys_of_other_weights_nor_of_both_labels) {
  Problem turned = line({{1, 0}, {3, 2, -1}}, {1, 1});
  turned.W = ExactMatrix::from_doubles(1, 1, {-1});
  const auto found = ascent_of(turned);
  const auto* ascent = std::get_if<Ascent>(&found);
  BOOST_TEST_REQUIRE(ascent != nullptr);
  BOOST_TEST((std::get<AscentDirection>(*ascent).u.front() < 0));
  const auto both = ascent_of(line({{1, 0}, {3, 2, -1}}, {1, -1}));
  BOOST_TEST(std::holds_alternative<NoAscent>(both));
}

/// k.u need not rise strictly everywhere: no perceptron finds (0, 1), but linear programming does.
BOOST_AUTO_TEST_CASE(a_direction_that_some_rows_are_orthogonal_to_is_found) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 3, {1, 0, 1, 0, 0, 0}), ExactMatrix::from_doubles(2, 3, {-1, 0, 1, 0, 0, 0}),
                    ExactMatrix::from_doubles(2, 3, {0, 1, 1, 0, 0, 0})};
  problem.labels = {1, 1, 1};
  problem.v = ExactMatrix::from_doubles(1, 3, {0, 0, 1});
  problem.W = ExactMatrix::from_doubles(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 0});
  const auto found = ascent_of(problem);
  const auto* ascent = std::get_if<Ascent>(&found);
  BOOST_TEST_REQUIRE(ascent != nullptr);
  const std::vector<Rational>& u = std::get<AscentDirection>(*ascent).u;
  BOOST_TEST((u[0] == 0 && u[1] > 0));
}

BOOST_AUTO_TEST_CASE(independent_queries_leave_no_stationary_weights) {
  Problem problem = tug_of_war();
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {1, 0, 0, 0}), ExactMatrix::from_doubles(2, 2, {2, 0, 0, 0})};
  problem.v = ExactMatrix::from_doubles(1, 2, {1, 0});
  problem.queries = ExactMatrix::from_doubles(2, 2, {1, 0, 0, 1});
  const auto found = ascent_of(problem, Parametrisation::weights);
  BOOST_TEST_REQUIRE(std::holds_alternative<Ascent>(found));
  BOOST_TEST(std::holds_alternative<IndependentQueries>(std::get<Ascent>(found)));
  problem.queries = ExactMatrix::from_doubles(2, 2, {1, 0, 1, 0});
  BOOST_TEST(std::holds_alternative<NoAscent>(ascent_of(problem, Parametrisation::weights)));
}

BOOST_AUTO_TEST_CASE(a_stationary_point_is_enclosed_where_the_forces_are_equal) {
  const auto box = box_near(tug_of_war(), balance());
  BOOST_TEST_REQUIRE(box.has_value());
  BOOST_TEST(std::abs(nearest_double(box->centre.front()) - balance()) <= 1e-12);
  const double reach = nearest_double(box->radius.front() * abs(box->basis.front().front()));
  BOOST_TEST(force(nearest_double(box->centre.front()) - 1.01 * reach - 1e-9) > 0);
  BOOST_TEST(force(nearest_double(box->centre.front()) + 1.01 * reach + 1e-9) < 0);
}

BOOST_AUTO_TEST_CASE(no_box_holds_a_stationary_point_that_is_not_there) {
  for (const double p : {-3.0, 0.0, 1.0, 40.0}) BOOST_TEST(!box_near(line({{1, 0}}, {1}), p).has_value(), p);
}

BOOST_AUTO_TEST_CASE(opposite_samples_of_one_mean_score_cancel_at_the_origin) {
  BOOST_TEST(stationary_at_origin(line({{1, -1}, {1, -1}}, {1, -1})));
  BOOST_TEST(!stationary_at_origin(line({{1, -1}, {1, -1}}, {1, 1})));
  BOOST_TEST(!stationary_at_origin(line({{1, -1}, {2, -2}}, {1, -1})));
}

/// Two tokens whose keys differ by 1: attention 9/10 takes p = log 9.
BOOST_AUTO_TEST_CASE(a_bracket_holds_the_norm_of_two_tokens) {
  const Problem problem = line({{1, 0}}, {1});
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0});
  const auto bracket = bracket_sparsity(program, Rational(1, 10), {{0, 1}}, {{0, exact_value(std::log(9.0) * (1 + 1e-10))}});
  BOOST_TEST_REQUIRE(bracket.has_value());
  BOOST_TEST(nearest_double(bracket->lower) <= std::log(9.0));
  BOOST_TEST(nearest_double(bracket->upper) >= std::log(9.0));
  BOOST_TEST(nearest_double(bracket->upper - bracket->lower) <= 1e-9);
}

BOOST_AUTO_TEST_CASE(a_point_with_too_little_attention_gives_no_bracket) {
  const Problem problem = line({{1, 0}}, {1});
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0});
  BOOST_TEST(!bracket_sparsity(program, Rational(1, 10), {{0, 1}}, {{0, exact_value(std::log(9.0) * (1 - 1e-10))}}).has_value());
  BOOST_TEST(!bracket_sparsity(program, Rational(1, 10), {}, {}).has_value());
  BOOST_TEST(bracket_sparsity(program, Rational(3, 4), {}, {}).has_value());
}

BOOST_AUTO_TEST_CASE(opposite_rows_exclude_strong_attention_alone) {
  const Problem problem = line({{1, 0}, {-1, 0}}, {1, -1});
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0, 0});
  BOOST_TEST(excludes_sparsity(program, Rational(1, 10), {{0, 1}, {1, 1}}));
  BOOST_TEST(!excludes_sparsity(program, Rational(3, 5), {{0, 1}, {1, 1}}));
}

BOOST_AUTO_TEST_CASE(the_first_step_follows_the_stronger_sample) {
  const Problem problem = tug_of_war();
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0, 1});  // rows 1 and -2
  const auto at_zero = enclose_first_step(program, exact_scores(problem));
  BOOST_TEST_REQUIRE(at_zero.has_value());
  BOOST_TEST(nearest_double(at_zero->progress[0].upper()) < 0);
  BOOST_TEST(std::abs(nearest_double(at_zero->progress[0].lower()) - force(0) / 2) <= 1e-12);
  BOOST_TEST(at_zero->progress[1].is_positive());
  const auto far = enclose_first_step(program, exact_scores(problem), {-10});
  BOOST_TEST_REQUIRE(far.has_value());
  BOOST_TEST(far->progress[0].is_positive());
}

BOOST_AUTO_TEST_CASE(samples_that_cancel_at_the_origin_oppose_every_row) {
  const Problem problem = line({{1, -1}, {1, -1}}, {1, -1});
  const ExactTokens tokens(problem);
  BOOST_TEST(is_opposed_at_origin(SvmProgram::p_svm(tokens, {0, 0}), exact_scores(problem), 0));
  const Problem agreeing = line({{1, -1}, {1, -1}}, {1, 1});
  const ExactTokens others(agreeing);
  BOOST_TEST(!is_opposed_at_origin(SvmProgram::p_svm(others, {0, 0}), exact_scores(agreeing), 0));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(head_bounds)

Expression head(const std::string& text) { return std::get<Expression>(parse_expression(text)); }

BOOST_AUTO_TEST_CASE(bounds_of_tanh_hold_at_every_mixture) {
  const Problem problem = line({{1, 0, -2}, {0.5}}, {1, -1});
  const Expression phi = head("tanh(u)");
  const auto found = bound_head(HeadOnTokens(problem, phi, {0, 0}));
  BOOST_TEST_REQUIRE(std::holds_alternative<certified::HeadSlopes>(found));
  const auto& slopes = std::get<certified::HeadSlopes>(found);
  BOOST_TEST(!slopes.bounds[1].has_value());
  for (double u = -2; u < 1; u += 0.01) {
    const double fall = (std::tanh(1.0) - std::tanh(u)) / (1 - u);
    BOOST_TEST(nearest_double(slopes.bounds[0]->low) <= fall);
    BOOST_TEST(nearest_double(slopes.bounds[0]->high) >= fall);
  }
}

/// u^3/3 - u rises again beyond 1: there its values bound it, and its slope does not.
BOOST_AUTO_TEST_CASE(a_head_that_turns_is_bounded_by_its_values) {
  const Problem problem = line({{0, 1.5}}, {1});
  const Expression phi = head("u^3/3 - u");
  const auto found = bound_head(HeadOnTokens(problem, phi, {0}));
  BOOST_TEST_REQUIRE(std::holds_alternative<certified::HeadSlopes>(found));
  const auto& slopes = std::get<certified::HeadSlopes>(found);
  for (double u = 0.01; u <= 1.5; u += 0.01) {
    const double fall = 1 - u * u / 3;
    BOOST_TEST(nearest_double(slopes.bounds[0]->low) <= fall);
    BOOST_TEST(nearest_double(slopes.bounds[0]->high) >= fall);
  }
}

BOOST_AUTO_TEST_CASE(tokens_on_both_sides_and_rising_heads_are_not_bounded) {
  const Expression phi = head("tanh(u)");
  BOOST_TEST(std::holds_alternative<HeadUndecided>(bound_head(HeadOnTokens(line({{0, 1, -1}}, {1}), phi, {0}))));
  BOOST_TEST(std::holds_alternative<HeadUndecided>(bound_head(HeadOnTokens(line({{0, 1}}, {1}), phi, {0}))));
  BOOST_TEST(std::holds_alternative<HeadUndecided>(bound_head(HeadOnTokens(line({{0, 0}}, {1}), phi, {0}))));
  const Expression turning = head("u^3/3 - u");
  BOOST_TEST(std::holds_alternative<HeadUndecided>(bound_head(HeadOnTokens(line({{0, 2}}, {1}), turning, {0}))));
}

BOOST_AUTO_TEST_SUITE_END()
