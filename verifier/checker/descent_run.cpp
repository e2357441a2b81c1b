#include "descent_run.hpp"

#include <algorithm>
#include <utility>

#include "step_derivative.hpp"

namespace attest::check {

namespace {

/// −ℓ' on balls inside the loss block's interval, where every f̃ lies.
class Slopes {
 public:
  Slopes(const Loss& loss, const LossBounds& bounds, const BallArithmetic& balls)
      : loss_(&loss), bounds_(&bounds), balls_(&balls), arithmetic_(balls.bits()) {
    if (loss.is_logistic())
      form_ = Form::logistic;
    else if (loss.text() == "exponential")
      form_ = Form::exponential;
    else if (loss.text() == "correlation")
      form_ = Form::correlation;
  }

  [[nodiscard]] Ball at(const Ball& u) const {
    switch (form_) {
      case Form::logistic: return balls_->sigmoid(BallArithmetic::negate(u));
      case Form::exponential: return balls_->exponential(BallArithmetic::negate(u));
      case Form::correlation: return balls_->one();
      case Form::expression: break;
    }
    Interval x = balls_->interval(u);
    const Interval range = arithmetic_.enclose(bounds_->lower, bounds_->upper);
    if (compare(x.lower, range.lower) < 0) x.lower = range.lower;
    if (compare(x.upper, range.upper) > 0) x.upper = range.upper;
    if (compare(x.lower, x.upper) > 0) throw Undefined("a value of the head outside the interval of the loss");
    return balls_->enclose(arithmetic_.negate(loss_->jet(x, arithmetic_).first));
  }

 private:
  enum class Form { logistic, exponential, correlation, expression };

  const Loss* loss_;
  const LossBounds* bounds_;
  const BallArithmetic* balls_;
  Arithmetic arithmetic_;
  Form form_ = Form::expression;
};

/// The logits of one sample as linear forms of the state, and their differences from those of a reference token r.
class SampleForms {
 public:
  /// Token t has the logit Σ_a (numerators[t][a]/denominator) state_a + offsets[t].
  SampleForms(std::vector<std::vector<Integer>> numerators, Integer denominator, std::vector<Rational> offsets,
              const std::vector<Rational>& scores, std::size_t reference, const BallArithmetic& balls)
      : numerators_(std::move(numerators)), denominator_(std::move(denominator)), offsets_(std::move(offsets)), scores_(&scores),
        balls_(&balls), reference_(reference) {
    refer_to(reference);
  }

  [[nodiscard]] std::size_t tokens() const { return offsets_.size(); }
  [[nodiscard]] std::size_t reference() const { return reference_; }
  [[nodiscard]] const LinearForm& form(std::size_t t) const { return forms_[t]; }
  /// γ_ir − γ_it
  [[nodiscard]] const Rational& gap(std::size_t t) const { return gaps_[t]; }
  [[nodiscard]] const Rational& reference_score() const { return (*scores_)[reference_]; }

  /// u_t = logit_r − logit_t for every token.
  [[nodiscard]] std::vector<Ball> differences(const std::vector<Ball>& state) const {
    std::vector<Ball> u(tokens());
    for (std::size_t t = 0; t < tokens(); ++t)
      if (t != reference_) u[t] = BallArithmetic::add(balls_->evaluate(forms_[t], state), shifts_[t]);
    return u;
  }

  /// The same with the token of the largest midpoint logit as reference.
  [[nodiscard]] std::vector<Ball> differences_from_largest(const std::vector<Ball>& state) {
    std::vector<Ball> u = differences(state);
    const auto least = std::min_element(u.begin(), u.end(), [](const Ball& a, const Ball& b) { return a.mid < b.mid; });
    if (least->mid.sign() >= 0) return u;
    refer_to(static_cast<std::size_t>(least - u.begin()));
    return differences(state);
  }

