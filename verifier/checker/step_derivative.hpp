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

/// The ball of §4.20 on which F' is bounded, by what the logits of its centre give.
struct StepBall {
  std::vector<std::vector<Near>> powers;  ///< exp(m − u_t) at the centre, for each sample and t ≠ r
  Near shrink;                            ///< exp(−m)
  double radius;                          ///< ≥ e_k, or e_k + h for flow
};

/// Of a piece of the curve of the flow, with A = F' − I at every point of a ball.
struct CurveNorms {
  double parting;  ///< ≥ (‖I + t A‖ − 1)/t for some t ≥ 1, and ≥ 0
  double turn;     ///< ≥ ‖A‖_F
};

/// p_{k+1} lies within stretch · e_k + offset of F(c_k).
struct Carry {
  double stretch;
  double offset;
};

/// Of a piece of the curve of the flow, F' = I + h V' with h the length of the piece.
Carry carried_by_flow(const CurveNorms& norms, const Rational& length);

/// F', the derivative of one step of descent over p, on balls.
class StepDerivative {
 public:
  StepDerivative(const Loss& loss, const LossBounds& bounds, const Rational& step, bool normalised, std::size_t dimension);

  /// A bound of ‖F'‖, the spectral norm, on the ball. Both throw Undefined, where there is no bound or, but for constant steps, ‖∇L‖ is
  /// not shown to be above 0.
  double stretch(const std::vector<RelativeSample>& samples, const StepBall& ball);
  CurveNorms curve(const std::vector<RelativeSample>& samples, const StepBall& ball);

 private:
  /// e^m g and the upper triangle of e^m J, both n times.
  struct Gradient {
    std::vector<Near> direction;
    std::vector<std::vector<Near>> derivative;
  };

  void add(Gradient& gradient, const RelativeSample& sample, const std::vector<Near>& powers, const Near& shrink) const;
  void turn(Gradient& gradient) const;
  /// F' − I
  [[nodiscard]] std::vector<std::vector<Near>> change(const std::vector<RelativeSample>& samples, const StepBall& ball) const;
  [[nodiscard]] double spectral_bound(const std::vector<std::vector<Near>>& change, double t);

  NearSlopes slopes_;
  Near step_;
  bool normalised_;
  std::size_t dimension_;
  std::vector<double> guess_;
};

}  // namespace attest::check
