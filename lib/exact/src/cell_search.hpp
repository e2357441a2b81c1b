#pragma once

#include "attest/exact/assumption_b.hpp"
#include "label_margin.hpp"

#include <optional>

namespace attest {

/// Proves Assumption B over the support vectors: the cells and trees of docs/theory.md, 4.3 to 4.5.
class CellSearch {
 public:
  CellSearch(const LabelMargin& margin, const Budget& budget, const Progress& progress);

  /// The proof with the largest nu that was found; nothing when none was.
  std::optional<AssumptionBProof> run();

 private:
  class Attempt;
  bool reach(double share);
  bool attempt(double share);

  const LabelMargin& margin_;
  const Budget& budget_;
  const Progress& progress_;
  std::vector<std::size_t> movers_;
  std::vector<std::vector<Rational>> duals_;  // points of Lambda
  double reachable_ = 1;                      // a guess of the largest nu, in units of Gamma
  std::size_t node_limit_;
  std::optional<AssumptionBProof> best_;
};

}  // namespace attest