 private:
  void refer_to(std::size_t reference) {
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

  std::vector<std::vector<Integer>> numerators_;
  Integer denominator_;
  std::vector<Rational> offsets_;
  const std::vector<Rational>* scores_;
  const BallArithmetic* balls_;
  std::size_t reference_;
  std::vector<LinearForm> forms_;
  std::vector<Ball> shifts_;
  std::vector<Rational> gaps_;
};

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

/// One step's −∇L, up to a common positive factor: for each sample the weights of k_ir − k_it (t ≠ r), and at r what the formula relative
/// to another token than r needs there, −s_r G.
using TokenWeights = std::vector<std::vector<Ball>>;

/// exp(m − u_t) for every token but the reference of its sample. Normalised steps choose m so that nothing underflows; m = 0 otherwise.
struct Powers {
  std::vector<std::vector<Ball>> values;
  Ball shrink;  ///< exp(−m)
};

/// §4.20 without what differs between p and W: the state is p, or the coefficients B of W = start + Σ B_c a_c.
class Descent {
 public:
  explicit Descent(const RunFacts& facts)
      : facts_(facts), balls_(static_cast<std::int64_t>(facts.bits)), slopes_(facts.problem->loss, facts_.bounds, balls_) {}
  virtual ~Descent() = default;
  Descent(const Descent&) = delete;
  Descent& operator=(const Descent&) = delete;

  RunEnd run() {
    for (std::size_t k = 0; k < facts_.iterations; ++k) advance(powers());
    return end();
  }

 protected:
  /// From the enclosure of p_k to that of p_{k+1}.
  virtual void advance(const Powers& powers) { step(powers); }

  void step(const Powers& powers) {
    const std::vector<Ball> change = direction(token_weights(powers));
    if (facts_.method == Method::constant) {
      for (std::size_t a = 0; a < state_.size(); ++a) state_[a] = BallArithmetic::add(state_[a], balls_.multiply(change[a], facts_.step));
      return;
    }
    const Ball factor = balls_.multiply(balls_.reciprocal(length(change)), facts_.step);
    for (std::size_t a = 0; a < state_.size(); ++a) state_[a] = BallArithmetic::add(state_[a], balls_.multiply(change[a], factor));
  }

  [[nodiscard]] const RunFacts& facts() const { return facts_; }
  [[nodiscard]] const BallArithmetic& balls() const { return balls_; }
  [[nodiscard]] const std::vector<SampleForms>& samples() const { return samples_; }
  [[nodiscard]] std::vector<SampleForms>& samples() { return samples_; }
  [[nodiscard]] std::vector<Ball>& state() { return state_; }

  /// The change of the state along −∇L, and ‖∇L‖².
  [[nodiscard]] virtual std::vector<Ball> direction(const TokenWeights& weights) const = 0;
  [[nodiscard]] virtual Ball norm_squared(const std::vector<Ball>& direction) const = 0;
  [[nodiscard]] virtual RunEnd end() = 0;

 private:
  [[nodiscard]] Ball length(const std::vector<Ball>& change) const {
    const Ball squared = norm_squared(change);
    if (!balls_.positive(squared)) throw Undefined("the gradient is not shown to differ from 0: a run through a stationary point");
    return balls_.root(squared);
  }

  Powers powers() {
    std::vector<std::vector<Ball>> u;
    std::optional<Integer> least;
    for (SampleForms& sample : samples_) {
      u.push_back(sample.differences_from_largest(state_));
      for (std::size_t t = 0; t < u.back().size(); ++t)
        if (t != sample.reference() && (!least || u.back()[t].mid < *least)) least = u.back()[t].mid;
    }
    const Ball shift{facts_.method == Method::normalised && least ? balls_.floor({*least, {}}) * balls_.one().mid : Integer(0), {}};
    Powers powers{std::move(u), balls_.exponential(BallArithmetic::negate(shift))};
    for (std::size_t i = 0; i < samples_.size(); ++i)
      for (std::size_t t = 0; t < samples_[i].tokens(); ++t)
        if (t != samples_[i].reference()) powers.values[i][t] = balls_.exponential(BallArithmetic::subtract(shift, powers.values[i][t]));
    return powers;
  }

  [[nodiscard]] TokenWeights token_weights(const Powers& powers) const {
    TokenWeights weights;
    for (std::size_t i = 0; i < samples_.size(); ++i) weights.push_back(sample_weights(samples_[i], powers.values[i], powers.shrink));
    return weights;
  }

