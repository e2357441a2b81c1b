#pragma once

#include <utility>
#include <vector>

#include "rational.hpp"

namespace attest::check {

/// A rational vector over one common denominator: inner products then run on integers alone, which
/// keeps programs of thousands of rows with 10,000-bit solutions a matter of seconds.
struct ScaledVector {
  std::vector<Integer> numerators;
  Integer denominator = 1;  ///< positive, the least common one: equal vectors are stored equally

  [[nodiscard]] std::size_t size() const { return numerators.size(); }
  [[nodiscard]] Rational operator[](std::size_t i) const { return Rational(numerators[i], denominator); }
};

bool operator==(const ScaledVector& a, const ScaledVector& b);

ScaledVector scale(const std::vector<Rational>& values);

/// Σ a_i b_i over the numerators; the inner product is this over both denominators.
Integer dot_numerators(const ScaledVector& a, const ScaledVector& b);
Rational dot(const ScaledVector& a, const ScaledVector& b);

/// The products of the rows with x.
ScaledVector image(const std::vector<ScaledVector>& matrix, const ScaledVector& x);

/// Σ weight · vector, of the given dimension (an empty sum is the zero vector).
using WeightedVectors = std::vector<std::pair<const ScaledVector*, Rational>>;
std::vector<Rational> combine(const WeightedVectors& terms, std::size_t dimension);

/// The rank of the vectors over the rationals, by elimination without fractions.
std::size_t rank_of(std::vector<std::vector<Integer>> rows);

}  // namespace attest::check
