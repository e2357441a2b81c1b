#pragma once

#include "attest/model/problem.hpp"

#include <string_view>

namespace attest {

/// Seconds that a claim needs at least on data of that size, roughly and on one core of 2024: an audit does not begin what
/// cannot end within its budget. 0 for claims that watch their budget and say something when it is up.
double estimated_seconds(std::string_view claim, const Problem& problem);

}  // namespace attest
