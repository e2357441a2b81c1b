#include "attest/model/loss.hpp"

#include "attest/model/softplus.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {
namespace {

constexpr LossJet undefined{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::quiet_NaN()};

/// log(1 + exp(f)). exp is only taken of -|f|, so nothing overflows and nothing cancels.
LossJet softplus_jet(double f) {
  const double e = std::exp(-std::abs(f));
  const double below = e / (1.0 + e);
  const double above = 1.0 / (1.0 + e);
  return {f > 0.0 ? f + std::log1p(e) : std::log1p(e), f > 0.0 ? above : below, below * above};
}

LossJet logistic_jet(double u) {
  const LossJet s = softplus_jet(-u);
  return {s.value, -s.slope, s.curvature};
}

/// The jet rules of docs/certificate.md, section 3, in doubles; NaN where a rule is not defined.
struct DoubleJets {
  double u;

  LossJet number(const Rational& value) const { return {nearest_double(value), 0.0, 0.0}; }
  LossJet variable() const { return {u, 1.0, 0.0}; }
  LossJet add(const LossJet& f, const LossJet& g) const {
    return {f.value + g.value, f.slope + g.slope, f.curvature + g.curvature};
  }
  LossJet subtract(const LossJet& f, const LossJet& g) const { return add(f, negate(g)); }
  LossJet negate(const LossJet& f) const { return {-f.value, -f.slope, -f.curvature}; }
  LossJet multiply(const LossJet& f, const LossJet& g) const {
    return {f.value * g.value, f.slope * g.value + f.value * g.slope,
            f.curvature * g.value + 2.0 * f.slope * g.slope + f.value * g.curvature};
  }
  LossJet divide(const LossJet& f, const LossJet& g) const { return multiply(f, reciprocal(g)); }

  // 1/g: (1/g, -g'/g^2, 2 g'^2/g^3 - g''/g^2)
  LossJet reciprocal(const LossJet& g) const {
    if (g.value == 0.0) return undefined;
    const double r = 1.0 / g.value;
    const double ratio = g.slope * r;
    return {r, -ratio * r, (2.0 * ratio * ratio - g.curvature * r) * r};
  }

  // f^k: (f^k, k f^(k-1) f', k (k-1) f^(k-2) f'^2 + k f^(k-1) f'')
  LossJet power(const LossJet& f, int k) const {
    if (k < 0) return reciprocal(power(f, -k));
    if (k == 0) return std::isnan(f.value) ? undefined : LossJet{1.0, 0.0, 0.0};
    if (k == 1) return f;
    const double first = k * std::pow(f.value, k - 1);
    const double second = k * (k - 1) * std::pow(f.value, k - 2);
    return {std::pow(f.value, k), first * f.slope, second * f.slope * f.slope + first * f.curvature};
  }

  LossJet exp(const LossJet& f) const {
    const double e = std::exp(f.value);
    return {e, e * f.slope, e * (f.slope * f.slope + f.curvature)};
  }
  LossJet log(const LossJet& f) const { return f.value > 0.0 ? logarithm(std::log(f.value), f.value, f) : undefined; }
  LossJet log1p(const LossJet& f) const {
    return f.value > -1.0 ? logarithm(std::log1p(f.value), 1.0 + f.value, f) : undefined;
  }
  LossJet logarithm(double value, double argument, const LossJet& f) const {
    const double ratio = f.slope / argument;
    return {value, ratio, f.curvature / argument - ratio * ratio};
  }

  // s = 1 - h^2 as 4 q / (1 + q)^2 with q = exp(-2|f|): no cancellation where tanh is near +-1.
  LossJet tanh(const LossJet& f) const {
    const double h = std::tanh(f.value);
    const double q = std::exp(-2.0 * std::abs(f.value));
    const double s = 4.0 * q / ((1.0 + q) * (1.0 + q));
    return {h, s * f.slope, s * f.curvature - 2.0 * h * s * f.slope * f.slope};
  }

