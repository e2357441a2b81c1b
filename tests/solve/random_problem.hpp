#pragma once

#include "attest/exact/global_optimality.hpp"
#include "attest/exact/svm.hpp"
#include "attest/solve/active_set_guess.hpp"

#include <Eigen/Core>

#include <random>

namespace attest {

/// A problem of random unit tokens whose best-scoring selection has a feasible p-SVM, with its exact direction.
struct RandomProblem {
  Problem problem;
  Selection selection;
  Eigen::VectorXd p_mm;
};

inline RandomProblem random_problem(std::size_t n, std::size_t T, std::size_t d, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  while (true) {
    Problem problem;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> values(T * d);
      for (std::size_t t = 0; t < T; ++t) {
        Eigen::VectorXd token(static_cast<Eigen::Index>(d));
        for (double& entry : token) entry = normal(engine);
        token.normalize();
        std::copy(token.begin(), token.end(), values.begin() + static_cast<std::ptrdiff_t>(t * d));
      }
      problem.tokens.push_back(ExactMatrix::from_doubles(T, d, std::move(values)));
      problem.labels.push_back(engine() % 2 == 0 ? 1 : -1);
    }
    std::vector<double> v(d);
    for (double& entry : v) entry = normal(engine);
    problem.v = ExactMatrix::from_doubles(1, d, std::move(v));
    const ExactTokens tokens(problem);
    const Selection selection = best_selection(exact_scores(problem));
    const SvmProgram program = SvmProgram::p_svm(tokens, selection);
    const SvmOutcome outcome = decide_svm(program, guess_active_set(program).rows, Budget(60));
    const auto* solution = std::get_if<SvmSolution>(&outcome);
    if (solution == nullptr) continue;
    Eigen::VectorXd p_mm(static_cast<Eigen::Index>(d));
    for (std::size_t k = 0; k < d; ++k) p_mm(static_cast<Eigen::Index>(k)) = nearest_double(solution->w[k]);
    return {std::move(problem), selection, p_mm};
  }
}

}  // namespace attest
