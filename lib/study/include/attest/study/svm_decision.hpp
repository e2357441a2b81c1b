#pragma once

#include "attest/base/progress.hpp"
#include "attest/exact/census.hpp"
#include "attest/exact/svm.hpp"
#include "attest/study/study.hpp"

namespace attest {

/// The floating-point solve as the exact stage takes it.
SvmOpinion float_opinion(const SvmProgram& program, const Budget& budget);
/// The same as the exact searches take it; the budget must live as long.
SvmOpinionOf opinion_within(const Budget& budget);

/// A program whose tight rows may be more than this many is bracketed before it is solved exactly: from here on a bracket costs less.
inline constexpr std::size_t most_exact_rows = 48;
/// At most this many rows can be tight and independent.
std::size_t most_tight_rows(const SvmProgram& program);

/// Guessed in floating point, bracketed exactly; none where that fails or the bracket is wide.
std::optional<BracketedSvm> solve_bracket(const SvmProgram& program, const Budget& budget);

/// Guessed in floating point, decided exactly. For programs that no study keeps.
SvmOutcome solve_svm(const SvmProgram& program, const Budget& budget);

}  // namespace attest
