#include "attest/solve/joint_descent.hpp"

#include "attest/solve/log_gradient.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Eigen::VectorXd;

/// What is subtracted. A gradient that vanishes moves nothing.
VectorXd movement(const LogVector& gradient, double step, JointDescentSettings::Steps steps) {
  const double norm = gradient.value.norm();
  if (norm == 0) return VectorXd::Zero(gradient.value.size());
  if (steps == JointDescentSettings::Steps::normalised) return gradient.value * (step / norm);
  return gradient.value * (step * std::exp(gradient.log_scale));
}

std::uint64_t next_record(std::uint64_t iteration, int records_a_decade) {
  const double factor = std::pow(10.0, 1.0 / records_a_decade);
  return std::max(iteration + 1, static_cast<std::uint64_t>(std::ceil(static_cast<double>(iteration) * factor)));
}

void record(JointDescent& descent, const NumericProblem& problem, std::uint64_t iteration, const VectorXd& v, const VectorXd& p) {
  const double value = log_loss(problem, v, p);
  if (!descent.trace.empty() && !(value <= descent.trace.back().log_loss)) ++descent.increases;
  descent.trace.push_back({iteration, v, p, value});
}

}  // namespace

JointDescent descend_jointly(const NumericProblem& problem, const VectorXd& v0, const VectorXd& p0, const JointDescentSettings& settings,
                             const Budget& budget) {
  JointDescent descent;
  VectorXd v = v0;
  VectorXd p = p0;
  record(descent, problem, 0, v, p);
  std::uint64_t due = 1;
  for (std::uint64_t k = 1; k <= settings.iterations; ++k) {
    const VectorXd v_step = movement(log_gradient_v(problem, v, p), settings.step_v, settings.steps);
    const VectorXd p_step = movement(log_gradient_p(problem, v, p), settings.step_p, settings.steps);
    v -= v_step;
    p -= p_step;
    const bool last = k == settings.iterations;
    if (k < due && !last) continue;
    due = next_record(k, settings.records_a_decade);
    record(descent, problem, k, v, p);
    if (!v.allFinite() || !p.allFinite()) descent.ended = "not finite at iteration " + std::to_string(k);
    else if (!last && budget.spent()) descent.ended = "the time was up at iteration " + std::to_string(k);
    if (!descent.ended.empty()) return descent;
  }
  return descent;
}

}  // namespace attest
