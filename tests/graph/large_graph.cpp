// Builds the gradient and the Hessian-vector product of an ERM of 200 samples, 64 tokens and 128 numbers, says how long
// that takes and how much memory, and fails when it is more than one GiB.

#include "attest/graph/erm_graph.hpp"

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <random>

namespace {

using namespace attest;

constexpr std::size_t samples = 200;
constexpr std::size_t tokens = 64;
constexpr std::size_t dimension = 128;
constexpr double allowed_mebibytes = 1024;

std::vector<double> normal_numbers(std::size_t count, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = normal(random);
  return values;
}

Problem large_problem(std::mt19937_64& random) {
  Problem problem;
  for (std::size_t i = 0; i < samples; ++i) {
    problem.tokens.push_back(ExactMatrix::from_doubles(tokens, dimension, normal_numbers(tokens * dimension, random)));
    problem.labels.push_back(i % 2 == 0 ? 1 : -1);
  }
  return problem;
}

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  const NumericProblem problem(large_problem(random));
  const auto draw = [&] { return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(normal_numbers(dimension, random).data(), dimension)); };
  const Eigen::VectorXd v = draw();
  const Eigen::VectorXd p = draw() / 8;
  const Eigen::VectorXd direction = draw();

  const auto begin = std::chrono::steady_clock::now();
  const ErmGraph graph(problem);
  const Eigen::VectorXd gradient = graph.gradient_p(v, p);
  const Eigen::VectorXd curved = graph.hessian_p_times(v, p, direction);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  const double mebibytes = peak_mebibytes();
  std::printf("gradient and Hessian-vector product at n = 200, T = 64, d = 128: %.2f s, %.0f MiB\n", seconds, mebibytes);
  if (!gradient.allFinite() || !curved.allFinite()) {
    std::printf("a derivative is not finite\n");
    return 1;
  }
  return mebibytes <= allowed_mebibytes ? 0 : 1;
}
