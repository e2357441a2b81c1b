#include "attest/exact/nuclear_bracket.hpp"
#include "attest/exact/svm.hpp"
#include "brute_force.hpp"
#include "drawn_numbers.hpp"
#include "no_limit.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>

using namespace attest;

namespace {

ExactMatrix draw_matrix(std::mt19937& random, std::size_t rows, std::size_t columns) {
  std::vector<Rational> values;
  for (std::size_t k = 0; k < rows * columns; ++k) values.emplace_back(pick(random, -3, 3), pick(random, 1, 3));
  return ExactMatrix::from_rationals(rows, columns, std::move(values));
}

struct Drawn {
  Problem problem;
  Selection selection;
};

Drawn draw(std::mt19937& random) {
  Drawn drawn;
  const auto d = static_cast<std::size_t>(pick(random, 1, 3));
  const auto n = static_cast<std::size_t>(pick(random, 1, 3));
  for (std::size_t i = 0; i < n; ++i) {
    const auto T = static_cast<std::size_t>(pick(random, 1, 4));
    drawn.problem.tokens.push_back(draw_matrix(random, T, d));
    drawn.problem.labels.push_back(1);
    drawn.selection.push_back(random() % T);
  }
  drawn.problem.queries = draw_matrix(random, n, d);
  drawn.problem.W = draw_matrix(random, d, d);  // plays no part
  return drawn;
}

/// Gauss over the rationals.
std::size_t rank_of(std::vector<Rational> entries, std::size_t d) {
  std::size_t rank = 0;
  for (std::size_t c = 0; c < d && rank < d; ++c) {
    std::size_t pivot = rank;
    while (pivot < d && entries[pivot * d + c] == 0) ++pivot;
    if (pivot == d) continue;
    for (std::size_t k = 0; k < d; ++k) std::swap(entries[pivot * d + k], entries[rank * d + k]);
    for (std::size_t r = rank + 1; r < d; ++r) {
      const Rational factor = entries[r * d + c] / entries[rank * d + c];
      for (std::size_t k = c; k < d; ++k) entries[r * d + k] -= factor * entries[rank * d + k];
    }
    ++rank;
  }
  return rank;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_w_svm_is_the_p_svm_of_tokens_written_as_matrices) {
  std::mt19937 random(31);
  int feasible = 0;
  int infeasible = 0;
  int low_rank = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const auto [problem, selection] = draw(random);
    const Problem twin = brute::vectorised(problem);
    const ExactTokens tokens(problem);
    const ExactTokens twin_tokens(twin);
    const SvmProgram program = SvmProgram::w_svm(tokens, selection);
    const SvmOutcome expected = decide_svm(SvmProgram::p_svm(twin_tokens, selection), {}, no_limit);
    std::vector<std::size_t> every(program.row_count());
    for (std::size_t row = 0; row < every.size(); ++row) every[row] = row;
    for (const auto& guess : {std::vector<std::size_t>{}, every}) {
      const SvmOutcome outcome = decide_svm(program, guess, no_limit);
      BOOST_REQUIRE_EQUAL(outcome.index(), expected.index());
      const auto* solution = std::get_if<SvmSolution>(&outcome);
      ++(solution ? feasible : infeasible);
      if (!solution) continue;
      const auto& twin_solution = std::get<SvmSolution>(expected);
      BOOST_REQUIRE(solution->objective == twin_solution.objective);
      BOOST_REQUIRE(solution->support == twin_solution.support);
      BOOST_REQUIRE(weight_matrix(program, *solution) == twin_solution.w);
      const std::size_t rank = rank_of(twin_solution.w, problem.dimension());
      BOOST_REQUIRE_EQUAL(weight_rank(program, *solution), rank);
      if (rank < std::min(problem.dimension(), problem.sample_count())) ++low_rank;
    }
  }
  BOOST_TEST(feasible > 200);
  BOOST_TEST(infeasible > 200);
  BOOST_TEST(low_rank > 20);
}

