#include "envelope.hpp"

#include <algorithm>

namespace attest::check {

namespace {

SlopeRange require_slope(const Json& node, const Loss& loss, const Interval& range) {
  const auto& parts = node.array(2);
  SlopeRange slope{read_rational(*parts[0]), read_rational(*parts[1])};
  demand(slope.least > 0 && slope.least <= slope.most, node, "clause 6: not 0 < mu_i <= M_i");
  const Number slopes = in_clause("clause 6", node, [&] { return -Number(loss.jet(range).first); });
  demand(is_at_most(slope.least, slopes), node, "clause 6: sup l' exceeds -mu_i");
  demand(is_at_most(slopes, slope.most), node, "clause 6: -inf l' exceeds M_i");
  return slope;
}

}  // namespace

Number theta_of(const LimitSvm& svm) { return 1 / sqrt(Number(svm.norm_squared)); }

Rational normed(const LimitSvm& svm, const RowTerm& multiplier) { return multiplier.value / svm.norm_squared; }

Shift::Shift(const LimitRows& rows, const LimitSvm& svm, const Json& coefficients) {
  const std::vector<RowTerm> terms = rows.read_coefficients(coefficients);
  values = rows.products_with(terms);
  Rational along = 0;
  for (const auto& [c, x] : terms) {
    squared += x * values[c];
    along += x * svm.theta[c];
  }
  along /= svm.norm_squared;
  squared -= along * along * svm.norm_squared;
  for (std::size_t c = 0; c < values.size(); ++c) values[c] -= along * svm.theta[c];
}

// Theorem P: y_c = ρΘθ_c + ω_c, and R − ρ = |ω|²/(R + ρ) loses nothing by cancellation.
Competitor::Competitor(const LimitSvm& svm, const Rational& radius, const Number& shift_squared, const std::vector<Number>& shift_values)
    : rho(sqrt(Rational(radius * radius) - shift_squared)) {
  const Number theta = theta_of(svm);
  const Number lag = shift_squared / (radius + rho);
  for (std::size_t c = 0; c < shift_values.size(); ++c)
    e.push_back(exp_up(theta * (svm.theta[c] * lag - Rational(radius * (svm.theta[c] - 1))) - shift_values[c]));
}

Competitor require_competitor(const LimitSvm& svm, const Rational& radius, const Shift& shift, const Json& where) {
  demand(shift.squared < radius * radius, where, "clause 4: the shift is not shorter than the radius");
  return in_clause("clause 4", where,
                   [&] { return Competitor(svm, radius, shift.squared, std::vector<Number>(shift.values.begin(), shift.values.end())); });
}

std::vector<SlopeRange> require_slopes(const Json& node, const Problem& problem, const std::vector<Interval>& ranges) {
  const auto& items = node.array(problem.tokens.size());
  std::vector<SlopeRange> slopes(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (problem.tokens[i].size() > 1)
      slopes[i] = require_slope(*items[i], problem.loss, ranges[i]);
    else
      demand(items[i]->kind == JsonKind::null, *items[i], "not null, but the sample has one token");
  }
  return slopes;
}

std::vector<Interval> score_ranges(const Scores& scores, const Selection& selection, const Rational& below, const Rational& above) {
  const Arithmetic arithmetic;
  std::vector<Interval> ranges;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto [least, most] = std::minmax_element(scores[i].begin(), scores[i].end());
    const Rational& chosen = scores[i][selection[i]];
    ranges.push_back(arithmetic.enclose(std::max(Rational(chosen - below), *least), std::min(Rational(chosen + above), *most)));
  }
  return ranges;
}

Number jensen(const LimitSvm& svm, const std::vector<Rational>& kappa) {
  Number sum = 0;
  for (const RowTerm& multiplier : svm.lambda) {
    const Rational weight = normed(svm, multiplier);
    sum += weight * log(Number(Rational(kappa[multiplier.row] / weight)));
  }
  return sum;
}

void require_offset(const Number& offset, const Number& theta, const Rational& radius, const Rational& square, const Json& where) {
  demand(is_less(offset, radius * theta), where, "clause 8: D < R0 Theta is not shown");
  demand(is_at_most(2 * offset, square * theta), where, "clause 8: 2 D <= K Theta is not shown");
}

std::vector<EnvelopeEntry> read_envelope(const Json& node, std::initializer_list<std::string_view> keys) {
  demand(!node.array().empty(), node, "is empty");
  std::vector<EnvelopeEntry> entries;
  for (const Json* item : node.items) {
    item->expect_keys(keys);
    EnvelopeEntry entry{read_rational(item->at("radius")), read_rational(item->at("square"))};
    demand(entry.radius > 0, item->at("radius"), "not > 0");
    demand(entry.square > 0, item->at("square"), "not > 0");
    demand(entries.empty() || entries.back().radius < entry.radius, item->at("radius"), "not in strictly ascending order");
    entries.push_back(std::move(entry));
  }
  return entries;
}

void require_little_work(std::size_t entries, std::size_t rows, const Json& where) {
  constexpr std::size_t most = std::size_t{1} << 22U;  // exponentials of 256 bits
  if (entries > most / (rows + 1)) where.fail("refused: too much work");
}

}  // namespace attest::check
