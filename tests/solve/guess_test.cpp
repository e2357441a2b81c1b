#include "attest/model/svm_program.hpp"
#include "attest/solve/active_set_guess.hpp"
#include "attest/solve/ipopt_guess.hpp"
#include "sorted_rows.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>

using namespace attest;

namespace {

/// The joint-tight data: p-SVM solution (4/3, 1/3) with rows [1,0] and [2,0] active.
Problem joint_tight() {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {0, 0, 1, 1}), ExactMatrix::from_doubles(2, 2, {0, 0, 1, -1}),
                    ExactMatrix::from_doubles(2, 2, {0, 0, 0.5, 1})};
  problem.labels = {1, -1, 1};
  return problem;
}

/// Many samples whose selected tokens a common direction prefers: feasible, and too large to be given whole.
Problem feasible_problem(std::size_t samples, std::size_t tokens, std::size_t dimension, Selection& selection) {
  std::mt19937_64 random(5);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1.0; };
  std::vector<double> direction(dimension);
  for (double& entry : direction) entry = uniform();
  Problem problem;
  for (std::size_t i = 0; i < samples; ++i) {
    std::vector<double> values(tokens * dimension);
    for (double& entry : values) entry = uniform();
    std::vector<double> logits(tokens, 0);
    for (std::size_t t = 0; t < tokens; ++t)
      for (std::size_t c = 0; c < dimension; ++c) logits[t] += values[t * dimension + c] * direction[c];
    selection.push_back(static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin()));
    problem.tokens.push_back(ExactMatrix::from_doubles(tokens, dimension, values));
    problem.labels.push_back(1);
  }
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_guesses_find_the_active_rows_of_the_joint_tight_program) {
  const Problem problem = joint_tight();
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {1, 1, 1});
  for (const ActiveSetGuess& guess : {guess_active_set(program, Budget(60)), ipopt_guess(program, Budget(60))}) {
    BOOST_TEST(static_cast<int>(guess.end) == static_cast<int>(ActiveSetGuess::End::solved));
    BOOST_TEST(sorted(guess.rows) == (std::vector<std::size_t>{1, 2}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(both_guesses_suspect_an_infeasible_program) {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(3, 1, {0, 1, -1})};
  problem.labels = {1};
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0});
  for (const ActiveSetGuess& guess : {guess_active_set(program, Budget(60)), ipopt_guess(program, Budget(60))})
    BOOST_TEST(static_cast<int>(guess.end) != static_cast<int>(ActiveSetGuess::End::solved));
}

BOOST_AUTO_TEST_CASE(the_pool_finds_what_the_interior_point_method_finds_on_a_large_program) {
  Selection selection;
  const Problem problem = feasible_problem(200, 12, 6, selection);
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, selection);
  BOOST_REQUIRE(program.row_count() > 2000U);
  const ActiveSetGuess pool = guess_active_set(program, Budget(60));
  const ActiveSetGuess interior = ipopt_guess(program, Budget(60));
  BOOST_TEST(static_cast<int>(pool.end) == static_cast<int>(ActiveSetGuess::End::solved));
  BOOST_TEST(sorted(pool.rows) == sorted(interior.rows), boost::test_tools::per_element());
}
