#include "attest/exact/svm.hpp"

#include "brute_force.hpp"
#include "matrix_by_rows.hpp"
#include "no_limit.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace attest;

namespace {

/// A one-sample problem whose p-SVM with alpha = 0 has exactly these rows: token 0 is the origin, token t is -row.
Problem with_rows(const std::vector<brute::Vector>& rows, std::size_t dimension) {
  std::vector<std::vector<Rational>> tokens(1, std::vector<Rational>(dimension, 0));
  for (const auto& row : rows) {
    tokens.emplace_back();
    for (const Rational& entry : row) tokens.back().emplace_back(-entry);
  }
  Problem problem;
  problem.tokens = {matrix(tokens)};
  problem.labels = {1};
  return problem;
}

brute::Vector row_values(const SvmProgram& program, std::size_t row) {
  brute::Vector values;
  const FractionVector exact = program.row(row);
  for (const Integer& entry : exact.numerators) values.emplace_back(entry, exact.denominator);
  return values;
}

/// Checks the answer by its own conditions alone.
void require_proof(const SvmProgram& program, const SvmOutcome& outcome) {
  brute::Vector sum(program.dimension(), 0);
  Rational bounds = 0;
  const auto& multipliers = std::holds_alternative<SvmSolution>(outcome) ? std::get<SvmSolution>(outcome).multipliers
                                                                         : std::get<SvmInfeasible>(outcome).multipliers;
  for (const Multiplier& multiplier : multipliers) {
    BOOST_REQUIRE(multiplier.weight > 0);
    const brute::Vector row = row_values(program, multiplier.row);
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += multiplier.weight * row[c];
    bounds += multiplier.weight * program.bound(multiplier.row);
  }
  if (const auto* solution = std::get_if<SvmSolution>(&outcome)) {
    BOOST_REQUIRE(sum == solution->w);
    BOOST_REQUIRE(solution->objective == brute::dot(sum, sum) / 2);
    std::vector<std::size_t> tight;
    for (std::size_t row = 0; row < program.row_count(); ++row) {
      const Rational value = brute::dot(row_values(program, row), sum);
      BOOST_REQUIRE(value >= program.bound(row));
      if (value == program.bound(row)) tight.push_back(row);
    }
    BOOST_REQUIRE(tight == solution->support);
  } else {
    BOOST_REQUIRE(sum == brute::Vector(program.dimension(), 0));
    BOOST_REQUIRE(bounds > 0);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(exact_answers_agree_with_brute_force_on_small_degenerate_programs) {
  std::mt19937 random(7);
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); };
  int feasible = 0;
  int infeasible = 0;
  for (int trial = 0; trial < 2500; ++trial) {
    const auto d = static_cast<std::size_t>(pick(1, 4));
    std::vector<brute::Vector> rows(static_cast<std::size_t>(pick(1, 8)));
    for (auto& row : rows)
      for (std::size_t c = 0; c < d; ++c) row.emplace_back(pick(-3, 3));
    const Problem problem = with_rows(rows, d);
    const ExactTokens tokens(problem);
    const SvmProgram program = SvmProgram::p_svm(tokens, {0});
    const auto expected = brute::minimise(rows, brute::Vector(rows.size(), 1), d);
    ++(expected ? feasible : infeasible);
    // No guess, every row, and rows at random: the answer does not depend on the guess.
    std::vector<std::size_t> every;
    std::vector<std::size_t> some;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      every.push_back(row);
      if (pick(0, 1)) some.push_back(row);
    }
    for (const auto& guess : {std::vector<std::size_t>{}, every, some}) {
      const SvmOutcome outcome = decide_svm(program, guess, no_limit);
      BOOST_REQUIRE_EQUAL(std::holds_alternative<SvmSolution>(outcome), expected.has_value());
      require_proof(program, outcome);
      if (expected) BOOST_REQUIRE(std::get<SvmSolution>(outcome).w == *expected);
    }
  }
  BOOST_TEST(feasible > 500);
  BOOST_TEST(infeasible > 500);
}

