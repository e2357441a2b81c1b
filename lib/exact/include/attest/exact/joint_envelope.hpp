#pragma once

#include "attest/certificate/certified.hpp"
#include "attest/exact/assumption_b.hpp"

#include <optional>
#include <vector>

namespace attest {

/// What the limit of the head is proved from, for the logistic loss: Assumption B over all samples, and both SVMs solved.
struct JointFacts {
  const SvmProgram& v_program;
  const AssumptionBProof& assumption_b;  ///< over all
  const SvmProgram& p_program;
  const SvmSolution& p_solution;  ///< not 0
};

/// Where the bound begins: |v| <= r, |p| <= R.
struct JointRadii {
  double head_radius;
  double radius;
};

/// For all r and R from these on, every minimiser (v, p) of L has v within head_bound of the direction of v(alpha). [docs/theory.md,
/// Theorem J] `head` is where its v is believed to be; nothing rests on it. None where it does not close.
std::optional<certified::JointEnvelope> prove_joint_envelope(const JointFacts& facts, const JointRadii& radii,
                                                             const std::vector<double>& head);

/// The bound of |v/|v| - v(alpha)/|v(alpha)|| at r, rounded up; none below the proof's own.
std::optional<double> head_bound(const certified::JointEnvelope& envelope, double head_radius);

}  // namespace attest
