#include "attest/model/problem.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

namespace attest {
namespace {

Problem example() {
  Problem problem;
  problem.tokens = {ExactMatrix::from_rationals(2, 2, {1, Rational(1, 10), 0, 3}), ExactMatrix::from_doubles(1, 2, {0.5, 2})};
  problem.labels = {1, -1};
  problem.v = ExactMatrix::from_rationals(1, 2, {2, Rational(1, 3)});
  return problem;
}

BOOST_AUTO_TEST_SUITE(problem)

BOOST_AUTO_TEST_CASE(doubles_are_their_own_image_and_tenths_are_kept_beside_it) {
  const ExactMatrix doubles = ExactMatrix::from_rationals(1, 2, {Rational(1, 2), -3});
  BOOST_TEST(doubles.image_is_exact());
  const ExactMatrix tenths = ExactMatrix::from_rationals(1, 2, {Rational(1, 10), -3});
  BOOST_TEST(!tenths.image_is_exact());
  BOOST_TEST(tenths.at(0, 0) == Rational(1, 10));
  BOOST_TEST(tenths.image()[0] == 0.1);
  BOOST_TEST(tenths.at(0, 1) == -3);
}

BOOST_AUTO_TEST_CASE(a_tenth_is_not_the_double_next_to_it) {
  const ExactMatrix tenth = ExactMatrix::from_rationals(1, 1, {Rational(1, 10)});
  BOOST_TEST((tenth != ExactMatrix::from_doubles(1, 1, {0.1})));
  BOOST_TEST((tenth == ExactMatrix::from_rationals(1, 1, {Rational(2, 20)})));
}

BOOST_AUTO_TEST_CASE(values_that_do_not_fill_the_shape_are_a_mistake) {
  BOOST_CHECK_THROW(ExactMatrix::from_doubles(2, 2, {1, 2, 3}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(scores_are_exact_and_carry_the_label) {
  const Scores scores = exact_scores(example());
  BOOST_TEST(scores[0][0] == Rational(61, 30));
  BOOST_TEST(scores[0][1] == 1);
  BOOST_TEST(scores[1][0] == Rational(-5, 3));
}

BOOST_AUTO_TEST_CASE(without_v_there_are_no_scores) {
  Problem problem = example();
  problem.v.reset();
  BOOST_CHECK_THROW(exact_scores(problem), std::logic_error);
}

BOOST_AUTO_TEST_CASE(keys_are_the_tokens_or_w_times_them) {
  Problem problem = example();
  BOOST_TEST((exact_key(problem, 0, 0) == std::vector<Rational>{1, Rational(1, 10)}));
  problem.W = ExactMatrix::from_rationals(2, 2, {0, 1, Rational(1, 3), 0});
  BOOST_TEST((exact_key(problem, 0, 0) == std::vector<Rational>{Rational(1, 10), Rational(1, 3)}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
