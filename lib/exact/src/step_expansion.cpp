#include "step_expansion.hpp"

#include "expansion_bits.hpp"
#include "loss_slope.hpp"

#include <cmath>

namespace attest {
namespace {

/// sum weight_t d_t
BallVector combined_rows(const BallVector& weights, const BallVector& rows, std::size_t dimension) {
  BallVector sum(dimension);
  for (std::size_t c = 0; c < dimension; ++c)
    arb_dot(sum[c], nullptr, 0, weights.data(), 1, rows[c], static_cast<slong>(dimension), static_cast<slong>(weights.size()),
            expansion_bits);
  return sum;
}

BallVector scaled(const BallVector& vector, const PreciseBall& factor) {
  BallVector result(vector.size());
  _arb_vec_scalar_mul(result.data(), vector.data(), static_cast<slong>(vector.size()), factor.get(), expansion_bits);
  return result;
}

}  // namespace

void StepExpansion::begin() {
  std::size_t products = 0;
  for (const auto& scores : *facts_.scores)
    if (scores.size() > 1) products += scores.size() + 2;
  if (left_.size() == 0) {
    left_ = BallVector(products * dimension_);
    right_ = left_;
  }
  products_ = 0;
  gradient_ = BallVector(dimension_);
}

void StepExpansion::add_product(const BallVector& left, const BallVector& right) {
  for (std::size_t c = 0; c < dimension_; ++c) {
    arb_set_round(left_[products_ * dimension_ + c], left[c], expansion_bits);
    arb_set_round(right_[products_ * dimension_ + c], right[c], expansion_bits);
  }
  ++products_;
}

bool StepExpansion::add(const BallVector& rows, const BallVector& gaps, const BallVector& u, const Rational& score, const mag_t radius) {
  const std::size_t count = gaps.size();
  BallVector shares(count);
  PreciseBall weights(Rational(1), expansion_bits);
  mag_t reach;
  mag_init(reach);
  for (std::size_t t = 0; t < count; ++t) {
    arb_get_mag(reach, root(dot(rows[t * dimension_], rows[t * dimension_], dimension_, expansion_bits)).get());
    mag_mul(reach, reach, radius);  // |d_t| e: how far u_t moves on the ball
    arb_set_round(shares[t], u[t], expansion_bits);
    arb_add_error_mag(shares[t], reach);
    arb_neg(shares[t], shares[t]);
    arb_exp(shares[t], shares[t], expansion_bits);
    arb_add(weights.get(), weights.get(), shares[t], expansion_bits);
  }
  mag_clear(reach);
  for (std::size_t t = 0; t < count; ++t) arb_div(shares[t], shares[t], weights.get(), expansion_bits);
  const PreciseBall mean = dot(shares.data(), gaps.data(), count, expansion_bits);
  const PreciseBall f = within(PreciseBall(score, expansion_bits) - mean, facts_.interval.low, facts_.interval.high);
  const Loss& loss = facts_.program->problem().loss;
  const auto steepness = enclose_steepness(loss, f);
  const auto curvature = enclose_curvature(loss, f);
  if (!steepness || !curvature) return false;
  const PreciseBall samples(Rational(static_cast<long>(facts_.scores->size())), expansion_bits);
  const PreciseBall weight = *steepness / samples;

  BallVector coefficients(count);
  PreciseBall rest(expansion_bits);
  for (std::size_t t = 0; t < count; ++t) {
    arb_sub(rest.get(), gaps[t], mean.get(), expansion_bits);
    arb_mul(coefficients[t], shares[t], rest.get(), expansion_bits);
  }
  const BallVector centre = combined_rows(shares, rows, dimension_);       // D
  const BallVector slope = combined_rows(coefficients, rows, dimension_);  // f'
  _arb_vec_scalar_addmul(gradient_.data(), slope.data(), static_cast<slong>(dimension_), weight.get(), expansion_bits);
  add_product(scaled(slope, -(*curvature / samples)), slope);
  add_product(scaled(centre, weight), slope);
  add_product(scaled(slope, weight), centre);
  for (std::size_t t = 0; t < count; ++t) {
    arb_mul(rest.get(), coefficients[t], weight.get(), expansion_bits);
    for (std::size_t c = 0; c < dimension_; ++c) {
      arb_set_round(right_[products_ * dimension_ + c], rows[t * dimension_ + c], expansion_bits);
      arb_mul(left_[products_ * dimension_ + c], right_[products_ * dimension_ + c], rest.get(), expansion_bits);
      arb_neg(left_[products_ * dimension_ + c], left_[products_ * dimension_ + c]);
    }
    ++products_;
  }
  return true;
}

std::optional<StepExpansion::Bound> StepExpansion::bound() {
  const std::size_t d = dimension_;
  const auto stride = static_cast<slong>(d);
  BallVector derivative(d * d);
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      arb_dot(derivative[a * d + b], nullptr, 0, left_[a], stride, right_[b], stride, static_cast<slong>(products_), expansion_bits);
      arb_set(derivative[b * d + a], derivative[a * d + b]);
    }
  PreciseBall factor(rule_.step, expansion_bits);
  if (rule_.rule != StepRule::constant) {
    const PreciseBall squared = dot(gradient_.data(), gradient_.data(), d, expansion_bits);
    if (!squared.is_positive()) return std::nullopt;
    factor = factor / sqrt(squared);
    BallVector image(d);  // J g/|g|^2; J is symmetric
    for (std::size_t b = 0; b < d; ++b) arb_set(image[b], (dot(derivative[b * d], gradient_.data(), d, expansion_bits) / squared).get());
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b < d; ++b) arb_submul(derivative[a * d + b], gradient_[a], image[b], expansion_bits);
  }
  PreciseBall squares(expansion_bits);
  for (std::size_t k = 0; k < d * d; ++k) {
    arb_mul(derivative[k], derivative[k], factor.get(), expansion_bits);
    arb_addmul(squares.get(), derivative[k], derivative[k], expansion_bits);
  }
  if (!squares.is_finite()) return std::nullopt;
  const double change = upper_double(root(squares).rounded_up(expansion_bits));
  // Of a flow only the rate is asked for, at which curves part: a longer step shows it above what rounds the bound of the norm.
  const double t = rule_.rule == StepRule::flow && change < 0x1p-4 ? std::exp2(std::floor(-4 - std::log2(change + 0x1p-40))) : 1;
  std::vector<double> middles(d * d);
  double spread = 0;  // of the squares of what lies around the middles
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b < d; ++b) {
      arb_ptr entry = derivative[a * d + b];
      PreciseBall longer(expansion_bits);
      arb_set_d(longer.get(), t);
      arb_mul(entry, entry, longer.get(), expansion_bits);
      if (a == b) arb_add_ui(entry, entry, 1, expansion_bits);
      middles[a * d + b] = arf_get_d(arb_midref(entry), ARF_RND_NEAR);
      const double around = mag_get_d(arb_radref(entry)) + std::abs(middles[a * d + b]) * 0x1p-52 + 0x1p-500;
      spread += around * around;
    }
  const double result = (spectral_.of(middles, d) + std::sqrt(spread) * (1 + 0x1p-30)) * (1 + 0x1p-50);
  if (!std::isfinite(result)) return std::nullopt;
  return Bound{t > 1 ? 1 + (result - 1) / t + 0x1p-50 : result, change};
}

}  // namespace attest
