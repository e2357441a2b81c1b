#pragma once

#include "attest/model/selection.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attest {

// Access to the entries of claims (docs/results.md).

using Json = nlohmann::ordered_json;

/// The first entry of the claim, or null.
inline const Json* find_entry(std::span<const Json> entries, std::string_view claim) {
  for (const Json& entry : entries)
    if (entry.at("claim") == claim) return &entry;
  return nullptr;
}

inline bool has_verdict(const Json* entry, std::string_view verdict) { return entry != nullptr && entry->at("verdict") == verdict; }

inline std::optional<Selection> selection_of(const Json* entry) {
  if (entry == nullptr || !entry->at("selection").is_array()) return std::nullopt;
  return entry->at("selection").get<Selection>();
}

/// The selections that some entry proves to be locally optimal, each once: that of the `locally-optimal` claims first, then those that
/// the census lists, which are proved also where its time was up.
inline std::vector<Selection> known_local_selections(std::span<const Json> entries) {
  std::vector<Selection> known;
  const auto add = [&](const Selection& one) {
    if (std::ranges::find(known, one) == known.end()) known.push_back(one);
  };
  for (const Json& entry : entries)
    if (entry.at("claim") == "locally-optimal" && has_verdict(&entry, "holds") && entry.at("grade") == "proved")
      if (const auto selection = selection_of(&entry)) add(*selection);
  const Json* census = find_entry(entries, "census");
  if (census != nullptr && census->at("numbers").contains("selections"))
    for (const Selection& one : census->at("numbers").at("selections").get<std::vector<Selection>>()) add(one);
  return known;
}

}  // namespace attest
