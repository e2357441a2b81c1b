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

/// Two tokens of one sample, neither selected, whose scores differ. GD-global asks that there be none. [MM]
struct UnequalScores {
  std::size_t sample;
  std::size_t token;
  std::size_t other;
};
std::optional<UnequalScores> find_unequal_scores(const Scores& scores, const Selection& selection);

/// The token with the largest score of each sample; the first one where several tie.
Selection best_selection(const Scores& scores);

}  // namespace attest
