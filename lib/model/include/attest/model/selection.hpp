#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attest {

/// alpha: the chosen token of each sample, counted from 0.
using Selection = std::vector<std::size_t>;

/// "(0, 2, 1)"
std::string to_string(const Selection& selection);

}  // namespace attest
