#pragma once

#include "attest/model/exact_matrix.hpp"

#include <utility>
#include <vector>

namespace attest {

inline ExactMatrix matrix(const std::vector<std::vector<Rational>>& rows) {
  std::vector<Rational> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return ExactMatrix::from_rationals(rows.size(), rows.front().size(), std::move(values));
}

}  // namespace attest
