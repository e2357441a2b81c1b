#pragma once

#include "problem.hpp"

namespace attest::check {

/// §4.29. Both throw Rejected.
void check_head_bounds(const Problem& problem, const Json& statement, const Json& witness);
void check_head_envelope(const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
