#pragma once

#include "attest/model/claim_request.hpp"
#include "attest/model/parametrisation.hpp"

#include <string>

namespace attest {

// What claims say of p and of W alike: the parameter "over".

inline ParameterSpec over_parameter() { return {"over", ParameterKind::choice, false, "what is trained", {"p", "W"}, "p"}; }

inline Parametrisation over_of(const ClaimRequest& request) {
  const auto* over = request.find<std::string>("over");
  return over && *over == "W" ? Parametrisation::weights : Parametrisation::prompt;
}

}  // namespace attest
