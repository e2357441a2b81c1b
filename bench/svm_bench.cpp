// svm_bench TOKENS.npy SELECTION.npy: solves the p-SVM of the data and proves it, and prints one line of JSON: the
// median seconds of the guess and of the exact stage, what they found, and the peak memory
// (data included, loading it not).

#include "attest/exact/svm.hpp"
#include "attest/solve/active_set_guess.hpp"
#include "bench_support.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

namespace {

using namespace attest;
using namespace attest::bench;

int run(const char* tokens_file, const char* selection_file) {
  const Problem problem = load_tokens(tokens_file);
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
    const ActiveSetGuess guess = guess_active_set(program, Budget(600));
    guessing.push_back(seconds_since(start));
    const auto middle = Clock::now();
    const SvmOutcome outcome = decide_svm(program, guess.rows, Budget(600));
    proving.push_back(seconds_since(middle));
    const auto& solution = std::get<SvmSolution>(outcome);
    std::vector<double> w;
    for (const Rational& entry : solution.w) w.push_back(nearest_double(entry));
    line = {{"objective", nearest_double(solution.objective)},
            {"active", solution.multipliers.size()},
            {"guessed", guess.rows.size()},
            {"support", solution.support.size()},
            {"solution", w}};
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
