#pragma once

#include "attest/exact/loss_bounds.hpp"
#include "attest/model/parametrisation.hpp"
#include "attest/model/svm_program.hpp"

#include <optional>
#include <vector>

namespace attest {

/// Proved: the Hessian of L has a spectral norm of at most `bound` at every p, or W, and what shows it.
/// [docs/theory.md, A curvature bound; docs/certificate.md, 4.32]
struct CurvatureBound {
  Rational bound;
  RationalInterval interval;      ///< holds every score
  std::vector<Rational> cuts;     ///< of the interval, between which the loss is enclosed
  std::vector<Rational> weights;  ///< c_i: the second derivative of l(f_i) along u is at most c_i D_i(u)^2
  std::vector<bool> by_tokens;    ///< how D_i(u) is bounded: by the sample's centred keys, or by its widest pair
  Rational widths;
  Rational spread;
};

/// `interval` holds every score, and the jets of the loss are defined on the cells that `loss.cuts` make of it. Nothing where the data
/// are too large for doubles.
std::optional<CurvatureBound> bound_curvature(const ExactTokens& tokens, const Scores& scores, const RationalInterval& interval,
                                              const LossBounds& loss, Parametrisation parametrisation);

}  // namespace attest
