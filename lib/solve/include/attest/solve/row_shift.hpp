#pragma once

#include "attest/graph/numeric_problem.hpp"
#include "attest/model/selection.hpp"
#include "attest/model/svm_program.hpp"

#include <Eigen/Core>

#include <utility>
#include <vector>

namespace attest {

/// The part of p across a direction as weights of rows a_it = k_i,alpha_i - k_it, by least squares over the rows that are nearly as small
/// as the least one: a minimiser is a combination of these to rounding. Empty where they are too many to solve for.
std::vector<std::pair<RowName, double>> shift_of_rows(const NumericProblem& problem, const Selection& selection, const Eigen::VectorXd& p,
                                                      const Eigen::VectorXd& direction);

}  // namespace attest
