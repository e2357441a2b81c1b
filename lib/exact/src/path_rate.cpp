#include "path_rate.hpp"

#include "attest/exact/loss_jet.hpp"

#include <arb_mat.h>

#include <algorithm>

namespace attest {
namespace {

/// x with G x = right for a symmetric positive definite G; none where 2048 bits do not show that it is. G definite: rows independent.
std::optional<std::vector<Ball>> solve_definite(const std::vector<std::vector<Rational>>& gram, const std::vector<Ball>& right) {
  const auto n = static_cast<slong>(right.size());
  arb_mat_t G, L, x;
  arb_mat_init(G, n, n);
  arb_mat_init(L, n, n);
  arb_mat_init(x, n, 1);
  std::optional<std::vector<Ball>> solution;
  for (slong bits = 256; bits <= 2048 && !solution; bits *= 2) {
    for (slong r = 0; r < n; ++r)
      for (slong c = 0; c < n; ++c) {
        const Rational& entry = gram[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
        fmpq_t exact;
        fmpq_init(exact);
        fmpq_set_mpq(exact, entry.data());
        arb_set_fmpq(arb_mat_entry(G, r, c), exact, bits);
        fmpq_clear(exact);
      }
    if (arb_mat_cho(L, G, bits) == 0) continue;
    for (slong r = 0; r < n; ++r) arb_set(arb_mat_entry(x, r, 0), right[static_cast<std::size_t>(r)].get());
    arb_mat_solve_cho_precomp(x, L, x, bits);
    solution.emplace(right.size());
    for (slong r = 0; r < n; ++r) arb_set_round((*solution)[static_cast<std::size_t>(r)].get(), arb_mat_entry(x, r, 0), Ball::precision);
  }
  arb_mat_clear(G);
  arb_mat_clear(L);
  arb_mat_clear(x);
  return solution;
}

/// An enclosure of a number that is not negative, cut at 0.
Ball cut_at_zero(const Ball& value) { return Ball(std::max(Rational(0), value.lower()), std::max(Rational(0), value.upper())); }

}  // namespace

std::optional<PathRate> PathRate::make(const EnvelopeRows& rows) {
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (!rows.is_listed[c] && rows.theta[c] == 1) return std::nullopt;
  PathRate rate(rows);
  if (!rate.solve()) return std::nullopt;
  return rate;
}

bool PathRate::solve() {
  const EnvelopeRows& rows = *rows_;
  const SvmProgram& program = rows.facts.program;
  std::optional<Ball> least;
  for (std::size_t i = 0; i < rows.facts.scores.size(); ++i) {
    steepness_.emplace_back();
    if (rows.facts.scores[i].size() < 2) continue;
    const Rational& selected = rows.facts.scores[i][program.selection()[i]];
    const auto jet = enclose(program.problem().loss.expression(), {selected, selected});
    if (!jet || !(-jet->slope).is_positive()) return false;
    steepness_.back() = -jet->slope;
    if (!least || (*least - steepness_.back()).is_positive()) least = Ball(steepness_.back().lower());
  }
  least_steepness_ = *least;
  std::vector<Ball> offsets;  // l_c, then a_c.omega, on S
  Ball log_psi;
  for (std::size_t k = 0; k < rows.listed.size(); ++k) {
    const std::size_t c = rows.listed[k];
    offsets.push_back(log(steepness_[rows.sample[c]] * Ball(Rational(rows.gap[c] / rows.part[k]))));
    log_psi = log_psi + Ball(rows.part[k]) * offsets.back();
  }
  for (Ball& offset : offsets) offset = offset - log_psi;
  psi_ = exp(log_psi);
  std::vector<std::vector<Rational>> gram(offsets.size(), std::vector<Rational>(offsets.size()));
  for (std::size_t j = 0; j < offsets.size(); ++j)
    for (std::size_t k = 0; k <= j; ++k) gram[j][k] = gram[k][j] = rows.space.product(rows.listed[j], rows.listed[k]);
  auto solution = solve_definite(gram, offsets);
  if (!solution) return false;
  weights_ = std::move(*solution);
  for (std::size_t k = 0; k < offsets.size(); ++k) square_ = square_ + offsets[k] * weights_[k];
  omega_ = rows.space.images(rows.listed, weights_);
  for (std::size_t k = 0; k < offsets.size(); ++k) omega_[rows.listed[k]] = offsets[k];
  if (!square_.is_moderate()) return false;
  square_ = cut_at_zero(square_);
  return true;
}

std::optional<Rational> PathRate::constant(const Rational& radius) const {
  const EnvelopeRows& rows = *rows_;
  const LossBounds& loss = rows.facts.loss;
  const Ball R(radius);
  if (!shown_below(square_, Ball(Rational(radius * radius))) || !shown_below(Ball(Rational(1)), R * rows.margin)) return std::nullopt;
  const auto [rho, e] = rows.competitor(radius, omega_, square_);
  Ball sum;
  for (std::size_t c = 0; c < rows.size(); ++c) sum = sum + Ball(rows.gap[c]) * e[c];
  const Ball h = Ball(Rational(loss.m1 / -loss.slope_sup)) * exp_above(-(R * rows.margin)) * sum;
  const Rational least_gap = *std::ranges::min_element(rows.gap);
  Rational least_listed = rows.gap[rows.listed.front()];
  for (const std::size_t c : rows.listed) least_listed = std::min(least_listed, rows.gap[c]);
  const Ball two(Rational(2));
  const Ball curvature(loss.m0);
  if (!shown_below(h, Ball(least_gap)) || !shown_below(two * h, Ball(least_listed)) || !shown_below(two * curvature * h, least_steepness_))
    return std::nullopt;
  Ball rest = R * h * (Ball(Rational(3)) * curvature / least_steepness_ + two / Ball(least_listed));
  for (std::size_t c = 0; c < rows.size(); ++c) {
    if (rows.is_listed[c]) continue;
    const Ball x = rows.margin * Ball(Rational(rows.theta[c] - 1));
    // The largest rho e^(-rho x) from rho on; either form bounds it where rho x is not seen to be 1 at least.
    const bool falls = shown_below(Ball(Rational(1)), rho * x);
    const Ball largest = falls ? rho * exp_above(-(rho * x)) : Ball(Rational(1)) / (exp(Ball(Rational(1))) * x);
    rest = rest + steepness_[rows.sample[c]] * Ball(rows.gap[c]) / psi_ * exp_above(-omega_[c]) * (R / rho) * largest;
  }
  const Ball squared = two * square_ * R / (R + rho) + two / rows.margin * rest;
  if (!squared.is_moderate()) return std::nullopt;
  return exact_value(root_above(squared.upper() * (1 + 4 * envelope_slack) + rounding_slack));
}

RowWeights PathRate::shift() const {
  RowWeights weights;
  for (std::size_t k = 0; k < weights_.size(); ++k)
    if (weights_[k].is_moderate()) weights.emplace_back(rows_->facts.program.name(rows_->listed[k]), nearest_double(weights_[k].lower()));
  return weights;
}

}  // namespace attest
