#include "attest/solve/joint_descent.hpp"

#include "attest/solve/log_gradient.hpp"
#include "trace_spacing.hpp"

namespace attest {
namespace {

using Eigen::VectorXd;

/// The papers' length of a step. [MM]
constexpr double step_length = 0.1;
constexpr double joint_points_a_decade = 8;

/// What is subtracted. A gradient that vanishes moves nothing.
VectorXd movement(const LogVector& gradient) {
  const double norm = gradient.vector.norm();
  if (norm == 0) return VectorXd::Zero(gradient.vector.size());
  return gradient.vector * (step_length / norm);
}

}  // namespace

JointDescent descend_jointly(const NumericProblem& problem, const VectorXd& v0, const VectorXd& p0, const JointDescentSettings& settings,
                             const Budget& budget) {
  JointDescent descent;
  VectorXd v = v0;
  VectorXd p = p0;
  descent.trace.push_back({0, v, p});
  std::uint64_t due = 1;
  for (std::uint64_t k = 1; k <= settings.iterations; ++k) {
    const VectorXd v_step = movement(log_gradient_v(problem, v, p));
    const VectorXd p_step = movement(log_gradient_p(problem, v, p));
    v -= v_step;
    p -= p_step;
    const bool last = k == settings.iterations;
    if (k < due && !last) continue;
    due = next_traced(k, joint_points_a_decade);
    descent.trace.push_back({k, v, p});
    if (!v.allFinite() || !p.allFinite())
      descent.ended = "not finite at iteration " + std::to_string(k);
    else if (!last && budget.spent())
      descent.ended = "the time was up at iteration " + std::to_string(k);
    if (!descent.ended.empty()) return descent;
  }
  return descent;
}

}  // namespace attest
