#include "attended.hpp"

#include <algorithm>

namespace attest::check {

namespace {

/// 1/(1 + Σ_t exp(y_t − y_s)). Where one of these is beyond what exp is defined for, the weight is between 0 and exp(y_s − y_t).
Enclosed weight(const EnclosedVector& differences, std::size_t s, const Enclosed& one) {
  Enclosed inverse = one;
  for (std::size_t t = 0; t < differences.size(); ++t) {
    if (t == s) continue;
    if (surely_less(one.like(Rational(1 << 20)), differences[t])) return exp(-differences[t]);
    inverse += exp(differences[t]);
  }
  return one / inverse;
}

Enclosed hull(const std::vector<Rational>& scores, const Arithmetic& arithmetic) {
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  return {arithmetic.enclose(*least, *most), arithmetic};
}

}  // namespace

Attention::Attention(const EnclosedMatrix& differences, const std::vector<Rational>& scores, const Arithmetic& arithmetic)
    : output(hull(scores, arithmetic)) {
  const Enclosed one(Rational(1), arithmetic);
  Enclosed sum(Rational(0), arithmetic);
  Enclosed offset(scores.front(), arithmetic);
  for (std::size_t s = 0; s < scores.size(); ++s) {
    weights.push_back(weight(differences[s], s, one));
    sum += weights.back() * scores[s];
    offset += weights.back() * Rational(scores[s] - scores.front());
  }
  output = intersection(output, intersection(sum, offset));
  for (std::size_t t = 0; t < scores.size(); ++t) pulls.push_back(weights[t] * (one.like(scores[t]) - output));
}

Attention attention_at(const std::vector<Rational>& logits, const std::vector<Rational>& scores, const Arithmetic& arithmetic) {
  EnclosedMatrix differences;
  for (const Rational& from : logits) {
    auto& row = differences.emplace_back();
    for (const Rational& to : logits) row.emplace_back(Rational(to - from), arithmetic);
  }
  return {differences, scores, arithmetic};
}

Means::Means(const Scores& scores) {
  for (const auto& sample : scores) {
    Rational sum = 0;
    for (const Rational& score : sample) sum += score;
    outputs.emplace_back(sum / sample.size());
    auto& pull = pulls.emplace_back();
    for (const Rational& score : sample) pull.emplace_back((score - outputs.back()) / sample.size());
  }
}

void require_origin(const Json& node, const Point& point) {
  if (!is_zero(point)) node.fail("by origin: not 0");
}

}  // namespace attest::check
