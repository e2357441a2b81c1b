#pragma once

#include "attest/graph/numeric_problem.hpp"

#include <Eigen/Core>

#include <memory>

namespace attest {

/// The ERM L(v,p) = (1/n) sum_i l(Y_i v.X_i^T softmax(K_i p)) as a CasADi expression graph, with its
/// exact derivatives. [MM, Sec. 2]
///
/// One graph is built for each distinct token count, with tokens, keys and label as arguments, and evaluated sample by
/// sample where the data are: neither building nor memory grows with n. The softmax is exp(z - logsumexp(z)), so nothing
/// overflows at any p.
class ErmGraph {
 public:
  explicit ErmGraph(const NumericProblem& problem);
  ~ErmGraph();
  ErmGraph(ErmGraph&&) noexcept;
  ErmGraph& operator=(ErmGraph&&) noexcept;

  double value(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const;
  Eigen::VectorXd gradient_p(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const;
  Eigen::MatrixXd hessian_p(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const;
  /// Hessian in p times a direction, without building the Hessian.
  Eigen::VectorXd hessian_p_times(const Eigen::VectorXd& v, const Eigen::VectorXd& p, const Eigen::VectorXd& direction) const;
  /// In the stacked variable (v, p).
  Eigen::VectorXd gradient_joint(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const;
  Eigen::MatrixXd hessian_joint(const Eigen::VectorXd& v, const Eigen::VectorXd& p) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace attest
