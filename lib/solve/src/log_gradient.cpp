#include "attest/solve/log_gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double nothing = -std::numeric_limits<double>::infinity();

/// A real number as sign and logarithm of its size.
struct SignedLog {
  double sign = 0;
  double log = nothing;
};
SignedLog signed_log(double value) {
  return {value > 0 ? 1.0 : value < 0 ? -1.0 : value, std::log(std::abs(value))};  // NaN keeps a NaN sign
}

double softplus(double u) { return std::max(u, 0.0) + std::log1p(std::exp(-std::abs(u))); }
/// From -36 down, log(log1p(exp u)) is u to the last bit.
double log_softplus(double u) { return u < -36 ? u : std::log(softplus(u)); }

SignedLog slope_of(const Loss& loss, double u) {
  if (loss.name() == "logistic") return {-1, -softplus(u)};
  if (loss.name() == "exponential") return {-1, -u};
  return signed_log(evaluate(loss, u).slope);
}

/// sum_k weight_k exp(log_k), its sign and logarithm.
SignedLog sum(const std::vector<SignedLog>& terms) {
  double shift = nothing;
  for (const SignedLog& term : terms)
    if (term.sign != 0 && term.log > shift) shift = term.log;
  double total = 0;
  for (const SignedLog& term : terms)
    if (term.sign != 0) total += term.sign * std::exp(term.log - shift);
  SignedLog result = signed_log(total);
  result.log += shift;
  return result;
}

/// log of the mean slope (l(gamma - G) - l(gamma)) / G: 4 Gauss nodes for |G| <= 1/16, the difference beyond.
SignedLog mean_slope(const Loss& loss, double gamma, double G) {
  constexpr std::array node = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
  constexpr std::array weight = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};
  if (std::abs(G) <= 0x1p-4) {
    std::vector<SignedLog> terms;
    for (std::size_t k = 0; k < node.size(); ++k) {
      const SignedLog slope = slope_of(loss, gamma - node[k] * G);
      terms.push_back({-slope.sign, slope.log + std::log(weight[k])});
    }
    return sum(terms);
  }
  if (loss.name() != "logistic") return signed_log((evaluate(loss, gamma - G).value - evaluate(loss, gamma).value) / G);
  const SignedLog difference = sum({{1, log_softplus(G - gamma)}, {-1, log_softplus(-gamma)}});
  return {difference.sign * (G > 0 ? 1 : -1), difference.log - std::log(std::abs(G))};
}

/// One sample with token r as reference: gaps gamma_r - gamma_t, log s_t and G = sum_t s_t gap_t.
struct Sample {
  Index reference = 0;
  double gamma = 0;  // of the reference
  VectorXd gaps;
  VectorXd log_s;
  SignedLog log_G;
  double G = 0;  // 0 where it underflows

  double score() const { return gamma - G; }
};

VectorXd logits_of(const NumericProblem& problem, std::size_t i, const VectorXd& p) { return problem.keys[i].transpose() * p; }

Index largest_logit(const NumericProblem& problem, std::size_t i, const VectorXd& p) {
  Index r = 0;
  logits_of(problem, i, p).maxCoeff(&r);
  return r;
}

/// Exponents as differences of keys: a difference of logits would carry the rounding error of both.
VectorXd log_attention(const NumericProblem& problem, std::size_t i, Index reference, const VectorXd& p) {
  const VectorXd z = -(problem.keys[i].col(reference).replicate(1, problem.keys[i].cols()) - problem.keys[i]).transpose() * p;
  const double shift = z.maxCoeff();
  return z.array() - (shift + std::log((z.array() - shift).exp().sum()));
}

Sample sample_at(const NumericProblem& problem, std::size_t i, Index reference, const VectorXd& v, const VectorXd& p) {
  Sample sample;
  sample.reference = reference;
  const auto& tokens = problem.tokens[i];
  sample.gamma = problem.labels[i] * tokens.col(reference).dot(v);
  sample.gaps = problem.labels[i] * (tokens.col(reference).replicate(1, tokens.cols()) - tokens).transpose() * v;
  sample.log_s = log_attention(problem, i, reference, p);
  std::vector<SignedLog> terms;
  for (Index t = 0; t < sample.gaps.size(); ++t) {
    const SignedLog gap = signed_log(sample.gaps[t]);
    terms.push_back({gap.sign, gap.log + sample.log_s[t]});
  }
  sample.log_G = sum(terms);
  sample.G = sample.log_G.sign == 0 ? 0 : sample.log_G.sign * std::exp(sample.log_G.log);
  return sample;
}

