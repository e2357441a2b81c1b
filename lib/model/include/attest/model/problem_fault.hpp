#pragma once

#include "attest/base/fault.hpp"
#include "attest/model/problem.hpp"

#include <optional>

namespace attest {

/// What keeps a problem from being one, or nothing. A problem has at least one sample, each sample at least one token, each token
/// the same number d >= 1 of numbers, one label 1 or -1 a sample, v 1 x d, W d x d, queries n x d, and all numbers have a finite
/// double nearby. The fault has no file; its path is that of a case, such as $.labels[2].
std::optional<InputFault> fault_of(const Problem& problem);

}  // namespace attest
