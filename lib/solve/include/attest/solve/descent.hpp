#pragma once

#include "attest/base/progress.hpp"
#include "attest/solve/descent_kernel.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace attest {

enum class DescentMethod {
  constant,    ///< p - step * gradient
  normalised,  ///< p - step * gradient / |gradient|
  flow,        ///< dp = -gradient/|gradient| integrated over an arc of length step
};

struct DescentPlan {
  DescentMethod method = DescentMethod::normalised;
  double step = 0.1;
  std::int64_t iterations = 1000;
  /// The mirror map (1/q) sum_j |p_j|^q: constant steps are taken in its gradient, normalised ones move it until p has moved by
  /// `step`. [MD] 2 is gradient descent; flow is for 2 alone.
  double q = 2;
  /// Asked at each iterate, the start among them, until it says yes.
  std::function<bool(const Eigen::VectorXd& p)> arrived = {};
};

/// What a trace keeps of an iteration.
struct TracePoint {
  std::int64_t iteration;
  double norm;
  double log_excess;  ///< log(L - L*)
  Eigen::VectorXd p;
  Selection selection;  ///< the largest logits
  double least_lead;    ///< by which they lead, where it is least
};

struct DescentRun {
  enum class End {
    finished,
    stationary,  ///< the gradient is 0 in doubles
    still,       ///< a constant step too small to change p in doubles
    stuck,       ///< flow that needs shorter substeps than doubles allow: a minimiser at finite norm, or too sharp a turn
    not_finite,  ///< the gradient, or with constant steps the loss
    out_of_time,
  };
  End end = End::finished;
  std::vector<TracePoint> trace;             ///< at logarithmically spaced iterations, the first and the last among them
  bool monotone = true;                      ///< constant steps: no step increased the loss
  std::optional<std::int64_t> arrival = {};  ///< the first iterate for which `arrived` said yes

  const TracePoint& last() const { return trace.back(); }
};

/// Gradient or mirror descent on L(v, .) from `start`.
DescentRun descend(DescentKernel& kernel, const Eigen::VectorXd& start, const DescentPlan& plan, const Budget& budget,
                   const Progress& progress = {});

/// |a/|a| - b/|b||, without cancellation for small angles.
double direction_error(const Eigen::VectorXd& a, const Eigen::VectorXd& b);

}  // namespace attest
