#include "basin_clauses.hpp"

#include "curvature_bound.hpp"
#include "loss_slope.hpp"

#include <algorithm>
#include <limits>

namespace attest {

BasinClauses::BasinClauses(const SvmProgram& program, const Scores& all_scores) : loss_(program.problem().loss) {
  for (std::size_t k = 0; k < program.samples().size(); ++k) {
    if (program.first_row(k) == program.first_row(k + 1)) continue;
    const std::size_t i = program.samples()[k];
    const std::vector<Rational>& scores = all_scores[i];
    const Rational& best = scores[program.selection()[i]];
    std::optional<Rational> second;
    for (std::size_t t = 0; t < scores.size(); ++t)
      if (t != program.selection()[i] && (!second || scores[t] > *second)) second = scores[t];
    samples_.push_back({best, *std::ranges::min_element(scores), *second, {}, {}});
    for (std::size_t c = program.first_row(k); c < program.first_row(k + 1); ++c) {
      samples_.back().gaps.emplace_back(Rational(best - scores[program.name(c).token]));
      samples_.back().images.push_back(samples_.back().gaps.back().middle());
    }
  }
}

template <class Number>
std::vector<Number> BasinClauses::mean_gaps(const std::vector<Number>& y, std::vector<Number> Sample::*gaps) const {
  std::vector<Number> means;
  std::size_t c = 0;
  for (const Sample& sample : samples_) {
    Number weights = exactly<Number>(1);
    Number lost = exactly<Number>(0);
    for (const Number& gap : sample.*gaps) {
      const Number weight = exp(-y[c++]);
      weights += weight;
      lost += weight * gap;
    }
    means.push_back(lost / weights);
  }
  return means;
}

bool BasinClauses::closes(const std::vector<double>& y) const {
  const std::vector<double> gaps = mean_gaps(y, &Sample::images);
  double excess = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const double best = nearest_double(samples_[i].best);
    const double own = evaluate(loss_, best).value;
    excess += evaluate(loss_, best - gaps[i]).value - own;
    least = std::min(least, evaluate(loss_, nearest_double(samples_[i].second)).value - own);
  }
  return excess * (1 + 0x1p-18) < least;
}

bool BasinClauses::holds(const std::vector<PreciseBall>& y) const {
  const std::vector<PreciseBall> gaps = mean_gaps(y, &Sample::gaps);
  PreciseBall excess;
  std::vector<PreciseBall> steps;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const auto& [best, worst, second, rows, images] = samples_[i];
    const auto own = enclose_slope(loss_.expression(), PreciseBall(best));
    const auto here = enclose_slope(loss_.expression(), within(PreciseBall(best) - gaps[i], worst, best));
    const auto there = enclose_slope(loss_.expression(), PreciseBall(second));
    if (!own || !here || !there) return false;
    excess += here->value - own->value;
    steps.push_back(there->value - own->value);
  }
  excess = excess * PreciseBall(clause_slack);
  return std::ranges::all_of(steps, [&](const PreciseBall& step) { return below(excess, step); });
}

bool step_within_curvature(const LimitFacts& facts, const DescentRule& rule) {
  if (rule.rule == StepRule::flow) return true;
  if (!(rule.step > 0)) return false;  // steps of length 0 go nowhere
  const PreciseBall product = PreciseBall(rule.step) * PreciseBall(clause_slack) * curvature_bound(facts, rule.parametrisation);
  return rule.rule == StepRule::constant && below(product, PreciseBall(Rational(2)));
}

}  // namespace attest
