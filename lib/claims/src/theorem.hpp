#pragma once

#include "attest/claims/claim.hpp"

namespace attest {

/// The hypotheses of a theorem, decided one by one, and what follows from them for the claim.
class Theorem {
 public:
  /// Takes a hypothesis as it was decided; says whether it holds.
  bool assume(HypothesisId id, const Decided& decided);

  bool applies() const { return !obstacle_; }
  /// The finding about a selection when the theorem does not apply: inapplicable where a hypothesis fails (with that
  /// hypothesis' certificate), undecided where one is open.
  Finding obstacle(std::optional<Selection> selection) const;
  /// The finding when it does: the conclusion as observed.
  Finding conclude(Verdict verdict, std::string conclusion) const;

 private:
  std::vector<Hypothesis> hypotheses_;
  std::optional<Hypothesis> obstacle_;  // the first hypothesis that does not hold
};

}  // namespace attest
