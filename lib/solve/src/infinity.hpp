#pragma once

#include <limits>

namespace attest {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace attest
