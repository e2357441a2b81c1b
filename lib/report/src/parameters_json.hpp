#pragma once

#include "attest/model/claim_request.hpp"

#include <nlohmann/json.hpp>

namespace attest {

/// A whole number that any reader of JSON keeps, or the rational as text.
nlohmann::ordered_json encode_exact(const Rational& number);

/// A claim's parameters as a case writes them.
nlohmann::ordered_json encode_parameters(const ClaimRequest& request);

}  // namespace attest