  LossJet softplus(const LossJet& f) const {
    const LossJet s = softplus_jet(f.value);
    return {s.value, s.slope * f.slope, s.slope * f.curvature + s.curvature * f.slope * f.slope};
  }

  LossJet sqrt(const LossJet& f) const {
    if (!(f.value > 0.0)) return undefined;
    const double r = std::sqrt(f.value);
    const double slope = f.slope / (2.0 * r);
    return {r, slope, f.curvature / (2.0 * r) - slope * slope / r};
  }
};

/// -drop times the mean of l' between u - drop and u, by Gauss and Legendre's five points: exact to degree 9, so to
/// rounding for drops of at most this size.
constexpr double largest_smooth_drop = 0.05;
double rise_by_slopes(const Loss& loss, double u, double drop) {
  constexpr std::array<std::pair<double, double>, 5> rule = {{{0.0, 0.5688888888888888889},
                                                              {0.5384693101056830910, 0.4786286704993664680},
                                                              {-0.5384693101056830910, 0.4786286704993664680},
                                                              {0.9061798459386639928, 0.2369268850561890875},
                                                              {-0.9061798459386639928, 0.2369268850561890875}}};
  double mean = 0;
  for (const auto& [node, weight] : rule) mean += weight / 2 * evaluate(loss, u - drop * (1 + node) / 2).slope;
  return -drop * mean;
}

/// A drop this small is linear to far below rounding: e^-200.
constexpr double log_of_tiny = -200;
/// log(1 + e^-u) is e^-u to rounding from here on.
constexpr double logistic_is_exponential = 40;

LogNumber log_number(double value) { return {std::log(std::abs(value)), (value > 0) - (value < 0)}; }

Expression expression_of(std::string_view text) { return std::get<Expression>(parse_expression(text)); }

}  // namespace

Loss Loss::logistic() { return {"logistic", expression_of("log1p(exp(-u))")}; }
Loss Loss::exponential() { return {"exponential", expression_of("exp(-u)")}; }
Loss Loss::correlation() { return {"correlation", expression_of("-u")}; }
Loss Loss::written(Expression expression) { return {"", std::move(expression)}; }

LossJet evaluate(const Loss& loss, double u) {
  if (loss.name() == "logistic") return logistic_jet(u);
  if (loss.name() == "exponential") return {std::exp(-u), -std::exp(-u), std::exp(-u)};
  if (loss.name() == "correlation") return {-u, -1.0, 0.0};
  return evaluate(loss.expression(), u);
}

LossJet evaluate(const Expression& expression, double u) {
  return evaluate_with_softplus(expression, DoubleJets{u});
}

LogNumber steepness(const Loss& loss, double u) {
  if (loss.name() == "logistic") return {-(std::max(u, 0.0) + std::log1p(std::exp(-std::abs(u)))), 1};
  if (loss.name() == "exponential") return {-u, 1};
  if (loss.name() == "correlation") return {0.0, 1};
  return log_number(-evaluate(loss, u).slope);
}

LogNumber rise(const Loss& loss, double u, LogNumber drop) {
  if (loss.name() == "correlation" || drop.sign == 0) return drop;
  if (drop.log < log_of_tiny) {
    const LogNumber slope = steepness(loss, u);
    return {slope.log + drop.log, slope.sign * drop.sign};
  }
  const double size = drop.sign * std::exp(drop.log);
  const bool exponential = loss.name() == "exponential" || (loss.name() == "logistic" && std::min(u, u - size) > logistic_is_exponential);
  if (exponential) return {-u + std::log(std::abs(std::expm1(size))), drop.sign};
  if (std::abs(size) <= largest_smooth_drop) return log_number(rise_by_slopes(loss, u, size));
  return log_number(evaluate(loss, u - size).value - evaluate(loss, u).value);
}

}  // namespace attest
