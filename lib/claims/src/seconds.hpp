#pragma once

#include "attest/claims/claim.hpp"

#include <algorithm>

namespace attest {

// What estimates of time share. They are scaled from runs on random data of (n, T, d) = (10, 6, 12), (20, 10, 40), (50, 20, 128) and
// (200, 64, 128).

constexpr double cube(double x) { return x * x * x; }

/// Products of a pass over the rows of the W-SVM, with W in the span of the queries.
inline double weight_pass(const ProblemSize& size) {
  return size.dimension * (size.rows + size.samples * std::min(size.samples, size.dimension));
}

/// Of a W-SVM in either norm: some hundred passes, and the proof.
inline double weight_svm_seconds(const ProblemSize& size) { return 5e-7 * weight_pass(size); }

/// The same, and the path of W.
inline double weight_path_seconds(const ProblemSize& size) { return 3e-6 * weight_pass(size); }

/// Products of one with the Hessian of the path of K and Q.
inline double factored_work(const ProblemSize& size) { return size.samples * size.dimension * std::min(size.samples, size.dimension); }

/// Of that path, from 1 to 2^20.
inline double factored_path_seconds(const ProblemSize& size) { return 5e-5 * factored_work(size); }

}  // namespace attest
