#include "attest/exact/weight_optima.hpp"

#include "attest/exact/local_optimality.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace attest;

namespace {

SvmOpinion no_opinion(const SvmProgram&) { return {false, {}}; }

ExactMatrix draw_matrix(std::mt19937& random, std::size_t rows, std::size_t columns) {
  std::vector<Rational> values;
  for (std::size_t k = 0; k < rows * columns; ++k) values.emplace_back(static_cast<int>(random() % 9) - 4);
  return ExactMatrix::from_rationals(rows, columns, std::move(values));
}

Problem draw(std::mt19937& random, Selection& selection) {
  Problem problem;
  const std::size_t d = 2 + random() % 2;
  const std::size_t n = 1 + random() % 3;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t T = 1 + random() % 3;
    problem.tokens.push_back(draw_matrix(random, T, d));
    problem.labels.push_back(1);
    selection.push_back(random() % T);
  }
  problem.queries = draw_matrix(random, n, d);
  return problem;
}

/// The definition, for every other selection: the selected tokens score 1, all others 0.
bool brute_force(const ExactTokens& tokens, const Selection& best) {
  const Problem& problem = tokens.problem();
  Scores scores;
  for (std::size_t i = 0; i < best.size(); ++i) {
    scores.emplace_back(problem.token_count(i), Rational(0));
    scores[i][best[i]] = 1;
  }
  Selection other(best.size(), 0);
  while (true) {
    if (other != best) {
      const SvmProgram program = SvmProgram::w_svm(tokens, other);
      const SvmOutcome outcome = decide_svm(program, {}, Budget(60));
      const auto* solution = std::get_if<SvmSolution>(&outcome);
      if (solution != nullptr && !outscoring_neighbour(program, *solution, scores)) return true;
    }
    std::size_t i = 0;
    while (i < other.size() && ++other[i] == problem.token_count(i)) other[i++] = 0;
    if (i == other.size()) return false;
  }
}

BOOST_AUTO_TEST_SUITE(weight_optima)

BOOST_AUTO_TEST_CASE(another_optimum_is_found_exactly_where_enumeration_finds_one) {
  std::mt19937 random(7);
  int with = 0;
  int without = 0;
  for (int k = 0; k < 600; ++k) {
    Selection selection;
    const Problem problem = draw(random, selection);
    const ExactTokens tokens(problem);
    const OtherOptimum other = find_other_weight_optimum(tokens, selection, no_opinion, Budget(60));
    BOOST_TEST_REQUIRE(other.decided);
    BOOST_TEST(other.selection.has_value() == brute_force(tokens, selection));
    (other.selection ? with : without) += 1;
  }
  BOOST_TEST(with >= 20);
  BOOST_TEST(without >= 20);
}

BOOST_AUTO_TEST_CASE(a_search_without_time_decides_nothing) {
  std::mt19937 random(8);
  Selection selection;
  Problem problem = draw(random, selection);
  while (problem.sample_count() < 2 || problem.token_count(0) < 2 || problem.token_count(1) < 2) {
    selection.clear();
    problem = draw(random, selection);
  }
  const OtherOptimum other = find_other_weight_optimum(ExactTokens(problem), selection, no_opinion, Budget(0));
  BOOST_TEST(!other.decided);
  BOOST_TEST(!other.selection.has_value());
  BOOST_TEST(!other.reason.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
