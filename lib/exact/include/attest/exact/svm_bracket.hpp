#pragma once

#include "attest/exact/svm.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace attest {

/// e with e.a <= 0 for every row that may be tight but one: it shows that one to be tight. Whole numbers.
struct TightDirection {
  std::vector<Integer> entries;  ///< of e; of the W-SVM one a row of `rows`, e = sum entries_k a_k
  std::vector<std::size_t> rows = {};
};

/// What is proved of a program's minimiser w* by numbers of about the size of doubles. [docs/theory.md, section 2, Bracket]
struct SvmBracket {
  std::vector<Multiplier> multipliers;  ///< lambda >= 0, ascending rows; u = sum lambda_c a_c
  Rational scale;                       ///< m: a_c.u >= m b_c for every row, so that u/m is feasible
  FractionVector point;                 ///< u/m, as SvmSolution has it: d numbers, or q_1, …, q_n of the W-SVM
  Rational lower;                       ///< of 1/2 |w*|^2
  Rational upper;
  Rational distance;                       ///< at least |u/m - w*|
  std::vector<std::size_t> support;        ///< rows that are tight at w*, ascending
  std::optional<Rational> independence;    ///< why: kappa of the possible rows [docs/theory.md, Bracket, 6]; or
  std::vector<TightDirection> directions;  ///< one for each of `support`
  std::vector<std::size_t> possible;       ///< every row that may be tight at w*, ascending

  /// Whether the tight rows are known.
  bool support_is_known() const { return support.size() == possible.size(); }
  /// Of the upper bound.
  Rational relative_gap() const { return Rational((upper - lower) / upper); }
};

/// What a floating-point solve suggests.
struct BracketHint {
  std::vector<std::size_t> rows;  ///< independent, with positive multipliers at the minimiser
  /// About the x with (A A^T) x = right for these rows.
  std::function<std::vector<double>(const std::vector<double>& right)> solve;
};

/// Rounds what the hint suggests until its bounds are proved; nothing when that does not work, as for an infeasible program. It passes over
/// the data twice and solves no system exactly. Programs with equalities have no bracket.
std::optional<SvmBracket> bracket_svm(const SvmProgram& program, const BracketHint& hint);

/// A direction that shows the row to be tight, if one is found; for rows that `support` leaves out because all would cost too much.
std::optional<TightDirection> show_tight(const SvmProgram& program, const BracketHint& hint, const SvmBracket& bracket, std::size_t row);

/// The doubles nearest to u/m; of the W-SVM its q_k.
std::vector<double> point_image(const SvmBracket& bracket);

}  // namespace attest
