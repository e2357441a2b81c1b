#pragma once

#include "attest/base/progress.hpp"
#include "attest/certificate/certified.hpp"
#include "attest/exact/loss_bounds.hpp"
#include "attest/exact/svm.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace attest {

/// What an envelope is proved from: all of it proved before. The solution is not 0.
struct EnvelopeFacts {
  const SvmProgram& program;  ///< of p or of W
  const SvmSolution& solution;
  const Scores& scores;
  const LossBounds& loss;
  RationalInterval interval;  ///< of the scores
};

/// Where a minimiser at a radius is believed to stand across the SVM's direction, as weights of rows. Nothing rests on it.
using RowWeights = std::vector<std::pair<RowName, double>>;
struct EnvelopeHint {
  double radius;
  RowWeights shift;
};

/// For every R from `radius` of an entry on, every minimiser p over |p| <= R has |p/R - w/|w|| at most sqrt(square/R), and rate/R where
/// there is one. [docs/theory.md, Theorems P and Q] Entries at the hints' radii where it closes, and one as far in as it does; none
/// where it closes nowhere. Needs the unique globally optimal selection.
std::optional<certified::PathEnvelope> prove_path_envelope(const EnvelopeFacts& facts, std::span<const EnvelopeHint> hints,
                                                           const Budget& budget);

/// The same for the minimisers in a cone around w: for a locally optimal selection. [docs/theory.md, Theorem C] The widest cone of those
/// that are tried, from as far in as it closes.
std::optional<certified::PathEnvelope> prove_cone_envelope(const EnvelopeFacts& facts, std::span<const EnvelopeHint> hints,
                                                           const Budget& budget);

/// An entry's bounds at its own radius, rounded up.
double square_root_bound(const certified::PathEnvelope::Entry& entry, double radius);
/// The least that the entries say of the direction error at this radius; none below the first.
std::optional<double> envelope_bound(const certified::PathEnvelope& envelope, double radius);

}  // namespace attest
