#pragma once

#include "attest/claims/claim.hpp"

namespace attest {

// What estimates of time share. They are scaled from runs on random data of (n, T, d) = (10, 6, 12), (20, 10, 40), (50, 20, 128) and
// (200, 64, 128).

constexpr double cube(double x) { return x * x * x; }

/// Of a W-SVM: linear systems in the tight rows, of which there are almost as many as rows.
inline double weight_svm_seconds(const ProblemSize& size) { return cube(size.rows / 180); }

}  // namespace attest
