#pragma once

#include "attest/base/progress.hpp"
#include "attest/certificate/certified.hpp"
#include "attest/exact/loss_bounds.hpp"
#include "attest/exact/nuclear_bracket.hpp"

#include <optional>
#include <span>

namespace attest {

/// What the bound of a path in nuclear balls is proved from: all of it proved before.
struct RatioFacts {
  const SvmProgram& program;  ///< of W
  const NuclearBracket& bracket;
  const Scores& scores;
  const LossBounds& loss;
  RationalInterval interval;  ///< of the scores
};

/// For every R from its radius on every minimiser W over nuc(W) <= R has nuc(W)/(least row)/lower at most
/// (upper/lower)/(1 - upper offset/R). [docs/theory.md, Theorem N] The least of the radii whose offset is nearly the best; none where it
/// closes at none of them. Needs the unique globally optimal selection.
std::optional<certified::PathRatio> prove_path_ratio(const RatioFacts& facts, std::span<const double> radii, const Budget& budget);

/// The bound at a radius, rounded up; none below the proof's own.
std::optional<double> ratio_bound(const certified::PathRatio& ratio, double radius);

}  // namespace attest
