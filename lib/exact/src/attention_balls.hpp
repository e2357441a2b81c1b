#pragma once

#include "attest/exact/ball.hpp"
#include "attest/model/loss.hpp"

#include <optional>
#include <vector>

namespace attest {

/// What a sample adds to n L and its derivatives, enclosed: with logits y_t, s = softmax(y), f = s.gamma, c_t = s_t (gamma_t - f).
/// [docs/theory.md, section 1]
struct AttentionBalls {
  std::vector<Ball> s;
  std::vector<Ball> centred;  ///< c_t, which is d f / d y_t
  Ball slope;                 ///< l'(f)
  Ball curvature;             ///< l''(f)
};

/// Nothing where the loss has no jet.
std::optional<AttentionBalls> enclose_attention(const Loss& loss, const std::vector<Rational>& scores, const std::vector<Ball>& logits);

}  // namespace attest
