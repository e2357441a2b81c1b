#pragma once

#include "attest/exact/ball.hpp"
#include "attest/model/expression.hpp"
#include "attest/model/rational_interval.hpp"

#include <optional>

namespace attest {

/// Enclosures of a function, its slope and its curvature over an interval of u.
struct LossJetBalls {
  Ball value;
  Ball slope;
  Ball curvature;
};

/// By the jet rules of docs/certificate.md, section 3; nothing where a rule's condition does not hold.
std::optional<LossJetBalls> enclose(const Expression& loss, const RationalInterval& u);

}  // namespace attest
