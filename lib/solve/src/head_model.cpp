#include "attest/solve/head_model.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/model/loss.hpp"
#include "attest/solve/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd head_image(const std::vector<std::vector<Rational>>& rows) {
  MatrixXd matrix(rows.size(), rows.front().size());
  for (Index r = 0; r < matrix.rows(); ++r)
    for (Index c = 0; c < matrix.cols(); ++c) matrix(r, c) = nearest_double(rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)]);
  return matrix;
}

/// w log(1 + exp(u/w)): the logistic loss at -u/w, stretched.
LossJet smoothed_relu(double u, double w) {
  const LossJet jet = evaluate(Loss::logistic(), -u / w);
  return {w * jet.value, -jet.slope, jet.curvature / w};
}

}  // namespace

HeadModel::HeadModel(const Problem& problem, const Head& head, double width)
    : problem_(problem), queries_(query_columns(problem)), weights_(head_image(head.weights)), bias_(head_image({head.bias}).transpose()),
      output_(head_image({head.output}).transpose()), activation_(head.activation), width_(width) {
  Index rows = 0;
  for (const SampleColumns& tokens : problem_.tokens) {
    first_.push_back(rows);
    rows += tokens.cols() - 1;
  }
  MatrixXd differences(problem_.dimension, rows);
  MatrixXd queries(problem_.dimension, rows);
  for (std::size_t i = 0; i < problem_.tokens.size(); ++i) {
    for (Index t = 1; t < problem_.tokens[i].cols(); ++t) {
      differences.col(row(i, t)) = problem_.tokens[i].col(t) - problem_.tokens[i].col(0);
      queries.col(row(i, t)) = queries_.col(static_cast<Index>(i));
    }
  }
  // Products of the matrices D z^T are (D.D')(z.z'); their Gram matrix U S U^T gives the coordinates y = S^(1/2) U^T c.
  const MatrixXd gram = (differences.transpose() * differences).cwiseProduct(queries.transpose() * queries);
  const SymmetricEigen eigen = symmetric_eigen(gram);
  const VectorXd& values = eigen.values;
  Index zero = 0;
  while (zero < rows && !(values(zero) > span_tolerance.relative * values(rows - 1))) ++zero;
  const MatrixXd vectors = eigen.vectors.rightCols(rows - zero);
  const VectorXd roots = values.tail(rows - zero).cwiseSqrt();
  logits_ = vectors * roots.asDiagonal();
  combination_ = vectors * roots.cwiseInverse().asDiagonal();
}

VectorXd HeadModel::coordinates(const MatrixXd& W) const {
  VectorXd logits(logits_.rows());
  for (std::size_t i = 0; i < problem_.tokens.size(); ++i) {
    const VectorXd at = problem_.tokens[i].transpose() * (W * queries_.col(static_cast<Index>(i)));
    for (Index t = 1; t < at.size(); ++t) logits(row(i, t)) = at(t) - at(0);
  }
  return combination_.transpose() * logits;
}

MatrixXd HeadModel::matrix(const VectorXd& y) const {
  const VectorXd weights = combination_ * y;
  MatrixXd W = MatrixXd::Zero(problem_.dimension, problem_.dimension);
  for (std::size_t i = 0; i < problem_.tokens.size(); ++i) {
    const SampleColumns& tokens = problem_.tokens[i];
    VectorXd sum = VectorXd::Zero(problem_.dimension);
    for (Index t = 1; t < tokens.cols(); ++t) sum += weights(row(i, t)) * (tokens.col(t) - tokens.col(0));
    W += sum * queries_.col(static_cast<Index>(i)).transpose();
  }
  return W;
}

VectorXd HeadModel::logits_of(std::size_t sample, const VectorXd& y) const {
  const Index others = problem_.tokens[sample].cols() - 1;
  VectorXd logits = VectorXd::Zero(others + 1);
  logits.tail(others) = logits_.middleRows(first_[sample], others) * y;
  return logits;
}

std::vector<VectorXd> HeadModel::attention(const VectorXd& y) const {
  std::vector<VectorXd> shares;
  for (std::size_t i = 0; i < problem_.tokens.size(); ++i) {
    const VectorXd logits = logits_of(i, y);
    const VectorXd raised = (logits.array() - logits.maxCoeff()).exp();
    shares.emplace_back(raised / raised.sum());
  }
  return shares;
}

