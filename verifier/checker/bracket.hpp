#pragma once

#include <string>

#include "problem.hpp"

namespace attest::check {

// §4.31, and what §4.6, §4.7 and §4.16 prove from a bracket. Each throws Rejected.

void check_svm_bracket(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness);

/// Whether a witness of local optimality, or against it, holds a bracket.
bool holds_bracket(const Json& witness);
void check_bracketed_optimum(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness);
void check_bracketed_neighbour(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
