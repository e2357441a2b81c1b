#include "attest/exact/descent_limit.hpp"

#include "ball_space.hpp"
#include "basin_clauses.hpp"
#include "certified_run.hpp"
#include "checker_limits.hpp"
#include "descent_run.hpp"
#include "limit_search.hpp"
#include "near_run.hpp"
#include "trained_keys.hpp"

#include <algorithm>

namespace attest {
namespace {

/// Bits after the point that must be known of the iterate a theorem is applied to: more than the 40 that certificates promise.
constexpr slong least_accuracy = 64;
/// The same of a run in doubles: its ball is far smaller than the room that the search leaves in the clauses.
constexpr slong least_near_accuracy = 20;
/// What rho has beyond the least one, where this is so small that roundings in R_0 would matter.
constexpr double least_room_of_rho = 0x1p-50;
constexpr std::size_t iterates_a_look_at_the_clock = 16;

/// A positive number upwards to so many binary digits.
Rational short_above(double value, slong digits) {
  PreciseBall ball;
  arb_set_d(ball.get(), value);
  return ball.rounded_up(digits);
}

/// Whether checkers can follow steps.
bool can_be_repeated(const LimitFacts& facts, const DescentRule& rule) {
  if (rule.parametrisation == Parametrisation::prompt && facts.program->dimension() > checker_limits::largest_dimension) return false;
  if (rule.rule == StepRule::flow && (rule.parametrisation == Parametrisation::weights || rule.step == 0)) return false;
  const auto fits = [&](double size) { return size <= checker_limits::largest_number; };
  const bool weights = rule.parametrisation == Parametrisation::weights;
  for (std::size_t i = 0; i < facts.scores->size(); ++i)
    for (std::size_t t = 0; t < (*facts.scores)[i].size(); ++t) {
      const FractionVector key = left_fractions(*facts.tokens, weights, i, t);
      for (const Integer& entry : key.numerators)
        if (!fits(std::abs(near_double(entry, key.denominator)))) return false;
      if (!fits(std::abs(nearest_double((*facts.scores)[i][t])))) return false;
    }
  return fits(nearest_double(rule.step));
}

/// What closes at an iterate in doubles.
struct Closing {
  LimitBy by;
  double parameter;  // rho or delta
};

class LimitProver {
 public:
  LimitProver(const LimitFacts& facts, const LimitRows& rows, const DescentRule& rule, std::size_t most, const Budget& budget)
      : facts_(facts), rows_(rows), rule_(rule), most_(can_be_repeated(facts, rule) ? most : 0), budget_(budget), doubles_(rows),
        balls_(rows), basin_(rows.program(), *facts.scores),
        regular_(facts.solution->support.size() == facts.solution->multipliers.size() &&
                 !doubles_.solve(std::vector<double>(rows.support_gram().size(), 0)).empty()),
        globally_optimal_(std::ranges::all_of(doubles_.figures().gap_positive, [](bool positive) { return positive; })) {
    const double spectral = regular_ ? doubles_.spectral() : 0;
    regular_ = std::isfinite(spectral) && spectral > 0;
    if (regular_) spectral_ = short_above(spectral, 32);
  }

  LimitOutcome run() {
    const std::optional<std::size_t> first = first_closing();
    if (!first) return not_found();
    return prove_from(*first);
  }

 private:
  /// Flow leaves by far more around its points than rounding does, whatever the bits.
  bool along_curve() const { return rule_.rule == StepRule::flow && most_ > 0; }
  slong accuracy_to_keep() const { return along_curve() ? 1 : least_accuracy; }

  LimitStep<double> double_step() const { return {rule_.rule, nearest_double(rule_.step)}; }
  LimitStep<PreciseBall> ball_step() const { return {rule_.rule, PreciseBall(rule_.step)}; }

  bool basin_applies() {
    if (!globally_optimal_ || rule_.rule == StepRule::normalised) return false;
    if (!step_fits_) step_fits_ = step_within_curvature(facts_, rule_);
    return *step_fits_;
  }

  Closing closes_by(LimitBy by, double parameter) {
    found_ = by;
    return {by, parameter};
  }

