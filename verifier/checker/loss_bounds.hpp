#pragma once

#include "problem.hpp"

namespace attest::check {

/// On [lower, upper]: ℓ' ≤ slope_sup < 0, |ℓ'| ≤ m1, |ℓ''| ≤ m0 (Assumption A).
struct LossBounds {
  Rational lower;
  Rational upper;
  Rational slope_sup;
  Rational m0;
  Rational m1;
};

/// `interval` [lo, hi], lo ≤ hi.
std::pair<Rational, Rational> read_interval(const Json& node);

/// lo, the cuts, hi: the ends of the cells.
std::vector<Rational> cell_ends(const Rational& lower, const Rational& upper, const Json& cuts);

/// The five fields of §4.1 in an object, checked on the cells between the `cuts`; throws Rejected.
LossBounds require_loss_bounds(const Loss& loss, const Json& fields, const Json& cuts);

/// Throws Rejected unless every score lies in the interval.
void require_scores_covered(const LossBounds& bounds, const Scores& scores);

/// A loss block of §4.19: throws Rejected unless it is valid and covers the scores.
LossBounds require_loss_block(const Json& node, const Loss& loss, const Scores& scores);

}  // namespace attest::check
