#include "attest/solve/factored_descent.hpp"

#include "spectrum.hpp"
#include "trace_spacing.hpp"

#include <cmath>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double factored_points_a_decade = 10;

}  // namespace

std::vector<FactoredTracePoint> descend_factored(DescentKernel& kernel, const VectorXd& start, double step, std::int64_t iterations,
                                                 const Budget& budget) {
  const Spectrum spectrum(as_matrix(start));
  MatrixXd K = spectrum.K;
  MatrixXd Q = spectrum.Q;
  VectorXd W = start;
  LogVector gradient;
  std::vector<FactoredTracePoint> trace = {{0, W}};
  std::int64_t traced = 1;
  for (std::int64_t k = 1; k <= iterations && !budget.spent(); ++k) {
    kernel.gradient(W, gradient);
    const MatrixXd slope = as_matrix(gradient.vector);
    const MatrixXd in_K = slope * Q;
    const MatrixXd in_Q = slope.transpose() * K;
    const double norm = stacked(in_K, in_Q).stableNorm();
    if (!(norm > 0) || !std::isfinite(norm)) break;
    K -= step / norm * in_K;
    Q -= step / norm * in_Q;
    W = (Q * K.transpose()).reshaped();
    if (k != traced && k != iterations) continue;
    trace.push_back({k, W});
    traced = next_traced(k, factored_points_a_decade);
  }
  return trace;
}

}  // namespace attest