// The twin takes an equality for two inequalities and tries every active set.
BOOST_AUTO_TEST_CASE(the_generalised_w_svm_is_what_brute_force_finds) {
  std::mt19937 random(41);
  int feasible = 0;
  int infeasible = 0;
  int equalities = 0;
  for (int trial = 0; trial < 250; ++trial) {
    Problem problem;
    TokenSets sets;
    const auto n = static_cast<std::size_t>(pick(random, 1, 2));
    for (std::size_t i = 0; i < n; ++i) {
      const auto T = static_cast<std::size_t>(pick(random, 2, 3));
      problem.tokens.push_back(draw_matrix(random, T, 2));
      problem.labels.push_back(1);
      sets.emplace_back();
      while (sets.back().empty())
        for (std::size_t t = 0; t < T; ++t)
          if (random() % 2 == 0) sets.back().push_back(t);
    }
    problem.queries = draw_matrix(random, n, 2);
    if (n == 2 && trial % 2 == 0) {  // opposite queries, which contradict each other more often
      const Rational x = problem.queries->at(0, 0);
      const Rational y = problem.queries->at(0, 1);
      problem.queries = ExactMatrix::from_rationals(2, 2, {x, y, -x, -y});
      if (trial % 4 == 0) problem.tokens[1] = problem.tokens[0];
      if (trial % 4 == 0) sets[1] = sets[0];
    }
    const Problem twin = brute::vectorised(problem);
    std::vector<brute::Vector> rows;
    brute::Vector bounds;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t a : sets[i]) {
        for (std::size_t t = 0; t < problem.token_count(i); ++t) {
          if (t == a) continue;
          const bool inside = std::ranges::find(sets[i], t) != sets[i].end();
          rows.emplace_back();
          for (std::size_t c = 0; c < 4; ++c) rows.back().push_back(twin.tokens[i].at(a, c) - twin.tokens[i].at(t, c));
          bounds.emplace_back(inside ? 0 : 1);  // both (a, t) and (t, a) are rows when both are inside
          equalities += inside;
        }
      }
    }
    const auto expected = brute::minimise(rows, bounds, 4);
    const ExactTokens tokens(problem);
    const SvmProgram program = SvmProgram::w_svm(tokens, sets);
    std::vector<std::size_t> every(program.row_count());
    for (std::size_t row = 0; row < every.size(); ++row) every[row] = row;
    for (const auto& guess : {std::vector<std::size_t>{}, every}) {
      const SvmOutcome outcome = decide_svm(program, guess, no_limit);
      const auto* solution = std::get_if<SvmSolution>(&outcome);
      BOOST_REQUIRE_EQUAL(solution != nullptr, expected.has_value());
      ++(solution ? feasible : infeasible);
      if (solution) {
        BOOST_REQUIRE(weight_matrix(program, *solution) == *expected);
        BOOST_REQUIRE(solution->objective == brute::dot(*expected, *expected) / 2);
        continue;
      }
      brute::Vector sum(4, 0);
      Rational total = 0;
      for (const Multiplier& multiplier : std::get<SvmInfeasible>(outcome).multipliers) {
        const auto [i, t] = program.name(multiplier.row);
        BOOST_REQUIRE(multiplier.weight > 0 || program.is_equality(multiplier.row));
        for (std::size_t c = 0; c < 4; ++c)
          sum[c] += multiplier.weight * (twin.tokens[i].at(program.selection()[i], c) - twin.tokens[i].at(t, c));
        total += multiplier.weight * program.bound(multiplier.row);
      }
      BOOST_REQUIRE(sum == brute::Vector(4, 0));
      BOOST_REQUIRE(total > 0);
    }
  }
  BOOST_TEST(feasible > 100);
  BOOST_TEST(infeasible > 50);
  BOOST_TEST(equalities > 100);
}

BOOST_AUTO_TEST_CASE(the_farkas_weights_of_a_w_svm_annihilate_its_rows) {
  std::mt19937 random(37);
  int infeasible = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto [problem, selection] = draw(random);
    const ExactTokens tokens(problem);
    const SvmProgram program = SvmProgram::w_svm(tokens, selection);
    const SvmOutcome outcome = decide_svm(program, {}, no_limit);
    const auto* proof = std::get_if<SvmInfeasible>(&outcome);
    if (!proof) continue;
    ++infeasible;
    const std::size_t d = problem.dimension();
    std::vector<Rational> sum(d * d, 0);
    BOOST_REQUIRE(!proof->multipliers.empty());
    for (const Multiplier& multiplier : proof->multipliers) {
      BOOST_REQUIRE(multiplier.weight > 0);
      const auto [i, t] = program.name(multiplier.row);
      for (std::size_t r = 0; r < d; ++r)
        for (std::size_t c = 0; c < d; ++c)
          sum[r * d + c] +=
              multiplier.weight * problem.queries->at(i, c) * (problem.tokens[i].at(selection[i], r) - problem.tokens[i].at(t, r));
    }
    BOOST_REQUIRE(sum == std::vector<Rational>(d * d, 0));
  }
  BOOST_TEST(infeasible > 50);
}

namespace {

/// Rows 4 e1 e1^T and 9 e2 e2^T: the least nuclear norm is 1/4 + 1/9 = 13/36.
Problem diagonal() {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {1, 0, 0, 0}), ExactMatrix::from_doubles(2, 2, {0, 2, 0, 0})};
  problem.labels = {1, 1};
  problem.queries = ExactMatrix::from_doubles(2, 2, {4, 0, 0, 4.5});
  return problem;
}
const Rational least_norm(13, 36);

