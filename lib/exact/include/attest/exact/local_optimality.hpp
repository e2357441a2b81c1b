#pragma once

#include "attest/exact/svm.hpp"

#include <optional>

namespace attest {

/// Whether the selected token of a row's sample scores more than the row's token.
bool selected_outscores(const SvmProgram& program, std::size_t row, const Scores& scores);

/// The neighbour with the largest score relative to the selected token that is not strictly below it, if any:
/// alpha is locally optimal when there is none. [MM, Def. 2] `solution` is that of the p-SVM.
std::optional<RowName> outscoring_neighbour(const SvmProgram& program, const SvmSolution& solution, const Scores& scores);

}  // namespace attest
