#pragma once

#include "attest/report/results.hpp"
#include "figure.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace attest {

/// A claim of a sweep: the points of the grid that have rows, and its entry there.
struct SweptClaim {
  std::string label;
  std::vector<std::pair<const Json*, const Json*>> entries;  ///< (cell, entry) of the summary
};

/// The claims of a summary, by their places. They point into it.
std::vector<SweptClaim> swept_claims(const Json& summary);

/// The share of data sets where it holds, where it applies if it is a theorem, and the numbers that sweeps are about: diagrams over the two
/// axes of the grid that vary most, or curves over the only one.
Figures diagrams_of(const SweptClaim& claim, const Json& sweep);
/// Curves of the means of all its numbers.
Figures mean_curves_of(const SweptClaim& claim, const Json& sweep);

/// The axes of a grid.
inline constexpr std::array<const char*, 4> sweep_axes{"n", "T", "d", "noise"};
/// The axes of the grid along which something varies, those with most values first.
std::vector<std::string> varying_axes(const Json& sweep);
/// "n = 3, d = 2"
std::string place_text(const Json& cell, const std::vector<std::string>& axes);
/// "50.0 % [37.3, 62.7]"
std::string interval_text(const Json& share);

}  // namespace attest