HeadModel::HeadJet HeadModel::head_at(const VectorXd& x) const {
  const VectorXd inner = weights_ * x + bias_;
  VectorXd slopes(inner.size());
  VectorXd curvatures(inner.size());
  HeadJet jet;
  for (Index k = 0; k < inner.size(); ++k) {
    const LossJet unit = activation_ ? evaluate(*activation_, inner(k)) : smoothed_relu(inner(k), width_);
    jet.value += output_(k) * unit.value;
    slopes(k) = output_(k) * unit.slope;
    curvatures(k) = output_(k) * unit.curvature;
  }
  jet.gradient = weights_.transpose() * slopes;
  jet.hessian = weights_.transpose() * curvatures.asDiagonal() * weights_;
  return jet;
}

// With attention s, output o = sum s_t x_t and g = grad h(o), the logit a_t has df/da_t = s_t (c_t - m), c_t = g.(x_t - x_r),
// m = sum s_t c_t. All differences are taken to the token r of the most attention: where it has nearly all, the gradient is
// a sum of small terms, each exact to rounding, instead of a difference of large ones.
HeadModel::Value HeadModel::at(const VectorXd& y, const TokenSets* sets) const {
  Value total{0, VectorXd::Zero(dimension()), MatrixXd::Zero(dimension(), dimension())};
  const double n = static_cast<double>(problem_.tokens.size());
  for (std::size_t i = 0; i < problem_.tokens.size(); ++i) {
    const SampleColumns& tokens = problem_.tokens[i];
    VectorXd logits = logits_of(i, y);
    if (sets)
      for (Index t = 0; t < logits.size(); ++t)
        if (!std::ranges::binary_search((*sets)[i], static_cast<std::size_t>(t))) logits(t) = -std::numeric_limits<double>::infinity();
    Index r = 0;
    const double top = logits.maxCoeff(&r);
    VectorXd s = (logits.array() - top).exp();
    s /= s.sum();
    const MatrixXd differences = tokens.colwise() - tokens.col(r);
    const VectorXd mean = differences * s;
    const HeadJet head = head_at(tokens.col(r) + mean);
    const VectorXd c = differences.transpose() * head.gradient;
    const VectorXd slope = s.cwiseProduct((c.array() - s.dot(c)).matrix());
    const MatrixXd moved = (differences.colwise() - mean) * s.asDiagonal();  // d o / d a
    MatrixXd bend = moved.transpose() * head.hessian * moved - s * slope.transpose() - slope * s.transpose();
    bend.diagonal() += slope;
    const double label = problem_.labels[i];
    const LossJet loss = evaluate(problem_.loss, label * head.value);
    const auto rows = logits_.middleRows(first_[i], tokens.cols() - 1);
    const Index others = tokens.cols() - 1;
    const MatrixXd curvature = loss.curvature * slope * slope.transpose() + loss.slope * label * bend;
    total.loss += loss.value / n;
    total.gradient += loss.slope * label / n * (rows.transpose() * slope.tail(others));
    total.hessian += rows.transpose() * curvature.bottomRightCorner(others, others) * rows / n;
  }
  return total;
}

MatrixXd HeadModel::finite_span(const TokenSets& sets) const {
  MatrixXd rows(dimension(), 0);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto line = [&](std::size_t t) {
      return t == 0 ? VectorXd(VectorXd::Zero(dimension())) : VectorXd(logits_.row(row(i, static_cast<Index>(t))).transpose());
    };
    for (std::size_t k = 1; k < sets[i].size(); ++k) {
      rows.conservativeResize(Eigen::NoChange, rows.cols() + 1);
      rows.rightCols<1>() = line(sets[i][k]) - line(sets[i][0]);
    }
  }
  return column_span(rows, std::sqrt(span_tolerance.relative));
}

double activation_scale(const Problem& problem, const Head& head) {
  const MatrixXd weights = head_image(head.weights);
  const VectorXd bias = head_image({head.bias}).transpose();
  double scale = 0;
  for (const SampleColumns& tokens : NumericProblem(problem).tokens)
    scale = std::max(scale, ((weights * tokens).colwise() + bias).cwiseAbs().maxCoeff());
  return scale;
}

}  // namespace attest
