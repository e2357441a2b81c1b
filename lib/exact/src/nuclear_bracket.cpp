#include "attest/exact/nuclear_bracket.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attest {
namespace {

/// The numbers to 2^-60 of the largest: what is left out is far below the gap, and short numbers keep certificates short.
std::vector<Rational> shortened(const std::vector<double>& values) {
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

Factor make_factor(const std::vector<double>& values, std::size_t columns) { return {over_one_denominator(shortened(values)), columns}; }

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

Rational squared_norm(const std::vector<Rational>& values) {
  const FractionVector scaled = over_one_denominator(values);
  return {dot(scaled.numerators, scaled.numerators), Integer(scaled.denominator * scaled.denominator)};
}

/// Whether the symmetric matrix is positive semidefinite: LDL^T with pivots >= 0, and where a pivot is 0 the rest of its
/// column is 0.
bool semidefinite(std::vector<std::vector<Rational>> matrix) {
  const std::size_t n = matrix.size();
  for (std::size_t k = 0; k < n; ++k) {
    if (matrix[k][k] < 0) return false;
    for (std::size_t r = k + 1; r < n; ++r) {
      if (matrix[r][k].is_zero()) continue;
      if (matrix[k][k].is_zero()) return false;
      const Rational factor = matrix[r][k] / matrix[k][k];
      for (std::size_t c = k + 1; c < n; ++c) matrix[r][c] -= factor * matrix[k][c];
    }
  }
  return true;
}

/// |M| <= 1 for M = sum lambda_c D_c z_i^T. M vanishes across the span of the queries, and on it, at sum c_i z_i,
/// |x|^2 - |M x|^2 is the form with entries z_i.z_j - (M z_i).(M z_j).
bool within_unit_ball(const SvmProgram& program, const std::vector<Multiplier>& multipliers) {
  const std::size_t n = program.samples().size();
  const std::size_t d = program.dimension();
  std::vector<std::vector<Rational>> left(n, std::vector<Rational>(d, 0));  // sum over the rows of a sample
  for (const auto& [row, weight] : multipliers) {
    const FractionVector a = program.row(row);
    auto& sum = left[program.sample_position(row)];
    for (std::size_t c = 0; c < d; ++c) sum[c] += weight * Rational(a.numerators[c], a.denominator);
  }
  const auto query_product = [&](std::size_t j, std::size_t k) {
    return Rational(program.query_product(j, k), Integer(program.query(j).denominator * program.query(k).denominator));
  };
  std::vector<FractionVector> images;  // M z_k
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<Rational> image(d, 0);
    for (std::size_t j = 0; j < n; ++j) {
      const Rational product = query_product(j, k);
      for (std::size_t c = 0; c < d; ++c) image[c] += product * left[j][c];
    }
    images.push_back(over_one_denominator(image));
  }
  std::vector<std::vector<Rational>> form(n, std::vector<Rational>(n));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      form[j][k] = query_product(j, k) -
                   Rational(dot(images[j].numerators, images[k].numerators), Integer(images[j].denominator * images[k].denominator));
  return semidefinite(std::move(form));
}

/// The multipliers scaled down until |M| <= 1 is exact.
std::vector<Multiplier> feasible_multipliers(const SvmProgram& program, const std::vector<double>& hint) {
  for (int bits = 52; bits > 0; bits -= 6) {
    std::vector<double> smaller = hint;
    for (double& weight : smaller) weight *= 1 - std::ldexp(1.0, -bits);
    const std::vector<Rational> weights = shortened(smaller);
    std::vector<Multiplier> multipliers;
    for (std::size_t row = 0; row < weights.size(); ++row)
      if (weights[row] > 0) multipliers.push_back({row, weights[row]});
    if (within_unit_ball(program, multipliers)) return multipliers;
  }
  return {};
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
  bracket.upper = (squared_norm(bracket.A) + squared_norm(bracket.B)) / 2;
  bracket.multipliers = feasible_multipliers(program, hint.multipliers);
  for (const Multiplier& multiplier : bracket.multipliers) bracket.lower += multiplier.weight;
  return bracket;
}

}  // namespace attest
