#pragma once

#include "limit_rows.hpp"

#include <optional>
#include <vector>

namespace attest {

/// How much a step of descent over W can stretch a ball in the Frobenius norm: a bound of the spectral norm of its derivative at every
/// point of the ball, from products of rows alone. [docs/theory.md, Enclosing a run]
class RowExpansion {
 public:
  RowExpansion(const LimitRows& rows, const DescentRule& rule);

  /// `y`: the values of the rows at the centre. Nothing if the loss is not enclosed, or the gradient not shown to differ from 0, on the
  /// ball.
  std::optional<double> bound(const BallVector& y, const mag_t radius);

 private:
  /// One sample relative to the token r that leads: its rows d_t, t != r, have these places among all rows.
  struct Sample {
    std::size_t position;  // among the samples of the program
    std::size_t first;
    std::size_t count;
    std::optional<std::size_t> reference;
    BallVector differences = BallVector(0);  // x_r - x_t, one after the other
    PreciseBall weight;                      // omega_i = -l'(f_i)/n
    PreciseBall bend;                        // b_i = l''(f_i)/n
  };

  std::vector<std::size_t> tokens_but(std::size_t sample, std::size_t reference) const;
  bool choose_references(const BallVector& y);
  void refer(Sample& sample, std::size_t reference);
  void make_products();
  /// shares_, pulls_, q_ and the loss of a sample on the ball.
  bool enclose(Sample& sample, const BallVector& y, const mag_t radius);
  /// beta, the part of a step's derivative that turns the gradient into other directions.
  std::optional<double> turning(const PreciseBall& squared, const PreciseBall& factor);
  /// (j+, j-) times the factor of -grad L in the step.
  std::pair<double, double> curvatures(const PreciseBall& factor) const;
  double largest_row_sum(const std::vector<double>& weights) const;
  BallVector times_products(const BallVector& weights) const;
  PreciseBall form(const Sample& sample, const BallVector& left, const BallVector& right) const;

  const LimitRows& rows_;
  const DescentRule& rule_;
  std::vector<Sample> samples_;
  BallVector products_ = BallVector(0);  // G, of all rows
  std::vector<double> sizes_;            // at least their moduli
  BallVector lengths_ = BallVector(0);
  BallVector gaps_;
  BallVector shares_;  // s_t
  BallVector pulls_;   // a_t = s_t (gap_t - G_i)
  BallVector q_;       // omega_i a_t
  BallVector image_;   // h = G q
};

}  // namespace attest
