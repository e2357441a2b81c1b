#pragma once

#include "problem.hpp"

namespace attest::check {

/// §4.32. Throws Rejected.
void check_curvature_bound(const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
