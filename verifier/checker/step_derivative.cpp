#include "step_derivative.hpp"

#include "spectral.hpp"

namespace attest::check {

namespace {

void add_near_multiple(std::vector<Near>& to, const Near& factor, const std::vector<Near>& from, std::size_t begin = 0) {
  for (std::size_t a = begin; a < to.size(); ++a) to[a] += factor * from[a];
}

Near near_dot(const std::vector<Near>& x, const std::vector<Near>& y) {
  Near sum;
  for (std::size_t a = 0; a < x.size(); ++a) sum += x[a] * y[a];
  return sum;
}

/// exp(m − u_t) on the ball: u_t moves by at most ‖d_t‖ times its radius.
std::vector<Near> on_the_ball(const std::vector<Near>& powers, const RelativeSample& sample, double radius) {
  std::vector<Near> result;
  for (std::size_t t = 0; t < powers.size(); ++t) result.push_back(spread(powers[t], product_above(sample.lengths[t], radius)));
  return result;
}

}  // namespace

/// Curves of dp/ds = V(p) part at most by the factor exp(h μ) in a piece, μ the largest logarithmic norm of V' on the ball, and
/// h μ ≤ (‖I + t h V'‖ − 1)/t for every t > 0. From its tangent c + h V(c) the curve from the centre bends away by at most (h²/2) ‖V'‖.
Carry carried_by_flow(const CurveNorms& norms, const Rational& length) {
  constexpr std::int64_t bits = 64;
  const Near growth = near(Arithmetic(bits).exponential(interval(Near{norms.parting, 0})));
  return {size(growth), product_above(size(near(length)) / 2, norms.turn)};
}

StepDerivative::StepDerivative(const Loss& loss, const LossBounds& bounds, const Rational& step, bool normalised, std::size_t dimension)
    : slopes_(loss, bounds), step_(check::near(step)), normalised_(normalised), dimension_(dimension) {}

std::vector<std::vector<Near>> StepDerivative::change(const std::vector<RelativeSample>& samples, const StepBall& ball) const {
  Gradient gradient{std::vector<Near>(dimension_), {}};
  gradient.derivative.assign(dimension_, std::vector<Near>(dimension_));
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (!samples[i].gaps.empty()) add(gradient, samples[i], on_the_ball(ball.powers[i], samples[i], ball.radius), ball.shrink);
  for (std::size_t r = 0; r < dimension_; ++r)
    for (std::size_t c = 0; c < r; ++c) gradient.derivative[r][c] = gradient.derivative[c][r];
  if (normalised_) turn(gradient);
  const Near factor = normalised_ ? step_ * reciprocal(root(near_dot(gradient.direction, gradient.direction)))
                                  : step_ * check::near(Rational(1, samples.size()));
  for (auto& row : gradient.derivative)
    for (Near& entry : row) entry = factor * entry;
  return std::move(gradient.derivative);
}

double StepDerivative::stretch(const std::vector<RelativeSample>& samples, const StepBall& ball) {
  return spectral_bound(change(samples, ball), 1);
}

/// t is the largest power of 2 with t N ≤ 2^−4, or 1.
CurveNorms StepDerivative::curve(const std::vector<RelativeSample>& samples, const StepBall& ball) {
  const auto matrix = change(samples, ball);
  std::vector<Near> entries;
  for (const auto& row : matrix) entries.insert(entries.end(), row.begin(), row.end());
  const double turn = norm_above(entries);
  double t = 1;
  while (2 * t * turn <= 0x1p-4 && t < 0x1p40) t *= 2;
  const Near parting = (Near{spectral_bound(matrix, t), 0} - Near{1, 0}) * Near{1 / t, 0};
  return {sum_above(std::fabs(parting.mid), parting.radius), turn};
}

/// With s, D, φ, a as in §4.20, each e^m times: −ℓ''φφᵀ − ℓ'(Dφᵀ + φDᵀ) = yφᵀ + φyᵀ with y = e^−m(−ℓ' D − ℓ''/2 φ).
void StepDerivative::add(Gradient& gradient, const RelativeSample& sample, const std::vector<Near>& powers, const Near& shrink) const {
  Near sum;
  Near weighted;
  for (std::size_t t = 0; t < powers.size(); ++t) {
    sum += powers[t];
    weighted += powers[t] * sample.gaps[t];
  }
  const Near inverse = reciprocal(Near{1, 0} + shrink * sum);
  const Near loss = shrink * weighted * inverse;  // G
  const auto [slope, bend] = slopes_.at(sample.score - loss);
  std::vector<Near> phi(dimension_);
  std::vector<Near> mean(dimension_);
  for (std::size_t t = 0; t < powers.size(); ++t) {
    const Near share = powers[t] * inverse;
    const Near weight = share * (sample.gaps[t] - loss);
    const std::vector<Near>& difference = sample.differences[t];
    add_near_multiple(mean, share, difference);
    add_near_multiple(phi, weight, difference);
    const Near back = -(slope * weight);
    for (std::size_t r = 0; r < dimension_; ++r) add_near_multiple(gradient.derivative[r], back * difference[r], difference, r);
  }
  add_near_multiple(gradient.direction, slope, phi);
  std::vector<Near> turn(dimension_);
  add_near_multiple(turn, shrink * slope, mean);
  add_near_multiple(turn, -(shrink * bend * Near{0.5, 0}), phi);
  for (std::size_t r = 0; r < dimension_; ++r) {
    add_near_multiple(gradient.derivative[r], turn[r], phi, r);
    add_near_multiple(gradient.derivative[r], phi[r], turn, r);
  }
}

/// J becomes (I − ggᵀ/‖g‖²)J = J − g(Jg)ᵀ/‖g‖².
void StepDerivative::turn(Gradient& gradient) const {
  const std::vector<Near>& g = gradient.direction;
  const Near squared = near_dot(g, g);
  if (!(squared.mid - squared.radius > 0)) throw Undefined("the gradient is not shown to differ from 0 on the ball around the run");
  const Near inverse = reciprocal(squared);
  std::vector<Near> image;
  for (const auto& row : gradient.derivative) image.push_back(near_dot(row, g) * inverse);
  for (std::size_t r = 0; r < dimension_; ++r) add_near_multiple(gradient.derivative[r], -g[r], image);
}

/// Of I + t A, A the change: ‖M + E‖ ≤ ‖M‖ + ‖E‖_F, M the midpoints.
double StepDerivative::spectral_bound(const std::vector<std::vector<Near>>& change, double t) {
  SquareMatrix mids(dimension_);
  std::vector<Near> radii;
  for (std::size_t r = 0; r < dimension_; ++r)
    for (std::size_t c = 0; c < dimension_; ++c) {
      const Near entry = Near{t, 0} * change[r][c] + Near{r == c ? 1.0 : 0.0, 0};
      mids.row(r)[c] = entry.mid;
      radii.push_back({entry.radius, 0});
    }
  return sum_above(SpectralNorm(mids).bound(guess_), norm_above(radii));
}

}  // namespace attest::check
