#pragma once

#include "loss_bounds.hpp"
#include "near.hpp"
#include "problem.hpp"

namespace attest::check {

/// −ℓ' and ℓ'' on a set of numbers.
struct SlopePair {
  Near first;
  Near second;
};

/// The derivatives of the loss in the arithmetic of Near, inside the interval of the loss block.
class NearSlopes {
 public:
  NearSlopes(const Loss& loss, const LossBounds& bounds);

  [[nodiscard]] SlopePair at(const Near& f) const;

 private:
  [[nodiscard]] Near near(const Ball& x) const;

  const Loss* loss_;
  LossForm form_;
  BallArithmetic balls_;
  Arithmetic arithmetic_;
  Interval range_;
};

}  // namespace attest::check
