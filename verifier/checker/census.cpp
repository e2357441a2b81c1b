#include "census.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace attest::check {

namespace {

constexpr std::size_t unassigned = static_cast<std::size_t>(-1);

/// The (i, a) of a conflict: no selection that contains them all has a feasible p-svm.
using Conflict = std::map<std::size_t, std::size_t>;

Conflict read_conflict(const Json& node, const Problem& problem) {
  Conflict conflict;
  std::vector<KeyDifference> terms;
  if (node.array().empty()) node.fail("an empty conflict");
  for (const Json* item : node.items) {
    const auto& parts = item->array(4);
    const std::size_t i = read_sample(*parts[0], problem);
    const std::size_t a = read_token(*parts[1], problem, i);
    const std::size_t t = read_token(*parts[2], problem, i);
    const Rational weight = read_rational(*parts[3]);
    if (a == t) item->fail("the two tokens are the same");
    if (weight <= 0) item->fail("the multiplier is not > 0");
    if (!terms.empty()) {
      const KeyDifference& last = terms.back();
      if (std::tie(last.sample, last.chosen, last.other) >= std::tie(i, a, t)) item->fail("not in strictly ascending order");
    }
    if (conflict.emplace(i, a).first->second != a) item->fail("a second selected token for sample " + std::to_string(i));
    terms.push_back({i, a, t, weight});
  }
  if (!is_zero(sum_of_keys(problem, terms))) node.fail("the weighted key differences are not 0");
  return conflict;
}

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
struct Branch {
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
  std::vector<Conflict> conflicts;
  for (const Json* node : witness.at("conflicts").array()) conflicts.push_back(read_conflict(*node, problem));

  std::vector<Selection> found;
  Selection partial(samples, unassigned);
  std::vector<Branch> path;  // its size is the depth; a stack of our own, the tree may be deep

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
      Branch& branch = path.back();
      partial[order[path.size() - 1]] = branch.next_child;
      node = branch.node->items[branch.next_child++];
    }
  }
  return found;
}

}  // namespace attest::check
