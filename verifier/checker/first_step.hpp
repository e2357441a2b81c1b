#pragma once

#include "problem.hpp"

namespace attest::check {

/// §4.30. Both throw Rejected.
void check_first_step(const Problem& problem, const Json& statement, const Json& witness);
void check_not_first_step(const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
