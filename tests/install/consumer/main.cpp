// A user of the library: makes a problem in code, asks two exact questions of it and prints the answers.

#include <attest/exact/global_optimality.hpp>
#include <attest/exact/loss_bounds.hpp>
#include <attest/model/problem.hpp>

#include <iostream>

int main() {
  using namespace attest;
  Problem problem;
  const Rational tenth(1, 10);
  problem.tokens = {ExactMatrix::from_rationals(2, 2, {1, 0, 9 * tenth, 1})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 2, {1, 0});

  const GlobalOptimality decided = decide_global_optimality(exact_scores(problem), {0});
  std::cout << "token 0 is " << (decided.unique ? "uniquely" : "not uniquely") << " optimal by "
            << to_string(*decided.gap) << "\n";

  const LossVerdict verdict = bound_loss(problem.loss, {-1, 1}, Budget(60));
  const auto* bounds = std::get_if<LossBounds>(&verdict);
  if (!bounds) return 1;
  std::cout << "the slope of the logistic loss on [-1, 1] is below "
            << (bounds->slope_sup < Rational(-26, 100) ? "-0.26" : "0") << "\n";
  return 0;
}
