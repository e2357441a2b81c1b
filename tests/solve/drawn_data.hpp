#pragma once

#include "attest/exact/svm.hpp"
#include "attest/graph/numeric_problem.hpp"
#include "attest/model/svm_program.hpp"
#include "attest/solve/active_set_guess.hpp"

#include <Eigen/Core>

#include <optional>
#include <random>
#include <vector>

namespace attest::drawn {

/// The exact solution of a program, as doubles; empty when infeasible.
inline std::optional<Eigen::VectorXd> solution_of(const SvmProgram& program) {
  const ActiveSetGuess guess = guess_active_set(program, Budget(60));
  if (guess.end != ActiveSetGuess::End::solved) return std::nullopt;  // the exact proof of it is not needed here
  const SvmOutcome outcome = decide_svm(program, guess.rows, Budget(60));
  const auto* solution = std::get_if<SvmSolution>(&outcome);
  if (!solution) return std::nullopt;
  Eigen::VectorXd w(static_cast<Eigen::Index>(solution->w.size()));
  for (std::size_t k = 0; k < solution->w.size(); ++k) w[static_cast<Eigen::Index>(k)] = nearest_double(solution->w[k]);
  return w;
}

inline std::optional<Eigen::VectorXd> p_mm(const Problem& problem, const Selection& selection) {
  const ExactTokens tokens(problem);
  return solution_of(SvmProgram::p_svm(tokens, selection));
}

/// Keys on a line; the far token that scores 20 bounds the descent, which has a minimiser at finite norm.
inline Problem bounded_descent() {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(3, 2, {0, 0, -1, -1, -3, 20}), ExactMatrix::from_doubles(2, 2, {0, 0, -40, -50})};
  problem.labels = {1, 1};
  problem.v = ExactMatrix::from_doubles(1, 2, {0, 1});
  problem.W = ExactMatrix::from_doubles(2, 2, {1, 0, 0, 0});
  problem.loss = Loss::correlation();
  return problem;
}

/// Data with a selection whose p-SVM is feasible, and its solution.
struct Instance {
  Problem problem;
  Selection selection;
  Eigen::VectorXd p_mm;
  Eigen::VectorXd v;

  NumericProblem numeric() const { return NumericProblem(problem); }
};

inline Selection best_scores(const Problem& problem) {
  Selection best;
  for (const std::vector<Rational>& scores : exact_scores(problem))
    best.push_back(static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin()));
  return best;
}

/// Tokens are standard normal vectors scaled to length 1, v is standard normal, labels are random, the selection has
/// the best scores; drawn again, with the next seed, until its p-SVM is feasible.
inline Instance random_instance(std::size_t n, std::size_t T, std::size_t d, unsigned seed, const Loss& loss = Loss::logistic()) {
  while (true) {
    std::mt19937_64 engine(seed++);
    std::normal_distribution<double> normal;
    Instance instance;
    instance.problem.loss = loss;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> values;
      for (std::size_t t = 0; t < T; ++t) {
        Eigen::VectorXd token(static_cast<Eigen::Index>(d));
        for (double& entry : token) entry = normal(engine);
        token.normalize();
        values.insert(values.end(), token.begin(), token.end());
      }
      instance.problem.tokens.push_back(ExactMatrix::from_doubles(T, d, values));
      instance.problem.labels.push_back(normal(engine) < 0 ? -1 : 1);
    }
    std::vector<double> head(d);
    for (double& entry : head) entry = normal(engine);
    instance.problem.v = ExactMatrix::from_doubles(1, d, head);
    instance.v = image_vector(*instance.problem.v);
    instance.selection = best_scores(instance.problem);
    if (const auto solution = p_mm(instance.problem, instance.selection)) {
      instance.p_mm = *solution;
      return instance;
    }
  }
}

/// Data with queries, and a selection with its W^mm by rows.
struct WeightInstance {
  Problem problem;
  Selection selection;
  Eigen::VectorXd W_mm;
  Eigen::VectorXd v;

  NumericProblem numeric() const { return NumericProblem(problem, Parametrisation::weights); }
};

/// W^mm by rows as doubles; empty when infeasible.
inline std::optional<Eigen::VectorXd> W_mm(const Problem& problem, const Selection& selection) {
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::w_svm(tokens, selection);
  const SvmOutcome outcome = decide_svm(program, guess_active_set(program, Budget(60)).rows, Budget(60));
  const auto* solution = std::get_if<SvmSolution>(&outcome);
  if (!solution) return std::nullopt;
  const std::vector<Rational> exact = weight_matrix(program, *solution);
  Eigen::VectorXd W(static_cast<Eigen::Index>(exact.size()));
  for (std::size_t k = 0; k < exact.size(); ++k) W[static_cast<Eigen::Index>(k)] = nearest_double(exact[k]);
  return W;
}

/// As random_instance, with queries that are unit vectors too; the problem has a W of its own, which plays no part.
inline WeightInstance random_weight_instance(std::size_t n, std::size_t T, std::size_t d, unsigned seed,
                                             const Loss& loss = Loss::logistic()) {
  while (true) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    const auto unit = [&](std::vector<double>& values) {
      Eigen::VectorXd vector(static_cast<Eigen::Index>(d));
      for (double& entry : vector) entry = normal(engine);
      vector.normalize();
      values.insert(values.end(), vector.begin(), vector.end());
    };
    WeightInstance instance;
    instance.problem.loss = loss;
    std::vector<double> queries;
    std::vector<double> head;
    std::vector<double> own;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> tokens;
      for (std::size_t t = 0; t < T; ++t) unit(tokens);
      instance.problem.tokens.push_back(ExactMatrix::from_doubles(T, d, tokens));
      instance.problem.labels.push_back(normal(engine) < 0 ? -1 : 1);
      unit(queries);
    }
    unit(head);
    for (std::size_t r = 0; r < d; ++r) unit(own);
    instance.problem.v = ExactMatrix::from_doubles(1, d, head);
    instance.problem.queries = ExactMatrix::from_doubles(n, d, queries);
    instance.problem.W = ExactMatrix::from_doubles(d, d, own);
    instance.v = image_vector(*instance.problem.v);
    instance.selection = best_scores(instance.problem);
    if (const auto solution = W_mm(instance.problem, instance.selection)) {
      instance.W_mm = *solution;
      return instance;
    }
    seed += 1000;
  }
}

inline Problem made_of(std::vector<ExactMatrix> tokens, std::vector<int> labels, std::vector<double> v) {
  Problem problem;
  problem.tokens = std::move(tokens);
  problem.labels = std::move(labels);
  if (!v.empty()) problem.v = ExactMatrix::from_doubles(1, v.size(), v);
  return problem;
}

}  // namespace attest::drawn
