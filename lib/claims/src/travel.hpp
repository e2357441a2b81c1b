#pragma once

#include "limit_prover.hpp"

#include <functional>
#include <variant>

namespace attest {

// Runs that are followed to see where they go, whichever selection that is.

/// Iterations that runs take at first: from 0 they lead to norm 200, where most show where they go.
inline constexpr std::int64_t usual_travel = 2000;

/// The plan of a claim that takes normalised steps unless it asks for others; a finding where no step is known.
std::variant<DescentPlan, Finding> travel_plan(const ClaimContext& context, std::int64_t default_iterations);

/// Whether runs that say nothing yet may be made longer: the claim leaves their length open, and steps are not constant, with which that
/// would take exponentially long.
bool has_free_length(const ClaimRequest& request, const DescentPlan& plan);

/// The run; again with as many iterations as `longer` says, if it says any, while it finishes and `is_open`.
ObservedRun run_until_told(DescentLaboratory& laboratory, const Eigen::VectorXd& start, DescentPlan plan,
                           const std::function<bool(const ObservedRun&)>& is_open,
                           const std::function<std::optional<std::int64_t>(std::int64_t iterations)>& longer);

/// Products of doubles that an iteration takes: logits and gradient.
double work_of_iteration(const ProblemSize& size);
/// How many runs of the usual length the work of a claim allows.
double runs_within_work(const ProblemSize& size);

/// A run, and where it goes.
struct Travelled {
  ObservedRun observed;
  LimitProof proof;
  std::optional<Selection> selection;  ///< that it provably goes to, or is seen to head for; none while neither is so
  std::string why_open;                ///< where neither is so

  bool proved() const { return proof.proved() != nullptr; }
};

/// Follows the runs of a claim, one after the other, and proves their limits, within an effort that is counted: no clock decides which.
class Traveller {
 public:
  /// Of runs from so many starts: one alone may be longer.
  Traveller(const ClaimContext& context, const DescentPlan& plan, std::size_t starts);

  Travelled follow(const Eigen::VectorXd& start);
  const Limit& limit(const Selection& selection) { return laboratory_.limit(selection); }

 private:
  LimitProof prove(const ObservedRun& observed);
  std::optional<std::int64_t> longer(std::int64_t iterations);
  std::string why_open(const ObservedRun& observed) const;

  const ClaimContext& context_;
  DescentPlan plan_;
  DescentLaboratory laboratory_;
  LimitProver prover_;
  bool free_length_;
  double work_of_iteration_;
  double work_left_;
  double proof_work_left_;
  std::size_t count_ = 0;
};

}  // namespace attest
