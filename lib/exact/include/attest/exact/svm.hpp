#pragma once

#include "attest/base/progress.hpp"
#include "attest/model/svm_program.hpp"

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace attest {

/// A row and its weight.
struct Multiplier {
  std::size_t row;
  Rational weight;  ///< > 0; of an equality not 0
};

/// The minimiser with its KKT proof: w = sum lambda_c a_c, a_c.w >= b_c for every row, = for rows with lambda_c > 0.
struct SvmSolution {
  std::vector<Rational> w;              ///< empty for the W-SVM
  FractionVector factors;               ///< W-SVM alone: q_1, …, q_n, so that W = sum q_k z_k^T
  std::vector<Multiplier> multipliers;  ///< ascending rows
  Rational objective;                   ///< 1/2 |w|^2
  std::vector<std::size_t> support;     ///< every row with a_c.w = b_c, ascending
};

/// No w satisfies the rows: sum lambda_c a_c = 0 and sum lambda_c b_c > 0 (Farkas).
struct SvmInfeasible {
  std::vector<Multiplier> multipliers;
};

struct SvmUndecided {
  std::string reason;
};

using SvmOutcome = std::variant<SvmSolution, SvmInfeasible, SvmUndecided>;

/// Decides a program in rational arithmetic. `guess` names rows that may be the active ones (from a
/// floating-point solver, in any state of repair): a right guess is proved at once, a wrong one is repaired by
/// exact active-set steps, so the answer never rests on it.
SvmOutcome decide_svm(const SvmProgram& program, std::span<const std::size_t> guess, const Budget& budget);

/// Whether these rows are linearly independent; `true` is proved, `false` may be an unlucky prime.
bool shown_independent(const SvmProgram& program, std::span<const std::size_t> rows);

/// Entry (r, c) of the W-SVM's solution, row by row.
std::vector<Rational> weight_matrix(const SvmProgram& program, const SvmSolution& solution);

/// The rank of the W-SVM's solution over the rationals.
std::size_t weight_rank(const SvmProgram& program, const SvmSolution& solution);

}  // namespace attest
