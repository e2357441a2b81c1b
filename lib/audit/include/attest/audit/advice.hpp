#pragma once

#include "attest/audit/decided_claim.hpp"

#include <span>
#include <string>
#include <vector>

namespace attest {

/// What to change so that theorems apply.
struct Advice {
  std::string theorem;  ///< its claim; several, with commas, where the advice is the same
  std::string message;
};

/// Advice for each theorem whose hypotheses do not all hold, from what became of an audit's claims.
std::vector<Advice> advise(std::span<const DecidedClaim> decided);

}  // namespace attest
