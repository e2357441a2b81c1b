#pragma once

#include "attest/claims/claim.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attest {

/// A selection that the audit looks at, and why.
struct AuditedSelection {
  Selection selection;
  std::string why;
};

/// What the audit leaves out, and why. Nothing is left out without a word.
struct SkippedClaim {
  std::string claim;
  std::optional<Selection> selection;
  std::string reason;
  bool operator==(const SkippedClaim&) const = default;
};

/// What to check next.
struct AuditPlan {
  std::vector<ClaimRequest> claims;
  std::vector<AuditedSelection> selections;
  std::vector<SkippedClaim> skipped;
};

/// An audit is planned in three phases, since the data decide which selections are worth a theorem. `decided` are the
/// entries of the claims of earlier phases, as docs/results.md describes them. Claims that the registry does not have are not
/// planned; what needs data that are not there, or cannot end within the budget of a claim, is skipped.

/// What needs no selection but that of the largest scores: assumptions, optimality, the census, the largest label margin, numerics.
AuditPlan plan_data_claims(const Problem& problem, double budget_seconds);
/// SVMs and the theorems of training p or W: at the largest scores, the largest label margin, and the locally optimal selections.
AuditPlan plan_selection_claims(const Problem& problem, std::span<const nlohmann::ordered_json> decided, double budget_seconds);
/// Training v and p together, once Assumption B is decided.
AuditPlan plan_joint_claims(const Problem& problem, std::span<const nlohmann::ordered_json> decided, double budget_seconds);

/// The theorems are checked for at most so many locally optimal selections.
inline constexpr std::size_t most_local_selections = 4;

}  // namespace attest