BOOST_AUTO_TEST_CASE(joint_programs_with_zero_bounds_agree_with_brute_force) {
  std::mt19937 random(11);
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); };
  for (int trial = 0; trial < 500; ++trial) {
    const auto d = static_cast<std::size_t>(pick(1, 3));
    Problem problem;
    Selection selection;
    std::vector<bool> in_support;
    for (int i = 0; i < 3; ++i) {
      std::vector<std::vector<Rational>> tokens(static_cast<std::size_t>(pick(1, 3)));
      for (auto& token : tokens)
        for (std::size_t c = 0; c < d; ++c) token.emplace_back(pick(-3, 3));
      selection.push_back(random() % tokens.size());
      problem.tokens.push_back(matrix(tokens));
      problem.labels.push_back(pick(0, 1) ? 1 : -1);
      in_support.push_back(pick(0, 1) == 1);
    }
    const ExactTokens tokens(problem);
    const SvmProgram program = SvmProgram::joint_svm(tokens, selection, in_support);
    brute::Vector bounds;
    for (std::size_t row = 0; row < program.row_count(); ++row) bounds.emplace_back(in_support[program.name(row).sample] ? 1 : 0);
    const auto expected = brute::minimise(brute::p_rows(problem, selection), bounds, d);
    const SvmOutcome outcome = decide_svm(program, {}, no_limit);
    BOOST_REQUIRE_EQUAL(std::holds_alternative<SvmSolution>(outcome), expected.has_value());
    require_proof(program, outcome);
    if (expected) BOOST_REQUIRE(std::get<SvmSolution>(outcome).w == *expected);
  }
}

BOOST_AUTO_TEST_CASE(a_duplicate_of_the_selected_token_makes_the_program_infeasible) {
  const Problem problem = with_rows({{1, 0}, {0, 0}}, 2);
  const ExactTokens tokens(problem);
  const SvmOutcome outcome = decide_svm(SvmProgram::p_svm(tokens, {0}), {}, no_limit);
  BOOST_REQUIRE(std::holds_alternative<SvmInfeasible>(outcome));
  BOOST_TEST(std::get<SvmInfeasible>(outcome).multipliers.front().row == 1U);
}

BOOST_AUTO_TEST_CASE(a_row_missed_by_1e_minus_40_is_seen) {
  // The second row is tight at the minimiser of the first, or misses it by a hair: only exact arithmetic tells.
  const Rational hair = Rational(1) / pow(Integer(10), 40U);
  for (const int sign : {-1, 0, 1}) {
    const Problem problem = with_rows({{1, 0}, {1 + sign * hair, 0}}, 2);
    const ExactTokens tokens(problem);
    const SvmProgram program = SvmProgram::p_svm(tokens, {0});
    const SvmOutcome outcome = decide_svm(program, std::vector<std::size_t>{0}, no_limit);
    require_proof(program, outcome);
    BOOST_TEST(std::get<SvmSolution>(outcome).support.size() == (sign == 0 ? 2U : 1U));
    BOOST_TEST(std::get<SvmSolution>(outcome).support.front() == (sign < 0 ? 1U : 0U));
  }
}

BOOST_AUTO_TEST_CASE(numbers_beyond_doubles_are_decided) {
  const Rational huge = pow(Integer(10), 400U);
  const Problem problem = with_rows({{huge, 1}, {1, huge}, {1 / huge, 1}}, 2);
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0});
  const SvmOutcome outcome = decide_svm(program, {}, no_limit);
  require_proof(program, outcome);
  BOOST_TEST(std::holds_alternative<SvmSolution>(outcome));
}

BOOST_AUTO_TEST_CASE(independent_rows_are_told_from_dependent_ones) {
  const Problem problem = with_rows({{1, 0}, {1, 1}, {2, 1}}, 2);
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0});
  BOOST_TEST(shown_independent(program, std::vector<std::size_t>{0, 2}));
  BOOST_TEST(!shown_independent(program, std::vector<std::size_t>{0, 1, 2}));
  BOOST_TEST(!shown_independent(program, std::vector<std::size_t>{1, 1}));
}

BOOST_AUTO_TEST_CASE(a_program_without_rows_has_the_origin_as_its_solution) {
  const Problem problem = with_rows({}, 3);
  const ExactTokens tokens(problem);
  const SvmOutcome outcome = decide_svm(SvmProgram::p_svm(tokens, {0}), {}, no_limit);
  BOOST_REQUIRE(std::holds_alternative<SvmSolution>(outcome));
  BOOST_TEST(std::get<SvmSolution>(outcome).objective == 0);
}
