#pragma once

#include "attest/model/parametrisation.hpp"
#include "theorem.hpp"

#include <Eigen/Core>

namespace attest {

/// "feasible p-SVM" or "feasible W-SVM": the hypothesis that `decide_direction` decides.
std::string feasible_name(Parametrisation parametrisation);

/// The solution of an SVM as a hypothesis: feasible, and not 0.
Finding with_direction(Finding svm);
Finding decide_direction(const ClaimContext& context, const Selection& selection, Parametrisation parametrisation = Parametrisation::prompt);
/// p^mm, or W^mm by rows.
Eigen::VectorXd solution_of(const Finding& svm);

/// Whether the selection scores more than its neighbours in the p-SVM or the W-SVM. [MM, Def. 2; TS]
Finding decide_locally_optimal(const ClaimContext& context, const Selection& selection, Parametrisation parametrisation);

}  // namespace attest
