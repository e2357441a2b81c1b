#pragma once

#include "attest/model/parametrisation.hpp"
#include "attest/model/svm_program.hpp"

#include <optional>
#include <span>
#include <vector>

namespace attest {

/// A box that holds a stationary point of L: centre + B eta with |eta_a| <= radius_a, the columns of B a basis of the span of the
/// differences of keys. [docs/theory.md, Theorem S]
struct StationaryBox {
  std::vector<Rational> centre;  ///< a matrix by rows
  std::vector<std::vector<Rational>> basis;
  std::vector<Rational> radius;
  std::vector<std::vector<Rational>> inverse;  ///< of the Hessian in these coordinates, nearly; by rows
};

/// By Krawczyk's test in ball arithmetic; `near` may be any point. Nothing where the test fails or would take too long.
std::optional<StationaryBox> enclose_stationary_point(const ExactTokens& tokens, const Scores& scores, Parametrisation parametrisation,
                                                      std::span<const double> near);

/// Whether dL/dp = 0 at 0, shown by rational arithmetic: for each mean score the samples that have it cancel.
bool is_stationary_at_origin(const ExactTokens& tokens, const Scores& scores, Parametrisation parametrisation);

}  // namespace attest
