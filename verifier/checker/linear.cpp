#include "linear.hpp"

#include <utility>

namespace attest::check {

namespace {

/// A gibibyte. Unlike denominators could otherwise make a small file fill the memory.
constexpr std::size_t most_vector_bits = std::size_t{1} << 33U;

}  // namespace

bool operator==(const ScaledVector& a, const ScaledVector& b) { return a.denominator == b.denominator && a.numerators == b.numerators; }

ScaledVector scale(const std::vector<Rational>& values) {
  ScaledVector scaled;
  for (const Rational& value : values) {
    scaled.denominator = lcm(scaled.denominator, denominator(value));
    if (msb(scaled.denominator) > most_vector_bits / values.size()) throw Rejected("the common denominator of a vector is too long");
  }
  scaled.numerators.reserve(values.size());
  for (const Rational& value : values) scaled.numerators.emplace_back(numerator(value) * (scaled.denominator / denominator(value)));
  return scaled;
}

Integer dot_numerators(const ScaledVector& a, const ScaledVector& b) {
  Integer sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a.numerators[i] * b.numerators[i];
  return sum;
}

Rational dot(const ScaledVector& a, const ScaledVector& b) { return Rational(dot_numerators(a, b), a.denominator * b.denominator); }

ScaledVector image(const std::vector<ScaledVector>& matrix, const ScaledVector& x) {
  std::vector<Rational> values;
  for (const ScaledVector& row : matrix) values.push_back(dot(row, x));
  return scale(values);
}

std::vector<Rational> combine(const WeightedVectors& terms, std::size_t dimension) {
  // With weight/denominator for the weights, every vector counts as an integer vector.
  std::vector<Rational> weights;
  weights.reserve(terms.size());
  for (const auto& [vector, weight] : terms) weights.emplace_back(weight / vector->denominator);
  const ScaledVector scaled = scale(weights);
  std::vector<Integer> sums(dimension);
  for (std::size_t c = 0; c < terms.size(); ++c)
    for (std::size_t a = 0; a < dimension; ++a) sums[a] += scaled.numerators[c] * terms[c].first->numerators[a];
  std::vector<Rational> combined;
  combined.reserve(dimension);
  for (const Integer& sum : sums) combined.emplace_back(sum, scaled.denominator);
  return combined;
}

// After each pivot the entries left are minors, and exact division keeps them so (Bareiss).
std::size_t rank_of(std::vector<std::vector<Integer>> rows) {
  std::size_t rank = 0;
  Integer last = 1;
  for (std::size_t column = 0; !rows.empty() && column < rows.front().size(); ++column) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][column].is_zero()) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[rank], rows[pivot]);
    for (std::size_t r = rank + 1; r < rows.size(); ++r) {
      for (std::size_t c = column + 1; c < rows[r].size(); ++c)
        rows[r][c] = (rows[rank][column] * rows[r][c] - rows[r][column] * rows[rank][c]) / last;
      rows[r][column] = 0;
    }
    last = rows[rank][column];
    ++rank;
  }
  return rank;
}

}  // namespace attest::check
