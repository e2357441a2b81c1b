// svm_bench TOKENS.npy SELECTION.npy: solves the p-SVM of the data and proves it, and prints one line of JSON: the
// median seconds of the guess and of the exact stage, what they found, and the peak memory
// (data included, loading it not).

#include "attest/exact/svm.hpp"
#include "attest/model/npy.hpp"
#include "attest/solve/active_set_guess.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
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

Problem load_problem(const char* file) {
  const NumericArray array = load(file);
  const std::size_t n = array.shape.at(0);
  const std::size_t T = array.shape.at(1);
  const std::size_t d = array.shape.at(2);
  Problem problem;
  for (std::size_t i = 0; i < n; ++i) {
    const auto begin = array.values.begin() + static_cast<std::ptrdiff_t>(i * T * d);
    problem.tokens.push_back(ExactMatrix::from_doubles(T, d, std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(T * d))));
    problem.labels.push_back(1);
  }
  return problem;
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// Loading the data needs memory too; what is measured begins after it.
void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

double peak_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:" && status >> word) return std::stod(word) / 1024;
  return 0;
}

int run(const char* tokens_file, const char* selection_file) {
  const Problem problem = load_problem(tokens_file);
  Selection selection;
  for (const double token : load(selection_file).values) selection.push_back(static_cast<std::size_t>(token));

  forget_peak();
  std::vector<double> guessing;
  std::vector<double> proving;
  nlohmann::ordered_json line;
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    const ExactTokens tokens(problem);
    const SvmProgram program = SvmProgram::p_svm(tokens, selection);
    const ActiveSetGuess guess = guess_active_set(program);
    guessing.push_back(seconds_since(start));
    const auto middle = Clock::now();
    const SvmOutcome outcome = decide_svm(program, guess.rows, Budget(600));
    proving.push_back(seconds_since(middle));
    const auto& solution = std::get<SvmSolution>(outcome);
    std::vector<double> w;
    for (const Rational& entry : solution.w) w.push_back(nearest_double(entry));
    line = {{"objective", nearest_double(solution.objective)}, {"active", solution.multipliers.size()}, {"guessed", guess.rows.size()},
            {"support", solution.support.size()}, {"solution", w}};
  } while (proving.size() < 51 && seconds_since(begin) < 3);

  line["guess_seconds"] = median(guessing);
  line["proof_seconds"] = median(proving);
  line["repeats"] = proving.size();
  line["peak_mib"] = peak_mib();
  std::cout << line.dump() << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: svm_bench TOKENS.npy SELECTION.npy\n";
    return 2;
  }
  return run(argv[1], argv[2]);
}
