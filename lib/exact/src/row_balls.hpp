#pragma once

#include "attest/exact/ball.hpp"
#include "attest/exact/svm.hpp"

#include <vector>

namespace attest {

// Points of p- and W-programs in ball arithmetic. As in SvmProgram, a matrix W = sum_k q_k z_k^T is given by its q_k, one after the other.

/// a.p for the d numbers of a row or a key.
Ball product(const FractionVector& vector, const std::vector<Ball>& point);

/// sum x_c a_c.
std::vector<Ball> combine(const SvmProgram& program, const std::vector<Multiplier>& coefficients);

/// a_c.p for every row.
std::vector<Ball> row_products(const SvmProgram& program, const std::vector<Ball>& point);

}  // namespace attest
