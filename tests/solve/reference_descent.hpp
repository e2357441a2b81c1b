#pragma once

// The descent of docs/theory.md a second time, in 60 digits and by another formula: the gradient of gamma.s as the
// covariance 1/2 sum_{t,u} s_t s_u (gamma_t - gamma_u) (k_t - k_u), in which nothing cancels.

#include "attest/model/parametrisation.hpp"
#include "attest/model/problem.hpp"

#include <Eigen/Core>
#include <boost/multiprecision/mpfr.hpp>

#include <functional>
#include <vector>

namespace attest::reference {

using Real = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<60, boost::multiprecision::allocate_stack>,
                                           boost::multiprecision::et_off>;
using Vector = std::vector<Real>;

inline Real to_real(const Rational& value) { return Real(numerator(value).str()) / Real(denominator(value).str()); }

/// l and l' at u.
struct LossAndSlope {
  Real value;
  Real slope;
};
using LossFunction = std::function<LossAndSlope(const Real&)>;

inline LossAndSlope logistic(const Real& u) { return {log1p(exp(-u)), -1 / (1 + exp(u))}; }
inline LossAndSlope exponential(const Real& u) { return {exp(-u), -exp(-u)}; }
inline LossAndSlope correlation(const Real& u) { return {-u, -1}; }
/// 1 - tanh(u/2)
inline LossAndSlope tanh_loss(const Real& u) {
  const Real h = tanh(u / 2);
  return {1 - h, -(1 - h * h) / 2};
}

/// x z^T by rows: what plays the part of a key when W is trained.
inline std::vector<Rational> exact_product(const Problem& problem, std::size_t sample, std::size_t token) {
  std::vector<Rational> product;
  for (std::size_t r = 0; r < problem.dimension(); ++r)
    for (std::size_t c = 0; c < problem.dimension(); ++c)
      product.push_back(problem.tokens[sample].at(token, r) * problem.queries->at(sample, c));
  return product;
}

class Descent {
 public:
  Descent(const Problem& problem, LossFunction loss, Parametrisation parametrisation = Parametrisation::prompt) : loss_(std::move(loss)) {
    const auto key = parametrisation == Parametrisation::weights ? exact_product : exact_key;
    const Scores exact = exact_scores(problem);
    for (std::size_t i = 0; i < problem.sample_count(); ++i) {
      std::vector<Vector> keys;
      for (std::size_t t = 0; t < problem.token_count(i); ++t) {
        keys.emplace_back();
        for (const Rational& entry : key(problem, i, t)) keys.back().push_back(to_real(entry));
      }
      keys_.push_back(std::move(keys));
      scores_.emplace_back();
      for (const Rational& score : exact[i]) scores_.back().push_back(to_real(score));
    }
  }

  Vector gradient(const Vector& p) const {
    Vector total(p.size(), Real(0));
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const Vector s = attention(i, p);
      Real f = 0;
      for (std::size_t t = 0; t < s.size(); ++t) f += s[t] * scores_[i][t];
      const Real slope = loss_(f).slope / static_cast<double>(keys_.size());
      for (std::size_t t = 0; t < s.size(); ++t)
        for (std::size_t u = 0; u < t; ++u) {
          const Real weight = slope * s[t] * s[u] * (scores_[i][t] - scores_[i][u]);
          for (std::size_t k = 0; k < p.size(); ++k) total[k] += weight * (keys_[i][t][k] - keys_[i][u][k]);
        }
    }
    return total;
  }

  Vector normalised_run(Vector p, double step, int iterations) const {
    for (int k = 0; k < iterations; ++k) {
      const Vector slope = gradient(p);
      Real square = 0;
      for (const Real& entry : slope) square += entry * entry;
      const Real factor = step / sqrt(square);
      for (std::size_t a = 0; a < p.size(); ++a) p[a] -= factor * slope[a];
    }
    return p;
  }

  /// log(L(p) - L*), each sample's rise by the mean value theorem's integral replaced by l(f) - l(max) in 60 digits:
  /// right as long as L - L* is above 1e-45.
  Real log_excess(const Vector& p) const {
    Real total = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const Vector s = attention(i, p);
      Real f = 0;
      for (std::size_t t = 0; t < s.size(); ++t) f += s[t] * scores_[i][t];
      total += loss_(f).value - loss_(*std::max_element(scores_[i].begin(), scores_[i].end())).value;
    }
    return log(total / static_cast<double>(keys_.size()));
  }

 private:
  Vector attention(std::size_t i, const Vector& p) const {
    Vector logits;
    for (const Vector& key : keys_[i]) {
      logits.emplace_back(0);
      for (std::size_t k = 0; k < p.size(); ++k) logits.back() += key[k] * p[k];
    }
    const Real largest = *std::max_element(logits.begin(), logits.end());
    Real sum = 0;
    for (Real& logit : logits) {
      logit = exp(logit - largest);
      sum += logit;
    }
    for (Real& weight : logits) weight /= sum;
    return logits;
  }

  LossFunction loss_;
  std::vector<std::vector<Vector>> keys_;
  std::vector<Vector> scores_;
};

inline Vector to_reference(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }

/// Divided by its norm, as doubles.
inline Eigen::VectorXd direction_of(const Vector& vector) {
  Real square = 0;
  for (const Real& entry : vector) square += entry * entry;
  Eigen::VectorXd direction(static_cast<Eigen::Index>(vector.size()));
  for (std::size_t k = 0; k < vector.size(); ++k) direction(static_cast<Eigen::Index>(k)) = static_cast<double>(vector[k] / sqrt(square));
  return direction;
}

inline double log_norm(const Vector& vector) {
  Real square = 0;
  for (const Real& entry : vector) square += entry * entry;
  return static_cast<double>(log(square) / 2);
}

inline Eigen::VectorXd to_doubles(const Vector& vector) {
  Eigen::VectorXd doubles(static_cast<Eigen::Index>(vector.size()));
  for (std::size_t k = 0; k < vector.size(); ++k) doubles(static_cast<Eigen::Index>(k)) = static_cast<double>(vector[k]);
  return doubles;
}

/// The textbook in doubles: softmax, then gamma - gamma.s.
inline Eigen::VectorXd textbook_run(const Problem& problem, Eigen::VectorXd p, double step, int iterations) {
  const Scores exact = exact_scores(problem);
  for (int k = 0; k < iterations; ++k) {
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(p.size());
    for (std::size_t i = 0; i < problem.sample_count(); ++i) {
      Eigen::MatrixXd keys(p.size(), static_cast<Eigen::Index>(problem.token_count(i)));
      Eigen::VectorXd gamma(keys.cols());
      for (Eigen::Index t = 0; t < keys.cols(); ++t) {
        const std::vector<Rational> key = exact_key(problem, i, static_cast<std::size_t>(t));
        for (Eigen::Index a = 0; a < p.size(); ++a) keys(a, t) = nearest_double(key[static_cast<std::size_t>(a)]);
        gamma(t) = nearest_double(exact[i][static_cast<std::size_t>(t)]);
      }
      const Eigen::VectorXd logits = keys.transpose() * p;
      Eigen::VectorXd s = (logits.array() - logits.maxCoeff()).exp();
      s /= s.sum();
      const double f = gamma.dot(s);
      gradient += evaluate(problem.loss, f).slope * (keys * (s.array() * (gamma.array() - f)).matrix());
    }
    const double norm = gradient.norm();
    if (norm > 0) p -= step / norm * gradient;
  }
  return p;
}

}  // namespace attest::reference
