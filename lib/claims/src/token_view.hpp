#pragma once

#include "attest/claims/evidence.hpp"
#include "attest/exact/svm.hpp"

#include <vector>

namespace attest {

/// The tokens as the p-SVM of a selection sees them, for pictures: of each row a_it = k_i,alpha_i - k_it its margin, its gap of scores and
/// where it lies across p^mm. Of bounded length and rounded to what a picture can show; the rows that decide local optimality come first.
struct TokenView {
  std::size_t rows = 0;  ///< of the program
  double norm = 0;       ///< of p^mm: 1 over the margin
  std::vector<RowName> tokens = {};
  std::vector<double> margin = {};  ///< a_it.p^mm; 1 exactly where the row is tight
  std::vector<double> gap = {};     ///< gamma_i,alpha_i - gamma_it
  std::vector<double> across = {};  ///< a_it along the direction, orthogonal to p^mm, in which the tight rows spread most

  void write(Fields& out) const { out("rows", rows)("norm", norm)("tokens", tokens)("margin", margin)("gap", gap)("across", across); }
};
TokenView token_view(const SvmProgram& program, const SvmSolution& solution, const Scores& scores);

}  // namespace attest
