#pragma once

#include "attest/exact/svm_bracket.hpp"

namespace attest {

/// Whether directions for all rows cost little beside the bracket itself.
bool can_show_all(const SvmProgram& program, const SvmBracket& bracket);

/// Fills `support` and `directions`: the rows with a multiplier that a direction shows to be tight.
void show_tight_rows(const SvmProgram& program, const BracketHint& hint, SvmBracket& bracket);

}  // namespace attest
