#pragma once

#include "descent_runs.hpp"

namespace attest {

/// Proves the limits of the runs that a claim asks for.
class LimitProver {
 public:
  LimitProver(const ClaimContext& context, Parametrisation parametrisation, const DescentPlan& plan)
      : context_(context), parametrisation_(parametrisation), plan_(plan) {}

  /// Of the k-th of the claim's runs: that of `starting_points`, in their order, come first.
  LimitProof prove(const ObservedRun& observed, std::size_t k) const {
    return prove(observed.selection, observed.limit, observed.start, k);
  }
  /// Of a run that need not be made: that it goes to the limit of this selection.
  LimitProof prove(const Selection& selection, const Limit& limit, const Eigen::VectorXd& start, std::size_t k) const;
  /// Of a run with constant steps of this length, by its start alone: it need not have been made, and of the SVM bounds are enough.
  /// [docs/theory.md, Basin theorem]
  LimitProof prove_by_start(const Selection& selection, const Eigen::VectorXd& start, std::size_t k, double step) const;
  /// Of runs from every start. [docs/theory.md, GD-global]
  LimitProof prove_from_everywhere(const Selection& selection) const;

 private:
  DescentRule rule(std::vector<Rational> start) const;

  const ClaimContext& context_;
  Parametrisation parametrisation_;
  DescentPlan plan_;
};

}  // namespace attest
