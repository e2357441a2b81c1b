#pragma once

#include "attest/certificate/certified.hpp"
#include "attest/exact/ball.hpp"
#include "attest/exact/loss_bounds.hpp"
#include "attest/exact/svm.hpp"

#include <optional>

// What the proofs of envelopes share: bounds with slack, so that a checker with less precision than ours comes to the same.
namespace attest {

/// Relative slack of an inequality between enclosed numbers.
const Rational envelope_slack = Rational(1, Integer(1) << 30);
/// What is added to a bound that may be as small as rounding.
const Rational rounding_slack = Rational(1, Integer(1) << 70);

/// A shift is taken to this many bits of its largest number: the bound depends on it to second order.
constexpr int shift_bits = 40;

/// a <= b is shown, for b > 0, with slack to spare.
bool shown_below(const Ball& a, const Ball& b);

/// An upper bound of exp over the ball, as a ball of one number; not finite where checkers refuse.
Ball exp_above(const Ball& x);

/// A number of few digits that is not below the bound, times 1 + slack; the bound must be moderate.
Rational rounded_above(const Ball& bound);

certified::LossBlock loss_block(const LossBounds& loss, const RationalInterval& interval);

/// The h of the theorems: at least the bound, and never so small that it could not be written down; none where it is not moderate.
std::optional<Rational> reach_above(const Ball& bound);

/// Which side of the selected score the attended score may be on.
enum class ScoreSide { below, both };
/// -l' of each sample within h of the selected score. None where the loss has no enclosure there, or is not seen to fall.
std::optional<certified::Slopes> slopes_near(const Problem& problem, const Scores& scores, const Selection& selection, const Rational& h,
                                             ScoreSide side);

/// The largest double that is shown to be at least sqrt(value), value >= 0.
double root_above(const Rational& value);

}  // namespace attest
