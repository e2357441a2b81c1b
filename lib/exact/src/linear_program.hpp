#pragma once

#include "attest/base/rational.hpp"

#include <optional>
#include <vector>

namespace attest {

/// max c.x subject to sum_k x_k columns[k] = right and x >= 0. The feasible set must be bounded.
struct LinearProgram {
  std::vector<std::vector<Rational>> columns;
  std::vector<Rational> right;
  std::vector<Rational> objective;
};

struct LinearOptimum {
  std::vector<Rational> x;
  std::vector<Rational> y;  ///< the proof: y.columns[k] >= objective_k for every k, and y.right = value
  Rational value;
};

/// The simplex method in rational arithmetic, with Bland's rule, so that it ends. Nothing: there is no feasible x.
std::optional<LinearOptimum> maximise(const LinearProgram& program);

}  // namespace attest
