#include "attest/exact/global_optimality.hpp"

#include <algorithm>

namespace attest {

GlobalOptimality decide_global_optimality(const Scores& scores, const Selection& selection) {
  GlobalOptimality result{};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t t = 0; t < scores[i].size(); ++t) {
      if (t == selection[i]) continue;
      const Rational gap = scores[i][selection[i]] - scores[i][t];
      if (result.gap && gap >= *result.gap) continue;
      result.gap = gap;
      result.sample = i;
      result.token = t;
    }
  }
  result.optimal = !result.gap || *result.gap >= 0;
  result.unique = !result.gap || *result.gap > 0;
  return result;
}

bool have_equal_scores(const Scores& scores, const Selection& selection) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::size_t first = selection[i] == 0 ? 1 : 0;
    for (std::size_t t = first + 1; t < scores[i].size(); ++t)
      if (t != selection[i] && scores[i][t] != scores[i][first]) return false;
  }
  return true;
}

Selection best_selection(const Scores& scores) {
  Selection selection;
  for (const auto& sample : scores)
    selection.push_back(static_cast<std::size_t>(std::max_element(sample.begin(), sample.end()) - sample.begin()));
  return selection;
}

}  // namespace attest
