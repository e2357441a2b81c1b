#include "attest/solve/closed_form.hpp"

#include "attest/solve/dense.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// What one sample contributes, at one (v, p).
struct SampleState {
  VectorXd s;      // softmax(K p)
  VectorXd gamma;  // scores Y v.x_t
  double f = 0;    // Y f = gamma.s
  LossJet loss{};

  SampleState(const NumericProblem& problem, std::size_t i, const VectorXd& v, const VectorXd& p) {
    const VectorXd logits = problem.keys[i].transpose() * problem.prompt(i, p);
    s = (logits.array() - logits.maxCoeff()).exp();
    s /= s.sum();
    gamma = problem.labels[i] * (problem.tokens[i].transpose() * v);
    f = gamma.dot(s);
    loss = evaluate(problem.loss, f);
  }

  /// J(s) gamma with J(s) = diag(s) - s s^T.
  VectorXd centred() const { return s.array() * (gamma.array() - f); }
  /// The size of the terms in it, before they cancel.
  double centred_scale() const { return s.dot(gamma.cwiseAbs()) + std::abs(f); }
};

double largest_column(const SampleColumns& columns) { return columns.colwise().norm().maxCoeff(); }

/// d2 (Y f) / dp2 = K^T H K, H = diag(c) - s c^T - c s^T with c = s o (gamma - f).
MatrixXd score_hessian(const SampleColumns& keys, const SampleState& state) {
  const VectorXd c = state.centred();
  const VectorXd mean_key = keys * state.s;
  const VectorXd slope = keys * c;
  MatrixXd result = keys * c.asDiagonal() * keys.transpose();
  result -= mean_key * slope.transpose() + slope * mean_key.transpose();
  return result;
}

/// Up to this dimension the Hessian is formed; beyond, Lanczos' method takes so many products with it.
constexpr Eigen::Index dense_dimension = 64;
constexpr Eigen::Index lanczos_steps = 16;

/// x to (1/n) sum_i [l'' g g^T + l' K^T H K] x, two reads of the keys for each.
class HessianProduct {
 public:
  HessianProduct(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) : problem_(problem) {
    for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
      const SampleState state(problem, i, v, p);
      samples_.push_back({state.loss, state.centred(), problem.keys[i] * state.s, problem.keys[i] * state.centred()});
    }
  }

  VectorXd operator()(const VectorXd& x) const {
    VectorXd sum = VectorXd::Zero(x.size());
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const auto& [loss, centred, mean_key, g] = samples_[i];
      const VectorXd weights = loss.slope * centred.cwiseProduct(problem_.keys[i].transpose() * x);
      const double along = g.dot(x);
      sum += problem_.keys[i] * weights - loss.slope * along * mean_key;
      sum += (loss.curvature * along - loss.slope * mean_key.dot(x)) * g;
    }
    return sum / static_cast<double>(samples_.size());
  }

 private:
  struct Sample {
    LossJet loss;
    VectorXd centred;
    VectorXd mean_key;
    VectorXd g;
  };
  const NumericProblem& problem_;
  std::vector<Sample> samples_;
};

/// The largest |eigenvalue| that Lanczos' method sees from a start, with the basis orthogonalised at each step.
template <class Product>
double lanczos_norm(const Product& times, VectorXd start) {
  MatrixXd basis(start.size(), lanczos_steps);
  MatrixXd images(start.size(), lanczos_steps);
  Eigen::Index steps = 0;
  while (steps < lanczos_steps) {
    for (int again = 0; again < 2; ++again) start -= basis.leftCols(steps) * (basis.leftCols(steps).transpose() * start);
    const double length = start.norm();
    if (!(length > 0)) break;
    basis.col(steps) = start / length;
    images.col(steps) = times(basis.col(steps));
    if (!images.col(steps).allFinite()) return std::nan("");
    start = images.col(steps);
    ++steps;
  }
  const MatrixXd projected = basis.leftCols(steps).transpose() * images.leftCols(steps);
  return symmetric_eigenvalues((projected + projected.transpose()) / 2).cwiseAbs().maxCoeff();
}

template <class Contribution>
void for_each_sample(const NumericProblem& problem, const VectorXd& v, const VectorXd& p, Contribution contribution) {
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) contribution(i, SampleState(problem, i, v, p));
}

}  // namespace

double erm_value(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  double total = 0;
  for_each_sample(problem, v, p, [&](std::size_t, const SampleState& state) { total += state.loss.value; });
  return total / static_cast<double>(problem.tokens.size());
}