  /// The cone first, as it has a rate.
  std::optional<Closing> closing(const LimitIterate<double>& at) {
    step_too_long_ = false;
    if (regular_) {
      const ConeLook look = look_for_cone(doubles_, at, double_step(), nearest_double(spectral_));
      if (look.guess) return closes_by(LimitBy::cone, look.guess->rho);
      step_too_long_ = look.step_too_long;
    }
    if (cone_alone_) return std::nullopt;
    if (globally_optimal_ && rule_.rule != StepRule::normalised && basin_.closes(at.y) && basin_applies())
      return closes_by(LimitBy::basin, 0);
    if (const auto delta = look_for_wedge(doubles_, at, double_step())) return closes_by(LimitBy::wedge, *delta);
    return std::nullopt;
  }

  /// The first iterate of a run in doubles at which something closes. A wedge has no rate: a cone is waited for a while.
  std::optional<std::size_t> first_closing() {
    if (most_ > 0 && rows_.over_weights() && !doubles_.products_fit()) too_large_ = true;
    const Budget share(budget_.seconds_left() / 2);
    DoubleRun run(doubles_, rows_, rule_);
    const std::size_t most = too_large_ ? 0 : most_;
    const std::optional<std::size_t> first = look_along(run, 0, most, share);
    if (!first || !regular_ || found_ != LimitBy::wedge) return first;
    cone_alone_ = true;
    const std::optional<std::size_t> cone = look_along(run, *first, std::min(most, 200 + 4 * *first), share);
    cone_alone_ = cone.has_value();
    return cone ? cone : first;
  }

  /// Looks ever less often, then between two looks. `run` stands at iterate `from` and ends at the last one looked at.
  std::optional<std::size_t> look_along(DoubleRun& run, std::size_t from, std::size_t most, const Budget& share) {
    DoubleRun before = run;  // at iterate `open`
    std::size_t open = from;
    std::size_t next = from;
    for (std::size_t k = from; k <= most; ++k) {
      if (k == next || k == most) {
        if (closing(run.now())) return k == from ? k : between(before, open, k);
        before = run;
        open = k;
        next = k + 1 + k / 4;
      }
      if (k % iterates_a_look_at_the_clock == 0) spent_ = share.spent();
      if (spent_ || (k < most && !run.advance())) break;
    }
    return std::nullopt;
  }

  /// Something closes at iterate `closed`, nothing did at `open`, where `run` stands.
  std::size_t between(DoubleRun run, std::size_t open, std::size_t closed) {
    while (closed - open > 1 && !budget_.spent()) {
      const std::size_t middle = open + (closed - open) / 2;
      DoubleRun there = run;
      for (std::size_t k = open; k < middle; ++k) there.advance();
      if (closing(there.now())) {
        closed = middle;
      } else {
        open = middle;
        run = std::move(there);
      }
    }
    return closed;
  }

  LimitOutcome not_found() const {
    if (spent_) return OpenLimit{LimitObstacle::out_of_time, "no iterate of the run was found to close in the time allowed"};
    if (too_large_) return OpenLimit{LimitObstacle::too_much_work, "there are too many rows for a run over W"};
    if (step_too_long_) return OpenLimit{LimitObstacle::step_too_long, "the steps are too long for the directions to contract"};
    if (!regular_) return OpenLimit{LimitObstacle::dependent_support, "tight rows are dependent or have multiplier 0, and no wedge closes"};
    return OpenLimit{LimitObstacle::not_closed, "at no iterate looked at do the bounds close"};
  }

  bool too_much_work(std::size_t iterate, slong run_bits) const {
    Integer tokens = 0;
    for (const auto& scores : *facts_.scores) tokens += static_cast<unsigned long>(scores.size());
    return run_bits > checker_limits::most_bits ||
           Integer(static_cast<unsigned long>(iterate)) * tokens * run_bits > checker_limits::most_work;
  }

  /// What a checker needs: what the run lost, and more. Its bound of a step's expansion may be 1 + 2^-10 times as large as ours.
  slong certified_bits(const EnclosedRun& run, slong run_bits) const {
    if (along_curve()) return run_bits + 64;
    const slong lost = run_bits - std::min(run_bits, run.accuracy()) + 2 * run.faintness();
    return (120 + lost + lost / 8 + static_cast<slong>(run.iterate() / 512) + 31) / 32 * 32;
  }

