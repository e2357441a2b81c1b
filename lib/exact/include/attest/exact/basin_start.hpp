#pragma once

#include "attest/exact/descent_limit.hpp"

#include <vector>

namespace attest {

/// The basin theorem at the start of a run, with constant steps or flow. It asks that the program is feasible, not for its solution, which
/// may be too large to know: `feasible` are multipliers of a point that satisfies every row, and the solution of `facts` is not looked at.
/// [docs/theory.md, Basin theorem]
LimitOutcome prove_basin_at_start(const LimitFacts& facts, const std::vector<Multiplier>& feasible, const DescentRule& run);

/// From every start: one sample with two tokens, whose scores other than the best are equal. [docs/theory.md, Basin theorem]
LimitOutcome prove_limit_from_everywhere(const LimitFacts& facts, const DescentRule& run);

}  // namespace attest
