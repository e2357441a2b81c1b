#pragma once

#include "problem.hpp"

namespace attest::check {

/// §4.27. Both throw Rejected.
void check_no_stationary_point(const Problem& problem, const Json& statement, const Json& witness);
void check_stationary_point(const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
