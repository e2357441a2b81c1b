#pragma once

#include "attest/model/problem.hpp"

#include <optional>

namespace attest {

/// Whether gamma_i,alpha_i >= gamma_it for all i, t, decided exactly. [MM, Def. 1]
struct GlobalOptimality {
  bool optimal;
  bool unique;                  ///< and strictly so for every t != alpha_i
  std::optional<Rational> gap;  ///< least gamma_i,alpha_i - gamma_it; none when no sample has two tokens
  std::size_t sample = 0;       ///< where the least gap is
  std::size_t token = 0;
};
GlobalOptimality decide_global_optimality(const Scores& scores, const Selection& selection);

/// Within each sample all tokens that are not selected score the same. [MM], GD-global
bool have_equal_scores(const Scores& scores, const Selection& selection);

/// The token with the largest score of each sample; the first one where several tie.
Selection best_selection(const Scores& scores);

}  // namespace attest
