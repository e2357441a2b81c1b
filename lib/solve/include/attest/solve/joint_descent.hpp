#pragma once

#include "attest/base/progress.hpp"
#include "attest/graph/numeric_problem.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

namespace attest {

struct JointDescentSettings {
  std::uint64_t iterations = 1000;
};

struct JointDescentPoint {
  std::uint64_t iteration;
  Eigen::VectorXd v;
  Eigen::VectorXd p;
};

struct JointDescent {
  std::vector<JointDescentPoint> trace;  ///< the start, logarithmically spaced iterations, the last one
  std::string ended;                     ///< empty: after all iterations
};

/// Gradient descent on (v, p) at once, each moving by 0.1 along its own unit gradient, as the papers' joint training does [MM], with
/// gradients in the log domain: written with the textbook softmax the direction of
/// dL/dp is wrong from |p| = 30 on and 0 from some hundred on.
JointDescent descend_jointly(const NumericProblem& problem, const Eigen::VectorXd& v0, const Eigen::VectorXd& p0,
                             const JointDescentSettings& settings, const Budget& budget);

}  // namespace attest
