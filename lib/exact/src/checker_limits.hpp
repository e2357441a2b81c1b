#pragma once

#include "attest/base/integer.hpp"

#include <arb.h>

#include <cstddef>

/// What checkers take on of a run: one beyond is not certified. None of them is a tolerance: whoever raises one writes certificates that
/// checkers refuse, or cannot follow. [docs/certificate.md, section 4.20]
namespace attest::checker_limits {

constexpr slong most_bits = 1 << 15;
/// Iterates times tokens times bits.
inline const Integer most_work = Integer(1) << 32;

// They bound the derivative of a step in doubles, ...

/// ... which fails where numbers of the data are far from 1, ...
constexpr double largest_number = 0x1p40;
/// ... by squares of its norm up to 2^100, ...
constexpr double largest_stretch = 0x1p48;
/// ... and over p as a matrix of d^2 numbers, of which one step takes some d^3 products.
constexpr std::size_t largest_dimension = 1024;
/// Bits by which a gradient may be below its largest term: as far as was tried with both checkers.
constexpr double most_faintness = 64;

}  // namespace attest::checker_limits
