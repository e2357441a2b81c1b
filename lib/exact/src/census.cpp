#include "attest/exact/census.hpp"

#include "attest/exact/certificates.hpp"
#include "attest/exact/local_optimality.hpp"
#include "conflict_search.hpp"

#include <algorithm>
#include <numeric>

namespace attest {
namespace {

using certified::CensusNode;
using certified::Conflict;

/// Pairs of tokens are looked at where there are more selections than so many times the pairs, and not too many pairs.
constexpr double pair_share = 4;
constexpr double most_pairs = 1e6;

class CensusSearch {
 public:
  CensusSearch(const ExactTokens& tokens, const Scores& scores, const SvmOpinionOf& opinion, const Budget& budget, const Progress& progress)
      : tokens_(tokens), scores_(scores), opinion_(opinion), budget_(budget), progress_(progress), conflict_search_(tokens, scores, budget),
        selection_(tokens.problem().sample_count(), 0), guesses_(tokens.problem().sample_count() + 1),
        by_deepest_(tokens.problem().sample_count()), tried_(tokens.problem().sample_count(), 0),
        branches_(tokens.problem().sample_count(), 0) {}

  Census run() {
    choose_order();
    census_.complete = visit(0, census_.tree, 0.0, 1.0);
    census_.expected_nodes = census_.complete ? static_cast<double>(census_.nodes) : expected_nodes();
    drop_unused_conflicts();
    std::ranges::sort(census_.selections);
    return std::move(census_);
  }

 private:
  const Problem& problem() const { return tokens_.problem(); }

  /// Samples with few tokens that can be selected at all come first, and then those that leave the fewest tokens beside the samples before
  /// them: branches die early. What excludes a token, or a pair of tokens of two samples, is a conflict that closes many nodes.
  void choose_order() {
    const std::size_t n = problem().sample_count();
    depth_of_.assign(n, 0);
    guesses_.front() = conflict_search_.guess(PartialSelection(n), {});
    std::vector<std::vector<bool>> possible(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t a = 0; a < problem().token_count(i); ++a) {
        selection_[i] = a;
        possible[i].push_back(budget_.spent() || !excluded({i}));
      }
    }
    census_.order = worth_pairing(possible) ? order_by_pairs(possible) : order_by_tokens(possible);
    for (std::size_t m = 0; m < n; ++m) depth_of_[census_.order[m]] = m;
    for (std::size_t c = 0; c < census_.conflicts.size(); ++c) file_conflict(c);
  }

  static double count(const std::vector<bool>& tokens) { return static_cast<double>(std::ranges::count(tokens, true)); }

  std::vector<std::size_t> order_by_tokens(const std::vector<std::vector<bool>>& possible) const {
    std::vector<std::size_t> order(possible.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const int rare = rare_label();
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return std::pair(problem().labels[i] != rare, count(possible[i])); });
    return order;
  }

  /// The label of fewer samples. Conflicts need a point at which the tokens of the samples that are still free rank as their scores do;
  /// where their labels agree there mostly is one, the direction of v. So the rare label goes first.
  int rare_label() const {
    const std::vector<int>& labels = problem().labels;
    const int first = labels.front();
    return 2 * std::ranges::count(labels, first) <= std::ssize(labels) ? first : -first;
  }

  /// There are so many selections that looking at all pairs of tokens costs little beside them.
  bool worth_pairing(const std::vector<std::vector<bool>>& possible) const {
    double tokens = 0;
    double selections = 1;
    for (const auto& sample : possible) {
      tokens += count(sample);
      selections *= count(sample);
    }
    return selections > pair_share * tokens * tokens && tokens * tokens <= most_pairs;
  }

