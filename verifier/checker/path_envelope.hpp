#pragma once

#include "problem.hpp"

namespace attest::check {

/// §4.24, claims `path` and `w-path`: throws Rejected.
void check_path_envelope(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness);

/// §4.25: throws Rejected.
void check_path_ratio(const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
