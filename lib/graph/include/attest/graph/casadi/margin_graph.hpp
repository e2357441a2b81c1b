#pragma once

#include "attest/graph/numeric_problem.hpp"

#include <casadi/casadi.hpp>

namespace attest {

/// What margin the attention off a selection costs, as a CasADi graph. With x = (p, u, g) and a parameter that picks sample j:
///   min (Gamma - g) / (1 - s_j,alpha_j(p) + floor)   subject to   Y_i u.X_i^T s_i(p) - g >= 0 for every i,
///   1 - u.u >= 0,   radius^2 - p.p >= 0.
/// At the best u, g is the margin of s(p). [docs/theory.md, 4.7]
struct MarginGraph {
  casadi::MX x;
  casadi::MX picked;  ///< n entries, 1 for the sample j and 0 for the others
  casadi::MX f;
  casadi::MX g;
};
MarginGraph margin_graph(const NumericProblem& problem, const Selection& selection, double gamma, double radius);

}  // namespace attest
