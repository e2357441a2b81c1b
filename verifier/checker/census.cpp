#include "census.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "limit_rows.hpp"

namespace attest::check {

namespace {

constexpr std::size_t unassigned = static_cast<std::size_t>(-1);

/// The (i, a) of a conflict: no selection that contains them all is locally optimal.
using Pairs = std::map<std::size_t, std::size_t>;

/// What the entries of a conflict name: its pairs, and λ (k_ia − k_it).
struct Entries {
  Pairs pairs;
  std::vector<KeyDifference> terms;
};

Entries read_entries(const Json& node, const Problem& problem) {
  Entries entries;
  bool after_bare_pair = false;
  if (node.array().empty()) node.fail("an empty conflict");
  for (const Json* item : node.items) {
    const bool bare = item->array().size() == 2;
    const auto& parts = item->array(bare ? 2 : 4);
    const std::size_t i = read_sample(*parts[0], problem);
    const std::size_t a = read_token(*parts[1], problem, i);
    if (!entries.pairs.empty()) {
      const auto& [last_sample, last_token] = *entries.pairs.rbegin();
      if (i < last_sample) item->fail("not in strictly ascending order");
      if (i == last_sample && (bare || after_bare_pair)) item->fail("a pair without a multiplier beside another entry of its sample");
      if (i == last_sample && a != last_token) item->fail("a second selected token for sample " + std::to_string(i));
    }
    const bool same_sample = !entries.pairs.emplace(i, a).second;
    after_bare_pair = bare;
    if (bare) continue;
    const std::size_t t = read_token(*parts[2], problem, i);
    const Rational weight = read_rational(*parts[3]);
    if (a == t) item->fail("the two tokens are the same");
    if (weight <= 0) item->fail("the multiplier is not > 0");
    if (same_sample && entries.terms.back().other >= t) item->fail("not in strictly ascending order");
    entries.terms.push_back({i, a, t, weight});
  }
  if (entries.terms.empty()) node.fail("no entry has a multiplier");
  return entries;
}

/// The rule of conflicts, §4.8.
class ConflictRule {
 public:
  ConflictRule(const Problem& problem, const Scores& scores) : problem_(problem), scores_(scores), keys_(keys_of(problem)) {
    for (const auto& sample : scores) {
      auto& ascent = ascents_.emplace_back(sample.size());
      std::iota(ascent.begin(), ascent.end(), std::size_t{0});
      std::stable_sort(ascent.begin(), ascent.end(), [&](std::size_t t, std::size_t b) { return sample[t] < sample[b]; });
    }
  }

  /// The pairs of a conflict that keeps the rule; throws Rejected for any other.
  [[nodiscard]] Pairs read(const Json& node) const {
    if (node.kind != JsonKind::object) {
      Entries entries = read_entries(node, problem_);
      std::vector<Rational> point = sum_of_keys(problem_, entries.terms);
      for (Rational& x : point) x = -x;
      if (!is_zero(point)) require_rise(node, entries.pairs, scale(point), 0);
      return std::move(entries.pairs);
    }
    node.expect_keys({"terms", "centre"});
    Entries entries = read_entries(node.at("terms"), problem_);
    const ScaledVector centre = read_vector(node.at("centre"), problem_.dimension());
    Rational total = 0;
    for (const KeyDifference& term : entries.terms) total += term.weight;
    if (dot(centre, centre) >= total) node.fail("centre.centre is not less than the sum of the multipliers");
    std::vector<Rational> point = sum_of_keys(problem_, entries.terms);
    for (std::size_t c = 0; c < point.size(); ++c) point[c] = 2 * centre[c] - point[c];
    require_rise(node, entries.pairs, scale(point), 1);
    return std::move(entries.pairs);
  }

 private:
  /// Every difference along which the score may rise has at least this product with the point.
  void require_rise(const Json& node, const Pairs& pairs, const ScaledVector& point, int least) const {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      std::vector<Rational> values;
      for (const ScaledVector& key : keys_[i]) values.push_back(dot(key, point));
      const auto pair = pairs.find(i);
      std::size_t below = 0;  // how many of the ascent score less than the token at hand
      std::size_t highest = 0;
      for (const std::size_t b : ascents_[i]) {
        for (; scores_[i][ascents_[i][below]] < scores_[i][b]; ++below)
          if (below == 0 || values[ascents_[i][below]] > values[highest]) highest = ascents_[i][below];
        if (below == 0 || (pair != pairs.end() && pair->second != b)) continue;
        if (values[b] - values[highest] < least)
          node.fail("the point does not rise from token " + std::to_string(highest) + " to token " + std::to_string(b) + " of sample " +
                    std::to_string(i));
      }
    }
  }

