#include "tree_search.hpp"

#include "attest/base/tolerance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace attest {
namespace {

constexpr std::size_t recent_count = 12;
constexpr int open_steps = 40;        // of descent at a node with open samples
constexpr int full_steps = 400;       // where every sample is decided, since there the answer counts
constexpr unsigned coarse_bits = 20;  // of rounded weights
constexpr unsigned fine_bits = 44;
constexpr std::array softnesses = {1e-2, 1e-3, 1e-4};  // in units of Gamma: from smooth to sharp
constexpr double clearly_below = -leaf_slack_tolerance.relative;

using Weights = std::vector<double>;

/// The largest excess made smooth: softness * log sum exp(excess / softness).
class SoftExcess {
 public:
  SoftExcess(std::span<const MarginBound> ends, const Assignment& taken, double softness)
      : ends_(ends), taken_(taken), softness_(softness) {}

  double value(const Weights& weights) const {
    std::vector<double> excess;
    for (const MarginBound& end : ends_) excess.push_back(end.excess(weights, taken_));
    const double largest = *std::ranges::max_element(excess);
    double sum = 0;
    for (const double one : excess) sum += std::exp((one - largest) / softness_);
    return largest + softness_ * std::log(sum);
  }

  Weights slopes(const Weights& weights) const {
    const double level = value(weights);
    Weights total(weights.size(), 0.0);
    for (const MarginBound& end : ends_) {
      const double share = std::exp((end.excess(weights, taken_) - level) / softness_);
      const Weights slopes = end.slopes(weights, taken_);
      for (std::size_t i = 0; i < total.size(); ++i) total[i] += share * slopes[i];
    }
    return total;
  }

 private:
  std::span<const MarginBound> ends_;
  const Assignment& taken_;
  double softness_;
};

Weights shifted(Weights weights, std::size_t from, std::size_t to, double amount) {
  amount = std::min(amount, weights[from]);
  weights[from] -= amount;
  weights[to] += amount;
  return weights;
}

/// One step from the worst sample to the best; false when none improves.
bool improve(const SoftExcess& objective, Weights& weights, double& value) {
  const Weights slopes = objective.slopes(weights);
  std::size_t to = 0;
  std::size_t from = slopes.size();
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (slopes[i] < slopes[to]) to = i;
    if (weights[i] > 0 && (from == slopes.size() || slopes[i] > slopes[from])) from = i;
  }
  if (from == slopes.size() || to == from) return false;
  const double slope = slopes[to] - slopes[from];
  if (!(slope < -weight_descent_tolerance.relative)) return false;
  double step = weights[from];
  for (int attempt = 0; attempt < 6; ++attempt) {
    Weights next = shifted(weights, from, to, step);
    const double there = objective.value(next);
    const double curvature = (there - value - slope * step) / (step * step);
    if (there < value) {
      const double inner = curvature > 0 ? -slope / (2 * curvature) : step;
      if (inner < 0.9 * step) {
        Weights nearer = shifted(weights, from, to, inner);
        const double at_nearer = objective.value(nearer);
        if (at_nearer < there) {
          weights = std::move(nearer);
          value = at_nearer;
          return true;
        }
      }
      weights = std::move(next);
      value = there;
      return true;
    }
    step = curvature > 0 ? std::min(step / 2, -slope / (2 * curvature)) : step / 4;
    if (!(step > weight_descent_tolerance.relative)) return false;
  }
  return false;
}

}  // namespace

std::vector<double> descend(std::span<const MarginBound> ends, const Assignment& taken, std::vector<double> weights, int steps) {
  for (const double softness : softnesses) {
    const SoftExcess objective(ends, taken, softness);
    double value = objective.value(weights);
    for (int step = 0; step < steps; ++step) {
      if (value < clearly_below || !improve(objective, weights, value)) break;
    }
    if (value < clearly_below || ends.size() == 1) break;
  }
  return weights;
}

std::size_t WeightPool::add(SampleWeights weights) {
  entries.push_back(std::move(weights));
  return entries.size() - 1;
}

void WeightPool::used(std::size_t index) {
  std::erase(recent, index);
  recent.push_front(index);
  if (recent.size() > recent_count) recent.pop_back();
}

