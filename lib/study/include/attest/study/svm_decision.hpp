#pragma once

#include "attest/base/progress.hpp"
#include "attest/exact/census.hpp"
#include "attest/exact/svm.hpp"

namespace attest {

/// The floating-point solve as the exact stage takes it.
SvmOpinion float_opinion(const SvmProgram& program, const Budget& budget);
/// The same as the exact searches take it; the budget must live as long.
SvmOpinionOf opinion_within(const Budget& budget);

/// Guessed in floating point, decided exactly. For programs that no study keeps.
SvmOutcome solve_svm(const SvmProgram& program, const Budget& budget);

}  // namespace attest
