#include "attest/exact/assumption_b.hpp"

#include "attention_cells.hpp"
#include "cell_search.hpp"
#include "linear_program.hpp"
#include "point_margin.hpp"
#include "refutation.hpp"
#include "separation.hpp"
#include "slope_estimate.hpp"

#include <algorithm>

namespace attest {
namespace {

/// Each row of a sample outside S as a combination of rows of S with weights >= 0 that sum to at least 1; nothing when one
/// is none. [docs/theory.md, 4.1]
std::optional<std::vector<AssumptionBProof::CoveredRow>> covered_rows(const LabelMargin& margin) {
  LinearProgram program;
  std::vector<RowName> names;
  const std::vector<KeyRow> rows = key_rows(margin.tokens(), margin.selection());
  for (const auto& [name, row] : rows) {
    if (!margin.in_support(name.sample)) continue;
    names.push_back(name);
    program.columns.push_back(row);
    program.columns.back().emplace_back(1);
    program.objective.emplace_back(0);
  }
  program.columns.emplace_back(margin.problem().dimension() + 1, 0);  // what the weights exceed 1 by
  program.columns.back().back() = -1;
  program.objective.emplace_back(0);
  std::vector<AssumptionBProof::CoveredRow> cover;
  for (const auto& [name, row] : rows) {
    if (margin.in_support(name.sample)) continue;
    program.right = row;
    program.right.emplace_back(1);
    const auto found = maximise(program);
    if (!found) return std::nullopt;
    auto& combination = cover.emplace_back(name, std::vector<std::pair<RowName, Rational>>{}).combination;
    for (std::size_t k = 0; k < names.size(); ++k)
      if (found->x[k] > 0) combination.emplace_back(names[k], found->x[k]);
  }
  return cover;
}

/// max(2, max (T_i - 1)) over the samples outside S. [docs/theory.md, 4.1]
std::size_t cover_factor(const LabelMargin& margin) {
  std::size_t factor = 2;
  for (std::size_t i = 0; i < margin.sample_count(); ++i)
    if (!margin.in_support(i)) factor = std::max(factor, margin.problem().token_count(i) - 1);
  return factor;
}

bool slope_is_positive(const LabelMargin& margin) {
  for (std::size_t i = 0; i < margin.sample_count(); ++i) {
    if (!margin.in_support(i) || !margin.moves(i)) continue;
    if (margin.top_weights(i)[i] <= 0) return false;
    for (std::size_t t = 0; t < margin.problem().token_count(i); ++t)
      if (t != margin.selection()[i] && margin.cost(i, t) <= 0) return false;
  }
  return true;
}

AssumptionBOutcome decide(const LabelMargin& margin, AttentionOver over, const Budget& budget, const Progress& progress) {
  const auto undecided = [&](std::string reason) {
    return AssumptionBUndecided{budget.spent() ? "the time was up" : std::move(reason), margin.v()};
  };
  const RefutationSearch refutation(margin, over, budget);
  if (progress) progress(-1, "witnesses against it");
  if (auto refuted = refutation.along_rays()) return std::move(*refuted);
  bool unreachable = false;
  if (auto refuted = refutation.by_limit(unreachable)) return std::move(*refuted);
  if (budget.spent()) return undecided({});
  if (unreachable) return undecided("a selection that no p separates has a margin of at least Gamma: the proof over all attention fails");
  if (!slope_is_positive(margin)) return undecided("some attention moves without cost near the selection, but no witness was found");
  std::optional<std::vector<AssumptionBProof::CoveredRow>> cover;
  if (over == AttentionOver::all) {
    cover = covered_rows(margin);
    if (!cover) return undecided("a row outside the support is not covered by the support's rows, and no witness was found");
  }
  auto proof = CellSearch(margin, budget, progress).run();
  if (!proof) return undecided("no cells and trees were found within the search's limits");
  if (cover && !cover->empty()) {
    proof->nu /= cover_factor(margin);
    proof->cover = std::move(*cover);
  }
  return std::move(*proof);
}

/// The least Gamma - margin(tau) over some tau that a p separates and that differ from alpha in a sample that counts.
std::optional<Rational> selection_bound(const LabelMargin& margin, AttentionOver over, const Budget& budget) {
  std::optional<Rational> least;
  const MarginBound end = all_tokens(margin, margin.gamma_squared());
  for (const auto& [name, row] : key_rows(margin.tokens(), margin.selection())) {
    if ((over == AttentionOver::support && !margin.in_support(name.sample)) || budget.spent()) continue;
    const Selection rival = climb_selections(end, name.sample, name.token, margin.selection()).points;
    const LabelMarginOutcome theirs = label_margin(margin.tokens(), rival, budget);
    if (!std::holds_alternative<LabelMargin>(theirs)) continue;
    const Rational bound = std::max(Rational(0), Rational(margin.gamma_above() - std::get<LabelMargin>(theirs).gamma_below()));
    if (least && bound >= *least) continue;
    const SvmOutcome separated = decide_svm(SvmProgram::p_svm(margin.tokens(), rival), {}, budget);
    if (std::holds_alternative<SvmSolution>(separated)) least = bound;
  }
  return least;
}

/// The least bound over the rows of S that some p makes the only least one among those that count.
std::optional<Rational> ray_bound(const LabelMargin& margin, AttentionOver over, const Budget& budget) {
  const std::vector<KeyRow> rows = key_rows(margin.tokens(), margin.selection());
  std::optional<Rational> least;
  for (const auto& [name, row] : rows) {
    if (!margin.in_support(name.sample) || budget.spent()) continue;
    const Rational bound = margin.gamma_above() * margin.cost(name.sample, name.token) * margin.top_weights(name.sample)[name.sample];
    if (least && bound >= *least) continue;
    std::vector<std::vector<Rational>> conditions;
    for (const auto& [other, other_row] : rows) {
      conditions.push_back(other_row);
      if (other != name && (over == AttentionOver::all || margin.in_support(other.sample))) conditions.push_back(minus(other_row, row));
    }
    if (separate(conditions, budget)) least = std::max(Rational(0), bound);
  }
  return least;
}

}  // namespace

AssumptionBOutcome decide_assumption_b(const ExactTokens& tokens, const Selection& selection, AttentionOver over, const Budget& budget,
                                       const Progress& progress) {
  LabelMarginOutcome outcome = label_margin(tokens, selection, budget);
  if (auto* infeasible = std::get_if<SvmInfeasible>(&outcome)) return NoLabelMargin{std::move(*infeasible)};
  if (auto* undecided = std::get_if<SvmUndecided>(&outcome)) return AssumptionBUndecided{std::move(undecided->reason), std::nullopt};
  return decide(std::get<LabelMargin>(outcome), over, budget, progress);
}

std::optional<AssumptionBRefutation> refute_by_points(const ExactTokens& tokens, const Selection& selection, AttentionOver over,
                                                      const std::vector<std::vector<double>>& points, const Budget& budget) {
  const LabelMarginOutcome outcome = label_margin(tokens, selection, budget);
  const auto* margin = std::get_if<LabelMargin>(&outcome);
  if (!margin) return std::nullopt;
  for (const std::vector<double>& point : points) {
    const auto shown = show_margin(*margin, over, point);
    if (shown && shown->at_least_gamma) return AssumptionBRefutation{margin->v(), AssumptionBRefutation::ByPoint{shown->p, shown->u}};
  }
  return std::nullopt;
}

SlopeWitnesses bound_slope(const ExactTokens& tokens, const Selection& selection, AttentionOver over,
                           const std::vector<std::vector<double>>& points, const Budget& budget) {
  SlopeWitnesses result;
  const LabelMarginOutcome outcome = label_margin(tokens, selection, budget);
  const auto* margin = std::get_if<LabelMargin>(&outcome);
  if (!margin) return result;
  result.by_rays = ray_bound(*margin, over, budget);
  const auto by_selections = selection_bound(*margin, over, budget);
  if (by_selections && (!result.by_rays || *by_selections < *result.by_rays)) result.by_rays = by_selections;
  for (const std::vector<double>& point : points) {
    const auto shown = show_margin(*margin, over, point);
    if (shown && (!result.by_points || shown->slope_bound < *result.by_points)) result.by_points = shown->slope_bound;
  }
  return result;
}

}  // namespace attest
