#pragma once

#include "attest/claims/claim.hpp"
#include "attest/model/svm_program.hpp"

namespace attest {

/// The nuclear-norm W-SVM: solved in floating point, bracketed by exact bounds.
Finding check_nuclear(const ClaimContext& context, const SvmProgram& program);

}  // namespace attest
