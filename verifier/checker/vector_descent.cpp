#include "vector_descent.hpp"

namespace attest::check {

namespace {

RelativeSample relative(const SampleForms& sample) {
  RelativeSample result{{}, {}, {}, check::near(sample.reference_score())};
  for (std::size_t t = 0; t < sample.tokens(); ++t) {
    if (t == sample.reference()) continue;
    const LinearForm& form = sample.form(t);
    auto& difference = result.differences.emplace_back();
    for (const Integer& n : form.numerators) difference.push_back(check::near(Rational(n, form.denominator)));
    result.lengths.push_back(norm_above(difference));
    result.gaps.push_back(check::near(sample.gap(t)));
  }
  return result;
}

}  // namespace

VectorDescent::VectorDescent(const RunFacts& run)
    : Descent(run), derivative_(run.problem->loss, run.bounds, run.step, run.method != Method::constant, run.problem->dimension()) {
  const auto keys = keys_of(*run.problem);
  for (std::size_t i = 0; i < keys.size(); ++i)
    samples().emplace_back(keys[i], std::vector<Rational>(keys[i].size(), 0), (*run.scores)[i], run.rows->selection()[i], balls());
  for (std::size_t a = 0; a < run.problem->dimension(); ++a) state().push_back(balls().enclose(run.start.front()[a]));
  relative_.resize(samples().size());
  references_.resize(samples().size());
  take_radii();
}

Carry VectorDescent::carry(const StepBall& ball) {
  for (std::size_t i = 0; i < samples().size(); ++i) {
    if (references_[i] == samples()[i].reference()) continue;
    references_[i] = samples()[i].reference();
    relative_[i] = relative(samples()[i]);
  }
  if (facts().method != Method::flow) return {derivative_.stretch(relative_, ball), 0};
  return carried_by_flow(derivative_.curve(relative_, ball), facts().step);
}

/// ‖radii‖
Radius VectorDescent::taken_radius() {
  Radius sum;
  for (Ball& x : state()) {
    sum = sum + x.radius * x.radius;
    x.radius = {};
  }
  return root(sum);
}

std::vector<Ball> VectorDescent::direction(const TokenWeights& weights) const {
  std::vector<Ball> sum(facts().problem->dimension());
  for (std::size_t i = 0; i < samples().size(); ++i)
    for (std::size_t a = 0; a < sum.size(); ++a) sum[a] = BallArithmetic::add(sum[a], component(samples()[i], weights[i], a));
  return sum;
}

/// Σ_t weight_t (k_ir − k_it)_a
Ball VectorDescent::component(const SampleForms& sample, const std::vector<Ball>& weights, std::size_t a) const {
  Integer sum = 0;
  Ball result;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    const LinearForm& form = sample.form(t);
    if (t == sample.reference() || form.numerators[a].is_zero()) continue;
    mpz_addmul(sum.backend().data(), weights[t].mid.backend().data(), form.numerators[a].backend().data());
    result.radius = result.radius + form.sizes[a] * weights[t].radius;
  }
  if (!sum.is_zero()) {
    mpz_fdiv_q(result.mid.backend().data(), sum.backend().data(), sample.form(0).denominator.backend().data());
    result.radius = result.radius + Radius{1, -balls().bits()};
  }
  return result;
}

Ball VectorDescent::norm_squared(const std::vector<Ball>& direction) const {
  Ball sum;
  for (const Ball& x : direction) sum = BallArithmetic::add(sum, balls().square(x));
  return sum;
}

/// y_c = a_c·c_K ± ‖a_c‖ e_K, ‖p_K‖² = ‖c_K‖² ± (2‖c_K‖ + e_K) e_K.
RunEnd VectorDescent::end() {
  RunEnd end;
  for (std::size_t c = 0; c < facts().rows->size(); ++c) {
    const LinearForm row(facts().rows->left(c).numerators, facts().rows->left(c).denominator);
    Radius squared;
    for (const Radius& size : row.sizes) squared = squared + size * size;
    end.values.push_back(widened(balls().evaluate(row, state()), root(squared) * error()));
  }
  for (const Ball& x : state()) end.point.push_back(widened(x, error()));
  const Ball squared = norm_squared(state());
  const Radius length = root(balls().most(squared));
  end.norm_squared = widened(squared, (length + length + error()) * error());
  return end;
}

}  // namespace attest::check
