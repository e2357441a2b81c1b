#include "cell_search.hpp"

#include "attention_cells.hpp"
#include "attest/base/tolerance.hpp"
#include "slope_estimate.hpp"
#include "tree_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attest {
namespace {

// How the search spends its time; none of it matters to what a proof says.
constexpr std::size_t first_cell_nodes = 500;
constexpr std::size_t cell_nodes = 100'000;
constexpr double widest_ratio = 4;  // of the ends of a cell
constexpr double narrowest_ratio = 1.01;
constexpr int probes = 8;                            // inside a cell that did not close
constexpr int most_halvings = 40;                    // of the first cell
constexpr unsigned nu_bits = 16;                     // of a proposed nu
constexpr int most_attempts = 12;                    // at one stage
constexpr std::array stages = {0.5, 0.9, 0.98};      // parts of the reachable nu: first a proof, then a good one
constexpr std::size_t most_proof_nodes = 2'000'000;  // of the first proof
constexpr std::size_t least_node_limit = 20'000;
constexpr double least_part = 1e-9;  // of Gamma that is tried as nu

/// A dyadic number of few bits, at most the value.
Rational short_below(double value, unsigned bits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return exact_value(std::ldexp(std::floor(std::ldexp(fraction, static_cast<int>(bits))), exponent - static_cast<int>(bits)));
}

}  // namespace

/// One attempt to prove a given nu.
class CellSearch::Attempt {
 public:
  Attempt(const CellSearch& search, double part)
      : margin_(search.margin_), budget_(search.budget_), nu_(short_below(nearest_double(margin_.gamma_below()) * part, nu_bits)),
        part_(part), node_limit_(search.node_limit_) {
    for (const auto& weights : search.duals_) duals_.push_back(pool_.add(SampleWeights::exactly(weights)));
  }

  const Rational& nu() const { return nu_; }
  std::size_t nodes() const { return nodes_; }
  /// After a failure: what can be reached at most, in units of Gamma; 0 when that is not known.
  double reachable() const { return reachable_; }

  bool prove(std::size_t mover) {
    auto& cells = proof_.samples.emplace_back(mover, std::vector<AssumptionBProof::Cell>{}).cells;
    if (!first_cell(mover, cells)) return false;
    double ratio = widest_ratio;
    while (cells.back().upto < 1)
      if (!next_cell(mover, cells, ratio)) return false;
    return true;
  }

  AssumptionBProof take_proof() {
    proof_.nu = nu_;
    proof_.v = margin_.v();
    for (const SampleWeights& entry : pool_.entries) {
      auto& weights = proof_.weights.emplace_back();
      for (const Integer& numerator : entry.numerators) weights.emplace_back(numerator, entry.denominator);
    }
    return std::move(proof_);
  }

 private:
  TreeSearch::End search(std::span<const MarginBound> ends, bool first, std::size_t limit, SelectionTree& tree, Assignment& broken) {
    if (nodes_ > node_limit_) return TreeSearch::End::stopped;
    TreeSearch search(ends, pool_, first ? duals_ : std::vector<std::size_t>{}, !first, std::min(limit, node_limit_ - nodes_ + 1), budget_);
    const TreeSearch::End end = search.run(tree);
    nodes_ += search.nodes();
    if (end == TreeSearch::End::closed) proof_.nodes += search.nodes();
    broken = search.broken_at();
    return end;
  }

  bool first_cell(std::size_t mover, std::vector<AssumptionBProof::Cell>& cells) {
    Rational upto = 1;
    for (int halving = 0; halving < most_halvings && !budget_.spent(); ++halving, upto /= 2) {
      const std::vector<MarginBound> ends = {cell_end(margin_, mover, 0, nu_), cell_end(margin_, mover, upto, nu_)};
      AssumptionBProof::Cell cell{upto, {}};
      Assignment broken;
      if (search(ends, true, first_cell_nodes, cell.tree, broken) != TreeSearch::End::closed) continue;
      cells.push_back(std::move(cell));
      return true;
    }
    return false;
  }

