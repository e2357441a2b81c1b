#pragma once

#include "attest/exact/assumption_b.hpp"
#include "label_margin.hpp"

#include <optional>

namespace attest {

/// Looks for the witnesses of docs/theory.md, 4.7.
class RefutationSearch {
 public:
  RefutationSearch(const LabelMargin& margin, AttentionOver over, const Budget& budget);

  /// (b) and (c): exact linear feasibility problems.
  std::optional<AssumptionBRefutation> along_rays() const;
  /// (a): alpha itself, and a tree over the selections whose margin is at least Gamma. `unreachable` tells of one that
  /// differs from alpha in S and that no p separates: it refutes nothing, and yet no proof over all attention is possible.
  std::optional<AssumptionBRefutation> by_limit(bool& unreachable) const;

 private:
  bool counts(std::size_t sample) const;
  std::optional<AssumptionBRefutation> going_to(const Selection& target, const std::vector<Rational>& u) const;
  std::optional<std::vector<Rational>> softest_among(const std::vector<bool>& soft) const;
  AssumptionBRefutation refuted(decltype(AssumptionBRefutation::by) by) const { return {margin_.v(), std::move(by)}; }

  const LabelMargin& margin_;
  AttentionOver over_;
  const Budget& budget_;
};

}  // namespace attest
