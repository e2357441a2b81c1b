#include "checker_limits.hpp"
#include "descent_run.hpp"
#include "run_step.hpp"
#include "step_expansion.hpp"
#include "trained_keys.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace attest {
namespace {

/// |x| of a vector's radii.
void radius_of(mag_t result, const BallVector& balls) {
  mag_zero(result);
  for (std::size_t k = 0; k < balls.size(); ++k) mag_addmul(result, arb_radref(balls[k]), arb_radref(balls[k]));
  mag_sqrt(result, result);
}

class PromptRun final : public EnclosedRun {
 public:
  PromptRun(const LimitRows& rows, const DescentRule& rule, slong bits)
      : rows_(rows), rule_(rule), bits_(bits), p_(rows.dimension()), expansion_(rows.facts(), rule, rows.dimension()) {
    for (std::size_t k = 0; k < rule.start.size(); ++k) set_rational(p_[k], rule.start[k], bits);
    centre();
  }

  slong accuracy() const override { return radius_.accuracy(); }

  LimitIterate<PreciseBall> now() const override {
    RunRadius reach;
    reach.add(radius_.get());
    if (iterate() > 0) allow_for_checkers(reach);
    return iterate_around(rows_, p_, reach.get(), std::max(bits_, PreciseBall::clause_bits));
  }

 private:
  /// What the pieces of a flow leave is no rounding: checkers with bounds of their own get twice the room.
  void allow_for_checkers(RunRadius& reach) const {
    if (rule_.rule == StepRule::flow)
      reach.add(radius_.get());
    else
      reach.add_unit(bits_for_checkers);
  }

  struct Sample {
    Sample(const LimitFacts& facts, std::size_t sample, std::size_t dimension) : step(facts, sample) {
      const std::size_t tokens = (*facts.scores)[sample].size();
      for (std::size_t t = 0; t < tokens; ++t) {
        const FractionVector key = left_fractions(*facts.tokens, false, sample, t);
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
    const FractionVector own = left_fractions(*facts.tokens, false, i, reference);
    sample.reference = reference;
    sample.rows = BallVector((scores.size() - 1) * d);
    sample.gaps = BallVector(scores.size() - 1);
    std::size_t at = 0;
    for (std::size_t t = 0; t < scores.size(); ++t) {
      if (t == reference) continue;
      const FractionVector key = left_fractions(*facts.tokens, false, i, t);
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
    RunRadius reach;
    take_reach(reach);
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
    if (!factor || !expansion || !(expansion->stretch <= checker_limits::largest_stretch)) return false;
    for (std::size_t c = 0; c < d; ++c) arb_addmul(p_[c], gradient[c], factor->get(), bits_);
    if (rule_.rule == StepRule::flow)
      follow_curve(*expansion);
    else
      radius_.stretch(expansion->stretch);
    centre();
    return true;
  }

  /// Of the ball on which the derivative is bounded. The pieces of a flow that begin in the ball stay within their length. Four times as
  /// far is room for checkers: where tokens tie their reference may be another, with rows up to twice as long, and their enclosures
  /// coarser.
  void take_reach(RunRadius& reach) const {
    reach.add(radius_.get());
    if (rule_.rule != StepRule::flow) return;
    reach.add(PreciseBall(rule_.step, bits_));
    reach.stretch(4);
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
  RunRadius radius_;
  std::vector<Sample> samples_;
  StepExpansion expansion_;
};

}  // namespace

std::unique_ptr<EnclosedRun> enclose_prompt_run(const LimitRows& rows, const DescentRule& rule, slong bits) {
  return std::make_unique<PromptRun>(rows, rule, bits);
}

}  // namespace attest
