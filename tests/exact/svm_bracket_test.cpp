#include "attest/exact/svm_bracket.hpp"

#include "attest/model/token_rows.hpp"
#include "drawn_numbers.hpp"
#include "no_limit.hpp"

#include <Eigen/Cholesky>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numeric>
#include <random>

using namespace attest;

BOOST_AUTO_TEST_SUITE(svm_brackets)

namespace {

Rational draw_entry(std::mt19937& random, bool doubles) {
  if (!doubles) return {pick(random, -3, 3), pick(random, 1, 3)};
  return exact_value(std::uniform_real_distribution<>(-1, 1)(random));
}

ExactMatrix draw_matrix(std::mt19937& random, std::size_t rows, std::size_t columns, bool doubles) {
  std::vector<Rational> values;
  for (std::size_t k = 0; k < rows * columns; ++k) values.push_back(draw_entry(random, doubles));
  return ExactMatrix::from_rationals(rows, columns, std::move(values));
}

/// Small rationals are full of ties and dependent rows; doubles are not.
struct Drawn {
  Problem problem;
  Selection selection;
};

Drawn draw(std::mt19937& random) {
  Drawn drawn;
  const bool doubles = random() % 2 == 0;
  const auto d = static_cast<std::size_t>(pick(random, 1, 4));
  const auto n = static_cast<std::size_t>(pick(random, 1, 4));
  for (std::size_t i = 0; i < n; ++i) {
    const auto T = static_cast<std::size_t>(pick(random, 1, 4));
    drawn.problem.tokens.push_back(draw_matrix(random, T, d, doubles));
    drawn.problem.labels.push_back(random() % 2 == 0 ? 1 : -1);
    drawn.selection.push_back(random() % T);
  }
  if (random() % 2 == 0) drawn.problem.queries = draw_matrix(random, n, d, doubles);
  if (random() % 2 == 0) drawn.problem.W = draw_matrix(random, d, d, doubles);
  return drawn;
}

SvmProgram program_of(std::mt19937& random, const ExactTokens& tokens, const Selection& selection) {
  switch (random() % 4) {
    case 0: return SvmProgram::p_svm(tokens, selection);
    case 1: return SvmProgram::v_svm(tokens, selection);
    case 2: return SvmProgram::w_svm(tokens, selection);
    default: break;
  }
  std::vector<bool> in_support;
  for (std::size_t i = 0; i < selection.size(); ++i) in_support.push_back(random() % 2 == 0);
  return SvmProgram::joint_svm(tokens, selection, in_support);
}

/// A point of a program as a vector: of the W-SVM W by rows.
std::vector<Rational> entries(const SvmProgram& program, const FractionVector& point) {
  SvmSolution solution;
  solution.factors = point;
  if (program.kind() == SvmProgram::Kind::w) return weight_matrix(program, solution);
  std::vector<Rational> values;
  for (const Integer& entry : point.numerators) values.emplace_back(entry, point.denominator);
  return values;
}

std::vector<Rational> entries(const SvmProgram& program, const SvmSolution& solution) {
  return program.kind() == SvmProgram::Kind::w ? weight_matrix(program, solution) : solution.w;
}

/// A row as a vector, of the W-SVM d x d numbers.
std::vector<double> row_image(const SvmProgram& program, std::size_t row) {
  const FractionVector a = program.row(row);
  std::vector<double> image;
  for (const Integer& entry : a.numerators) image.push_back(nearest_double(Rational(entry, a.denominator)));
  if (program.kind() != SvmProgram::Kind::w) return image;
  const FractionVector& z = program.query(program.sample_position(row));
  std::vector<double> matrix;
  for (const double left : image)
    for (const Integer& entry : z.numerators) matrix.push_back(left * nearest_double(Rational(entry, z.denominator)));
  return matrix;
}

BracketHint hint_of(const SvmProgram& program, std::vector<std::size_t> rows) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd gram(count, count);
  for (Eigen::Index j = 0; j < count; ++j)
    for (Eigen::Index k = 0; k < count; ++k) {
      const auto a = row_image(program, rows[static_cast<std::size_t>(j)]);
      const auto b = row_image(program, rows[static_cast<std::size_t>(k)]);
      gram(j, k) = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    }
  return {std::move(rows), [factor = Eigen::LDLT<Eigen::MatrixXd>(gram)](const std::vector<double>& right) {
            const Eigen::VectorXd x =
                factor.solve(Eigen::Map<const Eigen::VectorXd>(right.data(), static_cast<Eigen::Index>(right.size())));
            return std::vector<double>(x.begin(), x.end());
          }};
}

