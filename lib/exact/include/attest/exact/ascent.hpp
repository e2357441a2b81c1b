#pragma once

#include "attest/model/parametrisation.hpp"
#include "attest/model/svm_program.hpp"

#include <optional>
#include <variant>
#include <vector>

namespace attest {

/// What -dL/dp, or -dL/dW, has a positive product with at every point, when l' < 0 on the scores: L then has no stationary point.
/// [docs/theory.md, Theorem S, Theorem S_W]
struct AscentDirection {
  std::vector<Rational> u;  ///< k_it.u does not fall where the score rises, and rises somewhere; a matrix by rows
};
/// Over W: U = v q^T, with Y_i q.z_i >= 0 for all samples whose scores differ, > 0 for one.
struct AscentQuery {
  std::vector<Rational> q;
};
/// Over W: the queries of the samples whose scores differ are linearly independent, so such a q exists.
struct IndependentQueries {
  std::size_t rank;  ///< theirs: as many as they are
};

using Ascent = std::variant<AscentDirection, AscentQuery, IndependentQueries>;

/// No such direction was found.
struct NoAscent {
  bool excluded;  ///< there is none, by Stiemke's alternative; else it was not searched to the end
};

std::variant<Ascent, NoAscent> find_ascent(const ExactTokens& tokens, const Scores& scores, Parametrisation parametrisation);

}  // namespace attest
