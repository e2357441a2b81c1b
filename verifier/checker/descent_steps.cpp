#include "descent_steps.hpp"

#include <algorithm>
#include <tuple>

namespace attest::check {

namespace {

/// Vectors over one common denominator.
std::pair<std::vector<std::vector<Integer>>, Integer> common(const std::vector<ScaledVector>& vectors) {
  Integer denominator = 1;
  for (const ScaledVector& vector : vectors) denominator = lcm(denominator, vector.denominator);
  std::vector<std::vector<Integer>> numerators;
  for (const ScaledVector& vector : vectors) {
    auto& row = numerators.emplace_back();
    const Integer factor = denominator / vector.denominator;
    for (const Integer& n : vector.numerators) row.emplace_back(n * factor);
  }
  return {std::move(numerators), std::move(denominator)};
}

}  // namespace

RunSlopes::RunSlopes(const Loss& loss, const LossBounds& bounds, const BallArithmetic& balls)
    : loss_(&loss), form_(loss.form()), bounds_(&bounds), balls_(&balls), arithmetic_(balls.bits()) {}

Ball RunSlopes::at(const Ball& u) const {
  switch (form_) {
    case LossForm::logistic: return balls_->sigmoid(BallArithmetic::negate(u));
    case LossForm::exponential: return balls_->exponential(BallArithmetic::negate(u));
    case LossForm::correlation: return balls_->one();
    case LossForm::expression: break;
  }
  Interval x = balls_->interval(u);
  const Interval range = arithmetic_.enclose(bounds_->lower, bounds_->upper);
  if (compare(x.lower, range.lower) < 0) x.lower = range.lower;
  if (compare(x.upper, range.upper) > 0) x.upper = range.upper;
  if (compare(x.lower, x.upper) > 0) throw Undefined("a value of the head outside the interval of the loss");
  return balls_->enclose(arithmetic_.negate(loss_->jet(x, arithmetic_).first));
}

SampleForms::SampleForms(const std::vector<ScaledVector>& forms, std::vector<Rational> offsets, const std::vector<Rational>& scores,
                         std::size_t reference, const BallArithmetic& balls)
    : offsets_(std::move(offsets)), scores_(&scores), balls_(&balls), reference_(reference) {
  std::tie(numerators_, denominator_) = common(forms);
  refer_to(reference);
}

std::vector<Ball> SampleForms::differences(const std::vector<Ball>& state) const {
  std::vector<Ball> u(tokens());
  for (std::size_t t = 0; t < tokens(); ++t)
    if (t != reference_) u[t] = BallArithmetic::add(balls_->evaluate(forms_[t], state), shifts_[t]);
  return u;
}

std::vector<Ball> SampleForms::differences_from_largest(const std::vector<Ball>& state) {
  std::vector<Ball> u = differences(state);
  const auto least = std::min_element(u.begin(), u.end(), [](const Ball& a, const Ball& b) { return a.mid < b.mid; });
  if (least->mid.sign() >= 0) return u;
  refer_to(static_cast<std::size_t>(least - u.begin()));
  return differences(state);
}

void SampleForms::refer_to(std::size_t reference) {
  reference_ = reference;
  forms_.clear();
  shifts_.clear();
  gaps_.clear();
  for (std::size_t t = 0; t < tokens(); ++t) {
    std::vector<Integer> difference;
    for (std::size_t a = 0; a < numerators_[t].size(); ++a) difference.emplace_back(numerators_[reference][a] - numerators_[t][a]);
    forms_.emplace_back(std::move(difference), denominator_);
    shifts_.push_back(balls_->enclose(Rational(offsets_[reference] - offsets_[t])));
    gaps_.emplace_back((*scores_)[reference] - (*scores_)[t]);
  }
}

Descent::Descent(const RunFacts& facts)
    : facts_(facts), balls_(static_cast<std::int64_t>(facts.bits)), slopes_(facts.problem->loss, facts_.bounds, balls_) {}

RunEnd Descent::run() {
  for (std::size_t k = 0; k < facts_.iterations; ++k) advance();
  return end();
}

/// From the enclosure of p_k to that of p_{k+1}.
void Descent::advance() {
  const Powers at = powers();
  const Carry next = carry(on_the_ball(at));
  step(at);
  error_ = radius_above(next.stretch) * error_ + radius_above(next.offset);
  take_radii();
  if (!below_power(error_, 0)) throw Undefined("the run is not enclosed: the radius is above 1");
}

void Descent::step(const Powers& powers) {
  const std::vector<Ball> change = direction(token_weights(powers));
  if (facts_.method == Method::constant) {
    for (std::size_t a = 0; a < state_.size(); ++a) state_[a] = BallArithmetic::add(state_[a], balls_.multiply(change[a], facts_.step));
    return;
  }
  const Ball factor = balls_.multiply(balls_.reciprocal(length(change)), facts_.step);
  for (std::size_t a = 0; a < state_.size(); ++a) state_[a] = BallArithmetic::add(state_[a], balls_.multiply(change[a], factor));
}

Ball Descent::length(const std::vector<Ball>& change) const {
  const Ball squared = norm_squared(change);
  if (!balls_.positive(squared)) throw Undefined("the gradient is not shown to differ from 0: a run through a stationary point");
  return balls_.root(squared);
}

Powers Descent::powers() {
  std::vector<std::vector<Ball>> u;
  std::optional<Integer> least;
  for (SampleForms& sample : samples_) {
    u.push_back(sample.differences_from_largest(state_));
    for (std::size_t t = 0; t < u.back().size(); ++t)
      if (t != sample.reference() && (!least || u.back()[t].mid < *least)) least = u.back()[t].mid;
  }
  const Ball shift{facts_.method != Method::constant && least ? balls_.floor({*least, {}}) * balls_.one().mid : Integer(0), {}};
  Powers powers{std::move(u), balls_.exponential(BallArithmetic::negate(shift))};
  for (std::size_t i = 0; i < samples_.size(); ++i)
    for (std::size_t t = 0; t < samples_[i].tokens(); ++t)
      if (t != samples_[i].reference()) powers.values[i][t] = balls_.exponential(BallArithmetic::subtract(shift, powers.values[i][t]));
  return powers;
}

TokenWeights Descent::token_weights(const Powers& powers) const {
  TokenWeights weights;
  for (std::size_t i = 0; i < samples_.size(); ++i) weights.push_back(sample_weights(samples_[i], powers.values[i], powers.shrink));
  return weights;
}

std::vector<Ball> Descent::sample_weights(const SampleForms& sample, const std::vector<Ball>& powers, const Ball& shrink) const {
  std::vector<Ball> weights(sample.tokens());
  if (sample.tokens() < 2) return weights;
  Ball sum;
  Ball weighted;
  for (std::size_t t = 0; t < powers.size(); ++t) {
    if (t == sample.reference()) continue;
    sum = BallArithmetic::add(sum, powers[t]);
    weighted = BallArithmetic::add(weighted, balls_.multiply(powers[t], sample.gap(t)));
  }
  const Ball inverse = balls_.reciprocal(BallArithmetic::add(balls_.one(), balls_.multiply(shrink, sum)));  // s_r = 1/(1 + E)
  const Ball loss_grown = balls_.multiply(weighted, inverse);                                               // exp(m) G
  const Ball loss = balls_.multiply(shrink, loss_grown);                                                    // G
  const Ball slope = slopes_.at(BallArithmetic::subtract(balls_.enclose(sample.reference_score()), loss));
  const Ball factor = balls_.multiply(balls_.multiply(slope, inverse), Rational(1, samples_.size()));
  for (std::size_t t = 0; t < powers.size(); ++t)
    weights[t] = t == sample.reference()
                     ? BallArithmetic::negate(balls_.multiply(factor, loss_grown))
                     : balls_.multiply(balls_.multiply(factor, powers[t]), BallArithmetic::subtract(balls_.enclose(sample.gap(t)), loss));
  return weights;
}

StepBall Descent::on_the_ball(const Powers& powers) const {
  StepBall ball{{}, near(powers.shrink), reach()};
  for (std::size_t i = 0; i < samples().size(); ++i) {
    auto& values = ball.powers.emplace_back();
    for (std::size_t t = 0; t < samples()[i].tokens(); ++t)
      if (t != samples()[i].reference()) values.push_back(near(powers.values[i][t]));
  }
  return ball;
}

/// How far from the centre F' matters: curves of the flow, of unit speed, leave the ball by at most the length of a piece.
double Descent::reach() const {
  const double error = from_above(error_);
  return facts_.method == Method::flow ? sum_above(error, size(check::near(facts_.step))) : error;
}

Near Descent::near(const Ball& x) const {
  Near result = check::near(x.mid, -balls().bits());
  result.radius = sum_above(result.radius, from_above(x.radius));
  return result;
}

}  // namespace attest::check
