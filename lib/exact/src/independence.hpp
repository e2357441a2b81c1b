#pragma once

#include "attest/exact/svm_bracket.hpp"

namespace attest {

/// Shows all rows with a multiplier to be tight at once, by the independence of the rows that may be: fills `support` and `independence`.
/// False, and the bracket as it was, where the rows are too near to dependent or a multiplier is too small.
bool show_by_independence(const SvmProgram& program, SvmBracket& bracket);

}  // namespace attest
