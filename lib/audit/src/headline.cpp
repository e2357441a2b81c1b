#include "attest/audit/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace attest {
namespace {

/// Of one kind of starts; the others are counted together, and listed by their names.
constexpr std::size_t most_told_destinations = 5;

std::string others_text(std::size_t count, double share) { return fmt::format(", {} others {:.3g} %", count, 100 * share); }

std::vector<const Destinations*> destinations_in(std::span<const DecidedClaim> decided) {
  std::vector<const Destinations*> found;
  for (const DecidedClaim& one : decided)
    if (one.destinations) found.push_back(&*one.destinations);
  return found;
}

/// Every selection that is spoken of, α* first, then where most starts go, then the others that were looked at.
std::vector<NamedSelection> name_selections(const std::optional<Selection>& best, std::span<const DecidedClaim> decided,
                                            std::span<const AuditedSelection> looked_at) {
  std::vector<NamedSelection> names;
  const auto add = [&](const Selection& selection) {
    if (std::ranges::find(names, selection, &NamedSelection::selection) != names.end()) return;
    const bool is_best = best && selection == *best;
    names.push_back({is_best ? "α*" : fmt::format("α{}", names.size() + (best ? 0 : 1)), selection});
  };
  if (best) add(*best);
  for (const ReachedSelection& one : all_reached(decided)) add(one.selection);
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

/// "from 0: α*, proved" or "of 100 starts of radius 10: α* 80 % (proved), α1 10 %, undecided 10 %"; of many destinations the first ones.
std::string told(const std::vector<DestinationShare>& shares) {
  const DestinationShare& first = shares.front();
  if (first.radius == 0) return fmt::format("from 0: {}{}", first.name, first.grade == Grade::proved ? ", proved" : "");
  const bool all = std::ranges::all_of(shares, [](const DestinationShare& one) { return one.grade == Grade::proved; });
  std::string list;
  double others = 0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const DestinationShare& one = shares[k];
    if (one.selection && k >= most_told_destinations && shares.size() > most_told_destinations + 1) {
      others += one.share;
      ++count;
      continue;
    }
    if (!one.selection && count > 0) list += others_text(count, others);
    list += fmt::format("{}{} {:.3g} %{}", list.empty() ? "" : ", ", one.name, 100 * one.share,
                        !all && one.grade == Grade::proved ? " (proved)" : "");
  }
  if (count > 0 && shares.back().selection) list += others_text(count, others);
  return fmt::format("of {} starts of radius {:g}: {}{}", first.starts, first.radius, list, all ? ", proved" : "");
}

std::string no_descent(const std::optional<Selection>& best) {
  return best ? "where descent goes was not looked at: see what was left out"
              : "without v there is no loss to descend: only what does without scores is decided";
}

/// "without samples 1, 4 one does (10 of 12 samples, …)": as far as a part was found.
std::string feasible_part(const DecidedClaim& infeasible) {
  const auto& dropped = infeasible.discoveries.dropped_samples;
  if (!dropped || dropped->empty() || !infeasible.selection) return "";
  constexpr std::size_t most_named = 6;
  std::string named;
  for (std::size_t k = 0; k < std::min(most_named, dropped->size()); ++k) named += fmt::format("{}{}", k == 0 ? "" : ", ", (*dropped)[k]);
  if (dropped->size() > most_named) named += fmt::format(" and {} more", dropped->size() - most_named);
  const std::size_t all = infeasible.selection->size();
  return fmt::format("; without sample{} {} one does: {} of {} samples, the largest part that was found", dropped->size() == 1 ? "" : "s",
                     named, all - dropped->size(), all);
}

/// What happens where the p-SVM of the largest scores has no solution.
std::string explain_without_svm(const std::optional<Selection>& best, std::span<const DecidedClaim> decided,
                                const std::vector<const Destinations*>& destinations) {
  const auto about_best = [&](std::string_view claim, Verdict verdict) -> const DecidedClaim* {
    const auto found = std::ranges::find_if(decided, [&](const DecidedClaim& one) {
      return one.claim == claim && one.verdict == verdict && one.selection == best && !one.parameters.contains("norm");
    });
    return found == decided.end() ? nullptr : &*found;
  };
  const DecidedClaim* infeasible = best ? about_best("p-svm", Verdict::fails) : nullptr;
  if (infeasible == nullptr) return "";
  std::string text = "no p prefers the tokens of α* (its p-SVM is infeasible)" + feasible_part(*infeasible);
  const auto origin = std::ranges::find_if(destinations, [](const Destinations* from) { return from->radius == 0; });
  if (origin != destinations.end() && (*origin)->undecided > 0) text += "; descent from 0: " + (*origin)->why_undecided;
  if (about_best("w-svm", Verdict::holds)) text += "; a full matrix W does prefer them: train W (w-svm, w-gd)";
  if (about_best("w-svm", Verdict::fails)) text += "; nor does a full matrix W prefer them";
  return text;
}

}  // namespace

std::string Headline::name_of(const Selection& selection) const {
  const auto known = std::ranges::find(names, selection, &NamedSelection::selection);
  return known == names.end() ? to_string(selection) : known->name;
}

std::string Headline::with_names(std::string text) const {
  for (const NamedSelection& one : names) {
    const std::string written = to_string(one.selection);
    const auto same = [&](const NamedSelection& other) { return to_string(other.selection) == written; };
    if (std::ranges::count_if(names, same) > 1) continue;  // long ones that begin alike
    for (const std::string& before : {std::string(" selection "), std::string(" ")})
      for (std::size_t at = text.find(before + written); at != std::string::npos; at = text.find(before + written))
        text.replace(at, before.size() + written.size(), " " + one.name);
  }
  return text;
}

Headline headline_of(const std::optional<Selection>& best, std::span<const DecidedClaim> decided,
                     std::span<const AuditedSelection> selections) {
  const std::vector<const Destinations*> destinations = destinations_in(decided);
  Headline headline;
  headline.names = name_selections(best, decided, selections);
  for (const Destinations* from : destinations) {
    const std::vector<DestinationShare> shares = shares_of(*from, headline);
    if (shares.empty()) continue;
    headline.sentence += (headline.sentence.empty() ? "" : "; ") + told(shares);
    headline.destinations.insert(headline.destinations.end(), shares.begin(), shares.end());
    if (!headline.expected && !from->expected.empty())
      headline.expected = Expectation{headline.name_of(from->reached.front().selection), from->expected, from->rate};
  }
  if (headline.sentence.empty()) headline.sentence = no_descent(best);
  headline.change = key_change(decided, [&](const Selection& selection) { return headline.name_of(selection); });
  if (headline.change) headline.change->message = headline.with_names(headline.change->message);
  headline.without_svm = explain_without_svm(best, decided, destinations);
  return headline;
}

}  // namespace attest
