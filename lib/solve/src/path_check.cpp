#include "attest/base/tolerance.hpp"
#include "attest/solve/factored_path.hpp"
#include "attest/solve/log_gradient.hpp"
#include "attest/solve/path.hpp"
#include "spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

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

namespace {

/// A matrix times an orthonormal basis of the queries, which keeps its singular values where its rows lie in their span. What it has
/// beside it, which is rounding, adds at most `beside` to the nuclear norm. Where it is more, the matrix is left as it is.
struct InQueries {
  MatrixXd matrix;
  std::optional<MatrixXd> basis = {};
  double beside = 0;

  InQueries(MatrixXd whole, const MatrixXd& queries) : matrix(std::move(whole)) {
    if (queries.cols() >= queries.rows()) return;
    const MatrixXd span = query_basis(queries);
    const MatrixXd inside = matrix * span;
    const double rest = (matrix - inside * span.transpose()).norm();
    if (!(rest <= span_rounding * matrix.norm())) return;
    beside = rest * std::sqrt(static_cast<double>(matrix.rows()));
    matrix = inside;
    basis = span;
  }

  /// Another matrix whose rows lie in the span.
  MatrixXd alike(const MatrixXd& other) const { return basis ? MatrixXd(other * *basis) : other; }

 private:
  /// Of a product of matrices of some hundred lines.
  static constexpr double span_rounding = 1e-13;
};

}  // namespace

// With -dL/dW = G and W = U S V^T, W minimises over nuc(W) <= R to first order when <G, W> = |G| R, and K = U sqrt(S), Q = V sqrt(S)
// do over fro(K)^2 + fro(Q)^2 <= 2R when (G Q, G^T K) is parallel to (K, Q).
PathCheck check_factored_point(const NumericProblem& problem, const VectorXd& v, const Selection& selection, const VectorXd& W,
                               double radius, const std::vector<VectorXd>& rivals) {
  PathCheck check;
  const InQueries in(as_matrix(W), problem.queries);
  const MatrixXd G = in.alike(-as_matrix(log_gradient_p(problem, v, W).vector));  // its rows are combinations of queries
  const Spectrum spectrum(in.matrix);
  const VectorXd factors = stacked(spectrum.K, spectrum.Q);
  const double gap = 1 - G.cwiseProduct(in.matrix).sum() / (spectral_norm(G) * radius);
  const double angle = angle_between(stacked(G * spectrum.Q, G.transpose() * spectrum.K), factors);
  check.norm_ratio = (spectrum.values.sum() + in.beside) / radius;
  check.stationarity = std::isnan(gap) ? gap : std::max(angle, gap);
  judge(check, problem, v, selection, W, rivals);
  return check;
}

double nuclear_norm(const NumericProblem& problem, const VectorXd& W) {
  const InQueries in(as_matrix(W), problem.queries);
  return singular_values(in.matrix).sum() + in.beside;
}

VectorXd weight_spectrum(const MatrixXd& queries, const VectorXd& W) {
  const VectorXd inside = singular_values(InQueries(as_matrix(W), queries).matrix);
  VectorXd spectrum = VectorXd::Zero(queries.rows());
  spectrum.head(inside.size()) = inside;
  return spectrum;
}

}  // namespace attest
