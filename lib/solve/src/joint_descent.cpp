#include "attest/solve/joint_descent.hpp"

#include "attest/solve/log_gradient.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Eigen::VectorXd;

/// The papers' length of a step. [MM]
constexpr double step_length = 0.1;
/// Points of the trace for each factor 10 of the iteration count.
constexpr int records_a_decade = 8;

/// What is subtracted. A gradient that vanishes moves nothing.
VectorXd movement(const LogVector& gradient) {
  const double norm = gradient.vector.norm();
  if (norm == 0) return VectorXd::Zero(gradient.vector.size());
  return gradient.vector * (step_length / norm);
}

std::uint64_t next_record(std::uint64_t iteration) {
  const double factor = std::pow(10.0, 1.0 / records_a_decade);
  return std::max(iteration + 1, static_cast<std::uint64_t>(std::ceil(static_cast<double>(iteration) * factor)));
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
    due = next_record(k);
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
