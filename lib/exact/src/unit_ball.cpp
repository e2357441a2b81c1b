#include "unit_ball.hpp"

#include <cmath>

namespace attest {
namespace {

using IntegerMatrix = std::vector<std::vector<Integer>>;

/// Lines over one denominator.
struct FractionMatrix {
  IntegerMatrix lines;
  Integer denominator = 1;
};

FractionMatrix queries_of(const SvmProgram& program) {
  FractionMatrix result;
  for (std::size_t k = 0; k < program.samples().size(); ++k) result.denominator = lcm(result.denominator, program.query(k).denominator);
  for (std::size_t k = 0; k < program.samples().size(); ++k) {
    const FractionVector& z = program.query(k);
    const Integer factor = result.denominator / z.denominator;
    auto& line = result.lines.emplace_back(z.numerators);
    for (Integer& entry : line) entry *= factor;
  }
  return result;
}

/// The sum of lambda_c D_c over the rows of each sample, a line a sample.
FractionMatrix sums_of(const SvmProgram& program, const std::vector<Multiplier>& multipliers) {
  std::vector<Rational> weights;
  std::vector<FractionVector> rows;
  Integer common = 1;
  for (const auto& [row, weight] : multipliers) {
    weights.push_back(weight);
    rows.push_back(program.row(row));
    common = lcm(common, rows.back().denominator);
  }
  const FractionVector scaled = over_one_denominator(weights);
  FractionMatrix result{IntegerMatrix(program.samples().size(), std::vector<Integer>(program.dimension(), 0)), common * scaled.denominator};
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const Integer factor = scaled.numerators[c] * (common / rows[c].denominator);
    auto& sum = result.lines[program.sample_position(multipliers[c].row)];
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += factor * rows[c].numerators[k];
  }
  return result;
}

/// The products of all pairs of lines.
IntegerMatrix gram(const IntegerMatrix& lines) {
  IntegerMatrix products(lines.size(), std::vector<Integer>(lines.size()));
  for (std::size_t j = 0; j < lines.size(); ++j)
    for (std::size_t k = 0; k <= j; ++k) products[j][k] = products[k][j] = dot(lines[j], lines[k]);
  return products;
}

/// Line k: sum_j weights[j][k] times the j-th line.
IntegerMatrix combined(const IntegerMatrix& weights, const IntegerMatrix& lines) {
  IntegerMatrix result(weights.front().size(), std::vector<Integer>(lines.front().size(), 0));
  for (std::size_t k = 0; k < result.size(); ++k)
    for (std::size_t j = 0; j < lines.size(); ++j)
      for (std::size_t c = 0; c < lines[j].size(); ++c) result[k][c] += weights[j][k] * lines[j][c];
  return result;
}

/// whole - square, entry by entry.
UnitBallForm form_of(const IntegerMatrix& whole, const IntegerMatrix& square, const Integer& scale) {
  UnitBallForm form{square, scale};
  for (std::size_t j = 0; j < whole.size(); ++j)
    for (std::size_t k = 0; k < whole.size(); ++k) form.entries[j][k] = whole[j][k] - square[j][k];
  return form;
}

/// Cholesky's factor of form - shift I in doubles; none where that is not definite.
std::optional<std::vector<std::vector<long double>>> rounded_factor(const UnitBallForm& form, long double shift) {
  const std::size_t n = form.entries.size();
  std::vector<std::vector<long double>> factor;
  for (std::size_t j = 0; j < n; ++j) {
    factor.emplace_back();
    for (std::size_t k = 0; k <= j; ++k) {
      long double rest = nearest_double(Rational(form.entries[j][k], form.scale));
      for (std::size_t c = 0; c < k; ++c) rest -= factor[j][c] * factor[k][c];
      if (k < j) {
        factor[j].push_back(rest / factor[k][k]);
      } else {
        if (!(rest > shift)) return std::nullopt;
        factor[j].push_back(std::sqrt(rest - shift));
      }
    }
  }
  return factor;
}

/// form 4^shift - scale R R^T, for R with these numerators over 2^shift.
bool is_dominant(const UnitBallForm& form, IntegerMatrix root, int shift) {
  const std::size_t n = root.size();
  for (auto& line : root) line.resize(n, 0);
  const IntegerMatrix square = gram(root);
  for (std::size_t j = 0; j < n; ++j) {
    Integer excess = 0;  // the diagonal less the others
    for (std::size_t k = 0; k < n; ++k) {
      const Integer left = (form.entries[j][k] << (2 * shift)) - form.scale * square[j][k];
      excess += j == k ? left : Integer(-abs(left));
    }
    if (excess < 0) return false;
  }
  return true;
}

}  // namespace

