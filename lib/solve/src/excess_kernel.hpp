#pragma once

#include "attest/graph/numeric_problem.hpp"
#include "row_products.hpp"
#include "sphere_newton.hpp"

#include <Eigen/Core>

namespace attest {

/// f(q) = log(L(v, Rq) - L_alpha) / R with its gradient and its Hessian times vectors, in closed form: what ExcessGraph is as a graph,
/// for data whose dense Hessian costs too much. Formulas and names are those of excess_graph.hpp.
///
/// Hessians are taken over the rows that weigh anything: far out these are few.
class ExcessKernel {
 public:
  /// With queries as RowProducts takes them.
  ExcessKernel(const NumericProblem& problem, const Eigen::VectorXd& v, const Selection& selection, const Eigen::MatrixXd& queries = {});

  double value(const Eigen::VectorXd& q, double radius) const;
  SphereObjective::Slope slope(const Eigen::VectorXd& q, double radius) const;
  /// Both at one radius; the kernel must outlive it.
  SphereObjective on_sphere(double radius) const;

  /// sum_it w_it a_it: with weights w that are drawn, a random vector of the span of the rows.
  Eigen::VectorXd combined(const Eigen::VectorXd& weights) const;
  Eigen::Index row_count() const { return rows_.size(); }

 private:
  struct State;
  State state_at(const Eigen::VectorXd& q, double radius) const;

  RowProducts rows_;
  Eigen::VectorXd gamma_;  // gamma_i,alpha_i of the samples with rows
  Eigen::VectorXd gaps_;   // a row each
  double sample_count_;    // those without rows too
  Loss loss_;
};

}  // namespace attest
