#include "linear.hpp"

namespace attest::check {

namespace {

/// A gibibyte. Unlike denominators could otherwise make a small file fill the memory.
constexpr std::size_t most_bits = std::size_t{1} << 33U;

}  // namespace

bool operator==(const ScaledVector& a, const ScaledVector& b) {
  return a.denominator == b.denominator && a.numerators == b.numerators;
}

ScaledVector scale(const std::vector<Rational>& values) {
  ScaledVector scaled;
  for (const Rational& value : values) {
    scaled.denominator = lcm(scaled.denominator, denominator(value));
    if (msb(scaled.denominator) > most_bits / values.size())
      throw Rejected("the common denominator of a vector is too long");
  }
  scaled.numerators.reserve(values.size());
  for (const Rational& value : values)
    scaled.numerators.emplace_back(numerator(value) * (scaled.denominator / denominator(value)));
  return scaled;
}

Integer dot_numerators(const ScaledVector& a, const ScaledVector& b) {
  Integer sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a.numerators[i] * b.numerators[i];
  return sum;
}

Rational dot(const ScaledVector& a, const ScaledVector& b) {
  return Rational(dot_numerators(a, b), a.denominator * b.denominator);
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

}  // namespace attest::check
