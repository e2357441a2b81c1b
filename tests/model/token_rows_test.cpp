#include "attest/model/token_rows.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <random>

namespace attest {
namespace {

/// The least positive double, the largest one, both zeros, whole numbers, thirds.
const std::vector<double> odd_numbers = {std::numeric_limits<double>::denorm_min(),
                                         -3 * std::numeric_limits<double>::denorm_min(),
                                         std::numeric_limits<double>::min(),
                                         std::numeric_limits<double>::max(),
                                         0.0,
                                         -0.0,
                                         1.0,
                                         -4096.0,
                                         1.0 / 3,
                                         -0.1};

/// Doubles of all sizes, and some that are odd.
ExactMatrix drawn(std::mt19937_64& random, std::size_t rows, std::size_t columns, int widest) {
  std::vector<double> values;
  for (std::size_t k = 0; k < rows * columns; ++k) {
    const double mantissa = static_cast<double>(static_cast<std::int64_t>(random()) >> 11);
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * widest + 1)) - widest - 53;
    values.push_back(widest > 500 && random() % 3 == 0 ? odd_numbers[random() % odd_numbers.size()] : std::ldexp(mantissa, exponent));
  }
  return ExactMatrix::from_doubles(rows, columns, std::move(values));
}

std::vector<Rational> row_of(const ExactMatrix& matrix, std::size_t row) {
  std::vector<Rational> values;
  for (std::size_t c = 0; c < matrix.columns(); ++c) values.push_back(matrix.at(row, c));
  return values;
}

bool same(const FractionVector& a, const FractionVector& b) { return a.denominator == b.denominator && a.numerators == b.numerators; }

BOOST_AUTO_TEST_SUITE(token_rows)

BOOST_AUTO_TEST_CASE(doubles_as_integers_are_what_they_are_as_fractions) {
  std::mt19937_64 random(1);
  for (const int widest : {0, 3, 30, 600})
    for (int k = 0; k < 100; ++k) {
      const ExactMatrix matrix = drawn(random, 2, 1 + random() % 5, widest);
      const FractionVector first = over_one_denominator(row_of(matrix, 0));
      const FractionVector second = over_one_denominator(row_of(matrix, 1));
      BOOST_TEST(same(row_fractions(matrix, 0), first));
      BOOST_TEST(same(row_difference(matrix, 0, 1), difference(first, second)));
    }
}

BOOST_AUTO_TEST_CASE(the_difference_the_other_way_round_is_another_one) {
  const ExactMatrix matrix = ExactMatrix::from_doubles(2, 2, {0.5, 3, 0.25, 3});
  BOOST_TEST(same(row_difference(matrix, 0, 1), {{1, 0}, 4}));
  BOOST_TEST(!same(row_difference(matrix, 1, 0), row_difference(matrix, 0, 1)));
}

BOOST_AUTO_TEST_CASE(fractions_are_subtracted_too) {
  const ExactMatrix matrix = ExactMatrix::from_rationals(2, 1, {Rational(1, 10), Rational(1, 3)});
  BOOST_TEST(same(row_difference(matrix, 0, 1), {{-7}, 30}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
