#pragma once

#include "attest/audit/plan.hpp"
#include "attest/model/problem.hpp"
#include "attest/run/run_options.hpp"

namespace attest {

/// Replaces one token of a locally optimal selection by a worse one, so that the p-SVM has the old token as a neighbour with weight, if
/// floating point is right: the claim decides. The search is done in a worker process; one that ends early has found nothing.
LooseSelection find_loose_selection(const Problem& problem, const Selection& optimal, const RunOptions& options);

}  // namespace attest
