#include "attest/model/problem.hpp"

#include "attest/model/token_rows.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {

Scores exact_scores(const Problem& problem) {
  if (!problem.v) throw std::logic_error("exact_scores: the problem has no v");
  const FractionVector v = row_fractions(*problem.v, 0);
  Scores scores(problem.sample_count());
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    for (std::size_t t = 0; t < problem.token_count(i); ++t) {
      const FractionVector token = row_fractions(problem.tokens[i], t);
      const Rational score(dot(v.numerators, token.numerators), Integer(v.denominator * token.denominator));
      scores[i].push_back(problem.labels[i] > 0 ? score : Rational(-score));
    }
  }
  return scores;
}

RationalInterval interval_of(const Scores& scores) {
  RationalInterval interval{scores.front().front(), scores.front().front()};
  for (const auto& sample : scores) {
    const auto [least, largest] = std::minmax_element(sample.begin(), sample.end());
    interval.low = std::min(interval.low, *least);
    interval.high = std::max(interval.high, *largest);
  }
  return interval;
}

std::vector<Rational> exact_key(const Problem& problem, std::size_t sample, std::size_t token) {
  const std::size_t d = problem.dimension();
  std::vector<Rational> key(d);
  const ExactMatrix& tokens = problem.tokens[sample];
  for (std::size_t a = 0; a < d; ++a) {
    if (!problem.W) {
      key[a] = tokens.at(token, a);
      continue;
    }
    for (std::size_t b = 0; b < d; ++b) {
      const Rational weight = problem.W->at(a, b);
      if (!weight.is_zero()) key[a] += weight * tokens.at(token, b);
    }
  }
  return key;
}

}  // namespace attest
