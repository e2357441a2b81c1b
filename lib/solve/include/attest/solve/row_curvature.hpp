#pragma once

#include "attest/model/svm_program.hpp"

#include <vector>

namespace attest {

/// Rows of a p-SVM or a W-SVM, ascending, and a weight >= 0 each.
struct WeightedRows {
  std::vector<std::size_t> rows;
  std::vector<double> weights;
};

/// M = |sum_c weight_c a_c a_c^T|, spectral and from below, by some products with the rows. [docs/theory.md, Cone theorem]
double row_curvature(const SvmProgram& program, const WeightedRows& weighted);

}  // namespace attest
