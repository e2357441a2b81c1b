#pragma once

#include "attest/model/parametrisation.hpp"
#include "theorem.hpp"

#include <Eigen/Core>

namespace attest {

/// Which theorem about a path it is, and the hypotheses that all of them share. Without a selection the theorem is RP-global,
/// and a tie for the best one is an obstacle. A selection that is given and not the unique best one is about RP-local.
struct PathSelection {
  Theorem theorem = {};
  Selection selection = {};
  bool local = false;
};
PathSelection assume_path_selection(const ClaimContext& context);

/// RP-global or RP-local [MM] with its hypotheses decided: which it is follows from the selection.
struct PathTheorem : PathSelection {
  Parametrisation parametrisation = Parametrisation::prompt;
  Eigen::VectorXd p_mm = {};  ///< where the theorem applies; W^mm by rows for weights
  bool degenerate = false;    ///< a tight row of the SVM has multiplier 0
};
PathTheorem assume_path_theorem(const ClaimContext& context, Parametrisation parametrisation = Parametrisation::prompt);

}  // namespace attest