  [[nodiscard]] std::vector<Ball> sample_weights(const SampleForms& sample, const std::vector<Ball>& powers, const Ball& shrink) const {
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

  RunFacts facts_;
  BallArithmetic balls_;
  Slopes slopes_;
  std::vector<SampleForms> samples_;
  std::vector<Ball> state_;
};

/// The state is the centre c_k, and p_k lies within e_k of it. The mean value inequality carries the ball: p_{k+1} = F(p_k) lies within
/// Λ_k e_k of F(c_k). Boxes would turn with the step and lose up to two bits each time.
class VectorDescent : public Descent {
 public:
  explicit VectorDescent(const RunFacts& run)
      : Descent(run), derivative_(run.problem->loss, run.bounds, run.step, run.method == Method::normalised, run.problem->dimension()) {
    const auto keys = keys_of(*run.problem);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto [numerators, denominator] = common(keys[i]);
      samples().emplace_back(std::move(numerators), std::move(denominator), std::vector<Rational>(keys[i].size(), 0), (*run.scores)[i],
                             run.rows->selection()[i], balls());
    }
    for (std::size_t a = 0; a < run.problem->dimension(); ++a) state().push_back(balls().enclose(run.start.front()[a]));
    relative_.resize(samples().size());
    references_.resize(samples().size());
    error_ = taken_radius();
  }

 private:
  void advance(const Powers& powers) override {
    const Radius expansion = radius_above(derivative_.norm_bound(relative_samples(), on_the_ball(powers)));
    step(powers);
    error_ = expansion * error_ + taken_radius();
    if (!below_power(error_, 0)) throw Undefined("the run is not enclosed: the radius is above 1");
  }

  /// ‖radii of the state‖, which becomes a point.
  Radius taken_radius() {
    Radius sum;
    for (Ball& x : state()) {
      sum = sum + x.radius * x.radius;
      x.radius = {};
    }
    return root(sum);
  }

  [[nodiscard]] StepBall on_the_ball(const Powers& powers) const {
    StepBall ball{{}, near(powers.shrink), from_above(error_)};
    for (std::size_t i = 0; i < samples().size(); ++i) {
      auto& values = ball.powers.emplace_back();
      for (std::size_t t = 0; t < samples()[i].tokens(); ++t)
        if (t != samples()[i].reference()) values.push_back(near(powers.values[i][t]));
    }
    return ball;
  }

  [[nodiscard]] Near near(const Ball& x) const {
    Near result = check::near(x.mid, -balls().bits());
    result.radius = sum_above(result.radius, from_above(x.radius));
    return result;
  }

  const std::vector<RelativeSample>& relative_samples() {
    for (std::size_t i = 0; i < samples().size(); ++i) {
      if (references_[i] == samples()[i].reference()) continue;
      references_[i] = samples()[i].reference();
      relative_[i] = relative(samples()[i]);
    }
    return relative_;
  }

