#include "attest/study/svm_decision.hpp"

#include "attest/solve/active_set_guess.hpp"
#include "attest/solve/ipopt_guess.hpp"

#include <algorithm>
#include <utility>

namespace attest {
namespace {

/// Of the upper bound: a wider bracket says that rounding got the better of it, and the exact solution is asked for.
const Rational widest_bracket(1, Integer(1000000000000));

}  // namespace

std::size_t most_tight_rows(const SvmProgram& program) {
  const std::size_t d = program.dimension();
  const std::size_t unknowns = program.kind() == SvmProgram::Kind::w ? d * std::min(d, program.samples().size()) : d;
  return std::min(program.row_count(), unknowns);
}

std::optional<BracketedSvm> solve_bracket(const SvmProgram& program, const Budget& budget) {
  const ActiveSetGuess guess = guess_active_set(program, budget);
  if (guess.end != ActiveSetGuess::End::solved) return std::nullopt;
  BracketHint hint{guess.rows, guess.solve_gram};
  auto bracket = bracket_svm(program, hint);
  if (!bracket || bracket->relative_gap() > widest_bracket) return std::nullopt;
  return BracketedSvm{program, std::move(hint), *std::move(bracket)};
}

// IPOPT would need the rows of the W-SVM as d^2 numbers each; there the exact stage repairs what is stalled.
SvmOpinion float_opinion(const SvmProgram& program, const Budget& budget) {
  ActiveSetGuess guess = guess_active_set(program, budget);
  if (guess.end == ActiveSetGuess::End::stalled && !budget.spent() && program.kind() != SvmProgram::Kind::w) {
    ActiveSetGuess second = ipopt_guess(program, budget);
    if (second.end == ActiveSetGuess::End::solved) guess = std::move(second);
  }
  return {guess.end != ActiveSetGuess::End::solved, std::move(guess.rows)};
}

SvmOpinionOf opinion_within(const Budget& budget) {
  return [&budget](const SvmProgram& program) { return float_opinion(program, budget); };
}

SvmOutcome solve_svm(const SvmProgram& program, const Budget& budget) {
  return decide_svm(program, float_opinion(program, budget).rows, budget);
}

}  // namespace attest
