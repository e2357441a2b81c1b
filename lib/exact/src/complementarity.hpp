#pragma once

#include "attest/base/progress.hpp"

#include <optional>
#include <vector>

namespace attest {

/// A square matrix of doubles, row by row.
struct SquareMatrix {
  std::size_t size = 0;
  std::vector<double> entries = std::vector<double>(size * size, 0.0);

  double& operator()(std::size_t row, std::size_t column) { return entries[row * size + column]; }
  double operator()(std::size_t row, std::size_t column) const { return entries[row * size + column]; }
};

/// z >= 0 with N z >= 1 and z_k (N z - 1)_k = 0 for every k, by Lemke's method in doubles: the conditions of a convex quadratic program
/// whose N is positive definite, symmetric or not. A guess. Nothing where rounding or the time ends it early.
std::optional<std::vector<double>> solve_complementarity(const SquareMatrix& N, const Budget& budget);

}  // namespace attest
