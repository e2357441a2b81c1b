#include "attention_balls.hpp"

#include "attest/exact/loss_jet.hpp"

#include <algorithm>

namespace attest {

std::optional<AttentionBalls> enclose_attention(const Loss& loss, const std::vector<Rational>& scores, const std::vector<Ball>& logits) {
  AttentionBalls result;
  Ball total;
  for (const Ball& logit : logits) {
    result.s.push_back(exp(logit));
    total = total + result.s.back();
  }
  Ball f;
  for (std::size_t t = 0; t < scores.size(); ++t) {
    result.s[t] = result.s[t] / total;
    f = f + result.s[t] * Ball(scores[t]);
  }
  if (!f.is_moderate()) return std::nullopt;
  for (std::size_t t = 0; t < scores.size(); ++t) result.centred.push_back(result.s[t] * (Ball(scores[t]) - f));
  // f is a mean of the scores, so that what rounding adds beyond them is cut off.
  const auto [least, most] = std::ranges::minmax(scores);
  const auto jet = enclose(loss.expression(), {std::clamp(f.lower(), least, most), std::clamp(f.upper(), least, most)});
  if (!jet) return std::nullopt;
  result.slope = jet->slope;
  result.curvature = jet->curvature;
  return result;
}

}  // namespace attest
