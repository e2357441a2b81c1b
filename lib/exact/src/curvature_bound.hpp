#pragma once

#include "attest/exact/descent_limit.hpp"
#include "precise_ball.hpp"

namespace attest {

/// An upper bound of the curvature of L: (1/n) sum D_i g_i (M0 g_i/16 + M1/4). [docs/theory.md, Limits of descent, (6)]
PreciseBall curvature_bound(const LimitFacts& facts, Parametrisation parametrisation);

}  // namespace attest
