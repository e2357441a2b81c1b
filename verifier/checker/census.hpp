#pragma once

#include <vector>

#include "svm.hpp"

namespace attest::check {

/// §4.6: throws Rejected unless evidence's `w`, `lambda` solve the p-svm and every tight row scores
/// strictly less than the token selected; else the tight rows.
std::vector<Row> require_locally_optimal(const Program& program, const Selection& selection, const Scores& scores, const Json& evidence);

/// §4.7: throws Rejected unless evidence's `w`, `lambda` solve the p-svm and its `neighbour` is a
/// tight row that scores at least as much as the token selected.
void require_beaten(const Program& program, const Selection& selection, const Scores& scores, const Json& evidence);

/// §4.8: walks the tree of the witness, throws Rejected at a node that is not valid, and returns
/// the selections it proves locally optimal, which are then all there are.
std::vector<Selection> locally_optimal_selections(const Problem& problem, const Json& witness);

}  // namespace attest::check
