#include "label_margin.hpp"

#include "gram_solver.hpp"

#include <algorithm>

namespace attest {

Rational root_below(const Rational& square) {
  const auto size = static_cast<long>(msb(numerator(square))) - static_cast<long>(msb(denominator(square)));
  const auto shift = static_cast<unsigned long>(std::max(96L, 96 - size / 2));
  const Integer scaled = (numerator(square) << (2 * shift)) / denominator(square);
  return Rational(sqrt(scaled), Integer(1) << shift);
}

LabelMargin::LabelMargin(const ExactTokens& tokens, Selection selection, SvmSolution v)
    : tokens_(&tokens), selection_(std::move(selection)), v_(std::move(v)), in_support_(tokens.problem().sample_count(), false),
      gamma_squared_(1 / (2 * v_.objective)), gamma_below_(root_below(gamma_squared_)) {
  for (const std::size_t row : v_.support) in_support_[row] = true;
  const Problem& data = problem();
  for (std::size_t i = 0; i < sample_count(); ++i)
    for (std::size_t t = 0; t < data.token_count(i); ++t) denominator_ = lcm(denominator_, tokens.token(i, t).denominator);
  for (std::size_t i = 0; i < sample_count(); ++i) {
    auto& points = z_.emplace_back();
    auto& scores = scores_.emplace_back();
    for (std::size_t t = 0; t < data.token_count(i); ++t) {
      const FractionVector& token = tokens.token(i, t);
      const Integer factor = data.labels[i] * (denominator_ / token.denominator);
      auto& point = points.emplace_back();
      Rational score = 0;
      for (std::size_t c = 0; c < token.numerators.size(); ++c) {
        point.push_back(factor * token.numerators[c]);
        score += point.back() * v_.w[c];
      }
      scores.push_back(score / denominator_);
    }
  }
  std::vector<FractionVector> support;
  for (const std::size_t i : v_.support) support.push_back({z(i, selection_[i]), denominator_});
  one_dual_ = exact_rank(support) == support.size();
}

std::vector<Rational> LabelMargin::some_weights() const {
  std::vector<Rational> weights(sample_count(), 0);
  for (const Multiplier& multiplier : v_.multipliers) weights[multiplier.row] = multiplier.weight * gamma_squared_;
  return weights;
}

LinearOptimum LabelMargin::largest_weight(std::size_t sample) const {
  LinearProgram program;
  for (const std::size_t i : v_.support) {
    auto& column = program.columns.emplace_back();
    for (const Integer& entry : z(i, selection_[i])) column.emplace_back(entry, denominator_);
    program.objective.emplace_back(i == sample ? 1 : 0);
  }
  for (const Rational& entry : v_.w) program.right.push_back(gamma_squared_ * entry);
  return maximise(program).value();  // some_weights() is feasible
}

std::vector<Rational> LabelMargin::top_weights(std::size_t sample) const {
  if (one_dual_) return some_weights();
  const LinearOptimum optimum = largest_weight(sample);
  std::vector<Rational> weights(sample_count(), 0);
  for (std::size_t k = 0; k < v_.support.size(); ++k) weights[v_.support[k]] = optimum.x[k];
  return weights;
}

std::vector<Rational> LabelMargin::top_proof(std::size_t sample) const { return largest_weight(sample).y; }

LabelMarginOutcome label_margin(const ExactTokens& tokens, const Selection& selection, const Budget& budget) {
  SvmOutcome outcome = decide_svm(SvmProgram::v_svm(tokens, selection), {}, budget);
  if (auto* infeasible = std::get_if<SvmInfeasible>(&outcome)) return std::move(*infeasible);
  if (auto* undecided = std::get_if<SvmUndecided>(&outcome)) return std::move(*undecided);
  return LabelMargin(tokens, selection, std::move(std::get<SvmSolution>(outcome)));
}

}  // namespace attest
