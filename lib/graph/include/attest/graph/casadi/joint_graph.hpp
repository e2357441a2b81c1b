#pragma once

#include "attest/graph/numeric_problem.hpp"

namespace casadi {
class Function;
}

namespace attest {

/// log(L(ra, Rb)) / r of a positive loss as a program for a solver: x = (a, b), p = (r, R) to f and g = (a.a, b.b).
/// Attention is plain doubles: where 1 - s falls below 1e-16, f no longer depends on b. [docs/theory.md, section 5]
casadi::Function joint_program(const NumericProblem& problem);

}  // namespace attest
