#pragma once

#include <cstddef>
#include <vector>

namespace attest {

/// In doubles, rounded.
inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace attest
