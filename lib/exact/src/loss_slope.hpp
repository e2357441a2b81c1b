#pragma once

#include "attest/model/loss.hpp"
#include "precise_ball.hpp"

#include <optional>

namespace attest {

/// Enclosures of a loss and its slope over a ball of u, at the ball's precision.
struct LossSlope {
  PreciseBall value;
  PreciseBall slope;
};

/// By the jet rules of docs/certificate.md, section 3, without curvature; nothing where a rule's condition does not hold.
std::optional<LossSlope> enclose_slope(const Expression& loss, const PreciseBall& u);

/// -l' over a ball of u: as the jets have it, without the value, which costs as much again.
std::optional<PreciseBall> enclose_steepness(const Loss& loss, const PreciseBall& u);

/// l'' over a ball of u.
std::optional<PreciseBall> enclose_curvature(const Loss& loss, const PreciseBall& u);

}  // namespace attest
