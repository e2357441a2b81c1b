#pragma once

#include "attest/model/problem.hpp"
#include "attest/model/svm_program.hpp"

#include <Eigen/Core>

#include <vector>

namespace attest {

/// The tokens that score at least as much as the selected one and whose row may be tight at a nuclear solution W, by rows: the selection is
/// locally optimal there when there is none. [TS]
std::vector<RowName> possible_rivals(const Problem& problem, const Scores& scores, const Selection& selection, const Eigen::VectorXd& W);

}  // namespace attest
