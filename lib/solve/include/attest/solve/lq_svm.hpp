#pragma once

#include "attest/base/progress.hpp"
#include "attest/model/svm_program.hpp"

#include <Eigen/Core>

namespace attest {

/// What a point is worth as the solution of an l_q-SVM, recomputed from the data in doubles. NaN where something is not finite.
struct LqResidual {
  /// The largest violation of the KKT conditions: the distance of the unit vectors of grad psi(p) and A^T lambda;
  /// 1 - a_c.p; the mean of |a_c.p - 1| under lambda; -lambda_c of the largest lambda.
  double kkt = 0;
  /// 1 - lower bound / upper bound of the least q-norm: |p|_q of the scaled p with least row 1 is the upper one, and
  /// sum lambda / |A^T lambda|_s with 1/q + 1/s = 1 the lower, by Hölder's inequality.
  double gap = 0;
};

/// argmin |p|_q subject to the rows of a p-SVM. [MD] It is irrational in general; a solution is what passes the residual.
struct LqSvmSolution {
  Eigen::VectorXd p;
  Eigen::VectorXd multipliers;  ///< one a row, with sum 1
  LqResidual residual;
  bool too_large = false;  ///< for the time that was left: nothing was begun

  bool solved() const;
};

LqResidual lq_residual(const SvmProgram& program, double q, const Eigen::VectorXd& p, const Eigen::VectorXd& multipliers);

/// About how long IPOPT takes for a program of so many rows. It looks at its time between iterations alone, and an iteration factorises
/// a system that is dense in the rows: what does not fit the time is not begun.
double lq_svm_seconds(double dimension, double rows);

/// By Newton's method on the dual; where that does not end, by IPOPT, then Newton steps on its active rows. `feasible`, the scale of the
/// solve and IPOPT's start, satisfies the rows and is not 0: the solution for q = 2, and `multipliers`, one a row, are its own (0: IPOPT
/// alone). When the time is up it is what there was until then, and its residual says what that is worth.
LqSvmSolution solve_lq_svm(const SvmProgram& program, double q, const Eigen::VectorXd& feasible, const Eigen::VectorXd& multipliers,
                           const Budget& budget);

/// Which rows are tight at a solution that is known to rounding only.
struct TightRows {
  std::vector<std::size_t> certain;   ///< with a positive multiplier
  std::vector<std::size_t> possible;  ///< all that may be tight, those among them
};
TightRows tight_rows(const SvmProgram& program, const LqSvmSolution& solution);

}  // namespace attest