  /// Greedy: next comes the sample, of those with the rare label first, of which the fewest tokens are expected to fit to what was chosen
  /// before, as the pairs say.
  std::vector<std::size_t> order_by_pairs(const std::vector<std::vector<bool>>& possible) {
    const std::size_t n = possible.size();
    // fits[i][b]: the expected share of choices of the samples in order that leave token b of sample i possible.
    std::vector<std::vector<double>> fits(n);
    for (std::size_t i = 0; i < n; ++i) fits[i].assign(possible[i].begin(), possible[i].end());
    const std::vector<std::vector<std::vector<double>>> shares = pair_shares(possible);
    const int rare = rare_label();
    std::vector<std::size_t> order;
    std::vector<bool> placed(n, false);
    while (order.size() < n) {
      std::size_t next = n;
      std::pair<bool, double> least;
      for (std::size_t i = 0; i < n; ++i) {
        const std::pair left(problem().labels[i] != rare, std::accumulate(fits[i].begin(), fits[i].end(), 0.0));
        if (placed[i] || (next < n && left >= least)) continue;
        next = i;
        least = left;
      }
      placed[next] = true;
      order.push_back(next);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t b = 0; b < fits[i].size(); ++b)
          if (!placed[i]) fits[i][b] *= shares[next][i][b];
    }
    return order;
  }

  /// [j][i][b]: the share of the tokens of sample j that can be selected beside token b of sample i.
  std::vector<std::vector<std::vector<double>>> pair_shares(const std::vector<std::vector<bool>>& possible) {
    const std::size_t n = possible.size();
    std::vector<std::vector<std::vector<double>>> shares(n, std::vector<std::vector<double>>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) shares[j][i].assign(possible[i].size(), i == j ? 1 : 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t a = 0; a < possible[j].size(); ++a)
          for (std::size_t b = 0; b < possible[i].size(); ++b) {
            selection_[j] = a;
            selection_[i] = b;
            if (!possible[j][a] || !possible[i][b] || (!budget_.spent() && excluded({j, i}))) continue;
            shares[j][i][b] += 1 / count(possible[j]);
            shares[i][j][a] += 1 / count(possible[i]);
          }
    return shares;
  }

  /// Remembers a conflict under the sample of it that is assigned last. One that names every sample up to there closes no second node.
  void file_conflict(std::size_t index) {
    std::size_t deepest = 0;
    for (const Conflict::Pair& pair : census_.conflicts[index].pairs) deepest = std::max(deepest, depth_of_[pair.sample]);
    if (census_.conflicts[index].pairs.size() == deepest + 1) return;
    by_deepest_[census_.order[deepest]].push_back(index);
  }

  /// What shows that nothing below the partial selection of these samples is locally optimal becomes a conflict. `guess` is that of a
  /// similar partial selection, and becomes that of this one. Without a point that ranks the tokens only infeasibility is left.
  std::optional<std::size_t> close(const std::vector<std::size_t>& samples, ConflictGuess& guess) {
    PartialSelection chosen(problem().sample_count());
    for (const std::size_t i : samples) chosen[i] = selection_[i];
    guess = conflict_search_.guess(chosen, guess);
    if (!guess.ranked) return prune(samples);
    auto conflict = guess.closes ? conflict_search_.conflict(chosen, guess) : std::nullopt;
    return conflict ? std::optional(add_conflict(*std::move(conflict))) : std::nullopt;
  }

  bool excluded(const std::vector<std::size_t>& samples) {
    ConflictGuess guess = guesses_.front();
    return close(samples, guess).has_value();
  }

  /// Solves the program over the samples; a proof of infeasibility becomes a conflict.
  std::optional<std::size_t> prune(std::vector<std::size_t> samples) {
    const SvmProgram program = SvmProgram::p_svm(tokens_, selection_, std::move(samples));
    const SvmOpinion opinion = opinion_(program);
    if (!opinion.seems_infeasible) return std::nullopt;
    const SvmOutcome outcome = decide_svm(program, opinion.rows, budget_);
    const auto* infeasible = std::get_if<SvmInfeasible>(&outcome);
    return infeasible ? std::optional(add_conflict(farkas(program, *infeasible))) : std::nullopt;
  }

  Conflict farkas(const SvmProgram& program, const SvmInfeasible& infeasible) const {
    Conflict conflict;
    for (const Multiplier& multiplier : infeasible.multipliers) {
      const auto [i, t] = program.name(multiplier.row);
      conflict.terms.push_back({i, selection_[i], t, multiplier.weight});
    }
    std::ranges::sort(conflict.terms, {}, [](const Conflict::Term& term) { return std::pair(term.sample, term.token); });
    for (const Conflict::Term& term : conflict.terms)
      if (conflict.pairs.empty() || conflict.pairs.back().sample != term.sample) conflict.pairs.push_back({term.sample, term.chosen});
    return conflict;
  }

  std::size_t add_conflict(Conflict conflict) {
    census_.conflicts.push_back(std::move(conflict));
    return census_.conflicts.size() - 1;
  }

  std::optional<std::size_t> known_conflict(std::size_t sample) const {
    for (const std::size_t index : by_deepest_[sample]) {
      const auto& pairs = census_.conflicts[index].pairs;
      if (std::ranges::all_of(pairs, [&](const Conflict::Pair& pair) { return selection_[pair.sample] == pair.chosen; })) return index;
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
    const std::size_t tokens = problem().token_count(sample);
    node.children.resize(tokens);
    for (std::size_t a = 0; a < tokens; ++a) {
      selection_[sample] = a;
      const double part = share / static_cast<double>(tokens);
      if (!enter(depth, node.children[a], done + static_cast<double>(a) * part, part)) return false;
    }
    return true;
  }

  /// A child whose sample has just been assigned: pruned if it can be, searched otherwise.
  bool enter(std::size_t depth, CensusNode& child, double done, double share) {
    ++tried_[depth];
    child.conflict = known_conflict(census_.order[depth]);
    if (!child.conflict) {
      guesses_[depth + 1] = guesses_[depth];
      child.conflict = close({census_.order.begin(), census_.order.begin() + static_cast<std::ptrdiff_t>(depth) + 1}, guesses_[depth + 1]);
      if (child.conflict) file_conflict(*child.conflict);
    }
    if (!child.conflict) {
      ++branches_[depth];
      return visit(depth + 1, child, done, share);
    }
    ++census_.nodes;
    return true;
  }

  /// As if at each depth the same share of children went on to be searched.
  double expected_nodes() const {
    double total = 1;
    double at_depth = 1;
    for (std::size_t depth = 0; depth < census_.order.size(); ++depth) {
      const auto tokens = static_cast<double>(problem().token_count(census_.order[depth]));
      total += at_depth * tokens;
      at_depth *= tried_[depth] > 0 ? tokens * static_cast<double>(branches_[depth]) / static_cast<double>(tried_[depth]) : tokens;
    }
    return std::max(total, static_cast<double>(census_.nodes));
  }

  /// A conflict that closes no node is no part of the proof.
  void drop_unused_conflicts() {
    std::vector<std::size_t> renamed(census_.conflicts.size(), census_.conflicts.size());
    std::vector<Conflict> used;
    rename_conflicts(census_.tree, renamed, used);
    census_.conflicts = std::move(used);
  }

  void rename_conflicts(CensusNode& node, std::vector<std::size_t>& renamed, std::vector<Conflict>& used) {
    for (CensusNode& child : node.children) rename_conflicts(child, renamed, used);
    if (!node.conflict) return;
    std::size_t& name = renamed[*node.conflict];
    if (name == renamed.size()) {
      name = used.size();
      used.push_back(std::move(census_.conflicts[*node.conflict]));
    }
    node.conflict = name;
  }

  bool decide(CensusNode& node) {
    const SvmProgram program = SvmProgram::p_svm(tokens_, selection_);
    const SvmOutcome outcome = decide_svm(program, opinion_(program).rows, budget_);
    if (std::holds_alternative<SvmUndecided>(outcome)) return false;
    if (const auto* infeasible = std::get_if<SvmInfeasible>(&outcome)) {
      node.conflict = add_conflict(farkas(program, *infeasible));
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
  ConflictSearch conflict_search_;
  Selection selection_;
  std::vector<ConflictGuess> guesses_;  // by depth, on the way to the node at hand
  std::vector<std::vector<std::size_t>> by_deepest_;
  std::vector<std::size_t> depth_of_;
  std::vector<std::size_t> tried_;     // children that were looked at, by the depth of their parent
  std::vector<std::size_t> branches_;  // those of them that were searched
  Census census_;
};

}  // namespace

Census take_census(const ExactTokens& tokens, const Scores& scores, const SvmOpinionOf& opinion, const Budget& budget,
                   const Progress& progress) {
  return CensusSearch(tokens, scores, opinion, budget, progress).run();
}

}  // namespace attest
