#pragma once

#include "svm_decision.hpp"

#include <Eigen/Core>

namespace attest {

/// What every claim about W-SVMs says of one that Farkas' lemma refutes.
Finding infeasible_weights(const SvmProgram& program, const SvmInfeasible& infeasible);

/// A d x d matrix that is given by its rows, one after the other, as a list of rows.
nlohmann::ordered_json matrix_rows(const Eigen::VectorXd& matrix);

/// The numbers of a list, or of a list of rows, one after the other.
Eigen::VectorXd entries_of(const nlohmann::ordered_json& list);

/// The doubles nearest to a d x d matrix, by rows.
nlohmann::ordered_json matrix_rows(const std::vector<Rational>& matrix, std::size_t d);

}  // namespace attest
