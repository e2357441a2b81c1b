#pragma once

namespace attest {

// What line searches that halve a step of Newton's method do alike.

inline constexpr int halving_limit = 40;
/// Armijo's constant.
inline constexpr double sufficient_part = 1e-4;

}  // namespace attest
