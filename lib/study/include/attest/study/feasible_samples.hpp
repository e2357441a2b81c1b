#pragma once

#include "attest/base/progress.hpp"
#include "attest/model/svm_program.hpp"

#include <optional>
#include <vector>

namespace attest {

/// Samples without which an infeasible program has a solution, ascending: found greedily, by dropping a sample of each contradiction in
/// turn and then taking back what may stay. That the rest is feasible is proved, that no fewer would do is not. None when all would have to
/// go, the time is up, or the program is the joint one, whose bounds hang on all samples.
std::optional<std::vector<std::size_t>> find_dropped_samples(const Problem& problem, SvmProgram::Kind kind, const Selection& selection,
                                                             const Budget& budget);

}  // namespace attest
