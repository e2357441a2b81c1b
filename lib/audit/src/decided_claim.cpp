#include "attest/audit/decided_claim.hpp"

#include <algorithm>

namespace attest {

DecidedClaim decided_claim(const ClaimRequest& request, const Finding& finding) {
  DecidedClaim decided{request.claim,      request.parameters, finding.verdict, finding.grade, finding.message, finding.selection, {},
                       finding.discoveries};
  if (const auto* given = request.find<Selection>("selection"); given && !decided.selection) decided.selection = *given;
  for (const Hypothesis& one : finding.hypotheses) decided.hypotheses.push_back({one.id, one.verdict, one.message, one.obstacle});
  if (const auto* numbers = finding.evidence.as<DestinationNumbers>()) decided.destinations = numbers->found;
  return decided;
}

const DecidedClaim* find_decided(std::span<const DecidedClaim> decided, std::string_view claim) {
  const auto found = std::ranges::find(decided, claim, &DecidedClaim::claim);
  return found == decided.end() ? nullptr : &*found;
}

std::vector<Selection> known_local_selections(std::span<const DecidedClaim> decided) {
  std::vector<Selection> known;
  for (const DecidedClaim& one : decided)
    for (const Selection& selection : one.discoveries.locally_optimal)
      if (std::ranges::find(known, selection) == known.end()) known.push_back(selection);
  return known;
}

}  // namespace attest
