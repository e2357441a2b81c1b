#pragma once

#include "limit_clauses.hpp"

#include <optional>
#include <vector>

namespace attest {

/// The rows and the support in doubles: what ConeFrame asks for, and what a run in doubles steps with.
class DoubleSpace {
 public:
  using Number = double;

  explicit DoubleSpace(const LimitRows& rows);

  const LimitFigures<double>& figures() const { return figures_; }
  std::size_t count() const { return figures_.theta.size(); }
  bool over_weights() const { return over_weights_; }
  /// zeta with G_S zeta = z; empty if the support is not independent.
  std::vector<double> solve(const std::vector<double>& z) const;
  /// a_c.(sum zeta_k a_k) over the support, for all rows.
  std::vector<double> products(const std::vector<double>& zeta) const;

  /// A bound of the largest eigenvalue of Lambda^(1/2) G_S^perp Lambda^(1/2), a little above it.
  double spectral() const;

  /// a_c.v over p.
  void times(const std::vector<double>& v, std::vector<double>& values) const;
  /// sum q_c a_c over p.
  std::vector<double> combination(const std::vector<double>& q) const;
  /// a_c.(sum q_e a_e) over W.
  void times_products(const std::vector<double>& q, std::vector<double>& values) const;
  /// Whether the products of all rows over W are kept in memory.
  bool products_fit() const { return count() <= most_rows_over_weights; }

 private:
  static constexpr std::size_t most_rows_over_weights = 1500;

  double product(std::size_t c, std::size_t e) const;

  const LimitRows& rows_;
  LimitFigures<double> figures_;
  bool over_weights_;
  std::size_t dimension_;
  std::vector<double> vectors_;               // D_c, one after the other
  std::vector<std::size_t> position_;         // of a row's sample
  std::vector<std::vector<double>> queries_;  // z_j.z_k
  std::vector<std::vector<double>> gram_;     // of the support
  std::vector<std::vector<double>> factor_;   // its Cholesky factor; empty if there is none
  std::vector<double> support_products_;      // over W: of a row of the support with every row
  mutable std::vector<double> products_;      // over W: of every row with every row
};

/// A descent in doubles, normalised steps of which never underflow.
class DoubleRun {
 public:
  DoubleRun(const DoubleSpace& space, const LimitRows& rows, const DescentRule& rule);

  /// False where no step is left to take: the gradient is 0 in doubles.
  bool advance();
  LimitIterate<double> now() const;
  const std::vector<double>& prompt() const { return point_; }

 private:
  /// The coefficients of -grad L, times exp(-log_scale).
  double coefficients(std::vector<double>& q) const;

  const DoubleSpace* space_;
  const Loss* loss_;
  StepRule rule_;
  double step_;
  std::size_t sample_count_;
  std::vector<double> scores_;  // gamma_i,alpha_i of the samples with rows
  std::vector<double> point_;   // p
  std::vector<double> start_;   // y(0) over W
  std::vector<double> b_;       // coefficients over W
  double start_squared_ = 0;
  std::vector<double> y_;
};

/// rho for which the clauses of a cone hold with room to spare, the least that was found.
struct ConeGuess {
  double rho;
};
struct ConeLook {
  std::optional<ConeGuess> guess;
  bool step_too_long = false;  ///< nothing but clause 9 fails
};
ConeLook look_for_cone(const DoubleSpace& space, const LimitIterate<double>& at, const LimitStep<double>& step, double spectral);

/// delta for which those of a wedge do.
std::optional<double> look_for_wedge(const DoubleSpace& space, const LimitIterate<double>& at, const LimitStep<double>& step);

}  // namespace attest
