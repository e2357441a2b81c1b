#include "attest/solve/factored_path.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/dense.hpp"
#include "excess_kernel.hpp"
#include "path_follower.hpp"
#include "spectrum.hpp"
#include "sphere_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Up to so many columns K and Q have as many as W can have rank. Beyond, points of the path have about the rank of its limit, and a point
/// for which the columns are too few is not verified.
constexpr Index most_columns = 48;

Index column_count(Index most, Index rank) { return most <= most_columns ? most : std::min(most, std::max(most_columns, rank + rank / 2)); }

/// f(x) = log(L(2R K Q^T) - L_alpha) / R on the unit sphere of x = (K, Q), on which nuc(2 K Q^T) <= 1.
///
/// The rows of W count in the span of the queries only: Q is written in an orthonormal basis of it, where that is smaller than
/// R^d.
class FactoredPath : public PathProblem {
 public:
  FactoredPath(const Problem& problem, const Selection& selection, const VectorXd& hint)
      : problem_(problem, Parametrisation::weights, WeightKeys::factors), selection_(selection), basis_(query_basis(problem_.queries)),
        v_(image_vector(*problem.v)), kernel_(problem_, v_, selection, basis_.transpose() * problem_.queries), d_(basis_.rows()),
        b_(basis_.cols()), ray_(factors(hint)), m_(ray_.size() / (d_ + b_)) {}

  const VectorXd& ray() const override { return ray_; }
  int degree() const override { return 2; }
  Halvings halvings() const override { return {3, 3}; }

  /// The same line in other words, which round otherwise: q over 1/R.
  VectorXd predicted(const Place& earlier, const Place& last, double radius) const override {
    const double share = (1 / radius - 1 / last.radius) / (1 / earlier.radius - 1 / last.radius);
    return last.q + share * (earlier.q - last.q);
  }

  SphereObjective objective(double radius) const override {
    return {.value = [this, radius](const VectorXd& x) { return kernel_.value(product(x), radius); },
            .slope = [this, radius](const VectorXd& x) { return slope(x, kernel_.slope(product(x), radius)); }};
  }

  /// W by rows, with nuc(W) <= R in exact arithmetic too.
  VectorXd point(const VectorXd& x, double radius) const override {
    const VectorXd W = weights(x, radius);
    const double rounding = static_cast<double>(W.size() + 4) * std::numeric_limits<double>::epsilon();
    return W * std::min(1.0, (1 - rounding) / singular_values(product(x).reshaped(b_, d_)).sum());
  }

  PathCheck check(const VectorXd& W, double radius, const std::vector<VectorXd>& rivals) const override {
    return check_factored_point(problem_, v_, selection_, W, radius, rivals);
  }

 private:
  /// Of f in x, from its slope in M = 2 K Q^T: dM = 2 (dK Q^T + K dQ^T), d2M = 4 dK dQ^T.
  SphereObjective::Slope slope(const VectorXd& x, const SphereObjective::Slope& inner) const {
    const MatrixXd g = inner.gradient.reshaped(b_, d_);  // the transpose of df/dM
    const MatrixXd K = K_of(x);
    const MatrixXd Q = Q_of(x);
    const VectorXd gradient = 2 * stacked(g.transpose() * Q, g * K);
    const double stiffness = gradient.norm();
    return {inner.value, gradient, [this, g, K, Q, stiffness, times = inner.hessian_times](const VectorXd& y) -> VectorXd {
              const MatrixXd dK = K_of(y);
              const MatrixXd dQ = Q_of(y);
              const MatrixXd dg = times((2 * (Q * dK.transpose() + dQ * K.transpose())).reshaped()).reshaped(b_, d_);
              const MatrixXd turned = stiffness * turn_of(K.transpose() * dK + Q.transpose() * dQ);
              return stacked(2 * (dg.transpose() * Q + g.transpose() * dQ) + K * turned, 2 * (dg * K + g * dK) + Q * turned);
            }};
  }

  /// K and Q may be turned together without changing W, by K T and Q T with T = -T^T. Along such turns the Hessian is made positive, so
  /// that Newton's step has no part in them; the gradient has none.
  static MatrixXd turn_of(const MatrixXd& product) { return product - product.transpose(); }

  /// W by rows: R times the product.
  VectorXd weights(const VectorXd& x, double radius) const {
    const MatrixXd transposed = basis_ * product(x).reshaped(b_, d_);
    return radius * transposed.reshaped();
  }

  /// The factors of least norm of a W, as a point of the sphere.
  VectorXd factors(const VectorXd& W) const {
    const Spectrum spectrum(as_matrix(W) * basis_);
    const Index rank = (spectrum.values.array() > singular_value_tolerance.relative * spectrum.values[0]).count();
    const Index columns = column_count(std::min(d_, b_), rank);
    return stacked(spectrum.K.leftCols(columns), spectrum.Q.leftCols(columns)).normalized();
  }

  MatrixXd K_of(const VectorXd& x) const { return x.head(d_ * m_).reshaped(d_, m_); }
  MatrixXd Q_of(const VectorXd& x) const { return x.tail(b_ * m_).reshaped(b_, m_); }

  /// 2 K Q^T by rows.
  VectorXd product(const VectorXd& x) const { return (2 * Q_of(x) * K_of(x).transpose()).reshaped(); }

  NumericProblem problem_;
  Selection selection_;
  MatrixXd basis_;
  VectorXd v_;
  ExcessKernel kernel_;
  Index d_;
  Index b_;
  VectorXd ray_;
  Index m_;  // columns
};

}  // namespace

Path follow_factored_path(const Problem& problem, const Selection& selection, const VectorXd& hint, const PathSettings& settings,
                          const Budget& budget) {
  FactoredPath factored(problem, selection, hint);
  return follow(factored, settings, budget);
}

}  // namespace attest
