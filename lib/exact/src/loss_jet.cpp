#include "attest/exact/loss_jet.hpp"

#include "attest/model/softplus.hpp"

namespace attest {
namespace {

/// exp of more than this is treated as undefined, as the checker does.
const Rational exp_argument_limit = Rational(Integer(1) << 20);

using Jet = std::optional<LossJetBalls>;

Ball constant(int value) { return Ball(Rational(value)); }

struct JetArithmetic {
  RationalInterval u;

  Jet number(const Rational& value) const { return LossJetBalls{Ball(value), Ball(), Ball()}; }
  Jet variable() const { return LossJetBalls{Ball(u.low, u.high), constant(1), Ball()}; }

  Jet add(const Jet& a, const Jet& b) const {
    if (!a || !b) return std::nullopt;
    return LossJetBalls{a->value + b->value, a->slope + b->slope, a->curvature + b->curvature};
  }
  Jet subtract(const Jet& a, const Jet& b) const { return add(a, negate(b)); }
  Jet negate(const Jet& a) const {
    if (!a) return std::nullopt;
    return LossJetBalls{-a->value, -a->slope, -a->curvature};
  }
  Jet multiply(const Jet& a, const Jet& b) const {
    if (!a || !b) return std::nullopt;
    return LossJetBalls{a->value * b->value, a->slope * b->value + a->value * b->slope,
                        a->curvature * b->value + constant(2) * a->slope * b->slope + a->value * b->curvature};
  }
  Jet reciprocal(const Jet& a) const {
    if (!a || a->value.contains_zero()) return std::nullopt;
    const Ball squared = square(a->value);
    return LossJetBalls{constant(1) / a->value, -(a->slope / squared),
                        constant(2) * square(a->slope) / attest::power(a->value, 3) - a->curvature / squared};
  }
  Jet divide(const Jet& a, const Jet& b) const { return multiply(a, reciprocal(b)); }
  Jet power(const Jet& a, int exponent) const {
    if (!a) return std::nullopt;
    if (exponent < 0) return reciprocal(power(a, -exponent));
    if (exponent == 0) return number(1);
    if (exponent == 1) return a;
    const auto k = static_cast<unsigned>(exponent);
    const Ball below = attest::power(a->value, k - 1);
    const Ball twice_below = attest::power(a->value, k - 2);
    return LossJetBalls{attest::power(a->value, k), constant(exponent) * below * a->slope,
                        constant(exponent * (exponent - 1)) * twice_below * square(a->slope) + constant(exponent) * below * a->curvature};
  }
  static bool within_exp(const Ball& a) { return a.is_moderate() && a.upper() <= exp_argument_limit && a.lower() >= -exp_argument_limit; }
  Jet exp(const Jet& a) const {
    if (!a || !within_exp(a->value)) return std::nullopt;
    const Ball e = attest::exp(a->value);
    return LossJetBalls{e, e * a->slope, e * (square(a->slope) + a->curvature)};
  }
  Jet log_with_argument(const Jet& a, const Ball& argument, const Ball& value) const {
    if (!argument.is_positive()) return std::nullopt;
    const Ball ratio = a->slope / argument;
    return LossJetBalls{value, ratio, a->curvature / argument - square(ratio)};
  }
  Jet log(const Jet& a) const {
    if (!a) return std::nullopt;
    return log_with_argument(a, a->value, attest::log(a->value));
  }
  Jet log1p(const Jet& a) const {
    if (!a) return std::nullopt;
    return log_with_argument(a, constant(1) + a->value, attest::log1p(a->value));
  }
  Jet softplus(const Jet& a) const {
    if (!a || !within_exp(a->value)) return std::nullopt;
    const Ball s = sigmoid(a->value);
    return LossJetBalls{attest::softplus(a->value), s * a->slope, s * a->curvature + sigmoid_slope(a->value) * square(a->slope)};
  }
  Jet tanh(const Jet& a) const {
    if (!a) return std::nullopt;
    const Ball h = attest::tanh(a->value);
    const Ball s = constant(1) - square(h);
    return LossJetBalls{h, s * a->slope, s * a->curvature - constant(2) * h * s * square(a->slope)};
  }
  Jet sqrt(const Jet& a) const {
    if (!a || !a->value.is_positive()) return std::nullopt;  // 0 is no edge to stand on: sqrt(u^4) is u^2, sqrt(sqrt(u^4)) is |u|
    const Ball r = attest::sqrt(a->value);
    return LossJetBalls{r, a->slope / (constant(2) * r),
                        a->curvature / (constant(2) * r) - square(a->slope) / (constant(4) * attest::power(r, 3))};
  }
};

}  // namespace

Jet enclose(const Expression& loss, const RationalInterval& u) {
  Jet jet = evaluate_with_softplus(loss, JetArithmetic{u});
  if (!jet || !jet->value.is_moderate() || !jet->slope.is_moderate() || !jet->curvature.is_moderate()) return std::nullopt;
  return jet;
}

}  // namespace attest
