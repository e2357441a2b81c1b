#include "descent_run.hpp"

#include "loss_slope.hpp"
#include "step_expansion.hpp"

#include <algorithm>
#include <limits>

namespace attest {
namespace {

constexpr slong known_exactly = std::numeric_limits<slong>::max() / 4;
/// Bits beyond what is known of the iterate: roundings of a step then add next to nothing to its radius.
constexpr slong guard_bits = 48;

double log2_of(const mag_t magnitude) {
  return mag_is_zero(magnitude) != 0 ? -static_cast<double>(known_exactly) : mag_get_d_log2_approx(magnitude);
}

/// Bits after the point of the least known ball.
slong accuracy_of(const BallVector& balls) {
  double widest = -static_cast<double>(known_exactly);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    if (arb_is_finite(balls[k]) == 0) return -known_exactly;
    widest = std::max(widest, log2_of(arb_radref(balls[k])));
  }
  return static_cast<slong>(-widest);
}

/// The precision that loses nothing of what is known, at most `bits`: what is lost need not be carried.
slong working_bits(const BallVector& balls, slong bits) {
  const slong accuracy = accuracy_of(balls);
  if (accuracy >= bits) return bits;
  double largest = 0;
  mag_t size;
  mag_init(size);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    arb_get_mag(size, balls[k]);
    largest = std::max(largest, log2_of(size));
  }
  mag_clear(size);
  return std::clamp(accuracy + static_cast<slong>(largest) + guard_bits, slong{64}, bits);
}

void add(arb_ptr sum, arb_srcptr term, slong bits) { arb_add(sum, sum, term, bits); }

/// One sample's tokens seen from a token of reference: u_t in, coefficients of the rows in -grad L out.
class SampleStep {
 public:
  SampleStep(const LimitFacts& facts, std::size_t sample) : facts_(&facts), sample_(sample) {}

