#include "loss_slope.hpp"

#include "attest/exact/loss_jet.hpp"
#include "attest/model/softplus.hpp"

namespace attest {
namespace {

using SlopeJet = std::optional<LossSlope>;

struct SlopeArithmetic {
  const PreciseBall* u;

  PreciseBall constant(const Rational& value) const { return PreciseBall(value, u->bits()); }
  SlopeJet number(const Rational& value) const { return LossSlope{constant(value), PreciseBall(u->bits())}; }
  SlopeJet variable() const { return LossSlope{*u, constant(1)}; }

  SlopeJet add(const SlopeJet& a, const SlopeJet& b) const {
    if (!a || !b) return std::nullopt;
    return LossSlope{a->value + b->value, a->slope + b->slope};
  }
  SlopeJet subtract(const SlopeJet& a, const SlopeJet& b) const { return add(a, negate(b)); }
  SlopeJet negate(const SlopeJet& a) const {
    if (!a) return std::nullopt;
    return LossSlope{-a->value, -a->slope};
  }
  SlopeJet multiply(const SlopeJet& a, const SlopeJet& b) const {
    if (!a || !b) return std::nullopt;
    return LossSlope{a->value * b->value, a->slope * b->value + a->value * b->slope};
  }
  SlopeJet reciprocal(const SlopeJet& a) const {
    if (!a || a->value.contains_zero()) return std::nullopt;
    return LossSlope{constant(1) / a->value, -(a->slope / square(a->value))};
  }
  SlopeJet divide(const SlopeJet& a, const SlopeJet& b) const { return multiply(a, reciprocal(b)); }
  SlopeJet power(const SlopeJet& a, int exponent) const {
    if (!a) return std::nullopt;
    if (exponent < 0) return reciprocal(power(a, -exponent));
    if (exponent == 0) return number(1);
    if (exponent == 1) return a;
    const auto k = static_cast<unsigned>(exponent);
    return LossSlope{attest::power(a->value, k), constant(exponent) * attest::power(a->value, k - 1) * a->slope};
  }
  /// exp of more than 2^20 is treated as undefined, as the checker does.
  bool within_exp(const PreciseBall& a) const {
    const PreciseBall limit = constant(Rational(Integer(1) << 20));
    return at_most(a, limit) && at_most(-limit, a);
  }
  SlopeJet exp(const SlopeJet& a) const {
    if (!a || !within_exp(a->value)) return std::nullopt;
    const PreciseBall e = attest::exp(a->value);
    return LossSlope{e, e * a->slope};
  }
  SlopeJet log(const SlopeJet& a) const {
    if (!a || !a->value.is_positive()) return std::nullopt;
    return LossSlope{attest::log(a->value), a->slope / a->value};
  }
  SlopeJet log1p(const SlopeJet& a) const {
    if (!a) return std::nullopt;
    const PreciseBall argument = constant(1) + a->value;
    if (!argument.is_positive()) return std::nullopt;
    return LossSlope{attest::log1p(a->value), a->slope / argument};
  }
  /// In log(1 + e) and 1/(1 + 1/e), e = exp f stands once: balls give their true ranges.
  SlopeJet softplus(const SlopeJet& a) const {
    if (!a || !within_exp(a->value)) return std::nullopt;
    return LossSlope{attest::log1p(attest::exp(a->value)), a->slope / (constant(1) + attest::exp(-a->value))};
  }
  SlopeJet tanh(const SlopeJet& a) const {
    if (!a) return std::nullopt;
    const PreciseBall h = attest::tanh(a->value);
    return LossSlope{h, (constant(1) - square(h)) * a->slope};
  }
  SlopeJet sqrt(const SlopeJet& a) const {
    if (!a || !a->value.is_positive()) return std::nullopt;
    const PreciseBall r = attest::sqrt(a->value);
    return LossSlope{r, a->slope / (constant(2) * r)};
  }
};

}  // namespace

SlopeJet enclose_slope(const Expression& loss, const PreciseBall& u) {
  SlopeJet jet = evaluate_with_softplus(loss, SlopeArithmetic{&u});
  if (!jet || !jet->value.is_finite() || !jet->slope.is_finite()) return std::nullopt;
  return jet;
}

std::optional<PreciseBall> enclose_steepness(const Loss& loss, const PreciseBall& u) {
  const SlopeArithmetic arithmetic{&u};
  const auto named = [&](const PreciseBall& steepness) { return arithmetic.within_exp(u) ? std::optional(steepness) : std::nullopt; };
  switch (loss.kind()) {
    case Loss::Kind::logistic: return named(arithmetic.constant(1) / (arithmetic.constant(1) + exp(u)));
    case Loss::Kind::exponential: return named(exp(-u));
    case Loss::Kind::correlation: return arithmetic.constant(1);
    case Loss::Kind::written: break;
  }
  const SlopeJet jet = enclose_slope(loss.expression(), u);
  return jet ? std::optional(-jet->slope) : std::nullopt;
}

std::optional<PreciseBall> enclose_curvature(const Loss& loss, const PreciseBall& u) {
  const SlopeArithmetic arithmetic{&u};
  if (loss.kind() == Loss::Kind::correlation) return PreciseBall(u.bits());
  if (!arithmetic.within_exp(u)) return std::nullopt;
  if (loss.kind() == Loss::Kind::exponential) return exp(-u);
  if (loss.kind() == Loss::Kind::logistic) {
    const PreciseBall share = arithmetic.constant(1) / (arithmetic.constant(1) + exp(u));
    return share * (arithmetic.constant(1) - share);
  }
  const auto jet = enclose(loss.expression(), {-(-u).rounded_up(u.bits()), u.rounded_up(u.bits())});
  if (!jet) return std::nullopt;
  PreciseBall curvature(u.bits());
  arb_set_round(curvature.get(), jet->curvature.get(), u.bits());
  return curvature;
}

}  // namespace attest
