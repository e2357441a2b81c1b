// path_bench TOKENS.npy LABELS.npy HEAD.npy SELECTION.npy: solves the p-SVM, follows the path over the peers' 20 radii and to
// 2^20, and prints one line of JSON: median seconds, with the building of the graph apart, and the points found.

#include "attest/exact/svm.hpp"
#include "attest/model/npy.hpp"
#include "attest/solve/active_set_guess.hpp"
#include "attest/solve/path.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>

namespace {

using namespace attest;
using Clock = std::chrono::steady_clock;

NumericArray load(const char* file) {
  auto read = read_array(file, "");
  if (const auto* fault = std::get_if<ArrayFault>(&read)) throw std::runtime_error(file + (": found " + fault->found));
  return std::get<NumericArray>(std::move(read));
}

Problem load_problem(const char* tokens_file, const char* labels_file, const char* head_file) {
  const NumericArray array = load(tokens_file);
  const std::size_t T = array.shape.at(1);
  const std::size_t d = array.shape.at(2);
  Problem problem;
  for (std::size_t i = 0; i < array.shape.at(0); ++i) {
    const auto begin = array.values.begin() + static_cast<std::ptrdiff_t>(i * T * d);
    problem.tokens.push_back(ExactMatrix::from_doubles(T, d, std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(T * d))));
  }
  for (const double label : load(labels_file).values) problem.labels.push_back(static_cast<int>(label));
  problem.v = ExactMatrix::from_doubles(1, d, load(head_file).values);
  return problem;
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

Eigen::VectorXd p_mm(const Problem& problem, const Selection& selection) {
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, selection);
  const SvmOutcome outcome = decide_svm(program, guess_active_set(program).rows, Budget(600));
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
    points.push_back({{"radius", point.radius}, {"p", std::vector<double>(point.p.begin(), point.p.end())},
                      {"verified", point.check.verified}, {"log_excess", point.check.log_excess}});
  return {{"seconds", median(whole)}, {"build_seconds", median(building)}, {"points", points},
          {"error", (path.final_direction() - hint.normalized()).norm()}};
}

int run(char** files) {
  const Problem problem = load_problem(files[0], files[1], files[2]);
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
