#include "basin_clauses.hpp"

#include "loss_slope.hpp"

#include <algorithm>
#include <limits>

namespace attest {

BasinClauses::BasinClauses(const LimitRows& rows) : loss_(rows.program().problem().loss) {
  const SvmProgram& program = rows.program();
  for (std::size_t k = 0; k < program.samples().size(); ++k) {
    if (program.first_row(k) == program.first_row(k + 1)) continue;
    const std::size_t i = program.samples()[k];
    const std::vector<Rational>& scores = (*rows.facts().scores)[i];
    const Rational& best = scores[program.selection()[i]];
    std::optional<Rational> second;
    for (std::size_t t = 0; t < scores.size(); ++t)
      if (t != program.selection()[i] && (!second || scores[t] > *second)) second = scores[t];
    samples_.push_back({best, *std::ranges::min_element(scores), *second});
  }
}

bool BasinClauses::closes(const LimitFigures<double>& of, const std::vector<double>& y) const {
  const std::vector<double> gaps = mean_gaps(of, y);
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

bool BasinClauses::holds(const LimitFigures<PreciseBall>& of, const std::vector<PreciseBall>& y) const {
  const std::vector<PreciseBall> gaps = mean_gaps(of, y);
  PreciseBall excess;
  std::vector<PreciseBall> steps;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const auto& [best, worst, second] = samples_[i];
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

}  // namespace attest
