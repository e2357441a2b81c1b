// wsvm_bench TOKENS.npy SELECTION.npy QUERIES.npy: solves the W-SVM of the data and proves it, in both norms, and prints one
// line of JSON: median CPU seconds of the guess and of the proof, what they found, those of the exact solution where it is in reach, and
// the peak memory.

#include "attest/exact/nuclear_bracket.hpp"
#include "attest/exact/svm_bracket.hpp"
#include "attest/solve/active_set_guess.hpp"
#include "attest/solve/nuclear_guess.hpp"
#include "bench_support.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <iostream>

namespace {

using namespace attest;
using namespace attest::bench;
using Json = nlohmann::ordered_json;

/// Repeats guess and proof; both return what they took apart from each other.
Json timed(const std::function<Json(const SvmProgram&, double&, double&)>& solve, const Problem& problem, const Selection& selection) {
  std::vector<double> guessing;
  std::vector<double> proving;
  Json found;
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    const ExactTokens tokens(problem);
    const SvmProgram program = SvmProgram::w_svm(tokens, selection);
    const double made = seconds_since(start);
    double guess = 0;
    double proof = 0;
    found = solve(program, guess, proof);
    guessing.push_back(made + guess);
    proving.push_back(proof);
  } while (proving.size() < 51 && seconds_since(begin) < 3);
  found["guess_seconds"] = median(guessing);
  found["proof_seconds"] = median(proving);
  return found;
}

Json frobenius(const SvmProgram& program, double& guess_seconds, double& proof_seconds) {
  const auto start = Clock::now();
  const ActiveSetGuess guess = guess_active_set(program, Budget(600));
  guess_seconds = seconds_since(start);
  const auto middle = Clock::now();
  const auto bracket = bracket_svm(program, {guess.rows, guess.solve_gram});
  proof_seconds = seconds_since(middle);
  return {{"objective", nearest_double(bracket->upper)},
          {"gap", upper_double(bracket->relative_gap())},
          {"active", bracket->multipliers.size()},
          {"support", bracket->support.size()},
          {"possible", bracket->possible.size()}};
}

/// Exact solutions of more rows take minutes.
constexpr std::size_t most_exact_rows = 400;

/// Of one exact solution with its rank, the guess not counted.
double exact_seconds(const Problem& problem, const Selection& selection) {
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::w_svm(tokens, selection);
  const ActiveSetGuess guess = guess_active_set(program, Budget(600));
  const auto start = Clock::now();
  const SvmOutcome outcome = decide_svm(program, guess.rows, Budget(600));
  static_cast<void>(weight_rank(program, std::get<SvmSolution>(outcome)));
  return seconds_since(start);
}

Json nuclear(const SvmProgram& program, double& guess_seconds, double& proof_seconds) {
  const auto start = Clock::now();
  const NuclearGuess guess = guess_nuclear(program, Budget(600));
  guess_seconds = seconds_since(start);
  const auto middle = Clock::now();
  const auto bracket = prove_nuclear_bracket(program, {guess.columns, guess.A, guess.B, guess.multipliers});
  proof_seconds = seconds_since(middle);
  return {{"lower", nearest_double(bracket->lower)},
          {"upper", nearest_double(bracket->upper)},
          {"gap", nearest_double((bracket->upper - bracket->lower) / bracket->upper)},
          {"spectrum", guess.spectrum}};
}

int run(const char* tokens_file, const char* selection_file, const char* queries_file) {
  Problem problem = load_tokens(tokens_file);
  const NumericArray queries = load(queries_file);
  problem.queries = ExactMatrix::from_doubles(queries.shape.at(0), queries.shape.at(1), queries.values);
  Selection selection;
  for (const double token : load(selection_file).values) selection.push_back(static_cast<std::size_t>(token));
  forget_peak();
  Json line = {{"frobenius", timed(frobenius, problem, selection)}};
  std::size_t rows = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) rows += problem.token_count(i) - 1;
  if (rows <= most_exact_rows) line["exact_seconds"] = exact_seconds(problem, selection);
  line["nuclear"] = timed(nuclear, problem, selection);
  line["peak_mib"] = peak_mib();
  std::cout << line.dump() << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: wsvm_bench TOKENS.npy SELECTION.npy QUERIES.npy\n";
    return 2;
  }
  return run(argv[1], argv[2], argv[3]);
}
