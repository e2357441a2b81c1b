#pragma once

#include "descent_steps.hpp"

namespace attest::check {

/// Over p: the state is the centre c_k, a vector.
class VectorDescent : public Descent {
 public:
  explicit VectorDescent(const RunFacts& run);

 private:
  [[nodiscard]] Carry carry(const StepBall& ball) override;
  [[nodiscard]] Radius taken_radius() override;
  [[nodiscard]] std::vector<Ball> direction(const TokenWeights& weights) const override;
  [[nodiscard]] Ball norm_squared(const std::vector<Ball>& direction) const override;
  [[nodiscard]] RunEnd end() override;

  [[nodiscard]] Ball component(const SampleForms& sample, const std::vector<Ball>& weights, std::size_t a) const;

  StepDerivative derivative_;
  std::vector<RelativeSample> relative_;
  std::vector<std::optional<std::size_t>> references_;  // that `relative_` was made for
};

}  // namespace attest::check
