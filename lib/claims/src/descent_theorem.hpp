#pragma once

#include "descent_runs.hpp"
#include "theorem.hpp"

namespace attest {

/// What GD-global and GD-local share: hypotheses, runs and how their conclusion is observed. [docs/theory.md, section 3]
class DescentTheorem {
 public:
  DescentTheorem(const ClaimContext& context, Parametrisation parametrisation) : context_(context), parametrisation_(parametrisation) {}

  /// Assumption A on the scores' interval.
  void assume_loss();
  /// The step is at most 1/L_p; only where constant steps of a given size are asked for.
  void assume_step();

  Theorem theorem;

  /// `starts` of the main runs; those of the run with constant steps that watches the loss are scaled to `watched`.
  /// `anywhere`: the theorem speaks of any start, so that a run which ends elsewhere contradicts it.
  Finding observe(const Selection& selection, const std::vector<Eigen::VectorXd>& starts, const std::vector<Eigen::VectorXd>& watched,
                  bool anywhere);

 private:
  const ClaimContext& context_;
  Parametrisation parametrisation_;
};

inline constexpr std::int64_t theorem_iterations = 100'000;

/// GD-global and GD-local as claims, for p and for W.
Finding check_gd_global(const ClaimContext& context, Parametrisation parametrisation);
Finding check_gd_local(const ClaimContext& context, Parametrisation parametrisation);

}  // namespace attest
