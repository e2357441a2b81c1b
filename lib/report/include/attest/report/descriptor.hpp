#pragma once

#include "attest/claims/claim.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>

namespace attest {

/// As tools name it: "above-one".
std::string_view name_of(ParameterKind kind);
std::string_view name_of(AuditSection section);

/// What a case may write for the parameter: "a number above 0", "all or support".
std::string values_of(const ParameterSpec& parameter);

/// All that there is to say of the claims, for tools: a list of objects.
nlohmann::ordered_json encode_descriptors(std::span<const Claim> claims);

}  // namespace attest
