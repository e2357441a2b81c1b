#pragma once

#include "attest/audit/decided_claim.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attest {

/// What to change so that theorems apply.
struct Advice {
  std::string theorem;  ///< its claim; several, with commas, where the advice is the same
  std::string message;
};

/// The one change that lets the most theorems apply.
struct KeyChange {
  std::vector<std::string> theorems;  ///< that lack nothing else: "gd-local α1"
  std::string message;
};

/// Advice for each theorem whose hypotheses do not all hold, from what became of an audit's claims.
std::vector<Advice> advise(std::span<const DecidedClaim> decided);

/// The advice that is all that most theorems lack; none where every theorem that does not apply lacks two things, or nothing.
std::optional<KeyChange> key_change(std::span<const DecidedClaim> decided,
                                    const std::function<std::string(const Selection&)>& name_of_selection);

}  // namespace attest
