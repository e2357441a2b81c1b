#include "attest/model/loss.hpp"

#include "attest/base/quadrature.hpp"
#include "attest/model/softplus.hpp"

#include <algorithm>
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
  LossJet add(const LossJet& f, const LossJet& g) const { return {f.value + g.value, f.slope + g.slope, f.curvature + g.curvature}; }
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
  LossJet log1p(const LossJet& f) const { return f.value > -1.0 ? logarithm(std::log1p(f.value), 1.0 + f.value, f) : undefined; }
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

/// A drop this small is linear to far below rounding: e^-200.
constexpr double log_of_tiny = -200;
/// log(1 + e^-u) is e^-u to rounding from here on.
constexpr double logistic_is_exponential = 40;

}  // namespace

class Loss::Form {
 public:
  Form(Kind kind, std::string name, Expression expression) : kind_(kind), name_(std::move(name)), expression_(std::move(expression)) {}
  virtual ~Form() = default;
  Form(const Form&) = delete;
  Form& operator=(const Form&) = delete;

  Kind kind() const { return kind_; }
  const std::string& name() const { return name_; }
  const Expression& expression() const { return expression_; }

  virtual LossJet jet(double u) const = 0;
  /// l(u).
  virtual LogNumber log_value(double u) const { return LogNumber::of(jet(u).value); }
  /// -l'(u).
  virtual LogNumber steepness(double u) const { return LogNumber::of(-jet(u).slope); }
  /// l(u - drop) - l(u).
  virtual LogNumber rise(double u, LogNumber drop) const;

 private:
  /// Whether l is e^-u, to rounding, from u on.
  virtual bool is_exponential_from(double) const { return false; }

  Kind kind_;
  std::string name_;
  Expression expression_;
};

namespace {

/// -drop times the mean of l' between u - drop and u, by five nodes: exact to degree 9, so to rounding for drops of at most this size.
constexpr double largest_smooth_drop = 0.05;
double rise_by_slopes(const Loss::Form& loss, double u, double drop) {
  double mean = 0;
  for (const auto& [node, weight] : gauss5) mean += weight * loss.jet(u - drop * node).slope;
  return -drop * mean;
}

}  // namespace

LogNumber Loss::Form::rise(double u, LogNumber drop) const {
  if (drop.sign == 0) return drop;
  if (drop.log < log_of_tiny) {
    const LogNumber slope = steepness(u);
    return {slope.log + drop.log, slope.sign * drop.sign};
  }
  const double size = drop.sign * std::exp(drop.log);
  if (is_exponential_from(std::min(u, u - size))) return {-u + std::log(std::abs(std::expm1(size))), drop.sign};
  if (std::abs(size) <= largest_smooth_drop) return LogNumber::of(rise_by_slopes(*this, u, size));
  return LogNumber::of(jet(u - size).value - jet(u).value);
}

namespace {

class Logistic : public Loss::Form {
 public:
  using Form::Form;
  LossJet jet(double u) const override { return logistic_jet(u); }
  LogNumber log_value(double u) const override { return {log_softplus(-u), 1}; }
  LogNumber steepness(double u) const override { return {-softplus(u), 1}; }

 private:
  bool is_exponential_from(double u) const override { return u > logistic_is_exponential; }
};

class Exponential : public Loss::Form {
 public:
  using Form::Form;
  LossJet jet(double u) const override { return {std::exp(-u), -std::exp(-u), std::exp(-u)}; }
  LogNumber steepness(double u) const override { return {-u, 1}; }

 private:
  bool is_exponential_from(double) const override { return true; }
};

class Correlation : public Loss::Form {
 public:
  using Form::Form;
  LossJet jet(double u) const override { return {-u, -1.0, 0.0}; }
  LogNumber steepness(double) const override { return {0.0, 1}; }
  LogNumber rise(double, LogNumber drop) const override { return drop; }
};

class Written : public Loss::Form {
 public:
  explicit Written(Expression expression) : Form(Loss::Kind::written, "", std::move(expression)) {}
  LossJet jet(double u) const override { return evaluate(expression(), u); }
};

template <class Named>
std::shared_ptr<const Loss::Form> named_form(Loss::Kind kind, std::string_view name, std::string_view expression) {
  return std::make_shared<Named>(kind, std::string(name), std::get<Expression>(parse_expression(expression)));
}

constexpr std::array<std::string_view, 3> all_names{"logistic", "exponential", "correlation"};

}  // namespace

Loss Loss::logistic() {
  static const auto form = named_form<Logistic>(Kind::logistic, all_names[0], "log1p(exp(-u))");
  return Loss(form);
}

Loss Loss::exponential() {
  static const auto form = named_form<Exponential>(Kind::exponential, all_names[1], "exp(-u)");
  return Loss(form);
}

Loss Loss::correlation() {
  static const auto form = named_form<Correlation>(Kind::correlation, all_names[2], "-u");
  return Loss(form);
}

Loss Loss::written(Expression expression) { return Loss(std::make_shared<Written>(std::move(expression))); }

std::optional<Loss> Loss::named(std::string_view name) {
  for (Loss loss : {logistic(), exponential(), correlation()})
    if (loss.name() == name) return loss;
  return std::nullopt;
}

std::span<const std::string_view> Loss::names() { return all_names; }

Loss::Kind Loss::kind() const { return form_->kind(); }
const std::string& Loss::name() const { return form_->name(); }
const Expression& Loss::expression() const { return form_->expression(); }

LossJet evaluate(const Loss& loss, double u) { return loss.form().jet(u); }

LossJet evaluate(const Expression& expression, double u) { return evaluate_with_softplus(expression, DoubleJets{u}); }

LogNumber log_value(const Loss& loss, double u) { return loss.form().log_value(u); }

LogNumber steepness(const Loss& loss, double u) { return loss.form().steepness(u); }

LogNumber rise(const Loss& loss, double u, LogNumber drop) { return loss.form().rise(u, drop); }

}  // namespace attest
