#include "attest/solve/factored_path.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/graph/excess_graph.hpp"
#include "attest/solve/dense.hpp"
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

/// f(x) = log(L(2R K Q^T) - L_alpha) / R on the unit sphere of x = (K, Q), on which nuc(2 K Q^T) <= 1.
///
/// The rows of W count in the span of the queries only: Q is written in an orthonormal basis of it, where that is smaller than
/// R^d. As d + b numbers a column K and Q have as many columns as W can have rank.
class FactoredPath : public PathProblem {
 public:
  FactoredPath(const Problem& problem, const Selection& selection, const VectorXd& hint)
      : problem_(problem, Parametrisation::weights), selection_(selection), basis_(query_basis(query_columns(problem))),
        graph_(image(problem, basis_), selection), v_(image_vector(*problem.v)), d_(basis_.rows()), b_(basis_.cols()), m_(std::min(d_, b_)),
        ray_(factors(hint)) {}

  const VectorXd& ray() const override { return ray_; }
  int degree() const override { return 2; }
  Halvings halvings() const override { return {3, 3}; }

  /// The same line in other words, which round otherwise: q over 1/R.
  VectorXd predicted(const Place& earlier, const Place& last, double radius) const override {
    const double share = (1 / radius - 1 / last.radius) / (1 / earlier.radius - 1 / last.radius);
    return last.q + share * (earlier.q - last.q);
  }

  SphereObjective objective(double radius) const override {
    const SphereObjective of_product = excess_on_sphere(graph_, graph_.parameters(v_, radius));
    return {[this, of_product](const VectorXd& x) { return of_product.value(product(x)); },
            [this, of_product](const VectorXd& x) { return jet(x, of_product); }};
  }

  /// W by rows, with nuc(W) <= R in exact arithmetic too.
  VectorXd point(const VectorXd& x, double radius) const override {
    const VectorXd W = weights(x, radius);
    const double rounding = static_cast<double>(W.size() + 4) * std::numeric_limits<double>::epsilon();
    return W * std::min(1.0, (1 - rounding) * radius / Spectrum(as_matrix(W)).values.sum());
  }

  PathCheck check(const VectorXd& W, double radius, const std::vector<VectorXd>& rivals) const override {
    return check_factored_point(problem_, v_, selection_, W, radius, rivals);
  }

 private:
  Index size() const { return (d_ + b_) * m_; }

  SphereObjective::Jet jet(const VectorXd& x, const SphereObjective& of_product) const {
    const SphereObjective::Jet inner = of_product.jet(product(x));
    const MatrixXd g = inner.gradient.reshaped(b_, d_);  // the transpose of df/dM, M = 2 K Q^T
    const MatrixXd K = K_of(x);
    const MatrixXd Q = Q_of(x);
    const MatrixXd J = jacobian(K, Q);
    SphereObjective::Jet jet{inner.value, 2 * stacked(g.transpose() * Q, g * K), J.transpose() * inner.hessian * J};
    for (Index c = 0; c < m_; ++c) {  // d2M = 4 dK dQ^T
      jet.hessian.block(c * d_, d_ * m_ + c * b_, d_, b_) += 2 * g.transpose();
      jet.hessian.block(d_ * m_ + c * b_, c * d_, b_, d_) += 2 * g;
    }
    stiffen(jet, K, Q);
    return jet;
  }

  /// W by rows: R times the product.
  VectorXd weights(const VectorXd& x, double radius) const {
    const MatrixXd transposed = basis_ * product(x).reshaped(b_, d_);
    return radius * transposed.reshaped();
  }

  /// The factors of least norm of a W, as a point of the sphere.
  VectorXd factors(const VectorXd& W) const {
    const Spectrum spectrum(as_matrix(W) * basis_);
    return stacked(spectrum.K, spectrum.Q).normalized();
  }

  static MatrixXd query_basis(const MatrixXd& queries) {
    if (queries.cols() >= queries.rows()) return MatrixXd::Identity(queries.rows(), queries.rows());
    return thin_qr(queries).Q;
  }

  /// Keys x_it (basis^T z_i)^T by rows.
  static NumericProblem image(const Problem& problem, const MatrixXd& basis) {
    NumericProblem numeric(problem, Parametrisation::weights);
    for (MatrixXd& keys : numeric.keys) {
      MatrixXd shorter(basis.rows() * basis.cols(), keys.cols());
      for (Index t = 0; t < keys.cols(); ++t)
        shorter.col(t) = (basis.transpose() * keys.col(t).reshaped(basis.rows(), basis.rows())).reshaped();
      keys = std::move(shorter);
    }
    numeric.dimension = basis.rows() * basis.cols();
    return numeric;
  }

  MatrixXd K_of(const VectorXd& x) const { return x.head(d_ * m_).reshaped(d_, m_); }
  MatrixXd Q_of(const VectorXd& x) const { return x.tail(b_ * m_).reshaped(b_, m_); }

  /// 2 K Q^T by rows.
  VectorXd product(const VectorXd& x) const { return (2 * Q_of(x) * K_of(x).transpose()).reshaped(); }

  /// Of the product in (K, Q).
  MatrixXd jacobian(const MatrixXd& K, const MatrixXd& Q) const {
    MatrixXd J = MatrixXd::Zero(b_ * d_, size());
    for (Index c = 0; c < m_; ++c)
      for (Index r = 0; r < d_; ++r) {
        J.block(r * b_, c * d_ + r, b_, 1) = 2 * Q.col(c);
        J.block(r * b_, d_ * m_ + c * b_, b_, b_).diagonal().array() += 2 * K(r, c);
      }
    return J;
  }

  /// K and Q may be turned together without changing W. Along such turns the Hessian is made positive, so that Newton's step
  /// has no part in them; the gradient has none.
  void stiffen(SphereObjective::Jet& jet, const MatrixXd& K, const MatrixXd& Q) const {
    const double stiffness = jet.gradient.norm();
    for (Index j = 0; j < m_; ++j)
      for (Index k = 0; k < j; ++k) {
        MatrixXd in_K = MatrixXd::Zero(d_, m_);
        MatrixXd in_Q = MatrixXd::Zero(b_, m_);
        in_K.col(j) = K.col(k);
        in_K.col(k) = -K.col(j);
        in_Q.col(j) = Q.col(k);
        in_Q.col(k) = -Q.col(j);
        const VectorXd turn = stacked(in_K, in_Q);
        jet.hessian += stiffness * turn * turn.transpose();
      }
  }

  NumericProblem problem_;
  Selection selection_;
  MatrixXd basis_;
  ExcessGraph graph_;
  VectorXd v_;
  Index d_;
  Index b_;
  Index m_;
  VectorXd ray_;
};

}  // namespace

Path follow_factored_path(const Problem& problem, const Selection& selection, const VectorXd& hint, const PathSettings& settings,
                          const Budget& budget) {
  FactoredPath factored(problem, selection, hint);
  return follow(factored, settings, budget);
}

}  // namespace attest