std::optional<NuclearBracket> bracket_from(double left, double weight) {
  const Problem problem = diagonal();
  const ExactTokens tokens(problem);
  const std::vector<double> A = {left / 2, 0, 0, left / 3};
  const std::vector<double> B = {1.0 / 2, 0, 0, 1.0 / 3};
  const std::vector<double> multipliers = {weight / 4, weight / 9};
  return prove_nuclear_bracket(SvmProgram::w_svm(tokens, {0, 0}), {2, A, B, multipliers});
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_good_hint_gives_a_narrow_bracket_of_the_nuclear_norm) {
  const auto bracket = bracket_from(1, 1);
  BOOST_REQUIRE(bracket.has_value());
  BOOST_TEST((bracket->lower <= least_norm && least_norm <= bracket->upper));
  BOOST_TEST(nearest_double(bracket->upper - bracket->lower) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(multipliers_that_are_too_large_never_raise_the_lower_bound_above_the_norm) {
  for (const double weight : {1.0 + 0x1p-40, 1.01, 2.0, 1e6}) BOOST_TEST(bracket_from(1, weight)->lower <= least_norm);
}

BOOST_AUTO_TEST_CASE(a_matrix_that_misses_rows_is_scaled_until_it_satisfies_them) {
  for (const double left : {0.5, 0.999999, 3.0}) BOOST_TEST(bracket_from(left, 1)->upper >= least_norm);
}

BOOST_AUTO_TEST_CASE(a_matrix_of_the_wrong_sign_gives_no_bracket) { BOOST_TEST(!bracket_from(-1, 1).has_value()); }

namespace {

/// n samples with a row e_k e_k^T each, the last with e_last for its query: the least nuclear norm is n where no two queries are alike. Too
/// many samples for exact pivots.
struct ManySamples {
  std::size_t n = 14;
  std::size_t d;
  std::size_t last = 13;

  std::optional<NuclearBracket> bracket(double weight) const {
    Problem problem;
    std::vector<double> queries(n * d, 0);
    std::vector<double> A(d * n, 0);
    std::vector<double> B(d * n, 0);
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<double> tokens(2 * d, 0);
      tokens[k] = 1;
      problem.tokens.push_back(ExactMatrix::from_doubles(2, d, tokens));
      problem.labels.push_back(1);
      const std::size_t axis = k + 1 == n ? last : k;
      queries[k * d + axis] = 1;
      A[k * n + k] = 1;
      B[axis * n + k] = 1;
    }
    problem.queries = ExactMatrix::from_doubles(n, d, queries);
    const ExactTokens tokens(problem);
    const std::vector<double> multipliers(n, weight);
    return prove_nuclear_bracket(SvmProgram::w_svm(tokens, Selection(n, 0)), {n, A, B, multipliers});
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(of_many_samples_a_root_shows_the_norm_of_the_multipliers_on_the_space_or_on_few_queries) {
  for (const std::size_t d : {14U, 20U, 28U, 40U}) {
    const auto bracket = ManySamples{.d = d}.bracket(1);
    BOOST_REQUIRE(bracket.has_value());
    BOOST_TEST(bracket->root.size() == (d < 28 ? d : 14U));
    BOOST_TEST((bracket->lower <= 14 && 14 <= bracket->upper));
    BOOST_TEST(nearest_double(bracket->relative_gap()) <= 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(queries_that_depend_on_each_other_are_shown_on_the_space) {
  const ManySamples twins{.d = 40, .last = 0};  // rows e_0 e_0^T and e_13 e_0^T: together 2^(1/2) e_0^T, so 12 + 2^(1/2)
  const auto bracket = twins.bracket(1 / std::sqrt(2.0));
  BOOST_REQUIRE(bracket.has_value());
  BOOST_TEST(bracket->root.size() == 40U);
  BOOST_TEST(nearest_double(bracket->lower) <= 12 + std::sqrt(2.0));
  BOOST_TEST(nearest_double(bracket->lower) >= 14 / std::sqrt(2.0) - 1e-6);
}

BOOST_AUTO_TEST_CASE(of_many_samples_multipliers_that_are_too_large_never_raise_the_lower_bound_above_the_norm) {
  for (const double weight : {1.0 + 0x1p-30, 1.01, 1.5, 1e6}) {
    BOOST_TEST(ManySamples{.d = 14}.bracket(weight)->lower <= 14);
    BOOST_TEST(ManySamples{.d = 40}.bracket(weight)->lower <= 14);
  }
}
