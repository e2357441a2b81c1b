#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

namespace attest {

/// The iteration after this one that a trace keeps, so many for each factor 10 of the iteration count.
template <std::integral Count>
Count next_traced(Count iteration, double points_a_decade) {
  const auto spaced = static_cast<Count>(std::ceil(static_cast<double>(iteration) * std::pow(10.0, 1 / points_a_decade)));
  return std::max(iteration + 1, spaced);
}

}  // namespace attest
