#pragma once

#include <optional>
#include <vector>

#include "ball.hpp"
#include "limit_rows.hpp"
#include "loss_bounds.hpp"

namespace attest::check {

enum class Method { constant, normalised, flow };

/// What a run needs (§4.20).
struct RunFacts {
  const Problem* problem;
  const Scores* scores;
  const LimitRows* rows;
  LossBounds bounds;
  Method method;
  std::vector<ScaledVector> start;  ///< d numbers, or for W d rows of d numbers
  Rational step;
  std::size_t iterations;
  std::size_t bits;
};

/// Enclosures of p_K.
struct RunEnd {
  std::vector<Interval> values;  ///< y_c by row
  std::vector<Interval> point;   ///< its components; empty over W
  Interval norm_squared;         ///< ‖p_K‖²
};

/// Repeats the steps in outward-rounded arithmetic; throws Undefined, where a gradient may be 0 or the balls grow too wide.
RunEnd follow_run(const RunFacts& facts);

}  // namespace attest::check
