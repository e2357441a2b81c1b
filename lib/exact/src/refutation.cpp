#include "refutation.hpp"

#include "attention_cells.hpp"
#include "separation.hpp"
#include "tree_search.hpp"

#include <algorithm>

namespace attest {
namespace {

constexpr std::size_t rival_nodes = 100'000;

/// A little below Gamma squared, so that a tree over selections does not pass over one of the same margin.
Rational just_below(const Rational& gamma_squared) { return gamma_squared * (1 - Rational(Integer(1), Integer(1) << 40)); }

}  // namespace

RefutationSearch::RefutationSearch(const LabelMargin& margin, AttentionOver over, const Budget& budget)
    : margin_(margin), over_(over), budget_(budget) {}

bool RefutationSearch::counts(std::size_t sample) const {
  return margin_.moves(sample) && (over_ == AttentionOver::all || margin_.in_support(sample));
}

/// p with all rows positive such that every least row among those that count is soft.
std::optional<std::vector<Rational>> RefutationSearch::softest_among(const std::vector<bool>& soft) const {
  const std::vector<KeyRow> rows = key_rows(margin_.tokens(), margin_.selection());
  for (std::size_t least = 0; least < rows.size(); ++least) {
    if (!soft[least] || budget_.spent()) continue;
    std::vector<std::vector<Rational>> conditions;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      conditions.push_back(rows[r].row);
      if (counts(rows[r].name.sample) && !soft[r]) conditions.push_back(minus(rows[r].row, rows[least].row));
    }
    if (auto p = separate(conditions, budget_)) return p;
  }
  return std::nullopt;
}

std::optional<AssumptionBRefutation> RefutationSearch::along_rays() const {
  const std::vector<KeyRow> rows = key_rows(margin_.tokens(), margin_.selection());
  std::vector<bool> soft;
  for (const auto& [name, row] : rows)
    soft.push_back(counts(name.sample) && (!margin_.in_support(name.sample) || margin_.cost(name.sample, name.token) <= 0));
  if (auto p = softest_among(soft)) return refuted(AssumptionBRefutation::BySoftRow{std::move(*p)});
  for (std::size_t i = 0; i < margin_.sample_count(); ++i) {
    if (!margin_.in_support(i) || !margin_.moves(i)) continue;
    if (margin_.top_weights(i)[i] > 0) continue;
    for (std::size_t r = 0; r < rows.size(); ++r) soft[r] = rows[r].name.sample == i;
    if (auto p = softest_among(soft)) return refuted(AssumptionBRefutation::ByWeightless{i, std::move(*p), margin_.top_proof(i)});
  }
  return std::nullopt;
}

/// Attention that goes to the target, and equally to tokens with the same keys, if their margin along u is large enough too.
std::optional<AssumptionBRefutation> RefutationSearch::going_to(const Selection& target, const std::vector<Rational>& u) const {
  std::vector<std::vector<Rational>> conditions;
  bool differs = false;
  for (const auto& [name, row] : key_rows(margin_.tokens(), target)) {
    const auto [i, t] = name;
    differs = differs || (counts(i) && target[i] != margin_.selection()[i]);
    if (!std::ranges::all_of(row, [](const Rational& entry) { return entry.is_zero(); })) {
      conditions.push_back(row);
      continue;
    }
    differs = differs || counts(i);
    Rational score = 0;
    for (std::size_t c = 0; c < u.size(); ++c) score += u[c] * margin_.z(i, t)[c];
    if (score < margin_.denominator()) return std::nullopt;
  }
  if (!differs) return std::nullopt;
  auto p = conditions.empty() ? std::optional(std::vector<Rational>(u.size(), 0)) : separate(conditions, budget_);
  if (!p) return std::nullopt;
  return refuted(AssumptionBRefutation::ByLimit{target, std::move(*p), u});
}

std::optional<AssumptionBRefutation> RefutationSearch::by_limit(bool& unreachable) const {
  if (auto found = going_to(margin_.selection(), margin_.v().w)) return found;
  const std::vector<MarginBound> end = {all_tokens(margin_, just_below(margin_.gamma_squared()))};
  if (!end.front().is_finite()) return std::nullopt;  // doubles could not prune, and every selection would be visited
  WeightPool pool;
  TreeSearch search(end, pool, {}, true, rival_nodes, budget_);
  const auto same_so_far = [&](const Assignment& taken) {
    for (std::size_t i = 0; i < taken.size(); ++i)
      if (counts(i) && taken[i] != static_cast<int>(margin_.selection()[i])) return false;
    return true;
  };
  std::optional<AssumptionBRefutation> found;
  search.irrelevant = same_so_far;
  search.last_resort = [&](const Assignment& taken, SelectionTree&) {
    const Selection rival(taken.begin(), taken.end());
    const LabelMarginOutcome outcome = label_margin(margin_.tokens(), rival, budget_);
    const auto* theirs = std::get_if<LabelMargin>(&outcome);
    if (!theirs || theirs->gamma_squared() < margin_.gamma_squared()) return true;
    found = going_to(rival, theirs->v().w);
    for (std::size_t i = 0; i < rival.size(); ++i)
      unreachable = unreachable || (!found && margin_.in_support(i) && rival[i] != margin_.selection()[i]);
    return !found;
  };
  SelectionTree tree;
  search.run(tree);
  return found;
}

}  // namespace attest
