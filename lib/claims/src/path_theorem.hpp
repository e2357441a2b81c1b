#pragma once

#include "theorem.hpp"

#include <Eigen/Core>

namespace attest {

/// RP-global or RP-local [MM] with its hypotheses decided: which it is follows from the selection.
struct PathTheorem {
  Theorem theorem = {};
  Selection selection = {};
  bool local = false;
  Eigen::VectorXd p_mm = {};  ///< where the theorem applies
  bool degenerate = false;    ///< a tight row of the p-SVM has multiplier 0
};
PathTheorem assume_path_theorem(const ClaimContext& context);

}  // namespace attest
