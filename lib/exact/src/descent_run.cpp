#include "descent_run.hpp"

#include "loss_slope.hpp"
#include "row_expansion.hpp"
#include "step_expansion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace attest {
namespace {

constexpr slong known_exactly = std::numeric_limits<slong>::max() / 4;

double log2_of(const mag_t magnitude) {
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
  if (rule.rule == StepRule::constant) return step;
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

/// The ball's numbers for a value that changes by at most `slope` times the distance.
void widen(arb_ptr ball, const PreciseBall& slope, const mag_t distance) {
  mag_t reach;
  mag_init(reach);
  arb_get_mag(reach, slope.get());
  mag_mul(reach, reach, distance);
  arb_add_error_mag(ball, reach);
  mag_clear(reach);
}

/// e >= |p_k - c_k|, the radius of a ball around a centre c_k that is known exactly: a step is enclosed at the centre alone, and stretches
/// the ball by the largest spectral norm of its derivative on it (mean value inequality). Boxes would lose some two bits a step, a ball
/// next to nothing.
class Radius {
 public:
  Radius() { mag_init(value_); }
  Radius(const Radius&) = delete;
  Radius& operator=(const Radius&) = delete;
  ~Radius() { mag_clear(value_); }

  const mag_t& get() const { return value_; }
  slong accuracy() const { return static_cast<slong>(-log2_of(value_)); }

  void stretch(double factor) {
    mag_t other;
    mag_init(other);
    mag_set_d(other, factor);
    mag_mul(value_, value_, other);
    mag_clear(other);
  }
  void add(const mag_t other) { mag_add(value_, value_, other); }
  void add(const PreciseBall& other) {
    mag_t size;
    mag_init(size);
    arb_get_mag(size, other.get());
    add(size);
    mag_clear(size);
  }
  /// A rounding that a checker may have where we had none: what the run loses is then what it loses for everybody.
  void add_unit(slong bits) {
    mag_t unit;
    mag_init(unit);
    mag_set_ui_2exp_si(unit, 1, -bits);
    add(unit);
    mag_clear(unit);
  }
  void widen(arb_ptr ball, const PreciseBall& slope) const { attest::widen(ball, slope, value_); }

 private:
  mag_t value_;
};

class PromptRun final : public EnclosedRun {
 public:
  PromptRun(const LimitRows& rows, const DescentRule& rule, slong bits)
      : rows_(rows), rule_(rule), bits_(bits), p_(rows.dimension()), expansion_(rows.facts(), rule, rows.dimension()) {
    for (std::size_t k = 0; k < rule.start.size(); ++k) set_rational(p_[k], rule.start[k], bits);
    centre();
  }

  slong accuracy() const override { return radius_.accuracy(); }

  LimitIterate<PreciseBall> now() const override {
    LimitIterate<PreciseBall> at = iterate_around(rows_, p_, radius_.get(), std::max(bits_, PreciseBall::clause_bits));
    if (rule_.rule == StepRule::flow && iterate() > 0) allow_for_checkers(at);
    return at;
  }

 private:
  /// What the pieces of a flow leave is no rounding: checkers with bounds of their own get twice the room.
  void allow_for_checkers(LimitIterate<PreciseBall>& at) const {
    for (std::size_t c = 0; c < rows_.count(); ++c) radius_.widen(at.y[c].get(), rows_.figures()->length[c]);
    PreciseBall norm = root(at.norm_squared);
    arb_add_error_mag(norm.get(), radius_.get());
    at.norm_squared = for_clauses(square(norm).get());
  }

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

  /// What rounding left around the new centre goes into the radius.
  void centre() {
    mag_t rounded;
    mag_init(rounded);
    radius_of(rounded, p_);
    radius_.add(rounded);
    mag_clear(rounded);
    radius_.add_unit(bits_);
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
    double nearest_u = std::numeric_limits<double>::infinity();
    expansion_.begin();
    Radius reach;  // of the ball on which the derivative is bounded: the pieces of a flow that begin in the ball stay within their length
    reach.add(radius_.get());
    if (rule_.rule == StepRule::flow) reach.add(PreciseBall(rule_.step, bits_));
    for (Sample& sample : samples_) {
      refer(sample, leader(sample, middle));
      const std::size_t count = sample.gaps.size();
      BallVector u(count);
      BallVector coefficients(count);
      for (std::size_t t = 0; t < count; ++t) arb_dot(u[t], nullptr, 0, sample.rows[t * d], 1, p_.data(), 1, static_cast<slong>(d), bits_);
      for (std::size_t t = 0; t < count; ++t) nearest_u = std::min(nearest_u, arf_get_d(arb_midref(u[t]), ARF_RND_NEAR));
      const Rational& score = (*rows_.facts().scores)[sample.step.index()][*sample.reference];
      if (!sample.step.coefficients(coefficients.data(), u.data(), sample.gaps.data(), count, score, bits_)) return false;
      if (!expansion_.add(sample.rows, sample.gaps, u, score, reach.get())) return false;
      for (std::size_t c = 0; c < d; ++c)
        arb_dot(gradient[c], gradient[c], 0, coefficients.data(), 1, sample.rows[c], static_cast<slong>(d), static_cast<slong>(count),
                bits_);
    }
    const PreciseBall squared = dot(gradient, gradient, bits_);
    if (rule_.rule != StepRule::constant && !note_faintness(-nearest_u / std::numbers::ln2 - log2_of(squared) / 2)) return false;
    const auto factor = step_factor(rule_, squared, bits_);
    const std::optional<StepExpansion::Bound> expansion = expansion_.bound();
    if (!factor || !expansion || !(expansion->stretch <= largest_stretch)) return false;
    for (std::size_t c = 0; c < d; ++c) arb_addmul(p_[c], gradient[c], factor->get(), bits_);
    if (rule_.rule == StepRule::flow)
      follow_curve(*expansion);
    else
      radius_.stretch(expansion->stretch);
    centre();
    return true;
  }

  /// Curves of the flow part by at most exp(h mu), h mu <= |I + hV'| - 1 for the logarithmic norm mu of V', and a piece of one is at most
  /// h/2 times |hV'| away from its tangent's end. [docs/theory.md, Enclosing a run]
  void follow_curve(const StepExpansion::Bound& derivative) {
    PreciseBall parted(bits_);
    arb_set_d(parted.get(), derivative.stretch);
    arb_sub_ui(parted.get(), parted.get(), 1, bits_);
    arb_exp(parted.get(), parted.get(), bits_);
    radius_.stretch(upper_double(parted.rounded_up(bits_)));
    PreciseBall bend(rule_.step, bits_);
    arb_mul_2exp_si(bend.get(), bend.get(), -1);
    PreciseBall change(bits_);
    arb_set_d(change.get(), derivative.change);
    radius_.add(bend * change);
  }

  const LimitRows& rows_;
  const DescentRule& rule_;
  slong bits_;
  BallVector p_;  // the centre
  Radius radius_;
  std::vector<Sample> samples_;
  StepExpansion expansion_;
};

/// The centre is W_0 + sum B_c a_c, its rows' values are y = y(0) + G B, G the products of the rows; the radius is of the Frobenius norm.
/// [docs/theory.md, Enclosing a run]
class WeightRun final : public EnclosedRun {
 public:
  WeightRun(const LimitRows& rows, const DescentRule& rule, slong bits)
      : rows_(rows), rule_(rule), bits_(bits), start_(rows.count()), y_(rows.count()), b_(rows.count()), expansion_(rows, rule) {
    const std::vector<PreciseBall> values = rows.values_at(rule.start, bits);
    for (std::size_t c = 0; c < values.size(); ++c) arb_set(start_[c], values[c].get());
    y_ = start_;
    Rational squares = 0;
    for (const Rational& entry : rule.start) squares += entry * entry;
    start_squared_ = PreciseBall(squares, bits);
    radius_.add_unit(bits);
  }

  slong accuracy() const override { return radius_.accuracy(); }

  LimitIterate<PreciseBall> now() const override {
    const slong precision = std::max(bits_, PreciseBall::clause_bits);
    LimitIterate<PreciseBall> at{{}, for_clauses(start_squared_.get())};
    for (std::size_t c = 0; c < y_.size(); ++c) {
      at.y.push_back(for_clauses(y_[c]));
      if (iterate() > 0) radius_.widen(at.y.back().get(), rows_.figures()->length[c]);
    }
    if (iterate() == 0) return at;
    // |W|^2 = |W_0|^2 + B.(y(0) + y): 2 B.y(0) + B^T G B.
    PreciseBall norm = root(start_squared_ + dot(b_, start_, precision) + dot(b_, y_, precision));
    arb_add_error_mag(norm.get(), radius_.get());
    at.norm_squared = for_clauses(square(norm).get());
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

  BallVector times_products(const BallVector& weights, const BallVector* start) const {
    const std::size_t rows = weights.size();
    BallVector result(rows);
    for (std::size_t c = 0; c < rows; ++c)
      arb_dot(result[c], start != nullptr ? (*start)[c] : nullptr, 0, products_[c * rows], 1, weights.data(), 1, static_cast<slong>(rows),
              bits_);
    return result;
  }

  bool step() override {
    if (products_.size() == 0) make_products();
    const std::optional<double> expansion = expansion_.bound(y_, radius_.get());
    if (!expansion) return false;
    const SvmProgram& program = rows_.program();
    BallVector q(y_.size());
    for (std::size_t k = 0; k < program.samples().size(); ++k) {
      const std::size_t first = program.first_row(k);
      const std::size_t count = program.first_row(k + 1) - first;
      if (count == 0) continue;
      const std::size_t i = program.samples()[k];
      const Rational& score = (*rows_.facts().scores)[i][program.selection()[i]];
      if (!SampleStep(rows_.facts(), i).coefficients(q[first], y_[first], gaps_[first], count, score, bits_)) return false;
    }
    const PreciseBall squared = rule_.rule == StepRule::normalised ? dot(q, times_products(q, nullptr), bits_) : PreciseBall(bits_);
    const auto factor = step_factor(rule_, squared, bits_);
    if (!factor) return false;
    for (std::size_t c = 0; c < q.size(); ++c) arb_addmul(b_[c], q[c], factor->get(), bits_);
    radius_.stretch(*expansion);
    centre();
    y_ = times_products(b_, &start_);
    return true;
  }

  /// What rounding left around the new B_c moves the centre by at most as many |a_c|.
  void centre() {
    mag_t moved;
    mag_init(moved);
    for (std::size_t c = 0; c < b_.size(); ++c) {
      arb_get_mag(moved, rows_.figures()->length[c].get());
      mag_mul(moved, moved, arb_radref(b_[c]));
      radius_.add(moved);
      mag_zero(arb_radref(b_[c]));
    }
    mag_clear(moved);
    radius_.add_unit(bits_);
  }

  const LimitRows& rows_;
  const DescentRule& rule_;
  slong bits_;
  BallVector start_;  // y(0)
  BallVector y_;      // of the centre
  BallVector b_;
  Radius radius_;
  RowExpansion expansion_;
  BallVector products_ = BallVector(0);
  BallVector gaps_ = BallVector(0);
  PreciseBall start_squared_;
};

}  // namespace

LimitIterate<PreciseBall> iterate_around(const LimitRows& rows, const BallVector& centre, const mag_t radius, slong bits) {
  LimitIterate<PreciseBall> at{{}, PreciseBall()};
  for (std::size_t c = 0; c < rows.count(); ++c) {
    at.y.push_back(for_clauses(dot(rows.row(c, bits), centre, bits).get()));
    widen(at.y.back().get(), rows.figures()->length[c], radius);
  }
  PreciseBall norm = sqrt(dot(centre, centre, bits));
  arb_add_error_mag(norm.get(), radius);
  at.norm_squared = for_clauses(square(norm).get());
  return at;
}

bool EnclosedRun::note_faintness(double lost_bits) {
  constexpr double most = 64;  // as far as was tried with both checkers
  too_faint_ = !(lost_bits <= most);
  if (too_faint_) return false;
  faintness_ = std::max(faintness_, static_cast<slong>(std::ceil(lost_bits)));
  return true;
}

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