  /// A run that is known well enough at an iterate. The first, short of precision, says how fast it is lost.
  std::variant<std::unique_ptr<EnclosedRun>, OpenLimit> reach(std::size_t iterate) {
    for (run_bits_ = 192;;) {
      if (too_much_work(iterate, run_bits_)) return work_refused(iterate);
      auto run = enclose_run(rows_, rule_, run_bits_);
      const EnclosedRun::State state = run->advance_to(iterate, accuracy_to_keep(), budget_);
      if (state == EnclosedRun::State::there) return run;
      if (state == EnclosedRun::State::out_of_time)
        return OpenLimit{LimitObstacle::out_of_time, "the run to iterate " + std::to_string(iterate) + " takes longer than allowed"};
      if (run->is_too_faint()) return OpenLimit{LimitObstacle::not_closed, "the gradient is too faint on the way for a run to be repeated"};
      if (along_curve())
        return OpenLimit{LimitObstacle::not_closed, "the bounds close in floating point, and its curve is not followed so far"};
      const double rate = static_cast<double>(run_bits_ - least_accuracy) / static_cast<double>(run->iterate() + 1);
      const double estimate = 1.1 * rate * static_cast<double>(iterate) + 2 * least_accuracy;
      run_bits_ = std::max(2 * run_bits_, static_cast<slong>(std::min(estimate, 8.0 * static_cast<double>(run_bits_))) / 64 * 64);
    }
  }

  static OpenLimit work_refused(std::size_t iterate) {
    return OpenLimit{LimitObstacle::too_much_work,
                     "the bounds close at iterate " + std::to_string(iterate) + ", but the run to it is more work than a checker takes on"};
  }

  /// By a run in doubles, which is much faster than one in balls and tells enough of most iterates.
  std::optional<ProvedLimit> prove_nearly(std::size_t first) {
    const std::unique_ptr<EnclosedRun> run = first > 0 ? enclose_nearly(rows_, rule_) : nullptr;
    if (!run || run->advance_to(first, least_near_accuracy, budget_) != EnclosedRun::State::there) return std::nullopt;
    return prove_at(*run, near_bits);
  }

  LimitOutcome prove_from(std::size_t first) {
    if (auto proved = prove_nearly(first)) return std::move(*proved);
    auto reached = reach(first);
    if (auto* refused = std::get_if<OpenLimit>(&reached)) return std::move(*refused);
    EnclosedRun& run = *std::get<std::unique_ptr<EnclosedRun>>(reached);
    const int tries = along_curve() ? 32 : 8;
    for (int k = 0; k < tries; ++k) {
      if (budget_.spent()) return OpenLimit{LimitObstacle::out_of_time, "the bounds were not proved in the time allowed"};
      if (too_much_work(run.iterate(), certified_bits(run, run_bits_))) return work_refused(run.iterate());
      if (auto proved = prove_at(run, run_bits_)) return std::move(*proved);
      const std::size_t later = run.iterate() + 1 + run.iterate() / 32;
      if (later > most_ || run.advance_to(later, accuracy_to_keep(), budget_) != EnclosedRun::State::there) break;
    }
    return OpenLimit{LimitObstacle::not_closed, "the bounds close in floating point and are not proved"};
  }

  /// At the iterate where a run stands.
  std::optional<ProvedLimit> prove_at(const EnclosedRun& enclosed, slong run_bits) {
    const std::size_t iterate = enclosed.iterate();
    const slong certified = certified_bits(enclosed, run_bits);
    if (too_much_work(iterate, certified)) return std::nullopt;
    const LimitIterate<PreciseBall> at = enclosed.now();
    LimitIterate<double> middles{{}, at.norm_squared.middle()};
    for (const PreciseBall& value : at.y) middles.y.push_back(value.middle());
    const std::optional<Closing> guess = closing(middles);
    if (!guess) return std::nullopt;
    const auto run = [&] {
      return certify_run(facts_, facts_.solution->multipliers, rule_, rule_.start, iterate, static_cast<std::size_t>(certified));
    };
    switch (guess->by) {
      case LimitBy::basin:
        if (!basin_.holds(at.y)) return std::nullopt;
        return ProvedLimit{LimitBy::basin, iterate, std::nullopt, certified::DescentBasin{run()}};
      case LimitBy::cone: {
        // The least rho has no room for what lies around a point of a curve.
        const std::vector<double> room = along_curve() ? std::vector{1.05, 1.3, 2.0, 4.0} : std::vector{1.0};
        for (const double factor : room) {
          const Rational rho = short_above(factor * guess->parameter + least_room_of_rho, 24);
          if (const std::optional<Rational> rate = cone_rate(at, rho))
            return ProvedLimit{LimitBy::cone, iterate, *rate, certified::DescentCone{run(), *rate, rho, spectral_}};
        }
        return std::nullopt;
      }
      case LimitBy::wedge: {
        const Rational delta = short_above(guess->parameter, 16);
        const PreciseBall opening(delta);
        const auto total = wedge_total(balls_.figures(), at, ball_step(), opening);
        if (!total || !at_most(*total * PreciseBall(clause_slack), PreciseBall(Rational(1 + delta)))) return std::nullopt;
        return ProvedLimit{LimitBy::wedge, iterate, std::nullopt, certified::DescentWedge{run(), delta}};
      }
    }
    return std::nullopt;
  }

