#pragma once

#include "attest/exact/svm.hpp"

#include <optional>
#include <vector>

namespace attest {

/// Proved: the least norm of a p, or W, whose attention to every selected token is at least 1 - epsilon lies in [lower, upper].
/// [docs/theory.md, Sparsity and norm]
struct SparsityBracket {
  Rational lower;
  Rational upper;
  std::vector<Multiplier> weights;  ///< which show the lower bound, by Jensen's inequality
  std::vector<Multiplier> point;    ///< sum x_c a_c has the attention, and the norm `upper` at most
};

/// The bounds that weights > 0 and the coefficients of a point, none of them 0, show in ball arithmetic. Nothing where the point is not
/// seen to have the attention.
std::optional<SparsityBracket> bracket_sparsity(const SvmProgram& program, const Rational& epsilon, std::vector<Multiplier> weights,
                                                std::vector<Multiplier> point);

/// Whether weights with sum pi_c a_c = 0, as Farkas gives them where the SVM is infeasible, show that no point has the attention.
bool excludes_sparsity(const SvmProgram& program, const Rational& epsilon, const std::vector<Multiplier>& weights);

/// |p^mm| log((1 - epsilon)/epsilon), which [MM] gives as a lower bound: from below, for |p^mm|^2 as given; 0 where epsilon >= 1/2.
Rational sparsity_insight(const Rational& norm_squared, const Rational& epsilon);

}  // namespace attest
