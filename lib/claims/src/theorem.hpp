#pragma once

#include "attest/certificate/certified.hpp"
#include "attest/claims/claim.hpp"

namespace attest {

/// The hypotheses of a theorem, decided one by one, and what follows from them for the claim.
class Theorem {
 public:
  /// Takes a hypothesis as it was decided; says whether it holds.
  bool assume(std::string name, const Finding& decided);

  bool applies() const { return !obstacle_; }
  /// The finding about a selection when the theorem does not apply: inapplicable where a hypothesis fails (with that
  /// hypothesis' certificate), undecided where one is open.
  Finding obstacle(std::optional<Selection> selection) const;
  /// The finding when it does: the conclusion as observed.
  Finding conclude(Verdict verdict, std::string conclusion) const;

 private:
  std::vector<Hypothesis> hypotheses_;
  std::optional<Finding> obstacle_;  // the first hypothesis that does not hold
  std::string obstacle_name_;
};

/// Another claim's finding on the same data: how hypotheses are decided.
using Parameters = std::map<std::string, ParameterValue, std::less<>>;
Finding decide(const ClaimContext& context, const Claim& claim, Parameters parameters);

/// A hypothesis that was decided exactly, with what shows it.
Finding decided_exactly(bool holds, std::string message, const certified::Kind& evidence);

}  // namespace attest
