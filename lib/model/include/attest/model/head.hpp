#pragma once

#include "attest/base/rational.hpp"
#include "attest/model/expression.hpp"

#include <optional>
#include <vector>

namespace attest {

/// A prediction head h(x) = sum_k output_k phi(weights_k.x + bias_k) [TS]: a two-layer network, or with one unit v a
/// written function of v.x.
struct Head {
  std::vector<std::vector<Rational>> weights;  ///< a row of d numbers a unit
  std::vector<Rational> bias;                  ///< one a unit
  std::vector<Rational> output;                ///< one a unit
  std::optional<Expression> activation;        ///< phi, in u; none: relu
};

}  // namespace attest
