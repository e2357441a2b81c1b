#pragma once

#include "attest/exact/census.hpp"

#include <optional>
#include <string>

namespace attest {

/// Whether any other selection is locally optimal for the W-SVM, given that `selection` has the unique best scores and that in
/// each sample all other scores are equal.
struct OtherOptimum {
  bool decided = false;
  std::optional<Selection> selection;  ///< one, if there is any
  std::string reason;                  ///< why not decided
};

/// Let beta differ from alpha in the samples D. A token of D that beta selects ties or is beaten by all others of its sample, so
/// beta is locally optimal only if no row of D is tight. Then the rows of D may be left out: the solution is that of W-SVM(alpha) over
/// the samples outside D, and in each sample of D its token beta_i leads all others by more than 1. So every D is tried, with
/// one exact program each. [docs/theory.md, W-parametrisation]
OtherOptimum find_other_weight_optimum(const ExactTokens& tokens, const Selection& selection, const SvmOpinionOf& opinion,
                                       const Budget& budget);

}  // namespace attest
