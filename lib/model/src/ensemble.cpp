#include "attest/model/ensemble.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace attest {
namespace {

using Vector = std::vector<double>;

constexpr std::array<std::string_view, 5> law_names{"sphere", "gaussian", "planted", "orthogonal", "file"};

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

/// The standard's distributions do not promise the same numbers everywhere; these are made of the generator's bits.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// In (0, 1].
  double uniform() { return static_cast<double>((engine_() >> 11) + 1) * 0x1p-53; }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
  int sign() { return (engine_() >> 63) != 0 ? 1 : -1; }
  /// Below `end`; the bias is at most end / 2^64.
  std::size_t below(std::size_t end) { return engine_() % end; }

  Vector normals(std::size_t size) {
    Vector values(size);
    for (double& value : values) value = normal();
    return values;
  }

  Vector unit(std::size_t size) {
    Vector values = normals(size);
    const double length = std::sqrt(dot(values, values));
    for (double& value : values) value /= length;
    return values;
  }

  /// `count` of the numbers below `end`, in the order in which they are drawn.
  std::vector<std::size_t> choose(std::size_t count, std::size_t end) {
    std::vector<std::size_t> all(end);
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (std::size_t k = 0; k < count; ++k) std::swap(all[k], all[k + below(end - k)]);
    all.resize(count);
    return all;
  }

 private:
  std::mt19937_64 engine_;
};

/// Orthonormal vectors: Gram and Schmidt, twice, so that rounding leaves nothing.
std::vector<Vector> orthonormal(std::size_t count, std::size_t size, Random& random) {
  std::vector<Vector> found;
  while (found.size() < count) {
    Vector next = random.unit(size);
    for (int pass = 0; pass < 2; ++pass) {
      for (const Vector& one : found) {
        const double along = dot(one, next);
        for (std::size_t k = 0; k < size; ++k) next[k] -= along * one[k];
      }
      const double length = std::sqrt(dot(next, next));
      for (double& value : next) value /= length;
    }
    found.push_back(std::move(next));
  }
  return found;
}

ExactMatrix matrix_of(const std::vector<Vector>& rows) {
  Vector values;
  for (const Vector& row : rows) values.insert(values.end(), row.begin(), row.end());
  return ExactMatrix::from_doubles(rows.size(), rows.front().size(), std::move(values));
}

/// The tokens of one sample.
std::vector<Vector> draw_tokens(TokenLaw law, const EnsemblePoint& point, int label, const Vector& v, Random& random) {
  std::vector<Vector> tokens(point.T);
  for (Vector& token : tokens) token = law == TokenLaw::sphere ? random.unit(point.d) : random.normals(point.d);
  if (law != TokenLaw::planted) return tokens;
  const double scale = point.noise / std::sqrt(static_cast<double>(point.d));
  for (Vector& token : tokens)
    for (double& value : token) value *= scale;
  Vector& relevant = tokens[random.below(point.T)];
  for (std::size_t k = 0; k < point.d; ++k) relevant[k] += label * v[k];
  return tokens;
}

Problem draw_new(TokenLaw law, const EnsemblePoint& point, Random& random) {
  Problem problem;
  const Vector v = random.unit(point.d);
  problem.v = matrix_of({v});
  const auto all = law == TokenLaw::orthogonal ? orthonormal(point.n * point.T, point.d, random) : std::vector<Vector>();
  for (std::size_t i = 0; i < point.n; ++i) {
    problem.labels.push_back(random.sign());
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(all.empty() ? 0 : i * point.T);
    problem.tokens.push_back(matrix_of(all.empty() ? draw_tokens(law, point, problem.labels.back(), v, random)
                                                   : std::vector<Vector>(first, first + static_cast<std::ptrdiff_t>(point.T))));
  }
  return problem;
}

ExactMatrix rows_of(const ExactMatrix& matrix, const std::vector<std::size_t>& rows) {
  std::vector<Rational> values;
  for (const std::size_t row : rows)
    for (std::size_t c = 0; c < matrix.columns(); ++c) values.push_back(matrix.at(row, c));
  return ExactMatrix::from_rationals(rows.size(), matrix.columns(), std::move(values));
}

Problem draw_part(const Problem& source, const EnsemblePoint& point, Random& random) {
  Problem problem;
  problem.v = source.v;
  problem.W = source.W;
  const std::vector<std::size_t> samples = random.choose(point.n, source.sample_count());
  for (const std::size_t i : samples) {
    problem.labels.push_back(source.labels[i]);
    problem.tokens.push_back(rows_of(source.tokens[i], random.choose(point.T, source.token_count(i))));
  }
  if (source.queries) problem.queries = rows_of(*source.queries, samples);
  return problem;
}

}  // namespace

std::span<const std::string_view> token_law_names() { return law_names; }
std::string_view name_of(TokenLaw law) { return law_names[static_cast<std::size_t>(law)]; }

std::optional<TokenLaw> token_law(std::string_view name) {
  const auto found = std::ranges::find(law_names, name);
  if (found == law_names.end()) return std::nullopt;
  return static_cast<TokenLaw>(found - law_names.begin());
}

Problem draw_problem(TokenLaw law, const EnsemblePoint& point, std::uint64_t seed, const Problem* source) {
  Random random(seed);
  return source != nullptr ? draw_part(*source, point, random) : draw_new(law, point, random);
}

}  // namespace attest
