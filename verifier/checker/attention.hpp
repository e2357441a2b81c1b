#pragma once

#include "svm.hpp"

namespace attest::check {

/// What §4.9 and §4.10 derive from a solution of v-svm(α).
struct LabelMargin {
  /// Throws Rejected unless `solution` solves the v-svm.
  LabelMargin(const Problem& problem, const Selection& selection, const Json& solution);

  ScaledVector v;
  Rational v_squared;            ///< v·v = 1/Γ²
  std::vector<bool> in_support;  ///< by sample: whether it is in S
};

/// The samples that I is taken from (§4.9): all, or those of S.
enum class Among { all, support };
Among read_among(const Json& node);

/// By sample, whether it is in I.
std::vector<bool> counting_samples(const Problem& problem, Among among, const LabelMargin& margin);

/// §4.9 with the `nu` and `gamma_squared` of the statement: throws Rejected unless the witness proves it, else what its `v` is.
LabelMargin require_bounded_margin(const Problem& problem, const Selection& selection, Among among, const Json& statement,
                                   const Json& witness);

/// §4.10: throws Rejected unless the witness shows that no nu is left.
void require_unbounded_slope(const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
