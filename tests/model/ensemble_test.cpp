#include "attest/model/ensemble.hpp"

#include "attest/model/problem_fault.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attest {
namespace {

double dot(std::span<const double> a, std::span<const double> b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

constexpr double rounding = 1e-12;

BOOST_AUTO_TEST_SUITE(ensembles)

BOOST_AUTO_TEST_CASE(every_law_gives_a_problem_of_its_size_and_the_same_one_for_the_same_seed) {
  const EnsemblePoint point{3, 2, 7, 0.5};
  for (const std::string_view name : token_law_names()) {
    const TokenLaw law = *token_law(name);
    BOOST_TEST(name_of(law) == name);
    if (law == TokenLaw::file) continue;
    const Problem problem = draw_problem(law, point, 5);
    BOOST_TEST(!fault_of(problem));
    BOOST_TEST(problem.sample_count() == 3U);
    BOOST_TEST(problem.token_count(1) == 2U);
    BOOST_TEST(problem.dimension() == 7U);
    BOOST_TEST((problem.tokens == draw_problem(law, point, 5).tokens));
    BOOST_TEST((problem.tokens != draw_problem(law, point, 6).tokens));  // the twin
  }
  BOOST_TEST(!token_law("uniform"));
}

BOOST_AUTO_TEST_CASE(tokens_of_the_sphere_have_length_one_and_normal_ones_have_not) {
  const auto length = [](TokenLaw law) {
    const Problem problem = draw_problem(law, {1, 1, 5, 0}, 1);
    return std::sqrt(dot(problem.tokens[0].image_row(0), problem.tokens[0].image_row(0)));
  };
  BOOST_TEST(std::abs(length(TokenLaw::sphere) - 1) <= rounding);
  BOOST_TEST(std::abs(length(TokenLaw::gaussian) - 1) > rounding);
}

BOOST_AUTO_TEST_CASE(orthogonal_tokens_are_orthonormal_across_samples) {
  const Problem problem = draw_problem(TokenLaw::orthogonal, {2, 3, 6, 0}, 1);
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = 0; b < 6; ++b) {
      const double product = dot(problem.tokens[a / 3].image_row(a % 3), problem.tokens[b / 3].image_row(b % 3));
      BOOST_TEST(std::abs(product - (a == b ? 1 : 0)) <= rounding);
    }
}

BOOST_AUTO_TEST_CASE(a_planted_token_without_noise_is_the_label_times_v) {
  const Problem problem = draw_problem(TokenLaw::planted, {4, 5, 3, 0}, 2);
  const auto scores = exact_scores(problem);
  for (const auto& of_sample : scores) {
    std::size_t relevant = 0;
    for (const Rational& score : of_sample) relevant += std::abs(nearest_double(score) - 1) <= rounding ? 1 : 0;
    BOOST_TEST(relevant == 1U);
    BOOST_TEST(std::ranges::count(of_sample, Rational(0)) == 4);
  }
}

BOOST_AUTO_TEST_CASE(a_part_of_given_data_has_their_samples_and_tokens_each_once) {
  const Problem source = draw_problem(TokenLaw::gaussian, {4, 3, 2, 0}, 3);
  const Problem whole = draw_problem(TokenLaw::file, {4, 3, 2, 0}, 7, &source);
  std::vector<double> numbers;
  std::vector<double> given;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto mine = whole.tokens[i].image();
    const auto theirs = source.tokens[i].image();
    numbers.insert(numbers.end(), mine.begin(), mine.end());
    given.insert(given.end(), theirs.begin(), theirs.end());
  }
  std::ranges::sort(numbers);
  std::ranges::sort(given);
  BOOST_TEST((numbers == given));
  BOOST_TEST((*whole.v == *source.v));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