  bool next_cell(std::size_t mover, std::vector<AssumptionBProof::Cell>& cells, double& ratio) {
    const Rational from = cells.back().upto;
    const double low = nearest_double(from);
    for (; ratio >= narrowest_ratio && !budget_.spent(); ratio = std::sqrt(ratio)) {
      const Rational upto = low * ratio >= 1 ? Rational(1) : std::max(short_below(low * ratio, 8), Rational(from * Rational(129, 128)));
      const std::vector<MarginBound> ends = {cell_end(margin_, mover, from, nu_), cell_end(margin_, mover, upto, nu_)};
      AssumptionBProof::Cell cell{upto, {}};
      Assignment broken;
      const TreeSearch::End end = search(ends, false, cell_nodes, cell.tree, broken);
      if (end == TreeSearch::End::closed) {
        cells.push_back(std::move(cell));
        return true;
      }
      if (end == TreeSearch::End::broken && out_of_reach(ends, low, nearest_double(upto), broken)) return false;
    }
    return false;
  }

  /// Whether the assignment's margin inside the cell is above Gamma - nu delta: no narrower cell will help then.
  bool out_of_reach(std::span<const MarginBound> ends, double low, double high, const Assignment& broken) {
    double least = part_ * (1 + reach_tolerance.relative);
    bool found = false;
    for (int probe = 0; probe <= probes; ++probe) {
      const double part = static_cast<double>(probe) / probes;
      std::vector<std::vector<double>> points;
      for (std::size_t i = 0; i < broken.size(); ++i) {
        const auto t = static_cast<std::size_t>(broken[i]);
        points.push_back(ends[0].image(i, t));
        for (std::size_t c = 0; c < points.back().size(); ++c) points.back()[c] += part * (ends[1].image(i, t)[c] - points.back()[c]);
      }
      std::vector<const std::vector<double>*> pointers;
      for (const auto& point : points) pointers.push_back(&point);
      const double slope = (1 - nearest_to_origin(pointers).norm) / (low + part * (high - low));
      if (slope > least) continue;
      least = slope;
      found = true;
    }
    if (found) reachable_ = std::max(least, std::numeric_limits<double>::min());
    return found;
  }

  const LabelMargin& margin_;
  const Budget& budget_;
  Rational nu_;
  double part_;  // nu in units of Gamma
  std::size_t node_limit_;
  WeightPool pool_;
  std::vector<std::size_t> duals_;  // entries of the pool
  AssumptionBProof proof_;
  std::size_t nodes_ = 0;
  double reachable_ = 0;
};

CellSearch::CellSearch(const LabelMargin& margin, const Budget& budget, const Progress& progress)
    : margin_(margin), budget_(budget), progress_(progress), node_limit_(most_proof_nodes) {
  for (std::size_t i = 0; i < margin_.sample_count(); ++i) {
    if (!margin_.in_support(i) || !margin_.moves(i)) continue;
    movers_.push_back(i);
    duals_.push_back(margin_.top_weights(i));
    for (const std::size_t t : offered_tokens(margin_, i, i))
      reachable_ = std::min(reachable_, nearest_double(duals_.back()[i] * margin_.cost(i, t)));
    if (!budget_.spent()) reachable_ = std::min(reachable_, estimated_slope(margin_, i));
  }
  duals_.push_back(margin_.some_weights());
  std::ranges::sort(duals_);
  duals_.erase(std::ranges::unique(duals_).begin(), duals_.end());
}

std::optional<AssumptionBProof> CellSearch::run() {
  for (const double share : stages)
    if (!reach(share)) break;
  return std::move(best_);
}

/// Tries to prove this share of what is reachable, less where that turns out to be too much. False when it cannot be done.
bool CellSearch::reach(double share) {
  for (int k = 0; k < most_attempts; ++k) {
    if (budget_.spent() || !(reachable_ * share > least_part)) return false;
    const double before = reachable_;
    if (attempt(share)) return true;
    if (reachable_ < before) continue;
    if (best_) return false;
    share /= 4;
  }
  return false;
}

bool CellSearch::attempt(double share) {
  Attempt attempt(*this, reachable_ * share);
  if (best_ && attempt.nu() <= best_->nu) return true;
  for (const std::size_t mover : movers_) {
    if (progress_) progress_(-1, "cells");
    if (attempt.prove(mover)) continue;
    if (attempt.reachable() > 0) reachable_ = std::min(reachable_, attempt.reachable());
    return false;
  }
  node_limit_ = std::max(least_node_limit, 10 * attempt.nodes());
  best_ = attempt.take_proof();
  return true;
}

}  // namespace attest
