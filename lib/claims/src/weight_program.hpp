#pragma once

#include "svm_decision.hpp"

namespace attest {

/// What every claim about W-SVMs says of one that Farkas' lemma refutes.
Finding infeasible_weights(const SvmProgram& program, const SvmInfeasible& infeasible);

/// The doubles nearest to a d x d matrix, by rows.
nlohmann::ordered_json matrix_rows(const std::vector<Rational>& matrix, std::size_t d);

}  // namespace attest
