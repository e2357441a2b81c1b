#pragma once

#include "attest/claims/destinations.hpp"
#include "attest/claims/finding.hpp"
#include "attest/model/claim_request.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What became of a hypothesis, as far as an audit builds on it.
struct DecidedHypothesis {
  HypothesisId id;
  Verdict verdict;
  std::string message;
  Obstacle obstacle = Obstacle::none;
};

/// What became of a claim, as far as an audit builds on it.
struct DecidedClaim {
  std::string claim;
  decltype(ClaimRequest::parameters) parameters = {};
  Verdict verdict = Verdict::undecided;
  Grade grade = Grade::observed;
  std::string message = {};
  std::optional<Selection> selection = {};         ///< the one it speaks of
  std::vector<DecidedHypothesis> hypotheses = {};  ///< of a theorem
  Discoveries discoveries = {};
  std::optional<Destinations> destinations = {};  ///< of the claim of that name
  bool ended_early = false;                       ///< its process ended before it could say something
};
DecidedClaim decided_claim(const ClaimRequest& request, const Finding& finding);

/// The first of the claim, or null.
const DecidedClaim* find_decided(std::span<const DecidedClaim> decided, std::string_view claim);

/// Whether there is one and its verdict is this.
inline bool has_verdict(const DecidedClaim* decided, Verdict verdict) { return decided != nullptr && decided->verdict == verdict; }

/// The selections that some claim proved to be locally optimal, each once, in the order of the claims. A census lists some also where its
/// time was up.
std::vector<Selection> known_local_selections(std::span<const DecidedClaim> decided);
/// The same, that of descent from 0 first, then those that most runs of descent go to.
std::vector<Selection> local_selections_by_runs(std::span<const DecidedClaim> decided);

/// Where runs of all starts together go, most first.
std::vector<ReachedSelection> all_reached(std::span<const DecidedClaim> decided);

}  // namespace attest
