#include "cell_search.hpp"

#include "attention_cells.hpp"
#include "slope_estimate.hpp"
#include "tree_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {
namespace {

// How the search spends its time; none of it matters to what a proof says.
constexpr std::size_t first_cell_nodes = 500;
constexpr std::size_t cell_nodes = 100'000;
constexpr double widest_ratio = 4;       // of the ends of a cell
constexpr double narrowest_ratio = 1.01;
constexpr int probes = 8;                // inside a cell that did not close
constexpr int most_halvings = 40;        // of the first cell
constexpr unsigned nu_bits = 16;         // of a proposed nu
constexpr int most_attempts = 12;        // at one stage

/// A dyadic number of few bits, at most the value.
Rational short_below(double value, unsigned bits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return exact_value(std::ldexp(std::floor(std::ldexp(fraction, static_cast<int>(bits))), exponent - static_cast<int>(bits)));
}

}  // namespace

/// One attempt to prove a given nu. After a failure, `reachable` is a guess of what can be reached, in units of Gamma.
struct CellSearch::Attempt {
  const LabelMargin& margin;
  const Budget& budget;
  Rational nu;
  double relative_nu;
  std::size_t node_limit;
  WeightPool pool;
  std::vector<std::size_t> duals;  // points of Lambda
  AssumptionBProof proof;
  std::size_t nodes = 0;
  double reachable = 0;

  bool prove(std::size_t mover) {
    auto& cells = proof.samples.emplace_back(mover, std::vector<AssumptionBProof::Cell>{}).cells;
    if (!first_cell(mover, cells)) return false;
    double ratio = widest_ratio;
    while (cells.back().upto < 1)
      if (!next_cell(mover, cells, ratio)) return false;
    return true;
  }

 private:
  TreeSearch::End search(std::span<const MarginBound> ends, bool first, std::size_t limit, SelectionTree& tree, Assignment& broken) {
    if (nodes > node_limit) return TreeSearch::End::stopped;
    TreeSearch search(ends, pool, first ? duals : std::vector<std::size_t>{}, !first, std::min(limit, node_limit - nodes + 1), budget);
    const TreeSearch::End end = search.run(tree);
    nodes += search.nodes();
    if (end == TreeSearch::End::closed) proof.nodes += search.nodes();
    broken = search.broken_at();
    return end;
  }

  bool first_cell(std::size_t mover, std::vector<AssumptionBProof::Cell>& cells) {
    Rational upto = 1;
    for (int halving = 0; halving < most_halvings && !budget.spent(); ++halving, upto /= 2) {
      const std::vector<MarginBound> ends = {cell_end(margin, mover, 0, nu), cell_end(margin, mover, upto, nu)};
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
    for (; ratio >= narrowest_ratio && !budget.spent(); ratio = std::sqrt(ratio)) {
      const Rational upto = low * ratio >= 1 ? Rational(1) : std::max(short_below(low * ratio, 8), Rational(from * Rational(129, 128)));
      const std::vector<MarginBound> ends = {cell_end(margin, mover, from, nu), cell_end(margin, mover, upto, nu)};
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
    double least = relative_nu * 1.000001;
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
    if (found) reachable = std::max(least, 0.0);
    return found;
  }
};

CellSearch::CellSearch(const LabelMargin& margin, const Budget& budget, const Progress& progress)
    : margin_(margin), budget_(budget), progress_(progress) {}

std::optional<AssumptionBProof> CellSearch::run() {
  std::vector<std::size_t> movers;
  std::vector<std::vector<Rational>> duals;
  double reachable = 1;
  for (std::size_t i = 0; i < margin_.sample_count(); ++i) {
    if (!margin_.in_support(i) || !margin_.moves(i)) continue;
    movers.push_back(i);
    duals.push_back(margin_.top_weight(i).weights);
    for (const std::size_t t : offered_tokens(margin_, i, i))
      reachable = std::min(reachable, nearest_double(duals.back()[i] * margin_.cost(i, t)));
    reachable = std::min(reachable, estimated_slope(margin_, i));
  }
  duals.push_back(margin_.some_weights());
  std::ranges::sort(duals);
  duals.erase(std::ranges::unique(duals).begin(), duals.end());

  std::optional<AssumptionBProof> best;
  std::size_t node_limit = 2'000'000;
  for (const double share : {0.5, 0.9, 0.98}) {
    double part = share;
    for (int k = 0; k < most_attempts; ++k) {
      if (budget_.spent() || !(reachable * part > 1e-9)) return best;
      Attempt attempt{margin_, budget_, short_below(nearest_double(margin_.gamma_below()) * reachable * part, nu_bits),
                      reachable * part, node_limit, {}, {}, {}};
      if (best && attempt.nu <= best->nu) break;
      for (const auto& weights : duals) attempt.duals.push_back(attempt.pool.add(SampleWeights::exactly(weights)));
      bool proved = true;
      for (std::size_t k2 = 0; proved && k2 < movers.size(); ++k2) {
        if (progress_) progress_(-1, "cells");
        proved = attempt.prove(movers[k2]);
      }
      if (proved) {
        attempt.proof.nu = attempt.nu;
        attempt.proof.v = margin_.v();
        for (const SampleWeights& entry : attempt.pool.entries) {
          auto& weights = attempt.proof.weights.emplace_back();
          for (const Integer& numerator : entry.numerators) weights.emplace_back(numerator, entry.denominator);
        }
        node_limit = std::max<std::size_t>(20'000, 10 * attempt.nodes);
        best = std::move(attempt.proof);
        break;
      }
      if (attempt.reachable > 0 && attempt.reachable < reachable) reachable = attempt.reachable;
      else if (best) return best;
      else part /= 4;
    }
  }
  return best;
}

}  // namespace attest
