#pragma once

#include <arb.h>

namespace attest {

/// Of a bound of a step's derivative: near 1 it needs no more, and the ball itself is far smaller than what this rounds away.
constexpr slong expansion_bits = 64;

}  // namespace attest
