#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attest {

/// alpha: the chosen token of each sample, counted from 0.
using Selection = std::vector<std::size_t>;

/// "(0, 2, 1)"; of a long one the first tokens: "(0, 2, 1, 0, 3, 1, 1, 2, … 200 in all)".
std::string to_string(const Selection& selection);

}  // namespace attest
