#pragma once

#include "attest/base/progress.hpp"
#include "attest/graph/numeric_problem.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

namespace attest {

struct JointDescentSettings {
  enum class Steps {
    normalised,  ///< v and p each move by their step along their own unit gradient, as the papers' joint training does [MM]
    constant,    ///< by their step times the gradient
  };
  Steps steps = Steps::normalised;
  double step_v = 0.1;
  double step_p = 0.1;
  std::uint64_t iterations = 1000;
  int records_a_decade = 8;  ///< points of the trace for each factor 10 of the iteration count
};

struct JointDescentPoint {
  std::uint64_t iteration;
  Eigen::VectorXd v;
  Eigen::VectorXd p;
  double log_loss;  ///< NaN for a loss that is not positive
};

struct JointDescent {
  std::vector<JointDescentPoint> trace;  ///< the start, logarithmically spaced iterations, the last one
  std::uint64_t increases = 0;           ///< records of the trace at which the loss is above the one before
  std::string ended;                     ///< empty: after all iterations
};

/// Gradient descent on (v, p) at once, with gradients in the log domain: written with the textbook softmax the direction of
/// dL/dp is wrong from |p| = 30 on and 0 from some hundred on.
JointDescent descend_jointly(const NumericProblem& problem, const Eigen::VectorXd& v0, const Eigen::VectorXd& p0,
                             const JointDescentSettings& settings, const Budget& budget);

}  // namespace attest
