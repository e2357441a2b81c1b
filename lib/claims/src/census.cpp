#include "attest/exact/census.hpp"

#include "attest/exact/global_optimality.hpp"
#include "claim_list.hpp"
#include "svm_decision.hpp"
#include "theorem.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

Json encode_leaf(const CensusNode::Leaf& leaf) {
  Json lambda = Json::array();
  for (std::size_t k = 0; k < leaf.names.size(); ++k)
    lambda.push_back({leaf.names[k].sample, leaf.names[k].token, encode(leaf.solution.multipliers[k].weight)});
  Json entry = {{"w", encode(leaf.solution.w)}, {"lambda", std::move(lambda)}};
  if (leaf.neighbour) entry["neighbour"] = {leaf.neighbour->sample, leaf.neighbour->token};
  return entry;
}

Json encode_node(const CensusNode& node) {
  if (node.conflict) return *node.conflict;
  if (node.leaf) return encode_leaf(*node.leaf);
  Json children = Json::array();
  for (const CensusNode& child : node.children) children.push_back(encode_node(child));
  return children;
}

Json encode_conflicts(const std::vector<Conflict>& conflicts) {
  Json list = Json::array();
  for (const Conflict& conflict : conflicts) {
    Json terms = Json::array();
    for (const Conflict::Term& term : conflict.terms) terms.push_back({term.sample, term.chosen, term.token, encode(term.weight)});
    list.push_back(std::move(terms));
  }
  return list;
}

bool is_proved_optimal(const ClaimContext& context, const Selection& selection, const Budget& budget) {
  const Finding decided = decide({context.problem, context.request, context.seed, budget, {}}, locally_optimal_claim(), {{"selection", selection}});
  return decided.verdict == Verdict::holds && decided.grade == Grade::proved;
}

/// Into an ascending list, once.
void add(std::vector<Selection>& selections, const Selection& one) {
  const auto place = std::ranges::lower_bound(selections, one);
  if (place == selections.end() || *place != one) selections.insert(place, one);
}

std::string known_so_far(const std::vector<Selection>& selections, bool best) {
  if (selections.empty()) return "no locally optimal selection is known so far";
  if (selections.size() == 1) return fmt::format("one locally optimal selection is known so far{}", best ? ", that of the largest scores" : "");
  return fmt::format("{} locally optimal selections are known so far{}", selections.size(), best ? ", that of the largest scores among them" : "");
}

Finding check(const ClaimContext& context) {
  const ExactTokens tokens(context.problem);
  const Scores scores = exact_scores(context.problem);
  const auto* seconds = context.request.find<Rational>("budget");
  const Budget budget(std::min(context.budget.seconds_left(), seconds ? nearest_double(*seconds) : context.budget.seconds_left()));
  // First, so that a census out of time knows at least of it: one p-SVM beside at least as many as there are tokens.
  const bool best_is_optimal = is_proved_optimal(context, best_selection(scores), budget);
  Census census = take_census(tokens, scores, opinion_within(budget), budget, context.progress);
  if (!census.complete && best_is_optimal) add(census.selections, best_selection(scores));

  Finding finding;
  const Json selections = census.selections;
  finding.numbers["count"] = census.selections.size();
  finding.numbers["selections"] = selections;
  finding.numbers["nodes"] = census.nodes;
  finding.numbers["complete"] = census.complete;
  if (!census.complete) {
    finding.message = fmt::format("the time was up after {} nodes; {}", census.nodes, known_so_far(census.selections, best_is_optimal));
    return finding;
  }
  finding.grade = Grade::proved;
  const auto* expected = context.request.find<std::vector<Selection>>("selections");
  std::vector<Selection> sorted = expected ? *expected : census.selections;
  std::ranges::sort(sorted);
  const auto* count = context.request.find<std::int64_t>("count");
  const bool as_many = !count || static_cast<std::uint64_t>(*count) == census.selections.size();
  finding.verdict = sorted == census.selections && as_many ? Verdict::holds : Verdict::fails;
  finding.message = fmt::format("{} locally optimal selection{} in all{}", census.selections.size(), census.selections.size() == 1 ? "" : "s",
                                finding.verdict == Verdict::holds ? "" : ", not those of the claim");
  finding.certificate = Certificate{"census",
                                    {{"kind", "census"}, {"count", census.selections.size()}, {"selections", selections}},
                                    {{"order", census.order}, {"conflicts", encode_conflicts(census.conflicts)}, {"tree", encode_node(census.tree)}}};
  return finding;
}

}  // namespace

Claim census_claim() {
  return {{"census",
           {{"budget", ParameterKind::positive, false, "seconds after which it stops, undecided", {}},
            {"selections", ParameterKind::selections, false, "demand exactly these selections", {}},
            {"count", ParameterKind::whole, false, "demand exactly so many", {}}},
           {{"v", ""}}},
          "all locally optimal selections of the data, provably complete",
          "Lists every locally optimal selection: depth-first over the samples, a partial selection is left as soon\n"
          "as an exact Farkas proof shows that its p-SVM is infeasible, and every full selection that is reached is\n"
          "decided exactly. The tree with its proofs is the certificate (census), so the list is complete.\n"
          "Holds, proved: the list is complete (and is the one given, if one is, and as long as given). Fails, proved: it is another.\n"
          "Undecided: the time was up; the numbers say what is known so far. The selection of the largest scores is decided first.\n"
          "Numbers: count, selections, nodes, complete.",
          check};
}

}  // namespace attest