ScaledVector erm_gradient_p(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  ScaledVector result{VectorXd::Zero(problem.dimension), 0.0};
  for_each_sample(problem, v, p, [&](std::size_t i, const SampleState& state) {
    problem.add_keys(i, state.loss.slope * (problem.keys[i] * state.centred()), result.value);
    result.scale += std::abs(state.loss.slope) * state.centred_scale() * problem.longest_key(i);
  });
  const auto n = static_cast<double>(problem.tokens.size());
  return {result.value / n, result.scale / n};
}

ScaledMatrix erm_hessian_p(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  if (problem.has_factored_keys()) throw std::logic_error("erm_hessian_p: the Hessian of the weights is made of products of keys");
  ScaledMatrix result{MatrixXd::Zero(problem.dimension, problem.dimension), 0.0};
  for_each_sample(problem, v, p, [&](std::size_t i, const SampleState& state) {
    const VectorXd g = problem.keys[i] * state.centred();
    result.value += state.loss.curvature * g * g.transpose() + state.loss.slope * score_hessian(problem.keys[i], state);
    const double terms = state.centred_scale() * largest_column(problem.keys[i]);
    result.scale +=
        std::abs(state.loss.curvature) * terms * terms + 3 * std::abs(state.loss.slope) * terms * largest_column(problem.keys[i]);
  });
  const auto n = static_cast<double>(problem.tokens.size());
  return {result.value / n, result.scale / n};
}

double erm_hessian_norm(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  if (problem.dimension <= dense_dimension || problem.has_factored_keys()) {
    const MatrixXd hessian = erm_hessian_p(problem, v, p).value;
    return hessian.allFinite() ? symmetric_eigenvalues(hessian).cwiseAbs().maxCoeff() : std::nan("");  // maxCoeff may pass over NaN
  }
  // The gradient is seldom orthogonal to the direction of largest curvature; the mean of all keys breaks the tie where it is 0.
  VectorXd start = erm_gradient_p(problem, v, p).value;
  if (!start.allFinite()) return std::nan("");
  if (start.norm() > 0) start.normalize();
  VectorXd mean = VectorXd::Zero(problem.dimension);
  for (const SampleColumns& keys : problem.keys) mean += keys.col(0);
  if (mean.norm() > 0) start += mean.normalized();
  if (!(start.norm() > 0)) start.setOnes();
  return lanczos_norm(HessianProduct(problem, v, p), start);
}

ScaledVector erm_gradient_joint(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  const ScaledVector in_p = erm_gradient_p(problem, v, p);
  VectorXd in_v = VectorXd::Zero(problem.dimension);
  double scale = 0;
  for_each_sample(problem, v, p, [&](std::size_t i, const SampleState& state) {
    in_v += state.loss.slope * problem.labels[i] * (problem.tokens[i] * state.s);
    scale += std::abs(state.loss.slope) * largest_column(problem.tokens[i]);
  });
  const auto n = static_cast<double>(problem.tokens.size());
  VectorXd stacked(2 * problem.dimension);
  stacked << in_v / n, in_p.value;
  return {stacked, scale / n + in_p.scale};
}

ScaledMatrix erm_hessian_joint(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  const Eigen::Index d = problem.dimension;
  const ScaledMatrix in_p = erm_hessian_p(problem, v, p);
  MatrixXd in_v = MatrixXd::Zero(d, d);
  MatrixXd mixed = MatrixXd::Zero(d, d);  // d2 L / dv dp
  double scale = 0;
  for_each_sample(problem, v, p, [&](std::size_t i, const SampleState& state) {
    const VectorXd mixed_token = problem.labels[i] * (problem.tokens[i] * state.s);  // Y x^p
    const VectorXd g = problem.keys[i] * state.centred();
    const MatrixXd spread = problem.tokens[i] * state.s.asDiagonal() * problem.keys[i].transpose() -
                            (problem.tokens[i] * state.s) * (problem.keys[i] * state.s).transpose();
    in_v += state.loss.curvature * mixed_token * mixed_token.transpose();
    mixed += state.loss.curvature * mixed_token * g.transpose() + state.loss.slope * problem.labels[i] * spread;
    const double token = largest_column(problem.tokens[i]);
    const double key = largest_column(problem.keys[i]);
    scale += std::abs(state.loss.curvature) * token * (token + state.centred_scale() * key) + 2 * std::abs(state.loss.slope) * token * key;
  });
  const auto n = static_cast<double>(problem.tokens.size());
  MatrixXd stacked(2 * d, 2 * d);
  stacked << in_v / n, mixed / n, mixed.transpose() / n, in_p.value;
  return {stacked, scale / n + in_p.scale};
}

}  // namespace attest
