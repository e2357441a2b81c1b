#pragma once

#include "attest/audit/decided_claim.hpp"
#include "attest/model/problem.hpp"

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

/// What tightness is about: a selection one token away from a locally optimal one and worse, whose p-SVM has the better token as a
/// neighbour with weight; or why none was found, as far as there is more to say.
struct LooseSelection {
  std::optional<Selection> selection;
  std::string why_not;
};

/// What to check next.
struct AuditPlan {
  std::vector<ClaimRequest> claims;
  std::vector<AuditedSelection> selections;
  std::vector<SkippedClaim> skipped;
};

/// An audit is planned in three phases, since the data decide which selections are worth a theorem. `decided` are the
/// claims of earlier phases. Claims that the registry does not have are not
/// planned; what needs data that are not there, or cannot end within the budget of a claim, is skipped. A plan solves nothing.

/// The selection of the largest scores; none without v.
std::optional<Selection> largest_scores(const Problem& problem);

/// What needs no selection but that of the largest scores: assumptions, optimality, the census, the largest label margin, numerics.
AuditPlan plan_data_claims(const Problem& problem, double budget_seconds);
/// The locally optimal selection beside which a loose one is to be searched for; none is known where none is proved.
std::optional<Selection> selection_to_loosen(const Problem& problem, std::span<const DecidedClaim> decided);
/// SVMs and the theorems of training p or W: at the largest scores, the largest label margin, and the locally optimal selections; tightness
/// at the loose selection that was found beside that of `selection_to_loosen`.
AuditPlan plan_selection_claims(const Problem& problem, std::span<const DecidedClaim> decided, const LooseSelection& loose,
                                double budget_seconds);
/// Training v and p together, once Assumption B is decided.
AuditPlan plan_joint_claims(const Problem& problem, std::span<const DecidedClaim> decided, double budget_seconds);

/// The theorems are checked for at most so many locally optimal selections.
inline constexpr std::size_t most_local_selections = 4;

}  // namespace attest
