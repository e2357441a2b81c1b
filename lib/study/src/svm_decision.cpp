#include "attest/study/svm_decision.hpp"

#include "attest/solve/active_set_guess.hpp"
#include "attest/solve/ipopt_guess.hpp"

#include <utility>

namespace attest {

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
