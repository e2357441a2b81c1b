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

/// min |W|_* subject to (x_i,alpha_i - x_it).W z_i >= 1, and its dual
///   max sum lambda_c  subject to  lambda >= 0,  |M| <= 1,  M = sum lambda_c D_c z_i^T,
/// by the proximal point method on W, whose steps are found by semismooth Newton steps in lambda with conjugate gradients: products with
/// rows and singular vectors alone.
NuclearGuess guess_nuclear(const SvmProgram& program, const Budget& budget);

}  // namespace attest
