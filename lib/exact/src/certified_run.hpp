#pragma once

#include "attest/exact/descent_limit.hpp"

#include <optional>
#include <vector>

namespace attest {

/// What certificates of limits say of the run. [docs/certificate.md, section 4.20] No start: every start.
certified::DescentRun certify_run(const LimitFacts& facts, const std::vector<Multiplier>& multipliers, const DescentRule& rule,
                                  std::optional<std::vector<Rational>> start, std::size_t iterations, std::size_t run_bits);

}  // namespace attest