  /// coefficients_t = (1/n)(-l'(f)) e_t/(1 + E) (gap_t - G), f = gamma_r - G; false if -l' is not enclosed.
  bool coefficients(arb_ptr result, arb_srcptr u, arb_srcptr gaps, std::size_t count, const Rational& score, slong bits) const {
    const auto size = static_cast<slong>(count);
    PreciseBall weights(Rational(1), bits);
    for (std::size_t t = 0; t < count; ++t) {
      arb_neg(result + t, u + t);
      arb_exp(result + t, result + t, bits);
      add(weights.get(), result + t, bits);
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
  std::size_t index() const { return sample_; }

 private:
  const LimitFacts* facts_;
  std::size_t sample_;
};

/// The factor of -grad L in a step; nothing if |grad L| is not shown to be positive.
std::optional<PreciseBall> step_factor(const DescentRule& rule, const PreciseBall& gradient_squared, slong bits) {
  const PreciseBall step(rule.step, bits);
  if (rule.rule != StepRule::normalised) return step;
  if (!gradient_squared.is_positive()) return std::nullopt;
  return step / sqrt(gradient_squared);
}

PreciseBall dot(const BallVector& a, const BallVector& b, slong bits) {
  PreciseBall sum(bits);
  arb_dot(sum.get(), nullptr, 0, a.data(), 1, b.data(), 1, static_cast<slong>(a.size()), bits);
  return sum;
}

PreciseBall for_clauses(arb_srcptr ball) {
  PreciseBall result;
  arb_set_round(result.get(), ball, PreciseBall::clause_bits);
  return result;
}

/// |x| of a vector's radii.
void radius_of(mag_t result, const BallVector& balls) {
  mag_zero(result);
  for (std::size_t k = 0; k < balls.size(); ++k) mag_addmul(result, arb_radref(balls[k]), arb_radref(balls[k]));
  mag_sqrt(result, result);
}

/// A centre c_k and a radius e_k >= |p_k - c_k|: the step is enclosed at the centre alone, and stretches the ball by the largest spectral
/// norm of its derivative on it (mean value inequality). Boxes would lose some two bits a step, a ball next to nothing.
class PromptRun final : public EnclosedRun {
 public:
  PromptRun(const LimitRows& rows, const DescentRule& rule, slong bits)
      : rows_(rows), rule_(rule), bits_(bits), p_(rows.dimension()), expansion_(rows.facts(), rule, rows.dimension()) {
    mag_init(radius_);
    for (std::size_t k = 0; k < rule.start.size(); ++k) set_rational(p_[k], rule.start[k], bits);
    radius_of(radius_, p_);
    add_unit();
    centre();
  }
  ~PromptRun() override { mag_clear(radius_); }

  slong accuracy() const override { return static_cast<slong>(-log2_of(radius_)); }

  LimitIterate<PreciseBall> now() const override {
    const slong precision = std::max(bits_, PreciseBall::clause_bits);
    LimitIterate<PreciseBall> at{{}, PreciseBall()};
    mag_t reach;
    mag_init(reach);
    for (std::size_t c = 0; c < rows_.count(); ++c) {
      arb_get_mag(reach, rows_.figures()->length[c].get());
      mag_mul(reach, reach, radius_);
      at.y.push_back(for_clauses(dot(rows_.row(c, precision), p_, precision).get()));
      arb_add_error_mag(at.y.back().get(), reach);
    }
    mag_clear(reach);
    PreciseBall norm = sqrt(dot(p_, p_, precision));
    arb_add_error_mag(norm.get(), radius_);
    at.norm_squared = for_clauses(square(norm).get());
    return at;
  }

 private:
  struct Sample {
    Sample(const LimitFacts& facts, std::size_t sample, std::size_t dimension) : step(facts, sample) {
      const std::size_t tokens = (*facts.scores)[sample].size();
      for (std::size_t t = 0; t < tokens; ++t) {
        const FractionVector& key = facts.tokens->key(sample, t);
        for (std::size_t c = 0; c < dimension; ++c) keys.push_back(near_double(key.numerators[c], key.denominator));
      }
    }
    SampleStep step;
    std::vector<double> keys;  // by tokens
    std::optional<std::size_t> reference;
    BallVector rows = BallVector(0);  // k_r - k_t, t != r
    BallVector gaps = BallVector(0);
  };

  void centre() {
    for (std::size_t c = 0; c < p_.size(); ++c) mag_zero(arb_radref(p_[c]));
  }

  /// The token whose logit is largest, by doubles: any would do.
  std::size_t leader(const Sample& sample, const std::vector<double>& middle) const {
    const std::size_t d = p_.size();
    std::size_t best = 0;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t * d < sample.keys.size(); ++t) {
      double logit = 0;
      for (std::size_t c = 0; c < d; ++c) logit += sample.keys[t * d + c] * middle[c];
      if (!(logit > largest)) continue;
      largest = logit;
      best = t;
    }
    return best;
  }

  void refer(Sample& sample, std::size_t reference) const {
    if (sample.reference == reference) return;
    const LimitFacts& facts = rows_.facts();
    const std::size_t i = sample.step.index();
    const std::vector<Rational>& scores = (*facts.scores)[i];
    const std::size_t d = p_.size();
    const FractionVector& own = facts.tokens->key(i, reference);
    sample.reference = reference;
    sample.rows = BallVector((scores.size() - 1) * d);
    sample.gaps = BallVector(scores.size() - 1);
    std::size_t at = 0;
    for (std::size_t t = 0; t < scores.size(); ++t) {
      if (t == reference) continue;
      const FractionVector& key = facts.tokens->key(i, t);
      const Integer denominator = own.denominator * key.denominator;
      for (std::size_t c = 0; c < d; ++c)
        set_fraction(sample.rows[at * d + c], Integer(own.numerators[c] * key.denominator - key.numerators[c] * own.denominator),
                     denominator, bits_);
      set_rational(sample.gaps[at], scores[reference] - scores[t], bits_);
      ++at;
    }
  }

  void make_samples() {
    const Scores& scores = *rows_.facts().scores;
    for (std::size_t i = 0; i < scores.size(); ++i)
      if (scores[i].size() > 1) samples_.emplace_back(rows_.facts(), i, rows_.dimension());
  }

  bool step() override {
    if (samples_.empty()) make_samples();
    const std::size_t d = p_.size();
    std::vector<double> middle;
    for (std::size_t c = 0; c < d; ++c) middle.push_back(arf_get_d(arb_midref(p_[c]), ARF_RND_NEAR));
    BallVector gradient(d);  // -grad L at the centre
    expansion_.begin();
    for (Sample& sample : samples_) {
      refer(sample, leader(sample, middle));
      const std::size_t count = sample.gaps.size();
      BallVector u(count);
      BallVector coefficients(count);
      for (std::size_t t = 0; t < count; ++t) arb_dot(u[t], nullptr, 0, sample.rows[t * d], 1, p_.data(), 1, static_cast<slong>(d), bits_);
      const Rational& score = (*rows_.facts().scores)[sample.step.index()][*sample.reference];
      if (!sample.step.coefficients(coefficients.data(), u.data(), sample.gaps.data(), count, score, bits_)) return false;
      if (!expansion_.add(sample.rows, sample.gaps, u, score, radius_)) return false;
      for (std::size_t c = 0; c < d; ++c)
        arb_dot(gradient[c], gradient[c], 0, coefficients.data(), 1, sample.rows[c], static_cast<slong>(d), static_cast<slong>(count),
                bits_);
    }
    const auto factor = step_factor(rule_, dot(gradient, gradient, bits_), bits_);
    const std::optional<double> expansion = expansion_.bound();
    if (!factor || !expansion) return false;
    for (std::size_t c = 0; c < d; ++c) arb_addmul(p_[c], gradient[c], factor->get(), bits_);
    grow(*expansion);
    centre();
    return true;
  }

  /// e_{k+1} = expansion e_k + what rounding left around the new centre.
  void grow(double expansion) {
    mag_t other;
    mag_init(other);
    mag_set_d(other, expansion);
    mag_mul(radius_, radius_, other);
    radius_of(other, p_);
    mag_add(radius_, radius_, other);
    mag_clear(other);
    add_unit();
  }

  /// A rounding that a checker may have where we had none: what the run loses is then what it loses for everybody.
  void add_unit() {
    mag_t unit;
    mag_init(unit);
    mag_set_ui_2exp_si(unit, 1, -bits_);
    mag_add(radius_, radius_, unit);
    mag_clear(unit);
  }

  const LimitRows& rows_;
  const DescentRule& rule_;
  slong bits_;
  BallVector p_;  // the centre
  mag_t radius_;
  std::vector<Sample> samples_;
  StepExpansion expansion_;
};

/// W_k = W_0 + sum B_c(k) a_c: y(k) = y(0) + G B(k), G the products of the rows. [docs/theory.md, Limits of descent]
class WeightRun final : public EnclosedRun {
 public:
  WeightRun(const LimitRows& rows, const DescentRule& rule, slong bits)
      : rows_(rows), rule_(rule), bits_(bits), start_(rows.count()), y_(rows.count()), b_(rows.count()) {
    const std::vector<PreciseBall> values = rows.values_at(rule.start, bits);
    for (std::size_t c = 0; c < values.size(); ++c) arb_set(start_[c], values[c].get());
    y_ = start_;
    Rational squares = 0;
    for (const Rational& entry : rule.start) squares += entry * entry;
    start_squared_ = PreciseBall(squares, bits);
  }

