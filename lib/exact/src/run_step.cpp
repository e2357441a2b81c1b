#include "run_step.hpp"

#include "loss_slope.hpp"

#include <limits>

namespace attest {

double log2_of(const mag_t magnitude) {
  constexpr slong known_exactly = std::numeric_limits<slong>::max() / 4;
  return mag_is_zero(magnitude) != 0 ? -static_cast<double>(known_exactly) : mag_get_d_log2_approx(magnitude);
}

double log2_of(const PreciseBall& value) {
  mag_t least;
  mag_init(least);
  arb_get_mag_lower(least, value.get());
  const double result = log2_of(least);
  mag_clear(least);
  return result;
}

PreciseBall for_clauses(arb_srcptr ball) {
  PreciseBall result;
  arb_set_round(result.get(), ball, PreciseBall::clause_bits);
  return result;
}

void widen(arb_ptr ball, const PreciseBall& slope, const mag_t distance) {
  mag_t reach;
  mag_init(reach);
  arb_get_mag(reach, slope.get());
  mag_mul(reach, reach, distance);
  arb_add_error_mag(ball, reach);
  mag_clear(reach);
}

bool SampleStep::coefficients(arb_ptr result, arb_srcptr u, arb_srcptr gaps, std::size_t count, const Rational& score, slong bits) const {
  const auto size = static_cast<slong>(count);
  PreciseBall weights(Rational(1), bits);
  for (std::size_t t = 0; t < count; ++t) {
    arb_neg(result + t, u + t);
    arb_exp(result + t, result + t, bits);
    arb_add(weights.get(), weights.get(), result + t, bits);
  }
  for (std::size_t t = 0; t < count; ++t) arb_div(result + t, result + t, weights.get(), bits);
  PreciseBall mean(bits);
  arb_dot(mean.get(), nullptr, 0, result, 1, gaps, 1, size, bits);
  const PreciseBall f = within(PreciseBall(score, bits) - mean, facts_->interval.low, facts_->interval.high);
  const auto steepness = enclose_steepness(facts_->program->problem().loss, f);
  if (!steepness) return false;
  const PreciseBall factor = *steepness / PreciseBall(Rational(static_cast<long>(facts_->scores->size())), bits);
  PreciseBall rest(bits);
  for (std::size_t t = 0; t < count; ++t) {
    arb_sub(rest.get(), gaps + t, mean.get(), bits);
    arb_mul(result + t, result + t, rest.get(), bits);
    arb_mul(result + t, result + t, factor.get(), bits);
  }
  return true;
}

std::optional<PreciseBall> step_factor(const DescentRule& rule, const PreciseBall& gradient_squared, slong bits) {
  const PreciseBall step(rule.step, bits);
  if (rule.rule == StepRule::constant) return step;
  if (!gradient_squared.is_positive()) return std::nullopt;
  return step / sqrt(gradient_squared);
}

}  // namespace attest
