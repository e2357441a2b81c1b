#pragma once

#include "attest/model/selection.hpp"

#include <nlohmann/json.hpp>

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

/// The locally optimal selections that the census lists; each is proved to be one, also where the time was up.
inline std::vector<Selection> listed_selections(std::span<const Json> entries) {
  const Json* census = find_entry(entries, "census");
  if (census == nullptr || !census->at("numbers").contains("selections")) return {};
  return census->at("numbers").at("selections").get<std::vector<Selection>>();
}

}  // namespace attest
