#include "independence.hpp"

#include "attest/model/token_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace attest {
namespace {

/// Beyond so many rows or dimensions `margin_share` may be less than what rounding does.
constexpr std::size_t most_rows_or_dimensions = 1 << 12;
/// Products of numbers: some tenths of a second here and a second or two of a checker, which takes them exactly.
constexpr std::size_t most_independence_products = std::size_t{1} << 28U;
/// Of the sum of the squares of bounds of the rows' norms: what a checker may take off the diagonal [docs/certificate.md, 4.31] is 2^-36 of
/// the trace, and the roundings of the products and of Cholesky's method are less than 2^-38 of it.
constexpr double margin_share = 0x1p-35;

/// Rows in doubles; `sizes` bound what rounding of a row is measured by: |x_i,alpha_i| + |x_it|, times |W|_F or |z_i|.
struct FloatRows {
  explicit FloatRows(const SvmProgram& program, const std::vector<std::size_t>& rows) : dimension(program.dimension()) {
    for (const std::size_t row : rows) add(program, row);
    if (has_key_weights(program)) take_keys(program.problem().W->image());
  }

  void add(const SvmProgram& program, std::size_t row) {
    const auto [i, t] = program.name(row);
    const ExactMatrix& tokens = program.problem().tokens[i];
    const auto chosen = tokens.image_row(program.selection()[i]);
    const auto other = tokens.image_row(t);
    const bool label = program.kind() == SvmProgram::Kind::v;
    for (std::size_t c = 0; c < dimension; ++c) vectors.push_back(label ? program.problem().labels[i] * chosen[c] : chosen[c] - other[c]);
    double size = norm(chosen) + (label ? 0 : norm(other));
    if (program.kind() == SvmProgram::Kind::w) {
      const Problem& problem = program.problem();
      const auto query = problem.queries ? problem.queries->image_row(i) : tokens.image_row(0);
      queries.push_back(query);
      size *= norm(query);
    }
    sizes.push_back(size);
  }

  void take_keys(std::span<const double> W) {
    std::vector<double> keys(vectors.size());
    for (std::size_t k = 0; k < sizes.size(); ++k)
      for (std::size_t a = 0; a < dimension; ++a)
        keys[k * dimension + a] = dot(W.subspan(a * dimension, dimension), std::span(vectors).subspan(k * dimension, dimension));
    vectors = std::move(keys);
    for (double& size : sizes) size *= norm(W);
  }

  /// a_j.a_k to within (4 d + 32) 2^-53 of the product of the sizes: entries are rounded twice, keys are sums of d products, and so are
  /// the product of two rows and that of their queries.
  double product(std::size_t j, std::size_t k) const {
    const double left = dot(std::span(vectors).subspan(j * dimension, dimension), std::span(vectors).subspan(k * dimension, dimension));
    return queries.empty() ? left : left * dot(queries[j], queries[k]);
  }

  static double dot(std::span<const double> a, std::span<const double> b) {
    constexpr std::size_t lanes = 4;  // independent sums, so that the loop runs in vector registers
    std::array<double, lanes> sums{};
    std::size_t c = 0;
    for (; c + lanes <= a.size(); c += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[c + lane] * b[c + lane];
    for (; c < a.size(); ++c) sums[0] += a[c] * b[c];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  static double norm(std::span<const double> values) { return std::sqrt(dot(values, values)); }

  std::size_t dimension;
  std::vector<double> vectors;
  std::vector<std::span<const double>> queries;  // of the W-SVM
  std::vector<double> sizes;
};

/// Whether Cholesky's method runs to its end on G less `taken` on its diagonal; then no eigenvalue of what is left is below -g tr(G),
/// g = (n+1)u/(1 - 2(n+1)u), u = 2^-53 [S. M. Rump, Verification of positive definiteness, BIT 46 (2006)].
bool factorises(const FloatRows& rows, double taken) {
  const std::size_t size = rows.sizes.size();
  std::vector<double> a(size * size);
  for (std::size_t r = 0; r < size; ++r) {
    double* row = a.data() + r * size;
    for (std::size_t c = 0; c <= r; ++c) {
      const double* other = a.data() + c * size;
      const double sum = rows.product(r, c) - (r == c ? taken : 0) - FloatRows::dot({row, c}, {other, c});
      if (r > c) {
        row[c] = sum / other[c];
      } else {
        if (!(sum > 0)) return false;
        row[r] = std::sqrt(sum);
      }
    }
  }
  return std::isfinite(a.back());
}

/// About the least kappa with lambda_c^2 kappa > m^2 delta^2 for every multiplier, twice.
double needed(const SvmBracket& bracket) {
  const auto least = std::ranges::min_element(bracket.multipliers, {}, &Multiplier::weight);
  const double ratio = upper_double(bracket.scale) * upper_double(bracket.distance) / lower_double(least->weight);
  return 2 * ratio * ratio;
}

}  // namespace

bool show_by_independence(const SvmProgram& program, SvmBracket& bracket) {
  const auto count = bracket.possible.size();
  const std::size_t d = program.dimension();
  if (bracket.multipliers.empty() || count > most_rows_or_dimensions || d > most_rows_or_dimensions ||
      count * count * (2 * d + count) > most_independence_products)
    return false;
  const FloatRows rows(program, bracket.possible);
  double squares = 0;
  for (const double size : rows.sizes) squares += size * size;
  if (!(squares > 0x1p-200 && squares < 0x1p200)) return false;  // nothing underflows then that matters
  const double kappa = std::max(needed(bracket), margin_share * squares);
  if (!(kappa < squares) || !factorises(rows, kappa + margin_share * squares)) return false;
  bracket.independence = exact_value(kappa);
  for (const Multiplier& multiplier : bracket.multipliers) bracket.support.push_back(multiplier.row);
  return true;
}

}  // namespace attest
