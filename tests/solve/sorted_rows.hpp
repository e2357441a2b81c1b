#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace attest {

inline std::vector<std::size_t> sorted(std::vector<std::size_t> rows) {
  std::ranges::sort(rows);
  return rows;
}

}  // namespace attest