  static RelativeSample relative(const SampleForms& sample) {
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

  [[nodiscard]] std::vector<Ball> direction(const TokenWeights& weights) const override {
    std::vector<Ball> sum(facts().problem->dimension());
    for (std::size_t i = 0; i < samples().size(); ++i)
      for (std::size_t a = 0; a < sum.size(); ++a) sum[a] = BallArithmetic::add(sum[a], component(samples()[i], weights[i], a));
    return sum;
  }

  /// Σ_t weight_t (k_ir − k_it)_a
  [[nodiscard]] Ball component(const SampleForms& sample, const std::vector<Ball>& weights, std::size_t a) const {
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

  [[nodiscard]] Ball norm_squared(const std::vector<Ball>& direction) const override {
    Ball sum;
    for (const Ball& x : direction) sum = BallArithmetic::add(sum, balls().square(x));
    return sum;
  }

  /// y_c = a_c·c_K ± ‖a_c‖ e_K, ‖p_K‖² = ‖c_K‖² ± (2‖c_K‖ + e_K) e_K.
  RunEnd end() override {
    RunEnd end;
    for (std::size_t c = 0; c < facts().rows->size(); ++c) {
      const LinearForm row(facts().rows->left(c).numerators, facts().rows->left(c).denominator);
      Radius squared;
      for (const Radius& size : row.sizes) squared = squared + size * size;
      end.values.push_back(widened(balls().evaluate(row, state()), root(squared) * error_));
    }
    for (const Ball& x : state()) end.point.push_back(widened(x, error_));
    const Ball squared = norm_squared(state());
    const Radius length = root(balls().most(squared));
    end.norm_squared = widened(squared, (length + length + error_) * error_);
    return end;
  }

  [[nodiscard]] Interval widened(const Ball& x, const Radius& by) const { return balls().interval({x.mid, x.radius + by}); }

  StepDerivative derivative_;
  std::vector<RelativeSample> relative_;
  std::vector<std::optional<std::size_t>> references_;  // that `relative_` was made for
  Radius error_;                                        // e_k
};

/// W = start + Σ B_c a_c: y = y(0) + 𝒢 B, and no d² numbers but those of start.
class MatrixDescent : public Descent {
 public:
  explicit MatrixDescent(const RunFacts& run) : Descent(run), start_values_(run.rows->values_at(run.start)) {
    const LimitRows& rows = *run.rows;
    std::vector<std::vector<Rational>> gram(rows.size());
    for (std::size_t c = 0; c < rows.size(); ++c)
      for (std::size_t e = 0; e < rows.size(); ++e) gram[c].push_back(e < c ? gram[e][c] : rows.product(c, e));
    for (const auto& products : gram) {
      ScaledVector row = scale(products);
      gram_.emplace_back(std::move(row.numerators), std::move(row.denominator));
    }
    std::size_t c = 0;
    for (std::size_t i = 0; i < run.problem->tokens.size(); ++i) add_sample(i, c);
    state().assign(rows.size(), Ball{});
  }

 private:
  /// The logit of token t ≠ α relative to α is −y_c. `c` is the first row of the sample, and then of the next one.
  void add_sample(std::size_t i, std::size_t& c) {
    const std::size_t tokens = facts().problem->tokens[i].size();
    const std::size_t chosen = facts().rows->selection()[i];
    std::vector<ScaledVector> forms;
    std::vector<Rational> offsets;
    for (std::size_t t = 0; t < tokens; ++t) {
      if (t == chosen) {
        forms.push_back({std::vector<Integer>(facts().rows->size()), 1});
        offsets.emplace_back(0);
        continue;
      }
      forms.push_back({gram_[c].numerators, gram_[c].denominator});
      for (Integer& n : forms.back().numerators) n = -n;
      offsets.emplace_back(-start_values_[c]);
      ++c;
    }
    auto [numerators, denominator] = common(forms);
    samples().emplace_back(std::move(numerators), std::move(denominator), std::move(offsets), (*facts().scores)[i], chosen, balls());
  }

  [[nodiscard]] std::vector<Ball> direction(const TokenWeights& weights) const override {
    std::vector<Ball> q;
    for (std::size_t c = 0; c < facts().rows->size(); ++c) q.push_back(weights[facts().rows->row(c).sample][facts().rows->row(c).token]);
    return q;
  }

  [[nodiscard]] Ball gram_product(std::size_t c, const std::vector<Ball>& x) const { return balls().evaluate(gram_[c], x); }

  [[nodiscard]] Ball norm_squared(const std::vector<Ball>& q) const override {
    Ball sum;
    for (std::size_t c = 0; c < q.size(); ++c) sum = BallArithmetic::add(sum, balls().multiply(q[c], gram_product(c, q)));
    return sum;
  }

  /// ‖W‖² = ‖start‖² + 2 B·y(0) + Bᵀ𝒢B = ‖start‖² + Σ B_c (y_c(0) + y_c).
  RunEnd end() override {
    RunEnd end;
    Rational start_squared = 0;
    for (const ScaledVector& row : facts().start) start_squared += dot(row, row);
    Ball squared = balls().enclose(start_squared);
    for (std::size_t c = 0; c < gram_.size(); ++c) {
      const Ball start = balls().enclose(start_values_[c]);
      const Ball value = BallArithmetic::add(start, gram_product(c, state()));
      end.values.push_back(balls().interval(value));
      squared = BallArithmetic::add(squared, balls().multiply(state()[c], BallArithmetic::add(start, value)));
    }
    end.norm_squared = balls().interval(squared);
    return end;
  }

  std::vector<Rational> start_values_;
  std::vector<LinearForm> gram_;
};

/// No step: the data are exact, whatever the bits.
RunEnd stay(const RunFacts& facts) {
  const Arithmetic arithmetic(std::max<std::int64_t>(256, static_cast<std::int64_t>(facts.bits)));
  RunEnd end;
  for (const Rational& value : facts.rows->values_at(facts.start)) end.values.push_back(arithmetic.enclose(value));
  Rational squared = 0;
  for (const ScaledVector& row : facts.start) squared += dot(row, row);
  end.norm_squared = arithmetic.enclose(squared);
  if (facts.rows->over() == Over::p)
    for (std::size_t a = 0; a < facts.start.front().size(); ++a) end.point.push_back(arithmetic.enclose(facts.start.front()[a]));
  return end;
}

}  // namespace

RunEnd follow_run(const RunFacts& facts) {
  if (facts.iterations == 0) return stay(facts);
  if (facts.rows->over() == Over::p) return VectorDescent(facts).run();
  return MatrixDescent(facts).run();
}

}  // namespace attest::check
