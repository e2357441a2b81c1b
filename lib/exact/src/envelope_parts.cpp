#include "envelope_parts.hpp"

#include "attest/exact/loss_jet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

/// Checkers refuse exp of more than 2^20.
const Rational exp_limit = Rational(Integer(1) << 19);
/// They may raise arguments below this to it.
const Rational exp_floor = Rational(-4096);

const Rational least_reach = Rational(1, Integer(1) << 120);

/// Checkers enclose slopes to 100 bits at least, and more widely than we do where the interval is wide.
const Rational slope_slack = Rational(1, Integer(1) << 80);
const Rational width_slack = Rational(1, 1024);

Rational shortened_above(const Rational& value) { return Ball(value).upper(); }
Rational shortened_below(const Rational& value) { return Ball(value).lower(); }

}  // namespace

bool shown_below(const Ball& a, const Ball& b) { return (b * Ball(Rational(1 - envelope_slack)) - a).is_positive(); }

Ball exp_above(const Ball& x) {
  Ball none;
  arb_indeterminate(none.get());
  if (!x.is_moderate()) return none;
  const Rational above = x.upper();
  if (above > exp_limit) return none;
  const Ball value = exp(Ball(std::max(above, exp_floor)));
  return Ball(value.upper());
}

Rational rounded_above(const Ball& bound) { return exact_value(upper_double(bound.upper() * (1 + envelope_slack))); }

certified::LossBlock loss_block(const LossBounds& loss, const RationalInterval& interval) {
  return {interval, loss.slope_sup, loss.m0, loss.m1, loss.cuts};
}

std::optional<Rational> reach_above(const Ball& bound) {
  if (!bound.is_moderate()) return std::nullopt;
  const Rational above = std::max(bound.upper(), least_reach);
  const double rounded = upper_double(above * (1 + envelope_slack));
  return std::isfinite(rounded) ? std::optional(exact_value(rounded)) : std::nullopt;
}

std::optional<certified::Slopes> slopes_near(const Problem& problem, const Scores& scores, const Selection& selection, const Rational& h,
                                             ScoreSide side) {
  certified::Slopes slopes;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    slopes.emplace_back();
    if (scores[i].size() < 2) continue;
    const Rational& selected = scores[i][selection[i]];
    const auto [least, most] = std::minmax_element(scores[i].begin(), scores[i].end());
    const RationalInterval near{std::max(Rational(selected - h), *least),
                                side == ScoreSide::below ? selected : std::min(Rational(selected + h), *most)};
    const auto jet = enclose(problem.loss.expression(), near);
    if (!jet) return std::nullopt;
    const Rational low = -jet->slope.upper();
    const Rational high = -jet->slope.lower();
    const Rational slack = high * slope_slack + (high - low) * width_slack;
    slopes.back() = certified::SlopeRange{shortened_below(low - slack), shortened_above(high + slack)};
    if (!(slopes.back()->least > 0)) return std::nullopt;
  }
  return slopes;
}

double root_above(const Rational& value) { return std::nextafter(std::sqrt(upper_double(value)), std::numeric_limits<double>::infinity()); }

}  // namespace attest
