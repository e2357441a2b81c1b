#pragma once

#include "problem.hpp"

namespace attest::check {

/// §4.21, §4.22, §4.23. All throw Rejected.
void check_descent_basin(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness);
void check_descent_cone(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness);
void check_descent_wedge(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
