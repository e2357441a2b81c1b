#pragma once

#include "attest/base/progress.hpp"
#include "attest/model/problem.hpp"

#include <cstdint>
#include <vector>

namespace attest {

/// Where to look for points p whose attention off a selection costs little margin.
struct SlopeQuestion {
  const Problem& problem;
  Selection selection;
  std::vector<bool> counts;       ///< the samples of the maximum
  std::vector<double> direction;  ///< v(alpha), whose margin is Gamma = 1/|v|
};

/// Points with a small (Gamma - margin(s(p)))/max (1 - s_i,alpha_i), the best first: several starts of IPOPT for each sample
/// that counts, near the selection and far from it. What the points are worth is for the exact stage to say.
std::vector<std::vector<double>> search_slope_points(const SlopeQuestion& question, std::uint64_t seed, const Budget& budget);

}  // namespace attest
