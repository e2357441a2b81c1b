#pragma once

#include "attest/audit/decided_claim.hpp"

#include <nlohmann/json.hpp>

namespace attest {

/// What became of a claim, as a worker process tells it its parent. The parent knows the request.
nlohmann::ordered_json encode_decided(const DecidedClaim& decided);
DecidedClaim decode_decided(const ClaimRequest& request, const nlohmann::ordered_json& message);

}  // namespace attest
