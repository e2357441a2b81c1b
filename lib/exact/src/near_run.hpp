#pragma once

#include "descent_run.hpp"

namespace attest {

/// A run over p by its components as `enclose_run` has it, in doubles that are rounded outward: known to some 30 bits after the point,
/// which is enough for most clauses. Its ball has room for that of a checker, whose radius is below 2^-40. Null for flow, over W and where
/// the loss is written by hand: these are for balls.
std::unique_ptr<EnclosedRun> enclose_nearly(const LimitRows& rows, const DescentRule& rule);

/// The bits of its numbers.
inline constexpr slong near_bits = 53;

}  // namespace attest
