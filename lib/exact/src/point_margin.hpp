#pragma once

#include "attest/exact/assumption_b.hpp"
#include "label_margin.hpp"

#include <optional>

namespace attest {

/// What a point p shows of the margin of s(p), by balls.
struct PointMargin {
  std::vector<Rational> p;
  std::vector<Rational> u;  ///< the direction that shows it
  bool at_least_gamma;      ///< proved: margin(s(p)) >= Gamma
  Rational slope_bound;     ///< proved: Assumption B holds for no larger nu
};

/// Nothing when the numbers are not finite, or no attention moves in the samples that count.
std::optional<PointMargin> show_margin(const LabelMargin& margin, AttentionOver over, const std::vector<double>& point);

}  // namespace attest
