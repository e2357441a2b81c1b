#include "attest/audit/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace attest {
namespace {

std::vector<const Destinations*> destinations_in(std::span<const DecidedClaim> decided) {
  std::vector<const Destinations*> found;
  for (const DecidedClaim& one : decided)
    if (one.destinations) found.push_back(&*one.destinations);
  return found;
}

/// Every selection that is spoken of, α* first, then where most starts go, then the others that were looked at.
std::vector<NamedSelection> name_selections(const std::optional<Selection>& best, const std::vector<const Destinations*>& destinations,
                                            std::span<const AuditedSelection> looked_at) {
  std::vector<ReachedSelection> reached;
  for (const Destinations* from : destinations)
    for (const ReachedSelection& one : from->reached) {
      const auto known = std::ranges::find(reached, one.selection, &ReachedSelection::selection);
      if (known == reached.end())
        reached.push_back(one);
      else
        known->runs += one.runs;
    }
  std::ranges::stable_sort(reached, std::greater{}, &ReachedSelection::runs);
  std::vector<NamedSelection> names;
  const auto add = [&](const Selection& selection) {
    if (std::ranges::find(names, selection, &NamedSelection::selection) != names.end()) return;
    const bool is_best = best && selection == *best;
    names.push_back({is_best ? "α*" : fmt::format("α{}", names.size() + (best ? 0 : 1)), selection});
  };
  if (best) add(*best);
  for (const ReachedSelection& one : reached) add(one.selection);
  for (const AuditedSelection& one : looked_at) add(one.selection);
  return names;
}

std::vector<DestinationShare> shares_of(const Destinations& from, const Headline& names) {
  std::vector<DestinationShare> shares;
  const auto part = [&](std::size_t runs) { return static_cast<double>(runs) / static_cast<double>(from.starts); };
  for (const ReachedSelection& one : from.reached)
    shares.push_back({one.selection, names.name_of(one.selection), from.radius, from.starts, part(one.runs), one.grade()});
  if (from.undecided > 0) shares.push_back({std::nullopt, "undecided", from.radius, from.starts, part(from.undecided), Grade::observed});
  return shares;
}

/// "from 0: α*, proved" or "of 100 starts of radius 10: α* 80 % (proved), α1 10 %, undecided 10 %".
std::string told(const std::vector<DestinationShare>& shares) {
  const DestinationShare& first = shares.front();
  if (first.radius == 0) return fmt::format("from 0: {}{}", first.name, first.grade == Grade::proved ? ", proved" : "");
  const bool all = std::ranges::all_of(shares, [](const DestinationShare& one) { return one.grade == Grade::proved; });
  std::string list;
  for (const DestinationShare& one : shares)
    list += fmt::format("{}{} {:.3g} %{}", list.empty() ? "" : ", ", one.name, 100 * one.share,
                        !all && one.grade == Grade::proved ? " (proved)" : "");
  return fmt::format("of {} starts of radius {:g}: {}{}", first.starts, first.radius, list, all ? ", proved" : "");
}

std::string no_descent(const std::optional<Selection>& best) {
  return best ? "where descent goes was not looked at: see what was left out"
              : "without v there is no loss to descend: only what does without scores is decided";
}

/// What happens where the p-SVM of the largest scores has no solution.
std::string explain_without_svm(const std::optional<Selection>& best, std::span<const DecidedClaim> decided,
                                const std::vector<const Destinations*>& destinations) {
  const auto about_best = [&](std::string_view claim, Verdict verdict) {
    return std::ranges::any_of(decided, [&](const DecidedClaim& one) {
      return one.claim == claim && one.verdict == verdict && one.selection == best && !one.parameters.contains("norm");
    });
  };
  if (!best || !about_best("p-svm", Verdict::fails)) return "";
  std::string text = "no p prefers the tokens of α* (its p-SVM is infeasible)";
  const auto origin = std::ranges::find_if(destinations, [](const Destinations* from) { return from->radius == 0; });
  if (origin != destinations.end() && (*origin)->undecided > 0) text += "; descent from 0: " + (*origin)->why_undecided;
  if (about_best("w-svm", Verdict::holds)) text += "; a full matrix W does prefer them: train W (w-svm, w-gd)";
  if (about_best("w-svm", Verdict::fails)) text += "; nor does a full matrix W";
  return text;
}

}  // namespace

std::string Headline::name_of(const Selection& selection) const {
  const auto known = std::ranges::find(names, selection, &NamedSelection::selection);
  return known == names.end() ? to_string(selection) : known->name;
}

Headline headline_of(const std::optional<Selection>& best, std::span<const DecidedClaim> decided,
                     std::span<const AuditedSelection> selections) {
  const std::vector<const Destinations*> destinations = destinations_in(decided);
  Headline headline;
  headline.names = name_selections(best, destinations, selections);
  for (const Destinations* from : destinations) {
    const std::vector<DestinationShare> shares = shares_of(*from, headline);
    if (shares.empty()) continue;
    headline.sentence += (headline.sentence.empty() ? "" : "; ") + told(shares);
    headline.destinations.insert(headline.destinations.end(), shares.begin(), shares.end());
    if (headline.expected.empty()) headline.expected = from->expected;
  }
  if (headline.sentence.empty()) headline.sentence = no_descent(best);
  headline.change = key_change(decided, [&](const Selection& selection) { return headline.name_of(selection); });
  headline.without_svm = explain_without_svm(best, decided, destinations);
  return headline;
}

}  // namespace attest