TreeSearch::TreeSearch(std::span<const MarginBound> ends, WeightPool& pool, std::vector<std::size_t> given, bool may_guess,
                       std::size_t node_limit, const Budget& budget)
    : ends_(ends), pool_(pool), given_(std::move(given)), may_guess_(may_guess), node_limit_(node_limit), budget_(budget),
      taken_(ends.front().sample_count(), open) {}

TreeSearch::End TreeSearch::run(SelectionTree& tree) {
  const std::size_t n = taken_.size();
  for (std::size_t i = 0; i < n; ++i)
    if (ends_.front().offered(i) == 1) taken_[i] = 0;
  return visit(tree, Weights(n, 1.0 / static_cast<double>(n)));
}

double TreeSearch::excess(const Weights& weights) const {
  double largest = -std::numeric_limits<double>::infinity();
  for (const MarginBound& end : ends_) {
    const double one = end.excess(weights, taken_);
    if (!(one <= largest)) largest = one;  // NaN stays
  }
  return largest;
}

bool TreeSearch::close_by(SelectionTree& node, std::size_t index) {
  if (!std::ranges::all_of(ends_, [&](const MarginBound& end) { return end.closes(pool_.entries[index], taken_); })) return false;
  node.weights = index;
  pool_.used(index);
  return true;
}

bool TreeSearch::close_by_known(SelectionTree& node, Weights& best) {
  double least = excess(best);
  std::vector<std::size_t> known = given_;
  if (may_guess_) known.insert(known.end(), pool_.recent.begin(), pool_.recent.end());
  for (const std::size_t index : known) {
    const double here = excess(pool_.entries[index].image);
    if (here <= leaf_rounding_tolerance.relative && close_by(node, index)) return true;
    if (!(here < least)) continue;
    least = here;
    best = pool_.entries[index].image;
  }
  return false;
}

bool TreeSearch::try_rounded(SelectionTree& node, const Weights& weights, unsigned bits) {
  const std::size_t index = pool_.add(SampleWeights::rounded(weights, bits));
  if (close_by(node, index)) return true;
  pool_.entries.pop_back();
  return false;
}

bool TreeSearch::close_by_guess(SelectionTree& node, Weights& best) {
  const bool full = std::ranges::find(taken_, open) == taken_.end();
  best = descend(ends_, taken_, std::move(best), full ? full_steps : open_steps);
  const double reached = excess(best);
  if (reached <= 0.1 * clearly_below && try_rounded(node, best, coarse_bits)) return true;
  return reached <= 0 && try_rounded(node, best, fine_bits);
}

TreeSearch::End TreeSearch::visit(SelectionTree& node, const Weights& start) {
  ++nodes_;
  if (nodes_ > node_limit_ || budget_.spent()) return End::stopped;
  if (irrelevant && irrelevant(taken_)) return End::closed;
  Weights best = start;
  if (close_by_known(node, best)) return End::closed;
  if (may_guess_ && close_by_guess(node, best)) return End::closed;
  if (std::ranges::find(taken_, open) != taken_.end()) return branch(node, best);
  return last_resort && last_resort(taken_, node) ? End::closed : End::broken;
}

std::size_t TreeSearch::branching_sample(const Weights& weights) const {
  std::vector<double> score(taken_.size(), 0.0);
  for (const MarginBound& end : ends_) {
    const std::vector<double> here = end.looseness(weights, taken_);
    for (std::size_t i = 0; i < score.size(); ++i) score[i] += here[i];
  }
  std::size_t best = taken_.size();
  for (std::size_t i = 0; i < taken_.size(); ++i)
    if (taken_[i] == open && (best == taken_.size() || score[i] > score[best])) best = i;
  return best;
}

TreeSearch::End TreeSearch::branch(SelectionTree& node, const Weights& weights) {
  node.sample = branching_sample(weights);
  node.children.resize(ends_.front().offered(node.sample));
  // The worst child first: where the tree cannot be closed, that is seen early.
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t t = 0; t < node.children.size(); ++t) {
    taken_[node.sample] = static_cast<int>(t);
    order.emplace_back(-excess(weights), t);
  }
  std::ranges::sort(order);
  for (const auto& [unused, t] : order) {
    taken_[node.sample] = static_cast<int>(t);
    const End end = visit(node.children[t], weights);
    if (end != End::closed) return end;  // broken_at() is what is taken here
  }
  taken_[node.sample] = open;
  return End::closed;
}

}  // namespace attest
