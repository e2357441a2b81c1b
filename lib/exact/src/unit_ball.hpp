#pragma once

#include "attest/exact/svm.hpp"

#include <optional>
#include <vector>

namespace attest {

/// A symmetric integer matrix that is positive semidefinite exactly when |M| <= 1, M = sum lambda_c D_c z_i^T; over `scale` it is the form
/// of docs/certificate.md 4.12.
struct UnitBallForm {
  std::vector<std::vector<Integer>> entries;
  Integer scale;
};

/// z_i.z_j - (M z_i).(M z_j): M vanishes across the span of the queries.
UnitBallForm form_on_queries(const SvmProgram& program, const std::vector<Multiplier>& multipliers);
/// I - M^T M.
UnitBallForm form_on_space(const SvmProgram& program, const std::vector<Multiplier>& multipliers);

/// LDL^T with pivots >= 0, and where a pivot is 0 the rest of its column is 0.
bool is_semidefinite(const UnitBallForm& form);

/// A lower triangular R, line k having k + 1 entries, such that form - R R^T is diagonally dominant: then both are semidefinite. None where
/// the form is not definite enough for doubles.
std::optional<std::vector<std::vector<Rational>>> find_root(const UnitBallForm& form);

}  // namespace attest
