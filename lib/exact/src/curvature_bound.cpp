#include "curvature_bound.hpp"

#include "limit_clauses.hpp"
#include "trained_keys.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

/// An upper bound of the largest squared distance of two keys of a sample. In doubles: an entry is off by at most 2^-50 of the largest,
/// R, so that a distance is by 2^-49 R sqrt(d), and the sum of d squares by a part of at most d 2^-50.
PreciseBall widest_squared(const LimitFacts& facts, std::size_t sample, bool weights) {
  const std::size_t count = (*facts.scores)[sample].size();
  const std::size_t d = facts.program->dimension();
  std::vector<double> keys;
  double largest = 0;
  for (std::size_t t = 0; t < count; ++t) {
    const FractionVector key = left_fractions(*facts.tokens, weights, sample, t);
    for (const Integer& entry : key.numerators) {
      keys.push_back(near_double(entry, key.denominator));
      largest = std::max(largest, std::abs(keys.back()));
    }
  }
  // Beyond these sizes squares underflow or overflow: then there is no bound.
  if (!(largest > 1e-100 && largest < 1e100)) {
    PreciseBall unbounded;
    arb_pos_inf(unbounded.get());
    return unbounded;
  }
  double widest = 0;
  for (std::size_t t = 0; t < count; ++t)
    for (std::size_t s = 0; s < t; ++s) {
      double squared = 0;
      for (std::size_t c = 0; c < d; ++c) squared += square(keys[t * d + c] - keys[s * d + c]);
      widest = std::max(widest, squared);
    }
  const PreciseBall part = exactly<PreciseBall>(1) + exactly<PreciseBall>(static_cast<double>(d) * 0x1p-49);
  const PreciseBall off = exactly<PreciseBall>(largest * 0x1p-48) * root(exactly<PreciseBall>(static_cast<double>(d)));
  return square(root(exactly<PreciseBall>(widest)) * part + off);
}

}  // namespace

PreciseBall curvature_bound(const LimitFacts& facts, Parametrisation parametrisation) {
  const Scores& scores = *facts.scores;
  const bool weights = parametrisation == Parametrisation::weights;
  PreciseBall total;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    PreciseBall widest = widest_squared(facts, i, weights);
    if (weights) {
      const FractionVector& query = facts.tokens->query(i);
      widest = widest * PreciseBall(Rational(dot(query.numerators, query.numerators), Integer(query.denominator * query.denominator)));
    }
    const auto [least, most] = std::ranges::minmax_element(scores[i]);
    const Rational range = *most - *least;
    total += widest * PreciseBall(Rational(range * (facts.loss->m0 * range / 16 + facts.loss->m1 / 4)));
  }
  return total / PreciseBall(Rational(static_cast<long>(scores.size())));
}

}  // namespace attest
