#pragma once

#include "attest/claims/claim.hpp"

namespace attest {

/// The claim about the W-SVM of least nuclear norm: solved in floating point, bracketed by exact bounds.
Finding check_nuclear(const ClaimContext& context);

}  // namespace attest
