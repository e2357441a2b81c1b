#include "attest/exact/path_ratio.hpp"

#include "attest/exact/certificates.hpp"
#include "envelope_parts.hpp"

#include <algorithm>

namespace attest {
namespace {

/// An offset of at most this times that of the last radius and 1 is as good, if its radius is smaller: 1 costs upper/R.
const Rational nearly_best = Rational(11, 10);

/// The rows (x_i,alpha_i - x_it).A B^T z_i.
std::vector<Rational> rows_of(const SvmProgram& program, const NuclearBracket& bracket) {
  const std::size_t d = program.dimension();
  const std::size_t m = bracket.columns;
  std::vector<Rational> rows;
  for (std::size_t k = 0; k < program.samples().size(); ++k) {
    const FractionVector& z = program.query(k);
    std::vector<Rational> inner(m, 0);
    for (std::size_t r = 0; r < d; ++r)
      for (std::size_t c = 0; c < m; ++c) inner[c] += bracket.B[r * m + c] * Rational(z.numerators[r], z.denominator);
    std::vector<Rational> image(d, 0);
    for (std::size_t r = 0; r < d; ++r)
      for (std::size_t c = 0; c < m; ++c) image[r] += bracket.A[r * m + c] * inner[c];
    const FractionVector at = over_one_denominator(image);
    for (std::size_t row = program.first_row(k); row < program.first_row(k + 1); ++row) {
      const FractionVector a = program.row(row);
      rows.emplace_back(dot(a.numerators, at.numerators), Integer(a.denominator * at.denominator));
    }
  }
  return rows;
}

class RatioProof {
 public:
  explicit RatioProof(const RatioFacts& facts) : facts_(facts), theta_(rows_of(facts.program, facts.bracket)) {
    for (std::size_t row = 0; row < theta_.size(); ++row) {
      const auto [i, t] = facts.program.name(row);
      sample_.push_back(i);
      gap_.push_back(facts.scores[i][facts.program.selection()[i]] - facts.scores[i][t]);
    }
  }

  bool applies() const {
    return !gap_.empty() && facts_.bracket.lower > 0 && std::ranges::all_of(gap_, [](const Rational& gap) { return gap > 0; });
  }

  /// Theorem N from one radius on.
  std::optional<certified::PathRatio> close(const Rational& radius) const {
    const Rational scale = radius / facts_.bracket.upper;
    std::vector<Ball> e;
    Ball drop;
    for (std::size_t c = 0; c < theta_.size(); ++c) {
      e.push_back(exp_above(Ball(Rational(-scale * (theta_[c] - 1)))));
      drop = drop + Ball(gap_[c]) * e.back();
    }
    const auto h = reach_above(Ball(Rational(facts_.loss.m1 / -facts_.loss.slope_sup)) * exp_above(Ball(Rational(-scale))) * drop);
    if (!h || !std::ranges::all_of(gap_, [&](const Rational& gap) { return *h < gap; })) return std::nullopt;
    const auto slopes = slopes_near(facts_.program.problem(), facts_.scores, facts_.program.selection(), *h, ScoreSide::below);
    if (!slopes) return std::nullopt;
    Ball V;
    for (std::size_t c = 0; c < theta_.size(); ++c) V = V + Ball(Rational((*slopes)[sample_[c]]->largest * gap_[c])) * e[c];
    const Ball log_V = log(V);
    Rational offset = 0;  // C
    for (std::size_t c = 0; c < theta_.size(); ++c) {
      const Ball lag = log_V - log(Ball(Rational((*slopes)[sample_[c]]->least * (gap_[c] - *h))));
      if (!lag.is_moderate()) return std::nullopt;
      offset = std::max(offset, lag.upper());
    }
    offset = rounded_above(Ball(Rational(offset + rounding_slack)));
    if (!shown_below(Ball(Rational(facts_.bracket.upper * offset)), Ball(radius))) return std::nullopt;
    return certified::PathRatio{certify_bracket(facts_.program, facts_.bracket), radius, offset,
                                loss_block(facts_.loss, facts_.interval),        *h,     *slopes};
  }

 private:
  const RatioFacts& facts_;
  std::vector<Rational> theta_;
  std::vector<Rational> gap_;
  std::vector<std::size_t> sample_;
};

}  // namespace

std::optional<certified::PathRatio> prove_path_ratio(const RatioFacts& facts, std::span<const double> radii, const Budget& budget) {
  const RatioProof proof(facts);
  if (!proof.applies()) return std::nullopt;
  std::vector<double> descending(radii.begin(), radii.end());
  std::ranges::sort(descending, std::greater());
  std::optional<certified::PathRatio> best;
  std::optional<Rational> enough;
  for (const double radius : descending) {
    if (budget.spent()) break;
    auto closed = proof.close(exact_value(radius));
    if (!closed) continue;
    if (!enough) enough = closed->offset * nearly_best + 1;
    if (closed->offset <= *enough) best = std::move(closed);
  }
  return best;
}

std::optional<double> ratio_bound(const certified::PathRatio& ratio, double radius) {
  const Rational R = exact_value(radius);
  if (R < ratio.radius) return std::nullopt;
  const certified::NuclearBracket& bracket = ratio.bracket;
  return upper_double(bracket.upper / bracket.lower / (1 - bracket.upper * ratio.offset / R));
}

}  // namespace attest
