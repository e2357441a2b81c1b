#include "envelope_rows.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
EnvelopeRows::EnvelopeRows(const EnvelopeFacts& given) : facts(given), space(given.program), is_listed(space.size(), false) {
  const SvmProgram& program = facts.program;
  theta = space.images(facts.solution.multipliers);
  for (std::size_t row = 0; row < space.size(); ++row) {
    const auto [i, t] = program.name(row);
    sample.push_back(i);
    gap.push_back(facts.scores[i][program.selection()[i]] - facts.scores[i][t]);
  }
  for (const auto& [row, weight] : facts.solution.multipliers) norm_squared += weight;
  for (const auto& [row, weight] : facts.solution.multipliers) {
    listed.push_back(row);
    is_listed[row] = true;
    part.push_back(weight / norm_squared);
  }
  margin = Ball(Rational(1)) / sqrt(Ball(norm_squared));
}

std::size_t EnvelopeRows::row_of(const RowName& name) const {
  const std::size_t alpha = facts.program.selection()[name.sample];
  return facts.program.first_row(name.sample) + name.token - (name.token > alpha ? 1 : 0);
}

EnvelopeRows::Shift EnvelopeRows::shift(const RowWeights& weights) const {
  double largest = 0;
  for (const auto& [name, weight] : weights) largest = std::max(largest, std::abs(weight));
  const int bits = largest > 0 ? shift_bits - std::ilogb(largest) : 0;
  std::vector<Multiplier> combination;
  for (const auto& [name, weight] : weights) {
    const double rounded = std::ldexp(std::round(std::ldexp(weight, bits)), -bits);
    if (rounded != 0 && std::isfinite(rounded)) combination.push_back({row_of(name), exact_value(rounded)});
  }
  std::ranges::sort(combination, {}, &Multiplier::row);
  Shift result{{}, {}, 0};
  const std::vector<Rational> products = space.images(combination);
  Rational along = 0;  // omega'.w / N
  for (const auto& [row, weight] : combination) {
    result.coefficients.push_back({facts.program.name(row), weight});
    along += weight * theta[row] / norm_squared;
    result.square += weight * products[row];
  }
  result.square -= along * along * norm_squared;
  for (std::size_t c = 0; c < size(); ++c) result.rows.emplace_back(products[c] - along * theta[c]);
  return result;
}

EnvelopeRows::Competitor EnvelopeRows::competitor(const Rational& radius, const std::vector<Ball>& rows, const Ball& square) const {
  const Ball R(radius);
  Competitor result{sqrt(Ball(Rational(radius * radius)) - square), {}};
  const Ball drop = square / (R + result.rho);
  for (std::size_t c = 0; c < size(); ++c)
    result.e.push_back(exp_above(margin * (Ball(theta[c]) * drop - R * Ball(Rational(theta[c] - 1))) - rows[c]));
  return result;
}

}  // namespace attest
