#pragma once

#include "problem.hpp"

namespace attest::check {

/// §4.26: throws Rejected.
void check_joint_envelope(const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
