#include "attest/exact/largest_margin.hpp"

#include "attention_cells.hpp"
#include "slope_estimate.hpp"
#include "tree_search.hpp"

#include <algorithm>
#include <random>

namespace attest {
namespace {

constexpr int starts = 200;
constexpr std::size_t most_margin_nodes = 2'000'000;

/// z_it in doubles.
std::vector<std::vector<std::vector<double>>> signed_tokens(const Problem& problem) {
  std::vector<std::vector<std::vector<double>>> z;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    z.emplace_back();
    for (std::size_t t = 0; t < problem.token_count(i); ++t) {
      const auto row = problem.tokens[i].image_row(t);
      z.back().emplace_back(row.begin(), row.end());
      for (double& entry : z.back().back()) entry *= problem.labels[i];
    }
  }
  return z;
}

class LocalSearch {
 public:
  explicit LocalSearch(const Problem& problem) : z_(signed_tokens(problem)), random_(20240601) {}

  Selection run(const Budget& budget) {
    Selection best(z_.size(), 0);
    double largest = 0;
    for (int start = 0; start < starts && !budget.spent(); ++start) {
      Selection selection;
      for (const auto& tokens : z_) selection.push_back(random_() % tokens.size());
      const double margin = climb(selection);
      if (!(margin > largest)) continue;
      largest = margin;
      best = selection;
    }
    return best;
  }

  /// Alternates between the margin's direction and the best tokens for it.
  double climb(Selection& selection) const {
    double margin = 0;
    Selection next = selection;
    for (;;) {
      std::vector<const std::vector<double>*> points;
      for (std::size_t i = 0; i < z_.size(); ++i) points.push_back(&z_[i][next[i]]);
      const NearestPoint nearest = nearest_to_origin(points);
      if (!(nearest.norm > margin)) return margin;
      margin = nearest.norm;
      selection = next;
      std::vector<double> u(points.front()->size(), 0.0);
      for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t c = 0; c < u.size(); ++c) u[c] += nearest.weights[i] * (*points[i])[c];
      for (std::size_t i = 0; i < z_.size(); ++i) next[i] = best_token(i, u);
    }
  }

 private:
  std::size_t best_token(std::size_t sample, const std::vector<double>& u) const {
    std::size_t best = 0;
    double largest = 0;
    for (std::size_t t = 0; t < z_[sample].size(); ++t) {
      double product = 0;
      for (std::size_t c = 0; c < u.size(); ++c) product += u[c] * z_[sample][t][c];
      if (t > 0 && !(product > largest)) continue;
      best = t;
      largest = product;
    }
    return best;
  }

  std::vector<std::vector<std::vector<double>>> z_;
  std::mt19937 random_;
};

Selection selection_of(const Assignment& taken) { return {taken.begin(), taken.end()}; }

/// Weights that show the margin of a full selection exactly, or nothing when it is above the target.
std::optional<std::vector<Rational>> exact_weights(const ExactTokens& tokens, const Selection& selection, const Rational& target_squared,
                                                   const Budget& budget) {
  const LabelMarginOutcome outcome = label_margin(tokens, selection, budget);
  if (const auto* margin = std::get_if<LabelMargin>(&outcome))
    return margin->gamma_squared() <= target_squared ? std::optional(margin->some_weights()) : std::nullopt;
  const auto* infeasible = std::get_if<SvmInfeasible>(&outcome);
  if (!infeasible) return std::nullopt;
  std::vector<Rational> weights(selection.size(), 0);
  Rational total = 0;
  for (const Multiplier& multiplier : infeasible->multipliers) total += multiplier.weight;
  for (const Multiplier& multiplier : infeasible->multipliers) weights[multiplier.row] = multiplier.weight / total;
  return weights;
}

}  // namespace

LargestMargin find_largest_margin(const ExactTokens& tokens, const Budget& budget, const Progress& progress) {
  LocalSearch local(tokens.problem());
  LargestMargin result{local.run(budget), false, 0};
  while (!budget.spent()) {
    if (progress) progress(-1, "the selection with the largest margin");
    const LabelMarginOutcome outcome = label_margin(tokens, result.selection, budget);
    const auto* margin = std::get_if<LabelMargin>(&outcome);
    if (!margin) return result;
    const std::vector<MarginBound> end = {all_tokens(*margin, margin->gamma_squared())};
    if (!end.front().is_finite()) return result;
    WeightPool pool;
    const std::size_t own = pool.add(SampleWeights::exactly(margin->some_weights()));
    TreeSearch search(end, pool, {own}, true, most_margin_nodes, budget);
    search.last_resort = [&](const Assignment& taken, SelectionTree& node) {
      const auto weights = exact_weights(tokens, selection_of(taken), margin->gamma_squared(), budget);
      if (!weights) return false;
      node.weights = pool.add(SampleWeights::exactly(*weights));
      return end.front().closes(pool.entries.back(), taken);
    };
    SelectionTree tree;
    const TreeSearch::End how = search.run(tree);
    result.nodes = search.nodes();
    result.proved = how == TreeSearch::End::closed;
    if (how != TreeSearch::End::broken || budget.spent()) return result;
    result.selection = selection_of(search.broken_at());
    const LabelMarginOutcome better = label_margin(tokens, result.selection, budget);
    const auto* larger = std::get_if<LabelMargin>(&better);
    if (!larger || larger->gamma_squared() <= margin->gamma_squared()) return {margin->selection(), false, result.nodes};
  }
  return result;
}

}  // namespace attest