  slong accuracy() const override { return accuracy_of(y_); }

  LimitIterate<PreciseBall> now() const override {
    const slong precision = std::max(bits_, PreciseBall::clause_bits);
    LimitIterate<PreciseBall> at{{}, for_clauses(start_squared_.get())};
    for (std::size_t c = 0; c < y_.size(); ++c) at.y.push_back(for_clauses(y_[c]));
    // |W|^2 = |W_0|^2 + B.(y(0) + y): 2 B.y(0) + B^T G B.
    if (iterate() > 0) at.norm_squared = for_clauses((start_squared_ + dot(b_, start_, precision) + dot(b_, y_, precision)).get());
    return at;
  }

 private:
  void make_products() {
    const std::size_t rows = rows_.count();
    products_ = BallVector(rows * rows);
    for (std::size_t c = 0; c < rows; ++c)
      for (std::size_t e = 0; e <= c; ++e) {
        const PreciseBall product = rows_.product(c, e, bits_);
        arb_set(products_[c * rows + e], product.get());
        arb_set(products_[e * rows + c], product.get());
      }
    gaps_ = BallVector(rows);
    for (std::size_t c = 0; c < rows; ++c) {
      const auto [i, t] = rows_.program().name(c);
      const std::vector<Rational>& scores = (*rows_.facts().scores)[i];
      set_rational(gaps_[c], scores[rows_.program().selection()[i]] - scores[t], bits_);
    }
  }

  BallVector times_products(const BallVector& weights, const BallVector* start, slong bits) const {
    const std::size_t rows = weights.size();
    BallVector result(rows);
    for (std::size_t c = 0; c < rows; ++c)
      arb_dot(result[c], start != nullptr ? (*start)[c] : nullptr, 0, products_[c * rows], 1, weights.data(), 1, static_cast<slong>(rows),
              bits);
    return result;
  }

  bool step() override {
    const SvmProgram& program = rows_.program();
    if (products_.size() == 0) make_products();
    const slong bits = working_bits(y_, bits_);
    BallVector q(y_.size());
    for (std::size_t k = 0; k < program.samples().size(); ++k) {
      const std::size_t first = program.first_row(k);
      const std::size_t count = program.first_row(k + 1) - first;
      if (count == 0) continue;
      const std::size_t i = program.samples()[k];
      const Rational& score = (*rows_.facts().scores)[i][program.selection()[i]];
      if (!SampleStep(rows_.facts(), i).coefficients(q[first], y_[first], gaps_[first], count, score, bits)) return false;
    }
    const PreciseBall squared = rule_.rule == StepRule::normalised ? dot(q, times_products(q, nullptr, bits), bits) : PreciseBall(bits);
    const auto factor = step_factor(rule_, squared, bits);
    if (!factor) return false;
    for (std::size_t c = 0; c < q.size(); ++c) arb_addmul(b_[c], q[c], factor->get(), bits);
    y_ = times_products(b_, &start_, bits);
    return true;
  }

  const LimitRows& rows_;
  const DescentRule& rule_;
  slong bits_;
  BallVector start_;  // y(0)
  BallVector y_;
  BallVector b_;
  BallVector products_ = BallVector(0);
  BallVector gaps_ = BallVector(0);
  PreciseBall start_squared_;
};

}  // namespace

EnclosedRun::State EnclosedRun::advance_to(std::size_t iterate, slong least_accuracy, const Budget& budget) {
  while (iterate_ < iterate) {
    if (budget.spent()) return State::out_of_time;
    if (!step() || accuracy() < least_accuracy) return State::imprecise;
    ++iterate_;
  }
  return State::there;
}

std::unique_ptr<EnclosedRun> enclose_run(const LimitRows& rows, const DescentRule& rule, slong bits) {
  if (rows.over_weights()) return std::make_unique<WeightRun>(rows, rule, bits);
  return std::make_unique<PromptRun>(rows, rule, bits);
}

}  // namespace attest
