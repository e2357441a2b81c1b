#pragma once

#include "problem.hpp"

namespace attest::check {

/// §4.11. Both throw Rejected.
void check_weights_optimal(const Problem& problem, const Json& statement, const Json& witness);
void check_weights_infeasible(const Problem& problem, const Json& statement, const Json& witness);

/// §4.16. Both throw Rejected.
void check_weights_locally_optimal(const Problem& problem, const Json& statement, const Json& witness);
void check_weights_not_locally_optimal(const Problem& problem, const Json& statement, const Json& witness);

/// §4.12
void check_nuclear_bracket(const Problem& problem, const Json& statement, const Json& witness);
/// The rule of §4.12 for the `lower` and `upper` of the statement: throws Rejected, else A Bᵀ z_i for every sample i.
std::vector<ScaledVector> require_nuclear_bracket(const Problem& problem, const Selection& selection, const Json& statement,
                                                  const Json& witness);
/// §4.13, §4.14
void check_rank(const Problem& problem, const Json& statement, const Json& witness);
void check_every_selection(const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
