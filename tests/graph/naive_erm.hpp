#pragma once

#include "attest/model/problem.hpp"

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace attest::naive {

/// The ERM written a second time: loops over plain vectors of long doubles, and derivatives of the softmax's entries
/// instead of the matrices J(s) and H. Nothing of lib/graph or lib/solve is used.
using Real = long double;
using Vector = std::vector<Real>;
using Matrix = std::vector<Vector>;

struct Jet {
  Real value, slope, curvature;
};
using LossFunction = std::function<Jet(Real)>;

inline Jet logistic(Real u) {
  const Real below = 1 / (1 + std::exp(u));
  return {u > 0 ? std::log1p(std::exp(-u)) : -u + std::log1p(std::exp(u)), -below, below * (1 - below)};
}
inline Jet exponential(Real u) { return {std::exp(-u), -std::exp(-u), std::exp(-u)}; }
inline Jet correlation(Real u) { return {-u, -1, 0}; }
/// 1 - tanh(u/2)
inline Jet one_minus_tanh(Real u) {
  const Real h = std::tanh(u / 2);
  const Real s = 1 - h * h;
  return {1 - h, -s / 2, h * s / 2};
}

/// In the stacked variable (v, p).
struct Derivatives {
  Real value = 0;
  Vector gradient;
  Matrix hessian;
};

inline Matrix rows_of(const ExactMatrix& matrix) {
  Matrix rows(matrix.rows(), Vector(matrix.columns()));
  for (std::size_t r = 0; r < matrix.rows(); ++r)
    for (std::size_t c = 0; c < matrix.columns(); ++c) rows[r][c] = matrix.image_row(r)[c];
  return rows;
}

inline Real dot(const Vector& a, const Vector& b) {
  Real sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

inline Matrix keys_of(const Problem& problem, const Matrix& tokens) {
  if (!problem.W) return tokens;
  const Matrix W = rows_of(*problem.W);
  Matrix keys = tokens;
  for (std::size_t t = 0; t < tokens.size(); ++t)
    for (std::size_t a = 0; a < W.size(); ++a) keys[t][a] = dot(W[a], tokens[t]);
  return keys;
}

inline Vector softmax(const Matrix& keys, const Vector& p) {
  Vector s;
  for (const Vector& key : keys) s.push_back(dot(key, p));
  const Real largest = *std::max_element(s.begin(), s.end());
  Real sum = 0;
  for (Real& entry : s) sum += entry = std::exp(entry - largest);
  for (Real& entry : s) entry /= sum;
  return s;
}

/// Adds one sample's l(Y v.X^T softmax(K p)) with its derivatives.
inline void add_sample(Derivatives& total, const Matrix& X, const Matrix& K, int label, const LossFunction& loss, const Vector& v,
                       const Vector& p) {
  const std::size_t d = v.size();
  const std::size_t T = X.size();
  const Vector s = softmax(K, p);
  Vector mean(d);               // sum_t s_t k_t
  Matrix spread(d, Vector(d));  // the covariance of the keys under s
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t a = 0; a < d; ++a) mean[a] += s[t] * K[t][a];
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b < d; ++b) spread[a][b] += s[t] * (K[t][a] - mean[a]) * (K[t][b] - mean[b]);

  Real u = 0;
  Vector first(2 * d);                  // of u
  Matrix second(2 * d, Vector(2 * d));  // of u
  for (std::size_t t = 0; t < T; ++t) {
    const Real score = label * dot(X[t], v);
    u += s[t] * score;
    for (std::size_t a = 0; a < d; ++a) {
      const Real in_p = s[t] * (K[t][a] - mean[a]);  // d s_t / d p_a
      first[a] += label * s[t] * X[t][a];
      first[d + a] += score * in_p;
      for (std::size_t b = 0; b < d; ++b) {
        second[b][d + a] += label * X[t][b] * in_p;
        second[d + a][b] += label * X[t][b] * in_p;
        second[d + a][d + b] += score * s[t] * ((K[t][a] - mean[a]) * (K[t][b] - mean[b]) - spread[a][b]);
      }
    }
  }
  const Jet jet = loss(u);
  total.value += jet.value;
  for (std::size_t a = 0; a < 2 * d; ++a) {
    total.gradient[a] += jet.slope * first[a];
    for (std::size_t b = 0; b < 2 * d; ++b) total.hessian[a][b] += jet.curvature * first[a] * first[b] + jet.slope * second[a][b];
  }
}

inline Derivatives erm(const Problem& problem, const LossFunction& loss, const Vector& v, const Vector& p) {
  const std::size_t d = problem.dimension();
  Derivatives total{0, Vector(2 * d), Matrix(2 * d, Vector(2 * d))};
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    const Matrix X = rows_of(problem.tokens[i]);
    add_sample(total, X, keys_of(problem, X), problem.labels[i], loss, v, p);
  }
  const auto n = static_cast<Real>(problem.sample_count());
  total.value /= n;
  for (Real& entry : total.gradient) entry /= n;
  for (Vector& row : total.hessian)
    for (Real& entry : row) entry /= n;
  return total;
}

/// Data of multiples of 1/64 between -2 and 2.
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}

  double number() { return std::uniform_int_distribution(-128, 128)(engine_) / 64.0; }
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = number();
    return values;
  }
  /// A sample for each entry of `token_counts`, with v and, if asked for, W.
  Problem problem(const std::vector<std::size_t>& token_counts, std::size_t d, const Loss& loss, bool with_W) {
    Problem made;
    for (const std::size_t T : token_counts) {
      made.tokens.push_back(ExactMatrix::from_doubles(T, d, numbers(T * d)));
      made.labels.push_back(number() < 0 ? -1 : 1);
    }
    made.v = ExactMatrix::from_doubles(1, d, numbers(d));
    if (with_W) made.W = ExactMatrix::from_doubles(d, d, numbers(d * d));
    made.loss = loss;
    return made;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace attest::naive