  /// C of clause 11 of 4.22, if the others hold.
  std::optional<Rational> cone_rate(const LimitIterate<PreciseBall>& at, const Rational& rho) {
    if (!spectral_holds_) spectral_holds_ = rule_.rule == StepRule::flow || balls_.bounds_spectrum(spectral_);
    const auto frame = cone_frame(balls_, at);
    if (!frame || !*spectral_holds_) return std::nullopt;
    const PreciseBall reach(rho);
    const auto test = ConeClauses<PreciseBall>(balls_.figures(), *frame, ball_step(), PreciseBall(spectral_)).at(reach);
    if (!test || !at_most(test->reach * PreciseBall(clause_slack), reach)) return std::nullopt;
    if (!at_most(test->pull * PreciseBall(clause_slack), PreciseBall(Rational(2)))) return std::nullopt;
    const PreciseBall rate = root(PreciseBall(Rational(2))) * (frame->v + reach) * exactly<PreciseBall>(1 + 0x1p-12);
    if (!rate.is_finite()) return std::nullopt;
    return rate.rounded_up(16);
  }

  const LimitFacts& facts_;
  const LimitRows& rows_;
  const DescentRule& rule_;
  std::size_t most_;
  const Budget& budget_;
  DoubleSpace doubles_;
  BallSpace balls_;
  BasinClauses basin_;
  bool regular_;           // the tight rows are the support, which looks independent
  bool globally_optimal_;  // and the only selection that is
  Rational spectral_ = 1;
  slong run_bits_ = 0;
  std::optional<bool> spectral_holds_;
  std::optional<bool> step_fits_;
  LimitBy found_ = LimitBy::cone;  // what closed last
  bool cone_alone_ = false;        // nothing else is looked for
  bool step_too_long_ = false;
  bool spent_ = false;
  bool too_large_ = false;
};

/// Of a flow the start; then its curve, in ever shorter pieces: what they leave around a point falls with their length.
LimitOutcome prove_flow(const LimitFacts& facts, const LimitRows& rows, const DescentRule& run, std::size_t most, const Budget& budget) {
  LimitOutcome outcome = LimitProver(facts, rows, run, 0, budget).run();
  double longest = 0;
  for (const PreciseBall& length : rows.figures()->length) longest = std::max(longest, length.middle());
  for (const double part : {0x1p-4, 0x1p-7, 0x1p-10}) {
    const double pieces = std::ceil(std::max(1.0, nearest_double(run.step) * longest / part));
    if (std::holds_alternative<ProvedLimit>(outcome) || most == 0 || !(pieces < 0x1p20) || budget.spent()) break;
    DescentRule shorter = run;
    shorter.step = run.step / Rational(Integer(pieces));
    outcome = LimitProver(facts, rows, shorter, most * static_cast<std::size_t>(pieces), budget).run();
    if (auto* proved = std::get_if<ProvedLimit>(&outcome))
      proved->from_iterate = static_cast<std::size_t>(std::ceil(static_cast<double>(proved->from_iterate) / pieces));
  }
  return outcome;
}

}  // namespace

LimitOutcome prove_limit(const LimitFacts& facts, const DescentRule& run, std::size_t most_iterations, const Budget& budget) {
  if (facts.solution->multipliers.empty()) return OpenLimit{LimitObstacle::not_closed, "no sample has a token to leave out"};
  const LimitRows rows(facts);
  if (!rows.figures()) return OpenLimit{LimitObstacle::not_closed, "the slope of the loss is not enclosed at a score"};
  for (const std::size_t row : facts.solution->support)
    if (!rows.figures()->gap_positive[row])
      return OpenLimit{LimitObstacle::not_locally_optimal, "a token whose row is tight does not score less than the selected one"};
  if (run.rule == StepRule::flow) return prove_flow(facts, rows, run, most_iterations, budget);
  return LimitProver(facts, rows, run, most_iterations, budget).run();
}

}  // namespace attest
