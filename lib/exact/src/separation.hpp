#pragma once

#include "attest/exact/svm.hpp"

#include <optional>
#include <vector>

namespace attest {

/// A rational p with row.p >= 1 for every row, the shortest one; nothing when there is none or the time is up.
std::optional<std::vector<Rational>> separate(const std::vector<std::vector<Rational>>& rows, const Budget& budget);

/// The rows a_it = k_i,alpha_i - k_it of a selection with their names.
struct KeyRow {
  RowName name;
  std::vector<Rational> row;
};
std::vector<KeyRow> key_rows(const ExactTokens& tokens, const Selection& selection);

/// a - b
std::vector<Rational> minus(const std::vector<Rational>& a, const std::vector<Rational>& b);

}  // namespace attest
