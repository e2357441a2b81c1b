#pragma once

#include "attest/base/progress.hpp"
#include "attest/claims/finding.hpp"
#include "attest/model/claim_request.hpp"
#include "attest/model/problem.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace attest {

/// What a claim is checked with.
struct ClaimContext {
  const Problem& problem;
  const ClaimRequest& request;
  std::uint64_t seed = 0;
  Budget budget;
  Progress progress = {};
};

/// A claim of the theory: how it is written in a case, what it means, how it is checked.
struct Claim {
  ClaimSchema schema;
  std::string_view summary;  ///< one line
  std::string_view text;     ///< the theorem, the verdicts and the numbers, for `attest claims NAME`
  Finding (*check)(const ClaimContext& context);
};

/// Every claim, in the order of docs/claims.md.
std::span<const Claim> all_claims();
const Claim* find_claim(std::string_view name);
/// The schemas of all claims, as the case reader takes them.
std::vector<ClaimSchema> all_schemas();

}  // namespace attest
