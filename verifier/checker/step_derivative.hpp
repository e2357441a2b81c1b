#pragma once

#include "near_slopes.hpp"

namespace attest::check {

/// One sample relative to a reference token r (§4.20), for the tokens t ≠ r.
struct RelativeSample {
  std::vector<std::vector<Near>> differences;  ///< d_t = k_ir − k_it
  std::vector<double> lengths;                 ///< ≥ ‖d_t‖
  std::vector<Near> gaps;                      ///< Δ_t = γ_ir − γ_it
  Near score;                                  ///< γ_ir
};

/// The ball of §4.20, by what the logits of its centre give.
struct StepBall {
  std::vector<std::vector<Near>> powers;  ///< exp(m − u_t) at the centre, for each sample and t ≠ r
  Near shrink;                            ///< exp(−m)
  double radius;                          ///< ≥ e_k
};

/// F', the derivative of one step of descent over p, on balls.
class StepDerivative {
 public:
  StepDerivative(const Loss& loss, const LossBounds& bounds, const Rational& step, bool normalised, std::size_t dimension);

  /// Λ: at least the spectral norm of F' at every point of the ball; throws Undefined, where there is no bound or, for normalised steps,
  /// ‖∇L‖ is not shown to be above 0.
  double norm_bound(const std::vector<RelativeSample>& samples, const StepBall& ball);

 private:
  /// e^m g and the upper triangle of e^m J, both n times.
  struct Gradient {
    std::vector<Near> direction;
    std::vector<std::vector<Near>> derivative;
  };

  void add(Gradient& gradient, const RelativeSample& sample, const std::vector<Near>& powers, const Near& shrink) const;
  void turn(Gradient& gradient) const;
  [[nodiscard]] double norm_bound(const std::vector<std::vector<Near>>& matrix);

  NearSlopes slopes_;
  Near step_;
  bool normalised_;
  std::size_t dimension_;
  std::vector<double> guess_;
};

}  // namespace attest::check
