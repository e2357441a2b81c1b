#pragma once

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace attest {

/// What to change so that theorems apply.
struct Advice {
  std::string theorem;  ///< its claim; several, with commas, where the advice is the same
  std::string message;
};

/// Advice for each theorem whose hypotheses do not all hold, from the entries of an audit's claims.
std::vector<Advice> advise(std::span<const nlohmann::ordered_json> entries);

}  // namespace attest
