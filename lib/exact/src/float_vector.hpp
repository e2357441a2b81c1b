#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace attest {

// In doubles, rounded.

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// sum += factor vector
inline void add_scaled(std::vector<double>& sum, double factor, const std::vector<double>& vector) {
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += factor * vector[k];
}

}  // namespace attest
