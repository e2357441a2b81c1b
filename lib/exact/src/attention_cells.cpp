#include "attention_cells.hpp"

namespace attest {

std::vector<std::size_t> offered_tokens(const LabelMargin& margin, std::size_t mover, std::size_t sample) {
  std::vector<std::size_t> tokens;
  for (std::size_t t = 0; t < margin.problem().token_count(sample); ++t)
    if (sample != mover || t != margin.selection()[sample]) tokens.push_back(t);
  return tokens;
}

OfferedPoints cell_points(const LabelMargin& margin, std::size_t mover, const Rational& delta) {
  const Integer above = numerator(delta);
  const Integer below = denominator(delta);
  const Integer stays = below - above;
  OfferedPoints result{{}, margin.denominator() * below};
  for (std::size_t i = 0; i < margin.sample_count(); ++i) {
    auto& points = result.points.emplace_back();
    const std::vector<Integer>& selected = margin.z(i, margin.selection()[i]);
    for (const std::size_t t : offered_tokens(margin, mover, i)) {
      auto& point = points.emplace_back(margin.z(i, t));
      for (std::size_t c = 0; c < point.size(); ++c)
        point[c] = margin.in_support(i) ? Integer(stays * selected[c] + above * point[c]) : Integer(below * point[c]);
    }
  }
  return result;
}

MarginBound cell_end(const LabelMargin& margin, std::size_t mover, const Rational& delta, const Rational& nu) {
  const Rational target = margin.gamma_below() - nu * delta;
  const Rational squared = delta.is_zero() ? margin.gamma_squared() : Rational(target * target);
  return {cell_points(margin, mover, delta), squared, margin.gamma_below()};
}

MarginBound all_tokens(const LabelMargin& margin, const Rational& target_squared) {
  OfferedPoints points{{}, margin.denominator()};
  for (std::size_t i = 0; i < margin.sample_count(); ++i) {
    points.points.emplace_back();
    for (std::size_t t = 0; t < margin.problem().token_count(i); ++t) points.points.back().push_back(margin.z(i, t));
  }
  return {std::move(points), target_squared, margin.gamma_below()};
}

}  // namespace attest
