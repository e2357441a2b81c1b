#pragma once

#include "attest/model/svm_program.hpp"

#include <optional>
#include <vector>

namespace attest {

/// Where a point stands to every row of a program, decided exactly.
struct RowScan {
  std::vector<std::size_t> tight;            ///< a_c.w = b_c, ascending
  std::optional<std::size_t> most_violated;  ///< a_c.w < b_c, by about the most; none when w is feasible
};

/// Rows that doubles with a rigorous error bound show to be clearly satisfied or clearly violated are settled so;
/// the few others are evaluated in exact arithmetic.
RowScan scan_rows(const SvmProgram& program, const FractionVector& point);

}  // namespace attest
