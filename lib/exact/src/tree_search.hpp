#pragma once

#include "attest/base/progress.hpp"
#include "attest/certificate/selection_tree.hpp"
#include "margin_bound.hpp"

#include <deque>
#include <functional>
#include <span>

namespace attest {

/// The weights that leaves refer to. The latest ones that closed a leaf are tried first on the next.
struct WeightPool {
  std::vector<SampleWeights> entries;
  std::deque<std::size_t> recent;

  std::size_t add(SampleWeights weights);
  void used(std::size_t index);
};

/// Searches a tree whose leaves are closed at every one of `ends`. Doubles propose weights and branches; a leaf counts
/// only when MarginBound::closes says so exactly.
class TreeSearch {
 public:
  enum class End {
    closed,
    broken,  ///< a full assignment was not closed: broken_at()
    stopped  ///< the nodes or the time were used up
  };

  /// `given` are entries of the pool to try at every node; without `may_guess` only they are tried.
  TreeSearch(std::span<const MarginBound> ends, WeightPool& pool, std::vector<std::size_t> given, bool may_guess, std::size_t node_limit,
             const Budget& budget);

  /// Asked when a full assignment could not be closed; true: it has closed the leaf, or it may be passed over.
  std::function<bool(const Assignment&, SelectionTree&)> last_resort;
  /// Nodes for which this says so are passed over: the tree is then a search, not a proof.
  std::function<bool(const Assignment&)> irrelevant;

  End run(SelectionTree& tree);
  const Assignment& broken_at() const { return taken_; }
  std::size_t nodes() const { return nodes_; }

 private:
  using Weights = std::vector<double>;

  End visit(SelectionTree& node, const Weights& start);
  bool close_by(SelectionTree& node, std::size_t index);
  bool close_by_known(SelectionTree& node, Weights& best);
  bool close_by_guess(SelectionTree& node, Weights& best);
  bool try_rounded(SelectionTree& node, const Weights& weights, unsigned bits);
  End branch(SelectionTree& node, const Weights& weights);
  std::size_t branching_sample(const Weights& weights) const;
  double excess(const Weights& weights) const;

  std::span<const MarginBound> ends_;
  WeightPool& pool_;
  std::vector<std::size_t> given_;
  bool may_guess_;
  std::size_t node_limit_;
  const Budget& budget_;
  Assignment taken_;
  std::size_t nodes_ = 0;
};

/// Weights that make the largest excess of the ends small: steps that move weight from one sample to another.
std::vector<double> descend(std::span<const MarginBound> ends, const Assignment& taken, std::vector<double> weights, int steps);

}  // namespace attest
