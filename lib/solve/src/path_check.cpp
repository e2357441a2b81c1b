#include "attest/base/tolerance.hpp"
#include "attest/solve/factored_path.hpp"
#include "attest/solve/log_gradient.hpp"
#include "attest/solve/path.hpp"
#include "spectrum.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double stationarity_of(const NumericProblem& problem, const VectorXd& v, const VectorXd& p, double radius) {
  const LogVector gradient = log_gradient_p(problem, v, p);
  if (p.norm() >= (1 - sphere_tolerance.relative) * radius) return angle_between(-gradient.vector, p);
  double largest_key = 0;
  for (std::size_t i = 0; i < problem.keys.size(); ++i) largest_key = std::max(largest_key, problem.longest_key(i));
  return gradient.vector.norm() / largest_key;
}

/// What is left to judge once norm and stationarity are known.
void judge(PathCheck& check, const NumericProblem& problem, const VectorXd& v, const Selection& selection, const VectorXd& p,
           const std::vector<VectorXd>& rivals) {
  check.log_excess = log_excess(problem, v, selection, p);
  if (!std::isfinite(check.log_excess))
    check.reason = "L is not above L_alpha";
  else if (!(check.norm_ratio <= 1))
    check.reason = "|p| > R";
  else if (!(check.stationarity <= stationarity_tolerance.radians))
    check.reason = "not stationary";
  for (const VectorXd& rival : rivals) {
    const double theirs = log_excess(problem, v, selection, rival);  // NaN: below L_alpha, so lower than any
    const double allowed = log_excess_tolerance.relative * std::abs(check.log_excess);
    if (check.reason.empty() && !(check.log_excess <= theirs + allowed)) check.reason = "another point of the ball has a lower loss";
  }
  check.verified = check.reason.empty();
}

}  // namespace

PathCheck check_path_point(const NumericProblem& problem, const VectorXd& v, const Selection& selection, const VectorXd& p, double radius,
                           const std::vector<VectorXd>& rivals) {
  PathCheck check;
  check.norm_ratio = p.norm() / radius;
  check.stationarity = stationarity_of(problem, v, p, radius);
  judge(check, problem, v, selection, p, rivals);
  return check;
}

// With -dL/dW = G and W = U S V^T, W minimises over nuc(W) <= R to first order when <G, W> = |G| R, and K = U sqrt(S), Q = V sqrt(S)
// do over fro(K)^2 + fro(Q)^2 <= 2R when (G Q, G^T K) is parallel to (K, Q).
PathCheck check_factored_point(const NumericProblem& problem, const VectorXd& v, const Selection& selection, const VectorXd& W,
                               double radius, const std::vector<VectorXd>& rivals) {
  PathCheck check;
  const MatrixXd G = -as_matrix(log_gradient_p(problem, v, W).vector);
  const Spectrum spectrum(as_matrix(W));
  const VectorXd factors = stacked(spectrum.K, spectrum.Q);
  const double gap = 1 - G.cwiseProduct(as_matrix(W)).sum() / (Spectrum(G).values[0] * radius);
  const double angle = angle_between(stacked(G * spectrum.Q, G.transpose() * spectrum.K), factors);
  check.norm_ratio = spectrum.values.sum() / radius;
  check.stationarity = std::isnan(gap) ? gap : std::max(angle, gap);
  judge(check, problem, v, selection, W, rivals);
  return check;
}

}  // namespace attest
