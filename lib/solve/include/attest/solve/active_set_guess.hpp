#pragma once

#include "attest/base/progress.hpp"
#include "attest/model/svm_program.hpp"

#include <functional>
#include <vector>

namespace attest {

/// What a floating-point solve of a program suggests; a guess for the exact stage, never a verdict.
struct ActiveSetGuess {
  enum class End {
    solved,      ///< the rows with positive multipliers at the minimiser
    infeasible,  ///< rows whose combination seems to vanish (Farkas)
    stalled,     ///< rounding got the better of it, or the time was up; the rows are where it stopped
  };
  End end;
  std::vector<std::size_t> rows;
  /// Where it is solved: about the x with (A A^T) x = right for these rows, by the factors that the solver ended with.
  std::function<std::vector<double>(const std::vector<double>& right)> solve_gram = {};
};

/// The dual active-set method of Goldfarb and Idnani in doubles, on a pool of rows that grows by the rows that
/// passes over all the data find violated: few passes, whatever the number of rows.
ActiveSetGuess guess_active_set(const SvmProgram& program, const Budget& budget);

/// The W of a W-SVM in doubles, d x d by rows: a guess. Where no solution was found it is where the solver stopped.
std::vector<double> guess_weights(const SvmProgram& program, const Budget& budget);

}  // namespace attest
