#pragma once

#include "attest/base/progress.hpp"
#include "attest/solve/descent_kernel.hpp"

#include <cstdint>
#include <vector>

namespace attest {

/// A point of descent on (K, Q).
struct FactoredTracePoint {
  std::int64_t iteration;
  Eigen::VectorXd W;  ///< K Q^T by rows
};

/// Normalised descent on W = K Q^T: (K, Q) moves by `step` along the unit gradient (dL/dW Q, (dL/dW)^T K). The kernel is that of the
/// weights; `start` is W by rows, split into factors of least norm. The trace is logarithmically spaced, the first and the last
/// iteration among it; it ends early where the gradient vanishes or the time is up.
std::vector<FactoredTracePoint> descend_factored(DescentKernel& kernel, const Eigen::VectorXd& start, double step, std::int64_t iterations,
                                                 const Budget& budget);

}  // namespace attest
