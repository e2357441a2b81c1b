#pragma once

#include "attest/audit/decided_claim.hpp"

#include <string>
#include <utility>
#include <vector>

namespace attest {

using DecidedClaims = std::vector<DecidedClaim>;

/// A theorem that does not apply, with what its hypotheses came to.
inline DecidedClaim theorem(const std::string& claim, std::vector<DecidedHypothesis> hypotheses, const Selection& selection = {0}) {
  return {.claim = claim, .verdict = Verdict::inapplicable, .selection = selection, .hypotheses = std::move(hypotheses)};
}

}  // namespace attest
