// svm_bench TOKENS.npy SELECTION.npy: solves the p-SVM of the data and proves it by a bracket, and prints one line of JSON: the
// median seconds of the guess and of the proof, what they found, the seconds of the exact solution beside it, and the peak memory
// (data included, loading it not).

#include "attest/exact/svm_bracket.hpp"
#include "attest/solve/active_set_guess.hpp"
#include "bench_support.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

namespace {

using namespace attest;
using namespace attest::bench;

/// Of one exact solution, the guess not counted.
double exact_seconds(const Problem& problem, const Selection& selection) {
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, selection);
  const ActiveSetGuess guess = guess_active_set(program, Budget(600));
  const auto start = Clock::now();
  static_cast<void>(decide_svm(program, guess.rows, Budget(600)));
  return seconds_since(start);
}

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
    const auto bracket = bracket_svm(program, {guess.rows, guess.solve_gram});
    proving.push_back(seconds_since(middle));
    line = {{"objective", nearest_double(bracket->upper)},
            {"gap", upper_double(bracket->relative_gap())},
            {"distance", upper_double(bracket->distance)},
            {"active", bracket->multipliers.size()},
            {"support", bracket->support.size()},
            {"possible", bracket->possible.size()},
            {"solution", point_image(*bracket)}};
  } while (proving.size() < 51 && seconds_since(begin) < 3);
  line["peak_mib"] = peak_mib();
  line["exact_seconds"] = exact_seconds(problem, selection);

  line["guess_seconds"] = median(guessing);
  line["proof_seconds"] = median(proving);
  line["repeats"] = proving.size();
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
