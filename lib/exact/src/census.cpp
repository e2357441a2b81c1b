#include "attest/exact/census.hpp"

#include "attest/exact/certificates.hpp"
#include "attest/exact/local_optimality.hpp"

#include <algorithm>
#include <numeric>

namespace attest {
namespace {

using certified::CensusNode;
using certified::Conflict;

class Search {
 public:
  Search(const ExactTokens& tokens, const Scores& scores, const SvmOpinionOf& opinion, const Budget& budget, const Progress& progress)
      : tokens_(tokens), scores_(scores), opinion_(opinion), budget_(budget), progress_(progress),
        selection_(tokens.problem().sample_count(), 0), by_deepest_(tokens.problem().sample_count()) {}

  Census run() {
    choose_order();
    census_.complete = visit(0, census_.tree, 0.0, 1.0);
    std::ranges::sort(census_.selections);
    return std::move(census_);
  }

 private:
  const Problem& problem() const { return tokens_.problem(); }

  /// Samples with few tokens that can be selected at all come first: branches die early.
  void choose_order() {
    const std::size_t n = problem().sample_count();
    std::vector<std::size_t> possible(n, 0);
    depth_of_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t a = 0; a < problem().token_count(i) && !budget_.spent(); ++a) {
        selection_[i] = a;
        if (!prune({i})) ++possible[i];
      }
    }
    census_.order.resize(n);
    std::iota(census_.order.begin(), census_.order.end(), std::size_t{0});
    std::ranges::stable_sort(census_.order, {}, [&](std::size_t i) { return possible[i]; });
    for (std::size_t m = 0; m < n; ++m) depth_of_[census_.order[m]] = m;
    for (std::size_t c = 0; c < census_.conflicts.size(); ++c) file_conflict(c);
  }

  /// Remembers a conflict under the sample of it that is assigned last.
  void file_conflict(std::size_t index) {
    std::size_t deepest = 0;
    for (const Conflict::Term& term : census_.conflicts[index].terms) deepest = std::max(deepest, depth_of_[term.sample]);
    by_deepest_[census_.order[deepest]].push_back(index);
  }

  /// Solves the program over the samples; a proof of infeasibility becomes a conflict.
  std::optional<std::size_t> prune(std::vector<std::size_t> samples) {
    const SvmProgram program = SvmProgram::p_svm(tokens_, selection_, std::move(samples));
    const SvmOpinion opinion = opinion_(program);
    if (!opinion.seems_infeasible) return std::nullopt;
    const SvmOutcome outcome = decide_svm(program, opinion.rows, budget_);
    const auto* infeasible = std::get_if<SvmInfeasible>(&outcome);
    return infeasible ? std::optional(add_conflict(program, *infeasible)) : std::nullopt;
  }

  std::size_t add_conflict(const SvmProgram& program, const SvmInfeasible& infeasible) {
    Conflict conflict;
    for (const Multiplier& multiplier : infeasible.multipliers) {
      const auto [i, t] = program.name(multiplier.row);
      conflict.terms.push_back({i, selection_[i], t, multiplier.weight});
    }
    std::ranges::sort(conflict.terms, {}, [](const Conflict::Term& term) { return std::pair(term.sample, term.token); });
    census_.conflicts.push_back(std::move(conflict));
    return census_.conflicts.size() - 1;
  }

  std::optional<std::size_t> known_conflict(std::size_t sample) const {
    for (const std::size_t index : by_deepest_[sample]) {
      const auto& terms = census_.conflicts[index].terms;
      if (std::ranges::all_of(terms, [&](const Conflict::Term& term) { return selection_[term.sample] == term.chosen; })) return index;
    }
    return std::nullopt;
  }

  /// The node at a depth, the samples before it assigned. False when the time was up.
  bool visit(std::size_t depth, CensusNode& node, double done, double share) {
    ++census_.nodes;
    if (budget_.spent()) return false;
    if (progress_) progress_(done, "the search tree");
    if (depth == census_.order.size()) return decide(node);
    const std::size_t sample = census_.order[depth];
    const std::size_t count = problem().token_count(sample);
    node.children.resize(count);
    for (std::size_t a = 0; a < count; ++a) {
      selection_[sample] = a;
      const double part = share / static_cast<double>(count);
      if (!enter(depth, node.children[a], done + static_cast<double>(a) * part, part)) return false;
    }
    return true;
  }

  /// A child whose sample has just been assigned: pruned if it can be, searched otherwise.
  bool enter(std::size_t depth, CensusNode& child, double done, double share) {
    child.conflict = known_conflict(census_.order[depth]);
    const bool last = depth + 1 == census_.order.size();
    if (!child.conflict && !last) {
      child.conflict = prune({census_.order.begin(), census_.order.begin() + static_cast<std::ptrdiff_t>(depth) + 1});
      if (child.conflict) file_conflict(*child.conflict);
    }
    if (!child.conflict) return visit(depth + 1, child, done, share);
    ++census_.nodes;
    return true;
  }

  bool decide(CensusNode& node) {
    const SvmProgram program = SvmProgram::p_svm(tokens_, selection_);
    const SvmOutcome outcome = decide_svm(program, opinion_(program).rows, budget_);
    if (std::holds_alternative<SvmUndecided>(outcome)) return false;
    if (const auto* infeasible = std::get_if<SvmInfeasible>(&outcome)) {
      node.conflict = add_conflict(program, *infeasible);
      file_conflict(*node.conflict);
      return true;
    }
    const auto& solution = std::get<SvmSolution>(outcome);
    node.leaf = CensusNode::Leaf{certified_solution(program, solution), outscoring_neighbour(program, solution, scores_)};
    if (!node.leaf->neighbour) census_.selections.push_back(selection_);
    return true;
  }

  const ExactTokens& tokens_;
  const Scores& scores_;
  const SvmOpinionOf& opinion_;
  const Budget& budget_;
  const Progress& progress_;
  Selection selection_;
  std::vector<std::vector<std::size_t>> by_deepest_;
  std::vector<std::size_t> depth_of_;
  Census census_;
};

}  // namespace

Census take_census(const ExactTokens& tokens, const Scores& scores, const SvmOpinionOf& opinion, const Budget& budget,
                   const Progress& progress) {
  return Search(tokens, scores, opinion, budget, progress).run();
}

}  // namespace attest
