#include "near_slopes.hpp"

#include "enclosed.hpp"

namespace attest::check {

namespace {

// Balls have their bits after the point, and slopes may be as small as exp(−100).
constexpr std::int64_t ball_bits = 256;
constexpr std::int64_t interval_bits = 64;
constexpr double widest_ball = 0.125;  // BallArithmetic::exponential refuses 1/4

}  // namespace

NearSlopes::NearSlopes(const Loss& loss, const LossBounds& bounds)
    : loss_(&loss), form_(loss.form()), balls_(ball_bits), arithmetic_(interval_bits),
      range_(arithmetic_.enclose(bounds.lower, bounds.upper)) {}

Near NearSlopes::near(const Ball& x) const {
  Near result = check::near(x.mid, -balls_.bits());
  result.radius = sum_above(result.radius, from_above(x.radius));
  return result;
}

/// Of an expression, and of what is too wide for balls, by its jet: f is a weighted mean of scores, so it lies in the interval of the loss.
SlopePair NearSlopes::at(const Near& f) const {
  if (form_ == LossForm::correlation) return {{1, 0}, {}};
  const Interval x = interval(f);
  const bool narrow = f.radius < widest_ball;
  if (narrow && form_ == LossForm::exponential) {
    const Near power = near(balls_.exponential(balls_.enclose(arithmetic_.negate(x))));
    return {power, power};
  }
  if (narrow && form_ == LossForm::logistic) {
    const Near slope = near(balls_.sigmoid(balls_.enclose(arithmetic_.negate(x))));
    return {slope, slope * (Near{1, 0} - slope)};
  }
  const Jet jet = loss_->jet(intersection({x, arithmetic_}, {range_, arithmetic_}).interval(), arithmetic_);
  return {-check::near(jet.first), check::near(jet.second)};
}

}  // namespace attest::check
