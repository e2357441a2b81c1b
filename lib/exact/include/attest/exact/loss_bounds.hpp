#pragma once

#include "attest/base/progress.hpp"
#include "attest/model/loss.hpp"
#include "attest/model/rational_interval.hpp"

#include <string>
#include <variant>
#include <vector>

namespace attest {

/// Proved on the interval: l' <= slope_sup < 0, |l'| <= m1, |l''| <= m0 (Assumption A, [MM]).
struct LossBounds {
  Rational slope_sup;
  Rational m0;
  Rational m1;
  std::vector<Rational> cuts;  ///< the subdivision that shows it
};

/// Proved: a < b and l(a) <= l(b), so l is not strictly decreasing.
struct LossNotDecreasing {
  Rational a;
  Rational b;
  bool by_slope;  ///< l' >= 0 on [a, b]; otherwise by the values at a and b
};

struct LossUndecided {
  std::string reason;
};

using LossVerdict = std::variant<LossBounds, LossNotDecreasing, LossUndecided>;

/// Decides Assumption A by enclosures over an adaptive subdivision of the interval.
LossVerdict bound_loss(const Loss& loss, const RationalInterval& interval, const Budget& budget);

}  // namespace attest
