#pragma once

#include "attest/exact/descent_limit.hpp"
#include "precise_ball.hpp"
#include "spectral_bound.hpp"

#include <optional>
#include <vector>

namespace attest {

/// How much a step of descent over p can stretch a ball: a bound of the spectral norm of its derivative I + eta J (constant), or
/// I + (h/|g|)(I - g g^T/|g|^2) J (normalised, flow), at every point of the ball; g = -grad L, J its derivative. With s_t the weights of a
/// sample's tokens, d_t = k_r - k_t, c_t = s_t (gap_t - G), D = sum s_t d_t and f' = sum c_t d_t,
///   g = (1/n) sum_i -l'(f_i) f'_i,   J = (1/n) sum_i [ -l''(f_i) f' f'^T - l'(f_i) (D f'^T + f' D^T - sum_t c_t d_t d_t^T) ].
class StepExpansion {
 public:
  struct Bound {
    double stretch;  ///< of the spectral norm of the derivative; of flow 1 + (|I + t A| - 1)/t, A the derivative less I, for some t >= 1
    double change;   ///< of the Frobenius norm of the derivative less I
  };

  StepExpansion(const LimitFacts& facts, const DescentRule& rule, std::size_t dimension)
      : facts_(facts), rule_(rule), dimension_(dimension) {}

  void begin();
  /// One sample: its rows d_t one after the other, their gaps and u_t = d_t.c at the centre c; false if the loss is not enclosed.
  bool add(const BallVector& rows, const BallVector& gaps, const BallVector& u, const Rational& score, const mag_t radius);
  /// Nothing if the gradient is not shown to differ from 0 on the ball.
  std::optional<Bound> bound();

 private:
  /// J += left right^T
  void add_product(const BallVector& left, const BallVector& right);

  const LimitFacts& facts_;
  const DescentRule& rule_;
  std::size_t dimension_;
  BallVector left_ = BallVector(0);  // J = sum left right^T: vectors one after the other
  BallVector right_ = BallVector(0);
  std::size_t products_ = 0;
  BallVector gradient_ = BallVector(0);
  SpectralBound spectral_;
};

}  // namespace attest
