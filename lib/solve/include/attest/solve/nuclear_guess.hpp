#pragma once

#include "attest/base/progress.hpp"
#include "attest/model/svm_program.hpp"

#include <vector>

namespace attest {

/// A guess at the nuclear W-SVM: W = A B^T, A and B being d x m by rows, and a multiplier a row.
struct NuclearGuess {
  bool found = false;  ///< false: no solution was reached, as none can be on an infeasible program, or the time was up; the rest is empty
  std::size_t columns = 0;  ///< m
  std::vector<double> A;
  std::vector<double> B;
  std::vector<double> multipliers;
  std::vector<double> spectrum;  ///< the singular values of W, descending
};

/// Newton steps are dense in the rows: programs with more rows than these are not tried.
inline constexpr std::size_t most_nuclear_rows = 1000;

/// min |W|_* subject to (x_i,alpha_i - x_it).W z_i >= 1, by an interior-point method on its dual
///   max sum lambda_c  subject to  lambda >= 0,  |M| <= 1,  M = sum lambda_c D_c z_i^T.
NuclearGuess guess_nuclear(const SvmProgram& program, const Budget& budget);

}  // namespace attest