UnitBallForm form_on_queries(const SvmProgram& program, const std::vector<Multiplier>& multipliers) {
  const FractionMatrix queries = queries_of(program);
  const FractionMatrix sums = sums_of(program, multipliers);
  IntegerMatrix products = gram(queries.lines);
  const IntegerMatrix images = combined(products, sums.lines);  // M z_k
  const Integer below = sums.denominator * queries.denominator;
  for (auto& line : products)
    for (Integer& entry : line) entry *= below * below;
  return form_of(products, gram(images), below * below * queries.denominator * queries.denominator);
}

UnitBallForm form_on_space(const SvmProgram& program, const std::vector<Multiplier>& multipliers) {
  const FractionMatrix queries = queries_of(program);
  const FractionMatrix sums = sums_of(program, multipliers);
  const IntegerMatrix columns = combined(queries.lines, sums.lines);  // of M
  const Integer below = sums.denominator * queries.denominator;
  const std::size_t d = program.dimension();
  IntegerMatrix unit(d, std::vector<Integer>(d, 0));
  for (std::size_t k = 0; k < d; ++k) unit[k][k] = below * below;
  return form_of(unit, gram(columns), below * below);
}

bool is_semidefinite(const UnitBallForm& form) {
  const std::size_t n = form.entries.size();
  std::vector<std::vector<Rational>> rest;
  for (const auto& line : form.entries) rest.emplace_back(line.begin(), line.end());
  for (std::size_t k = 0; k < n; ++k) {
    if (rest[k][k] < 0) return false;
    for (std::size_t r = k + 1; r < n; ++r) {
      if (rest[r][k].is_zero()) continue;
      if (rest[k][k].is_zero()) return false;
      const Rational factor = rest[r][k] / rest[k][k];
      for (std::size_t c = k + 1; c < n; ++c) rest[r][c] -= factor * rest[k][c];
    }
  }
  return true;
}

std::optional<std::vector<std::vector<Rational>>> find_root(const UnitBallForm& form) {
  long double largest = 0;
  for (std::size_t k = 0; k < form.entries.size(); ++k)
    largest = std::max<long double>(largest, nearest_double(Rational(form.entries[k][k], form.scale)));
  if (!(largest > 0)) return std::nullopt;
  // What the diagonal keeps is far above the rounding of some hundred products of doubles, and far below any gap.
  const auto factor = rounded_factor(form, 0x1p-40L * largest);
  if (!factor) return std::nullopt;
  const int shift = 56 - std::ilogb(std::sqrt(largest));
  IntegerMatrix numerators;
  std::vector<std::vector<Rational>> root;
  for (const auto& line : *factor) {
    numerators.emplace_back();
    root.emplace_back();
    for (const long double entry : line) {
      const double rounded = static_cast<double>(std::llround(std::ldexp(entry, shift)));
      numerators.back().emplace_back(numerator(exact_value(rounded)));
      root.back().push_back(exact_value(std::ldexp(rounded, -shift)));
    }
  }
  if (shift < 0 || !is_dominant(form, std::move(numerators), shift)) return std::nullopt;
  return root;
}

}  // namespace attest
