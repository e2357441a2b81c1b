#include "point_margin.hpp"

#include "attest/exact/ball.hpp"
#include "rational_vector.hpp"
#include "separation.hpp"
#include "slope_estimate.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

/// exp(k_it.p - max_t' k_it'.p) for every token of a sample, and their sum.
struct SampleExponentials {
  std::vector<Ball> terms;
  Ball sum;
};

SampleExponentials exponentials(const LabelMargin& margin, std::size_t sample, const std::vector<Rational>& p) {
  std::vector<Rational> logits;
  for (std::size_t t = 0; t < margin.problem().token_count(sample); ++t) {
    const FractionVector& key = margin.tokens().key(sample, t);
    Rational logit = 0;
    for (std::size_t c = 0; c < p.size(); ++c) logit += key.numerators[c] * p[c];
    logits.push_back(logit / key.denominator);
  }
  const Rational largest = *std::ranges::max_element(logits);
  SampleExponentials result;
  for (const Rational& logit : logits) {
    result.terms.push_back(exp(Ball(Rational(logit - largest))));
    result.sum = result.sum + result.terms.back();
  }
  return result;
}

/// The direction at which the margin is attained, from the midpoints of the enclosures.
std::vector<Rational> best_direction(const LabelMargin& margin, const std::vector<SampleExponentials>& attention) {
  std::vector<std::vector<double>> outputs;
  const double scale = 1 / nearest_double(margin.gamma_below() * margin.denominator());
  for (std::size_t i = 0; i < attention.size(); ++i) {
    auto& output = outputs.emplace_back(margin.z(i, 0).size(), 0.0);
    const double sum = arf_get_d(arb_midref(attention[i].sum.get()), ARF_RND_NEAR);
    for (std::size_t t = 0; t < attention[i].terms.size(); ++t) {
      const double share = arf_get_d(arb_midref(attention[i].terms[t].get()), ARF_RND_NEAR) / sum;
      for (std::size_t c = 0; c < output.size(); ++c) output[c] += share * margin.z(i, t)[c].truncated() * scale;
    }
  }
  std::vector<const std::vector<double>*> points;
  for (const auto& output : outputs) points.push_back(&output);
  const NearestPoint nearest = nearest_to_origin(points);
  std::vector<Rational> u;
  for (std::size_t c = 0; c < outputs.front().size(); ++c) {
    double entry = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) entry += nearest.weights[i] * outputs[i][c];
    if (!std::isfinite(entry)) return {};
    u.push_back(exact_value(entry));
  }
  return u;
}

/// u.Z_i^T s_i
Ball output_along(const LabelMargin& margin, std::size_t sample, const SampleExponentials& attention, const std::vector<Rational>& u) {
  Ball sum;
  for (std::size_t t = 0; t < attention.terms.size(); ++t) {
    Rational score = 0;
    for (std::size_t c = 0; c < u.size(); ++c) score += u[c] * margin.z(sample, t)[c];
    sum = sum + attention.terms[t] * Ball(Rational(score / margin.denominator()));
  }
  return sum / attention.sum;
}

/// A lower bound of max (1 - s_i,alpha_i) over the samples that count.
Rational moved_attention(const LabelMargin& margin, AttentionOver over, const std::vector<SampleExponentials>& attention) {
  Rational most = 0;
  for (std::size_t i = 0; i < attention.size(); ++i) {
    if (over == AttentionOver::support && !margin.in_support(i)) continue;
    Ball moved;
    for (std::size_t t = 0; t < attention[i].terms.size(); ++t)
      if (t != margin.selection()[i]) moved = moved + attention[i].terms[t];
    const Ball share = moved / attention[i].sum;
    if (share.is_moderate()) most = std::max(most, share.lower());
  }
  return most;
}

}  // namespace

std::optional<PointMargin> show_margin(const LabelMargin& margin, AttentionOver over, const std::vector<double>& point) {
  if (!std::ranges::all_of(point, [](double entry) { return std::isfinite(entry); })) return std::nullopt;
  PointMargin result{{}, {}, true, 0};
  for (const double entry : point) result.p.push_back(exact_value(entry));
  std::vector<SampleExponentials> attention;
  for (std::size_t i = 0; i < margin.sample_count(); ++i) attention.push_back(exponentials(margin, i, result.p));
  const Rational moved = moved_attention(margin, over, attention);
  if (moved <= 0) return std::nullopt;
  result.u = best_direction(margin, attention);
  if (result.u.empty()) return std::nullopt;
  const Rational length_squared = dot(result.u, result.u);
  if (length_squared <= 0) return std::nullopt;
  const Ball length = sqrt(Ball(length_squared));
  std::optional<Rational> least;
  for (std::size_t i = 0; i < attention.size(); ++i) {
    const Ball along = output_along(margin, i, attention[i], result.u) / length;
    if (!along.is_moderate()) return std::nullopt;
    const Rational below = along.lower();
    if (!least || below < *least) least = below;
  }
  result.at_least_gamma = *least > 0 && *least * *least >= margin.gamma_squared();
  result.slope_bound = std::max(Rational(0), Rational((margin.gamma_above() - *least) / moved));
  return result;
}

}  // namespace attest