std::vector<std::size_t> active_rows(const SvmSolution& solution) {
  std::vector<std::size_t> rows;
  for (const Multiplier& multiplier : solution.multipliers) rows.push_back(multiplier.row);
  return rows;
}

/// What a bracket says must be true of the exact solution.
void require_true(const SvmProgram& program, const SvmBracket& bracket, const SvmSolution& solution) {
  BOOST_REQUIRE(bracket.lower <= solution.objective);
  BOOST_REQUIRE(solution.objective <= bracket.upper);
  const std::vector<Rational> near = entries(program, bracket.point);
  const std::vector<Rational> exact = entries(program, solution);
  Rational square = 0;
  for (std::size_t c = 0; c < exact.size(); ++c) square += (near[c] - exact[c]) * (near[c] - exact[c]);
  BOOST_REQUIRE(square <= bracket.distance * bracket.distance);
  BOOST_REQUIRE(std::ranges::includes(solution.support, bracket.support));
  BOOST_REQUIRE(std::ranges::includes(bracket.possible, solution.support));
  BOOST_REQUIRE(std::ranges::includes(bracket.possible, bracket.support));
}

/// Two rows that almost contradict each other: (1, e) and (-1, e) need w = (0, 1/e).
Problem nearly_opposed(const Rational& e) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_rationals(3, 2, {0, 0, -1, Rational(-e), 1, Rational(-e)})};
  problem.labels = {1};
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(brackets_hold_the_exact_solution_whatever_the_hint) {
  std::mt19937 random(31);
  int narrow = 0;
  int known = 0;
  int open = 0;
  int infeasible = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Drawn drawn = draw(random);
    const ExactTokens tokens(drawn.problem);
    const SvmProgram program = program_of(random, tokens, drawn.selection);
    const SvmOutcome outcome = decide_svm(program, {}, no_limit);
    std::vector<std::size_t> any;
    for (std::size_t row = 0; row < program.row_count(); ++row)
      if (random() % 3 == 0) any.push_back(row);
    const auto by_chance = bracket_svm(program, hint_of(program, any));
    if (const auto* solution = std::get_if<SvmSolution>(&outcome)) {
      if (by_chance) require_true(program, *by_chance, *solution);
      const auto bracket = bracket_svm(program, hint_of(program, active_rows(*solution)));
      if (!bracket) continue;
      require_true(program, *bracket, *solution);
      if (bracket->relative_gap() <= Rational(1, Integer(1000000000000))) ++narrow;
      ++(bracket->support_is_known() ? known : open);
    } else {
      ++infeasible;
      BOOST_REQUIRE(!by_chance);
    }
  }
  BOOST_TEST(narrow > 1000);
  BOOST_TEST(known > 800);
  BOOST_TEST(open > 20);
  BOOST_TEST(infeasible > 500);
}

BOOST_AUTO_TEST_CASE(a_program_that_is_nearly_infeasible_has_a_bracket) {
  for (const int bits : {4, 10, 20}) {
    const Rational e(1, Integer(1) << bits);
    const Problem problem = nearly_opposed(e);
    const ExactTokens tokens(problem);
    const SvmProgram program = SvmProgram::p_svm(tokens, {0});
    const auto bracket = bracket_svm(program, hint_of(program, {0, 1}));
    BOOST_REQUIRE(bracket);
    require_true(program, *bracket, std::get<SvmSolution>(decide_svm(program, {}, no_limit)));
    BOOST_TEST(bracket->relative_gap() <= Rational(1, Integer(1000000000000)));
    BOOST_TEST(bracket->support_is_known());
  }
}

