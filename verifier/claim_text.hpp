#pragma once

#include "attest/claims/claim.hpp"

#include <span>
#include <string>

namespace attest {

/// Every claim, a line each, for a terminal.
std::string claims_text();
/// All that there is to say of a claim, for a terminal.
std::string claim_text(const Claim& claim);
/// The same as a section of docs/claims.md.
std::string claim_markdown(const Claim& claim);
/// docs/claims.md.
std::string claims_markdown();

/// "found NAME, expected …": the claim that was likely meant, or else all of them.
std::string not_a_claim(std::string_view name);

}  // namespace attest
