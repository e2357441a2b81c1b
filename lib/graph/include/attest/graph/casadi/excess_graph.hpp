#pragma once

#include "attest/graph/numeric_problem.hpp"

#include <Eigen/Core>

#include <memory>

namespace casadi {
class Function;
}

namespace attest {

/// f(q) = log(L(v, Rq) - L_alpha) / R as a CasADi graph, L_alpha = (1/n) sum_i l(gamma_i,alpha_i), with its first two
/// derivatives in q. [docs/theory.md, section 5]
///
/// With rows a_it = k_i,alpha_i - k_it, z_it = -R a_it.q, s_it = exp(z_it - D_i), D_i = log(1 + sum_t exp z_it) and gaps
/// delta_it = gamma_i,alpha_i - gamma_it the excess is E = sum_{i,t} delta_it psi_i s_it, where G_i = sum_t delta_it s_it
/// and G psi(G) = l(gamma - G) - l(gamma). All exponents are taken relative to the largest one, so that f is as accurate
/// at |p| = 1e6 as at 1. Negative gaps are allowed; f is NaN where E <= 0.
///
/// R and the scores of the head are parameters: one graph serves all radii and all heads.
class ExcessGraph {
 public:
  ExcessGraph(const NumericProblem& problem, const Selection& selection);
  ~ExcessGraph();
  ExcessGraph(ExcessGraph&&) noexcept;
  ExcessGraph& operator=(ExcessGraph&&) noexcept;

  /// The parameters: R, then gamma_i,alpha_i of the samples with more than one token, then the gaps.
  Eigen::VectorXd parameters(const Eigen::VectorXd& v, double radius) const;

  struct Jet {
    double value;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
  };
  double value(const Eigen::VectorXd& q, const Eigen::VectorXd& parameters) const;
  Jet jet(const Eigen::VectorXd& q, const Eigen::VectorXd& parameters) const;

  /// For a solver: (x, p) to (f, g) with g = q.q; (x, p) to (f, its gradient); (x, p, lam_f, lam_g) to the upper
  /// triangle of the Lagrangian's Hessian.
  casadi::Function program() const;
  casadi::Function gradient() const;
  casadi::Function lagrangian_hessian() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace attest
