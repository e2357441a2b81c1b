#pragma once

#include "problem.hpp"

namespace attest::check {

/// §4.28. Both throw Rejected.
void check_sparsity_norm(const Problem& problem, const Json& statement, const Json& witness);
void check_sparsity_infeasible(const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
