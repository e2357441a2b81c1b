#pragma once

#include "attest/claims/evidence.hpp"

#include <nlohmann/json.hpp>

namespace attest {

/// The numbers of a finding as the results hold them.
nlohmann::ordered_json to_json(const Evidence& evidence);

}  // namespace attest
