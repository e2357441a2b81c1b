#include "attest/solve/log_gradient.hpp"

#include "attest/base/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// (l(gamma - G) - l(gamma)) / G, the mean of -l', by quadrature where the difference would cancel.
LogNumber mean_slope(const Loss& loss, double gamma, double G) {
  constexpr double quadrature_reach = 0x1p-4;  // 4 nodes are exact to rounding
  if (std::abs(G) <= quadrature_reach) {
    std::vector<LogNumber> terms;
    for (const auto& [node, weight] : gauss4) terms.push_back(steepness(loss, gamma - node * G) * LogNumber::of(weight));
    return sum_of(terms).number();
  }
  if (loss.kind() != Loss::Kind::logistic) return LogNumber::of((evaluate(loss, gamma - G).value - evaluate(loss, gamma).value) / G);
  return (log_value(loss, gamma - G) + -log_value(loss, gamma)) / LogNumber::of(G);
}

/// One sample with token r as reference: gaps gamma_r - gamma_t, log s_t and G = sum_t s_t gap_t.
struct AttendedSample {
  Index reference = 0;
  double gamma = 0;  // of the reference
  VectorXd gaps;
  VectorXd log_s;
  LogNumber log_G;
  double G = 0;  // 0 where it underflows

  double score() const { return gamma - G; }
};

/// `prompt` is p as the keys of the sample take it.
Index largest_logit(const NumericProblem& problem, std::size_t i, const VectorXd& prompt) {
  Index r = 0;
  (problem.keys[i].transpose() * prompt).maxCoeff(&r);
  return r;
}

/// Exponents as differences of keys: a difference of logits would carry the rounding error of both.
VectorXd log_attention(const NumericProblem& problem, std::size_t i, Index reference, const VectorXd& prompt) {
  const VectorXd z = -(problem.keys[i].col(reference).replicate(1, problem.keys[i].cols()) - problem.keys[i]).transpose() * prompt;
  const double shift = z.maxCoeff();
  return z.array() - (shift + std::log((z.array() - shift).exp().sum()));
}

/// With the reference given, or else the token of the largest logit.
AttendedSample sample_at(const NumericProblem& problem, std::size_t i, std::optional<Index> given, const VectorXd& v, const VectorXd& p) {
  const VectorXd prompt = problem.prompt(i, p);
  const Index reference = given ? *given : largest_logit(problem, i, prompt);
  AttendedSample sample;
  sample.reference = reference;
  const auto& tokens = problem.tokens[i];
  sample.gamma = problem.labels[i] * tokens.col(reference).dot(v);
  sample.gaps = problem.labels[i] * (tokens.col(reference).replicate(1, tokens.cols()) - tokens).transpose() * v;
  sample.log_s = log_attention(problem, i, reference, prompt);
  std::vector<LogNumber> terms;
  for (Index t = 0; t < sample.gaps.size(); ++t) terms.push_back(LogNumber::of(sample.gaps[t]) * LogNumber{sample.log_s[t], 1});
  sample.log_G = sum_of(terms).number();
  sample.G = sample.log_G.value();
  return sample;
}

/// The mean over `count` samples of weighted vectors, which are added relative to the largest weight.
class WeightedVectors {
 public:
  void add(const LogNumber& weight, VectorXd vector) {
    weights_.push_back(weight);
    vectors_.push_back(std::move(vector));
  }

  LogVector mean(Index dimension, std::size_t count) const {
    const double shift = largest_log(weights_);
    LogVector result{VectorXd::Zero(dimension), shift - std::log(static_cast<double>(count))};
    for (std::size_t k = 0; k < weights_.size(); ++k)
      if (!weights_[k].is_zero()) result.vector += weights_[k].over(shift) * vectors_[k];
    return result;
  }

 private:
  std::vector<LogNumber> weights_;
  std::vector<VectorXd> vectors_;
};

/// The logarithm of a positive mean, else NaN.
double log_mean(const std::vector<LogNumber>& terms) {
  const LogNumber total = sum_of(terms).number();
  if (!(total > LogNumber{})) return std::numeric_limits<double>::quiet_NaN();
  return (total / LogNumber::of(static_cast<double>(terms.size()))).log;
}

}  // namespace

LogVector log_gradient_p(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  std::vector<Index> references;
  std::vector<std::vector<LogNumber>> weights;  // of the rows of the samples; that of the reference is 0
  double shift = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const AttendedSample sample = sample_at(problem, i, std::nullopt, v, p);
    const LogNumber slope = -steepness(problem.loss, sample.score());
    references.push_back(sample.reference);
    weights.emplace_back();
    for (Index t = 0; t < sample.gaps.size(); ++t) {
      const LogNumber centred = t == sample.reference ? LogNumber{} : LogNumber::of(sample.gaps[t] - sample.G);
      weights.back().push_back(slope * centred * LogNumber{sample.log_s[t], 1});
    }
    shift = std::max(shift, largest_log(weights.back()));
  }
  LogVector gradient{VectorXd::Zero(problem.dimension), shift - std::log(static_cast<double>(problem.tokens.size()))};
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    VectorXd sum = VectorXd::Zero(problem.keys[i].rows());
    for (Index t = 0; t < problem.keys[i].cols(); ++t)
      if (const LogNumber& weight = weights[i][static_cast<std::size_t>(t)]; !weight.is_zero())
        sum += weight.over(shift) * (problem.keys[i].col(references[i]) - problem.keys[i].col(t));
    problem.add_keys(i, sum, gradient.vector);
  }
  return gradient;
}

LogVector log_gradient_v(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  WeightedVectors terms;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const AttendedSample sample = sample_at(problem, i, std::nullopt, v, p);
    terms.add(-steepness(problem.loss, sample.score()), problem.labels[i] * (problem.tokens[i] * sample.log_s.array().exp().matrix()));
  }
  return terms.mean(problem.dimension, problem.tokens.size());
}

double log_loss(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  std::vector<LogNumber> terms;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const double u = sample_at(problem, i, std::nullopt, v, p).score();
    terms.push_back(log_value(problem.loss, u));
  }
  return log_mean(terms);
}

double log_excess(const NumericProblem& problem, const VectorXd& v, const Selection& selection, const VectorXd& p) {
  std::vector<LogNumber> terms;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const AttendedSample sample = sample_at(problem, i, static_cast<Index>(selection[i]), v, p);
    terms.push_back(sample.log_G * mean_slope(problem.loss, sample.gamma, sample.G));
  }
  return log_mean(terms);
}

double log_missing_attention(const NumericProblem& problem, const Selection& selection, const VectorXd& p) {
  LogNumber largest;
  for (std::size_t i = 0; i < problem.keys.size(); ++i) {
    const auto chosen = static_cast<Index>(selection[i]);
    const VectorXd log_s = log_attention(problem, i, chosen, problem.prompt(i, p));
    std::vector<LogNumber> terms;
    for (Index t = 0; t < log_s.size(); ++t)
      if (t != chosen) terms.push_back({log_s[t], 1});
    const LogNumber missing = sum_of(terms).number();
    if (missing.is_nan()) return missing.log;
    largest = std::max(largest, missing);
  }
  return largest.log;
}

double angle_between(const VectorXd& a, const VectorXd& b) {
  const VectorXd left = a.normalized();
  const VectorXd right = b.normalized();
  if (!(a.norm() > 0) || !(b.norm() > 0)) return std::numeric_limits<double>::quiet_NaN();
  return 2 * std::atan2((left - right).norm(), (left + right).norm());
}

}  // namespace attest
