#pragma once

#include "attest/exact/ball.hpp"
#include "attest/exact/svm.hpp"

#include <optional>
#include <vector>

namespace attest {

/// What the first gradient step does for the rows of a p- or W-program: with g = -dL/dp at the start, a step of length factor eta takes row
/// c from a_c.p to a_c.p + eta a_c.g. [docs/theory.md, First step]
struct FirstStep {
  std::vector<Ball> rows;      ///< a_c.p at the start
  std::vector<Ball> progress;  ///< a_c.g

  /// How far each step must go at least for all rows to reach `margin`; every progress must be > 0. Not moderate where a row says nothing.
  Ball least_step(const Ball& margin) const;
};

/// At a point of d numbers; without one at 0, of p or of W. Nothing where the loss has no jet.
std::optional<FirstStep> enclose_first_step(const SvmProgram& program, const Scores& scores, const std::vector<Rational>& start = {});

/// Whether a number is enclosed so that a checker with less precision sees its sign too.
bool has_clear_sign(const Ball& value);

/// Whether a_c.g <= 0 at 0, shown by rational arithmetic: for each mean score the samples that have it push against the row together, or
/// not at all, and l' < 0 there.
bool is_opposed_at_origin(const SvmProgram& program, const Scores& scores, std::size_t row);

}  // namespace attest
