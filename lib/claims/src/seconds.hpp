#pragma once

#include "attest/claims/claim.hpp"

namespace attest {

// What estimates of time share. They are scaled from runs on random data of (n, T, d) = (10, 6, 12), (20, 10, 40), (50, 20, 128) and
// (200, 64, 128).

constexpr double cube(double x) { return x * x * x; }

/// Of a W-SVM in either norm: some thousand products with all rows.
inline double weight_svm_seconds(const ProblemSize& size) {
  return 1e-6 * size.dimension * (size.rows + size.samples * (size.samples < size.dimension ? size.samples : size.dimension));
}

/// The same, and the path of its factors.
inline double nuclear_path_seconds(const ProblemSize& size) {
  return weight_svm_seconds(size) + 3e-6 * size.tokens * size.dimension * size.dimension;
}

}  // namespace attest