BOOST_AUTO_TEST_CASE(an_infeasible_program_has_none) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_rationals(3, 2, {0, 0, -1, 0, 1, 0})};
  problem.labels = {1};
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0});
  BOOST_TEST(!bracket_svm(program, hint_of(program, {0})));
  BOOST_TEST(!bracket_svm(program, hint_of(program, {0, 1})));
}

/// The least eigenvalue of the products of (1, e) and (-1, e) is 2 e^2: kappa must not exceed it, and shows both rows at once.
BOOST_AUTO_TEST_CASE(independent_rows_are_shown_to_be_tight_by_a_bound_of_their_eigenvalues) {
  for (const int bits : {2, 8}) {
    const Rational e(1, Integer(1) << bits);
    const Problem problem = nearly_opposed(e);
    const ExactTokens tokens(problem);
    const SvmProgram program = SvmProgram::p_svm(tokens, {0});
    const auto bracket = bracket_svm(program, hint_of(program, {0, 1}));
    BOOST_REQUIRE(bracket);
    BOOST_REQUIRE(bracket->independence);
    BOOST_TEST(bracket->directions.empty());
    BOOST_TEST(bracket->support == (std::vector<std::size_t>{0, 1}), boost::test_tools::per_element());
    BOOST_TEST(*bracket->independence <= 2 * e * e);
    for (const Multiplier& multiplier : bracket->multipliers)
      BOOST_TEST(multiplier.weight * multiplier.weight * *bracket->independence >
                 bracket->scale * bracket->scale * bracket->distance * bracket->distance);
  }
}

/// With e = 2^-20 the least eigenvalue is 2^-39, below what rounding leaves of a trace of 2: directions show the rows.
BOOST_AUTO_TEST_CASE(rows_that_are_nearly_dependent_are_shown_to_be_tight_by_directions) {
  const Rational e(1, Integer(1) << 20);
  Problem problem;
  problem.tokens = {ExactMatrix::from_rationals(3, 2, {0, 0, -1, Rational(-e), 1, Rational(-e)})};
  problem.labels = {1};
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0});
  const auto bracket = bracket_svm(program, hint_of(program, {0, 1}));
  BOOST_REQUIRE(bracket);
  BOOST_TEST(!bracket->independence);
  BOOST_TEST(bracket->directions.size() == 2U);
  BOOST_TEST(bracket->support_is_known());
}

/// Twins are both tight, and either may be left out: no direction tells them apart.
BOOST_AUTO_TEST_CASE(a_row_that_stands_twice_may_be_tight_but_is_not_certain) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_rationals(3, 2, {0, 0, -1, -2, -1, -2})};
  problem.labels = {1};
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0});
  const auto bracket = bracket_svm(program, hint_of(program, {0}));
  BOOST_REQUIRE(bracket);
  BOOST_TEST(bracket->support.empty());
  BOOST_TEST(!bracket->independence);
  BOOST_TEST(bracket->possible == (std::vector<std::size_t>{0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_row_alone_is_certain) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_rationals(3, 2, {0, 0, -1, -2, -4, -7})};
  problem.labels = {1};
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0});
  const auto bracket = bracket_svm(program, hint_of(program, {0}));
  BOOST_REQUIRE(bracket);
  BOOST_TEST(bracket->support == std::vector<std::size_t>{0}, boost::test_tools::per_element());
  BOOST_TEST(bracket->possible == std::vector<std::size_t>{0}, boost::test_tools::per_element());
  const auto again = show_tight(program, hint_of(program, {0}), *bracket, 0);
  BOOST_TEST(again.has_value());
  BOOST_TEST(!show_tight(program, hint_of(program, {0}), *bracket, 1));
}

BOOST_AUTO_TEST_SUITE_END()