  const Problem& problem_;
  const Scores& scores_;
  std::vector<std::vector<ScaledVector>> keys_;
  std::vector<std::vector<std::size_t>> ascents_;  // the tokens of each sample by their scores
};

std::vector<std::size_t> read_order(const Json& node, std::size_t samples) {
  std::vector<std::size_t> order;
  std::vector<bool> seen(samples, false);
  for (const Json* item : node.array(samples)) {
    const std::size_t sample = item->index();
    if (sample >= samples || seen[sample]) item->fail("not a permutation of the samples");
    seen[sample] = true;
    order.push_back(sample);
  }
  return order;
}

/// An inner node on the way from the root to the node at hand.
struct CensusBranch {
  const Json* node;
  std::size_t next_child;
};

}  // namespace

std::vector<Row> require_locally_optimal(const Program& program, const Selection& selection, const Scores& scores, const Json& evidence) {
  std::vector<Row> tight = program.tight_rows(evidence.at("w"), evidence.at("lambda"));
  for (const Row& row : tight)
    if (scores[row.sample][selection[row.sample]] <= scores[row.sample][row.token])
      evidence.fail("the neighbour " + program.name(row) + " does not score less");
  return tight;
}

void require_beaten(const Program& program, const Selection& selection, const Scores& scores, const Json& evidence) {
  const std::vector<Row> tight = program.tight_rows(evidence.at("w"), evidence.at("lambda"));
  const Json& node = evidence.at("neighbour");
  const Row row = program.read_row(node);
  if (!std::binary_search(tight.begin(), tight.end(), row)) node.fail("the row " + program.name(row) + " is not tight");
  if (scores[row.sample][row.token] < scores[row.sample][selection[row.sample]])
    node.fail(program.name(row) + " scores less than the selected token");
}

std::vector<Selection> locally_optimal_selections(const Problem& problem, const Json& witness) {
  const Scores scores = scores_of(problem);
  const std::size_t samples = problem.tokens.size();
  const std::vector<std::size_t> order = read_order(witness.at("order"), samples);
  std::vector<Pairs> conflicts;
  const ConflictRule rule(problem, scores);
  for (const Json* node : witness.at("conflicts").array()) conflicts.push_back(rule.read(*node));

  std::vector<Selection> found;
  Selection partial(samples, unassigned);
  std::vector<CensusBranch> path;  // its size is the depth; a stack of our own, the tree may be deep

  const auto check_leaf = [&](const Json& node) {
    if (path.size() < samples) node.fail("a solution above the last level");
    const Program program = Program::p_svm(problem, partial);
    if (node.find("neighbour") != nullptr) {
      node.expect_keys({"w", "lambda", "neighbour"});
      require_beaten(program, partial, scores, node);
    } else {
      node.expect_keys({"w", "lambda"});
      require_locally_optimal(program, partial, scores, node);
      found.push_back(partial);
    }
  };
  const auto check_conflict = [&](const Json& node) {
    const std::size_t index = node.index();
    if (index >= conflicts.size()) node.fail("there is no such conflict");
    for (const auto& [sample, token] : conflicts[index])
      if (partial[sample] != token) node.fail("the conflict does not apply here");
  };

  for (const Json* node = &witness.at("tree"); node != nullptr;) {
    if (node->kind == JsonKind::array) {
      if (path.size() >= samples) node->fail("branches below the last level");
      (void)node->array(problem.tokens[order[path.size()]].size());
      path.push_back({node, 0});
    } else if (node->kind == JsonKind::object) {
      check_leaf(*node);
    } else {
      check_conflict(*node);
    }
    // The next node: the next child of the deepest branch that has one left.
    while (!path.empty() && path.back().next_child == path.back().node->items.size()) {
      partial[order[path.size() - 1]] = unassigned;
      path.pop_back();
    }
    node = nullptr;
    if (!path.empty()) {
      CensusBranch& branch = path.back();
      partial[order[path.size() - 1]] = branch.next_child;
      node = branch.node->items[branch.next_child++];
    }
  }
  return found;
}

}  // namespace attest::check
