#pragma once

#include "attest/model/parametrisation.hpp"
#include "theorem.hpp"

#include <Eigen/Core>

namespace attest {

/// RP-global or RP-local [MM] with its hypotheses decided: which it is follows from the selection.
struct PathTheorem {
  Parametrisation parametrisation = Parametrisation::prompt;
  Theorem theorem = {};
  Selection selection = {};
  bool local = false;
  Eigen::VectorXd p_mm = {};  ///< where the theorem applies; W^mm by rows for weights
  bool degenerate = false;    ///< a tight row of the SVM has multiplier 0
};
PathTheorem assume_path_theorem(const ClaimContext& context, Parametrisation parametrisation = Parametrisation::prompt);

}  // namespace attest
