// path_bench TOKENS.npy LABELS.npy HEAD.npy SELECTION.npy: solves the p-SVM, follows the path over the peers' 20 radii and to
// 2^20, and prints one line of JSON: median seconds, with the building of the graph apart, and the points found.

#include "attest/exact/svm.hpp"
#include "attest/solve/active_set_guess.hpp"
#include "attest/solve/path.hpp"
#include "bench_support.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>

namespace {

using namespace attest;
using namespace attest::bench;

Eigen::VectorXd p_mm(const Problem& problem, const Selection& selection) {
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, selection);
  const SvmOutcome outcome = decide_svm(program, guess_active_set(program, Budget(600)).rows, Budget(600));
  const auto& solution = std::get<SvmSolution>(outcome);
  Eigen::VectorXd w(static_cast<Eigen::Index>(solution.w.size()));
  for (std::size_t k = 0; k < solution.w.size(); ++k) w[static_cast<Eigen::Index>(k)] = nearest_double(solution.w[k]);
  return w;
}

nlohmann::ordered_json measure(const NumericProblem& problem, const Eigen::VectorXd& v, const Selection& selection,
                               const Eigen::VectorXd& hint, const std::vector<double>& radii) {
  std::vector<double> whole;
  std::vector<double> building;
  Path path;
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    path = follow_path(problem, v, selection, hint, {.radii = radii}, Budget(600));
    whole.push_back(seconds_since(start));
    building.push_back(path.build_seconds);
  } while (whole.size() < 21 && seconds_since(begin) < 3);
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const PathPoint& point : path.points)
    points.push_back({{"radius", point.radius},
                      {"p", std::vector<double>(point.p.begin(), point.p.end())},
                      {"verified", point.check.verified},
                      {"log_excess", point.check.log_excess}});
  return {{"seconds", median(whole)},
          {"build_seconds", median(building)},
          {"points", points},
          {"error", (path.final_direction() - hint.normalized()).norm()}};
}

int run(char** files) {
  Problem problem = load_tokens(files[0]);
  problem.labels.clear();
  for (const double label : load(files[1]).values) problem.labels.push_back(static_cast<int>(label));
  problem.v = ExactMatrix::from_doubles(1, problem.dimension(), load(files[2]).values);
  Selection selection;
  for (const double token : load(files[3]).values) selection.push_back(static_cast<std::size_t>(token));
  const NumericProblem numeric(problem);
  const Eigen::VectorXd v = image_vector(*problem.v);
  const Eigen::VectorXd hint = p_mm(problem, selection);
  std::vector<double> radii;
  for (int k = 0; k < 20; ++k) radii.push_back(std::pow(1000.0, k / 19.0));
  const nlohmann::ordered_json line = {{"short", measure(numeric, v, selection, hint, radii)},
                                       {"long", measure(numeric, v, selection, hint, doubling_radii())}};
  std::cout << line.dump() << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: path_bench TOKENS.npy LABELS.npy HEAD.npy SELECTION.npy\n";
    return 2;
  }
  return run(argv + 1);
}