/// sum of sign exp(log) vector, shifted by the largest exponent.
LogVector combine(const std::vector<std::pair<SignedLog, VectorXd>>& terms, Index dimension, double count) {
  double shift = nothing;
  for (const auto& [weight, vector] : terms)
    if (weight.sign != 0 && weight.log > shift) shift = weight.log;
  LogVector result{VectorXd::Zero(dimension), shift - std::log(count)};
  for (const auto& [weight, vector] : terms)
    if (weight.sign != 0) result.value += weight.sign * std::exp(weight.log - shift) * vector;
  return result;
}

}  // namespace

LogVector log_gradient_p(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  std::vector<std::pair<SignedLog, VectorXd>> terms;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const Sample sample = sample_at(problem, i, largest_logit(problem, i, p), v, p);
    const SignedLog slope = slope_of(problem.loss, sample.score());
    for (Index t = 0; t < sample.gaps.size(); ++t) {
      if (t == sample.reference) continue;
      const SignedLog centred = signed_log(sample.gaps[t] - sample.G);
      terms.emplace_back(SignedLog{slope.sign * centred.sign, slope.log + centred.log + sample.log_s[t]},
                         problem.keys[i].col(sample.reference) - problem.keys[i].col(t));
    }
  }
  return combine(terms, problem.dimension, static_cast<double>(problem.tokens.size()));
}

LogVector log_gradient_v(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  std::vector<std::pair<SignedLog, VectorXd>> terms;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const Sample sample = sample_at(problem, i, largest_logit(problem, i, p), v, p);
    terms.emplace_back(slope_of(problem.loss, sample.score()),
                       problem.labels[i] * (problem.tokens[i] * sample.log_s.array().exp().matrix()));
  }
  return combine(terms, problem.dimension, static_cast<double>(problem.tokens.size()));
}

double log_loss(const NumericProblem& problem, const VectorXd& v, const VectorXd& p) {
  std::vector<SignedLog> terms;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const double u = sample_at(problem, i, largest_logit(problem, i, p), v, p).score();
    terms.push_back(problem.loss.name() == "logistic" ? SignedLog{1, log_softplus(-u)} : signed_log(evaluate(problem.loss, u).value));
  }
  const SignedLog total = sum(terms);
  if (!(total.sign > 0)) return std::numeric_limits<double>::quiet_NaN();
  return total.log - std::log(static_cast<double>(problem.tokens.size()));
}

double log_excess(const NumericProblem& problem, const VectorXd& v, const Selection& selection, const VectorXd& p) {
  std::vector<SignedLog> terms;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const Sample sample = sample_at(problem, i, static_cast<Index>(selection[i]), v, p);
    const SignedLog mean = mean_slope(problem.loss, sample.gamma, sample.G);
    terms.push_back({sample.log_G.sign * mean.sign, sample.log_G.log + mean.log});
  }
  const SignedLog total = sum(terms);
  if (!(total.sign > 0)) return std::numeric_limits<double>::quiet_NaN();
  return total.log - std::log(static_cast<double>(problem.tokens.size()));
}

double log_missing_attention(const NumericProblem& problem, const Selection& selection, const VectorXd& p) {
  double largest = nothing;
  for (std::size_t i = 0; i < problem.keys.size(); ++i) {
    const auto chosen = static_cast<Index>(selection[i]);
    const VectorXd log_s = log_attention(problem, i, chosen, p);
    std::vector<SignedLog> terms;
    for (Index t = 0; t < log_s.size(); ++t)
      if (t != chosen) terms.push_back({1, log_s[t]});
    const SignedLog missing = sum(terms);
    if (std::isnan(missing.log)) return missing.log;
    largest = std::max(largest, missing.log);
  }
  return largest;
}

double angle_between(const VectorXd& a, const VectorXd& b) {
  const VectorXd left = a.normalized();
  const VectorXd right = b.normalized();
  if (!(a.norm() > 0) || !(b.norm() > 0)) return std::numeric_limits<double>::quiet_NaN();
  return 2 * std::atan2((left - right).norm(), (left + right).norm());
}

}  // namespace attest
