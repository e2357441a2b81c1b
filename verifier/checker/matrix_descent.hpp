#pragma once

#include "descent_steps.hpp"
#include "row_stretch.hpp"

namespace attest::check {

/// Over W: the state is B, the centre C_k = start + Σ B_c a_c, so that y = y(0) + 𝒢 B, and there are no d² numbers but those of start.
class MatrixDescent : public Descent {
 public:
  explicit MatrixDescent(const RunFacts& run);

 private:
  [[nodiscard]] Carry carry(const StepBall& ball) override;
  [[nodiscard]] Radius taken_radius() override;
  [[nodiscard]] std::vector<Ball> direction(const TokenWeights& weights) const override;
  [[nodiscard]] Ball norm_squared(const std::vector<Ball>& q) const override;
  [[nodiscard]] RunEnd end() override;

  void add_sample(std::size_t i, std::size_t& c);
  [[nodiscard]] Ball gram_product(std::size_t c, const std::vector<Ball>& x) const { return balls().evaluate(gram_[c], x); }

  std::vector<Rational> start_values_;
  std::vector<LinearForm> gram_;
  std::vector<Radius> lengths_;  // ≥ ‖a_c‖
  RowStretch stretch_;
};

}  // namespace attest::check
