#include "attest/exact/flat_score.hpp"

#include "attest/exact/loss_jet.hpp"

#include <algorithm>
#include <cstdlib>

namespace attest {
namespace {

/// A function of + - * / ^ at one point: value and slope, exactly.
struct RationalJet {
  Rational value;
  Rational slope;
};

/// Nothing where the expression holds a function, divides by 0 or needs longer numbers than every checker takes.
struct RationalJets {
  using Jet = std::optional<RationalJet>;
  Rational u;

  /// docs/certificate.md, section 4.2.
  static constexpr std::size_t longest_bits = std::size_t{1} << 16;
  static bool is_short(const Rational& value) {
    return mpz_sizeinbase(mpq_numref(value.data()), 2) + mpz_sizeinbase(mpq_denref(value.data()), 2) <= longest_bits;
  }
  static Jet kept(Rational value, Rational slope) {
    if (!is_short(value) || !is_short(slope)) return std::nullopt;
    return RationalJet{std::move(value), std::move(slope)};
  }

  Jet number(const Rational& value) const { return kept(value, 0); }
  Jet variable() const { return kept(u, 1); }
  Jet add(const Jet& f, const Jet& g) const {
    if (!f || !g) return std::nullopt;
    return kept(f->value + g->value, f->slope + g->slope);
  }
  Jet negate(const Jet& f) const {
    if (!f) return std::nullopt;
    return RationalJet{-f->value, -f->slope};
  }
  Jet subtract(const Jet& f, const Jet& g) const { return add(f, negate(g)); }
  Jet multiply(const Jet& f, const Jet& g) const {
    if (!f || !g) return std::nullopt;
    return kept(f->value * g->value, f->slope * g->value + f->value * g->slope);
  }
  Jet divide(const Jet& f, const Jet& g) const {
    if (!g || g->value.is_zero()) return std::nullopt;
    return multiply(f, kept(1 / g->value, -g->slope / (g->value * g->value)));
  }
  Jet power(const Jet& f, int exponent) const {
    if (!f) return std::nullopt;
    Jet result = number(1);
    for (int k = 0; k < std::abs(exponent); ++k) result = multiply(result, f);
    return exponent < 0 ? divide(number(1), result) : result;
  }
  Jet exp(const Jet&) const { return std::nullopt; }
  Jet log(const Jet&) const { return std::nullopt; }
  Jet log1p(const Jet&) const { return std::nullopt; }
  Jet tanh(const Jet&) const { return std::nullopt; }
  Jet sqrt(const Jet&) const { return std::nullopt; }
};

bool rises_exactly(const Expression& loss, const Rational& u) {
  RationalJets jets{u};
  const auto jet = evaluate_expression(loss, jets);
  return jet && jet->slope >= 0;
}

bool rises_by_enclosure(const Expression& loss, const Rational& u) {
  const auto jet = enclose(loss, {u, u});
  return jet && jet->slope.lower() >= 0;
}

}  // namespace

std::optional<FlatScore> find_flat_score(const Loss& loss, const Scores& scores) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto best = std::ranges::max_element(scores[i]);
    const auto token = static_cast<std::size_t>(best - scores[i].begin());
    if (rises_exactly(loss.expression(), *best)) return FlatScore{i, token, *best, true};
    if (rises_by_enclosure(loss.expression(), *best)) return FlatScore{i, token, *best, false};
  }
  return std::nullopt;
}

}  // namespace attest
