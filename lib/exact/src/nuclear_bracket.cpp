#include "attest/exact/nuclear_bracket.hpp"

#include "unit_ball.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attest {
namespace {

/// The numbers to 2^-60 of the largest: what is left out is far below the gap, and short numbers keep certificates short.
std::vector<Rational> to_sixty_bits(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const int shift = largest > 0 ? 60 - std::ilogb(largest) : 0;
  std::vector<Rational> result;
  for (const double value : values) result.push_back(exact_value(std::ldexp(std::round(std::ldexp(value, shift)), -shift)));
  return result;
}

/// d x m numbers over one denominator, by rows.
struct Factor {
  FractionVector entries;
  std::size_t columns;

  const Integer& at(std::size_t r, std::size_t c) const { return entries.numerators[r * columns + c]; }
  std::size_t rows() const { return entries.numerators.size() / columns; }
};

Factor make_factor(const std::vector<double>& values, std::size_t columns) {
  return {over_one_denominator(to_sixty_bits(values)), columns};
}

/// The least (x_i,alpha_i - x_it).A B^T z_i over all rows.
Rational least_row(const SvmProgram& program, const Factor& A, const Factor& B) {
  std::optional<Rational> least;
  for (std::size_t k = 0; k < program.samples().size(); ++k) {
    const FractionVector& z = program.query(k);
    std::vector<Integer> inner(A.columns, 0);
    for (std::size_t r = 0; r < B.rows(); ++r)
      for (std::size_t c = 0; c < B.columns; ++c) inner[c] += B.at(r, c) * z.numerators[r];
    std::vector<Integer> image(A.rows(), 0);
    for (std::size_t r = 0; r < A.rows(); ++r)
      for (std::size_t c = 0; c < A.columns; ++c) image[r] += A.at(r, c) * inner[c];
    for (std::size_t row = program.first_row(k); row < program.first_row(k + 1); ++row) {
      const FractionVector a = program.row(row);
      const Integer below = a.denominator * z.denominator * A.entries.denominator * B.entries.denominator;
      const Rational value(dot(a.numerators, image), below);
      if (!least || value < *least) least = value;
    }
  }
  return least.value_or(1);
}

std::vector<Rational> scaled_entries(const Factor& factor, const Rational& scale) {
  std::vector<Rational> result;
  for (const Integer& entry : factor.entries.numerators) result.emplace_back(Rational(entry, factor.entries.denominator) * scale);
  return result;
}

Rational exact_squared_norm(const std::vector<Rational>& values) {
  const FractionVector scaled = over_one_denominator(values);
  return {dot(scaled.numerators, scaled.numerators), Integer(scaled.denominator * scaled.denominator)};
}

/// The hint's multipliers less 2^-bits of them.
std::vector<Multiplier> smaller_multipliers(const std::vector<double>& hint, int bits) {
  std::vector<double> smaller = hint;
  for (double& weight : smaller) weight *= 1 - std::ldexp(1.0, -bits);
  const std::vector<Rational> weights = to_sixty_bits(smaller);
  std::vector<Multiplier> multipliers;
  for (std::size_t row = 0; row < weights.size(); ++row)
    if (weights[row] > 0) multipliers.push_back({row, weights[row]});
  return multipliers;
}

/// Forms of at most this side are decided by exact pivots, which need no slack; those of larger ones have too many digits.
constexpr std::size_t most_exact_pivots = 12;

/// Multipliers scaled down until |M| <= 1 is shown by a root. Queries that depend on each other, as those of more samples than
/// dimensions do, leave the form on them singular.
void find_rooted_multipliers(NuclearBracket& bracket, const SvmProgram& program, const std::vector<double>& hint) {
  const bool few_queries = 2 * program.samples().size() <= program.dimension();
  for (const auto form : {form_on_queries, form_on_space}) {
    if (form == form_on_queries && !few_queries) continue;
    for (int bits = 36; bits > 0; bits -= 6) {
      std::vector<Multiplier> multipliers = smaller_multipliers(hint, bits);
      auto root = find_root(form(program, multipliers));
      if (!root) continue;
      bracket.multipliers = std::move(multipliers);
      bracket.root = *std::move(root);
      return;
    }
  }
}

/// Multipliers scaled down until |M| <= 1 is exact.
void find_multipliers(NuclearBracket& bracket, const SvmProgram& program, const std::vector<double>& hint) {
  if (program.samples().size() > most_exact_pivots) return find_rooted_multipliers(bracket, program, hint);
  for (int bits = 52; bits > 0; bits -= 6) {
    std::vector<Multiplier> multipliers = smaller_multipliers(hint, bits);
    if (!is_semidefinite(form_on_queries(program, multipliers))) continue;
    bracket.multipliers = std::move(multipliers);
    return;
  }
}

}  // namespace

std::optional<NuclearBracket> prove_nuclear_bracket(const SvmProgram& program, const NuclearHint& hint) {
  NuclearBracket bracket;
  bracket.columns = hint.columns;
  if (program.row_count() == 0) return bracket;
  const Factor A = make_factor(hint.A, hint.columns);
  const Factor B = make_factor(hint.B, hint.columns);
  const Rational least = least_row(program, A, B);
  if (least <= 0) return std::nullopt;
  // Both factors grow alike, by the root of 1/least and a hair.
  const Rational scale = exact_value(std::sqrt(upper_double(1 / least)) * (1 + 0x1p-50));
  if (scale * scale * least < 1) return std::nullopt;
  bracket.A = scaled_entries(A, scale);
  bracket.B = scaled_entries(B, scale);
  bracket.upper = (exact_squared_norm(bracket.A) + exact_squared_norm(bracket.B)) / 2;
  find_multipliers(bracket, program, hint.multipliers);
  for (const Multiplier& multiplier : bracket.multipliers) bracket.lower += multiplier.weight;
  return bracket;
}

}  // namespace attest
