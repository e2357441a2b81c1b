#pragma once

#include "attest/graph/numeric_problem.hpp"
#include "attest/model/head.hpp"
#include "attest/model/svm_program.hpp"

#include <Eigen/Core>

#include <vector>

namespace attest {

/// [TS] The loss of W-attention with a nonlinear head, L(W) = 1/n sum_i l(Y_i h(X_i^T softmax(X_i W z_i))), in coordinates of
/// the span of the matrices (x_it - x_i1) z_i^T. Logits move along that span alone, so descent never leaves it, and its
/// dimension is at most sum_i (T_i - 1), whatever d is. Coordinates are orthonormal: |y| is the Frobenius norm.
class HeadModel {
 public:
  /// relu becomes w log(1 + exp(u/w)) with w = width, so that descent that slides along a kink has a gradient.
  HeadModel(const Problem& problem, const Head& head, double width);

  Eigen::Index dimension() const { return logits_.cols(); }
  Eigen::VectorXd coordinates(const Eigen::MatrixXd& W) const;  ///< of the projection of W
  Eigen::MatrixXd matrix(const Eigen::VectorXd& y) const;

  std::vector<Eigen::VectorXd> attention(const Eigen::VectorXd& y) const;

  struct Value {
    double loss = 0;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
  };
  /// With `sets` attention is shared by the tokens of O_i alone: the loss in the limit in which all others have faded.
  Value at(const Eigen::VectorXd& y, const TokenSets* sets = nullptr) const;

  /// An orthonormal basis, a column each, of the span of the (x_ia - x_ib) z_i^T with a, b in O_i, where the finite part lives.
  Eigen::MatrixXd finite_span(const TokenSets& sets) const;

 private:
  struct HeadJet {
    double value = 0;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
  };
  HeadJet head_at(const Eigen::VectorXd& x) const;
  /// Row of token t of sample i in logits_, t > 0.
  Eigen::Index row(std::size_t sample, Eigen::Index token) const { return first_[sample] + token - 1; }
  Eigen::VectorXd logits_of(std::size_t sample, const Eigen::VectorXd& y) const;

  NumericProblem problem_;
  Eigen::MatrixXd queries_;
  Eigen::MatrixXd weights_;  // of the head, a line a unit
  Eigen::VectorXd bias_;
  Eigen::VectorXd output_;
  std::optional<Expression> activation_;
  double width_;
  std::vector<Eigen::Index> first_;  // row of token 1, by sample
  Eigen::MatrixXd logits_;           // x_it.W z_i - x_i1.W z_i = logits_ y
  Eigen::MatrixXd combination_;      // W = sum_r (combination_ y)_r (x_it - x_i1) z_i^T
};

/// The largest |weights_k.x + bias_k| over units and tokens: what a kink width is measured by.
double activation_scale(const Problem& problem, const Head& head);

}  // namespace attest
