#pragma once

#include "attest/base/rational.hpp"

#include <cstddef>
#include <vector>

namespace attest {

inline Rational dot(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  Rational sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!a[k].is_zero() && !b[k].is_zero()) sum += a[k] * b[k];
  return sum;
}

}  // namespace attest
