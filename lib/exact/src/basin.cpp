#include "attest/exact/basin.hpp"

#include "attest/exact/loss_jet.hpp"
#include "row_balls.hpp"
#include "trained_keys.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

std::optional<Ball> loss_at(const Problem& problem, const RationalInterval& u) {
  const std::optional<LossJetBalls> jet = enclose(problem.loss.expression(), u);
  return jet ? std::optional(jet->value) : std::nullopt;
}

}  // namespace

Basin::Basin(const ExactTokens& tokens, const Scores& scores, Parametrisation parametrisation)
    : tokens_(&tokens), scores_(scores), parametrisation_(parametrisation) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].size() < 2) continue;
    const auto best = std::max_element(scores[i].begin(), scores[i].end());
    std::optional<Rational> second;
    for (auto score = scores[i].begin(); score != scores[i].end(); ++score)
      if (score != best && (!second || *score > *second)) second = *score;
    const auto best_loss = loss_at(tokens.problem(), {*best, *best});
    const auto second_loss = loss_at(tokens.problem(), {*second, *second});
    if (!best_loss || !second_loss) {
      samples_.clear();
      return;
    }
    samples_.push_back({i, static_cast<std::size_t>(best - scores[i].begin()), *best_loss, *second_loss - *best_loss});
  }
}

bool Basin::contains(std::span<const double> p) const {
  std::vector<Ball> point;
  for (const double entry : p) {
    if (!std::isfinite(entry)) return false;
    point.emplace_back(exact_value(entry));
  }
  Ball total;  // n (L(p) - L*)
  for (const Sample& sample : samples_) {
    const std::optional<Ball> above = excess(sample, point);
    if (!above) return false;
    total = total + *above;
  }
  return !samples_.empty() &&
         std::all_of(samples_.begin(), samples_.end(), [&](const Sample& one) { return (one.step - total).is_positive(); });
}

double Basin::level() const {
  double least = 0;
  for (const Sample& sample : samples_) {
    const double step = sample.step.is_moderate() ? nearest_double(sample.step.lower()) : 0;
    least = &sample == &samples_.front() ? step : std::min(least, step);
  }
  return least / static_cast<double>(scores_.size());
}

/// l(f) - l(gamma_alpha), f = gamma_alpha - G with G = sum_t s_t (gamma_alpha - gamma_t): a sum of terms that are not negative.
std::optional<Ball> Basin::excess(const Sample& sample, const std::vector<Ball>& p) const {
  const std::vector<Rational>& scores = scores_[sample.index];
  const std::vector<Ball> at = prompt(sample.index, p);
  const auto logit = [&](std::size_t t) {
    return product(left_fractions(*tokens_, parametrisation_ == Parametrisation::weights, sample.index, t), at);
  };
  const Ball best = logit(sample.best);
  Ball weights(Rational(1));
  Ball gaps;
  for (std::size_t t = 0; t < scores.size(); ++t) {
    if (t == sample.best) continue;
    const Ball weight = exp(logit(t) - best);
    weights = weights + weight;
    gaps = gaps + Ball(scores[sample.best] - scores[t]) * weight;
  }
  const Ball f = Ball(scores[sample.best]) - gaps / weights;
  if (!f.is_moderate()) return std::nullopt;
  // f is a mean of the scores, so that what rounding adds beyond them is cut off.
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  const auto loss = loss_at(tokens_->problem(), {std::clamp(f.lower(), *least, *most), std::clamp(f.upper(), *least, *most)});
  return loss ? std::optional(*loss - sample.best_loss) : std::nullopt;
}

/// What the tokens of a sample are multiplied with: p for its keys, W z_i for its tokens.
std::vector<Ball> Basin::prompt(std::size_t sample, const std::vector<Ball>& p) const {
  if (parametrisation_ == Parametrisation::prompt) return p;
  const FractionVector& query = tokens_->query(sample);
  const std::size_t d = query.numerators.size();
  std::vector<Ball> result;
  for (std::size_t r = 0; r < d; ++r)
    result.push_back(
        product(query, {p.begin() + static_cast<std::ptrdiff_t>(r * d), p.begin() + static_cast<std::ptrdiff_t>((r + 1) * d)}));
  return result;
}

}  // namespace attest
