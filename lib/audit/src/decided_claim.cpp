#include "attest/audit/decided_claim.hpp"

#include <algorithm>
#include <functional>

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

std::vector<ReachedSelection> all_reached(std::span<const DecidedClaim> decided) {
  std::vector<ReachedSelection> reached;
  for (const DecidedClaim& one : decided) {
    if (!one.destinations) continue;
    for (const ReachedSelection& part : one.destinations->reached) {
      const auto known = std::ranges::find(reached, part.selection, &ReachedSelection::selection);
      if (known == reached.end())
        reached.push_back(part);
      else
        known->runs += part.runs;
    }
  }
  std::ranges::stable_sort(reached, std::greater{}, &ReachedSelection::runs);
  return reached;
}

std::vector<Selection> local_selections_by_runs(std::span<const DecidedClaim> decided) {
  std::vector<Selection> ordered;
  const auto add = [&](const Selection& selection) {
    if (std::ranges::find(ordered, selection) == ordered.end()) ordered.push_back(selection);
  };
  for (const DecidedClaim& one : decided)
    if (one.destinations && one.destinations->radius == 0)
      for (const ReachedSelection& part : one.destinations->reached) add(part.selection);
  for (const ReachedSelection& one : all_reached(decided)) add(one.selection);
  for (const Selection& one : known_local_selections(decided)) add(one);
  return ordered;
}

}  // namespace attest
