#include "attest/exact/census.hpp"

#include "attest/exact/global_optimality.hpp"
#include "claim_list.hpp"
#include "svm_decision.hpp"
#include "theorem.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

certified::CensusNode certified_node(const CensusNode& node) {
  certified::CensusNode result;
  result.conflict = node.conflict;
  for (const CensusNode& child : node.children) result.children.push_back(certified_node(child));
  if (node.leaf) {
    certified::Solution solution{node.leaf->solution.w, {}};
    for (std::size_t k = 0; k < node.leaf->names.size(); ++k)
      solution.lambda.push_back({node.leaf->names[k], node.leaf->solution.multipliers[k].weight});
    result.leaf = certified::CensusNode::Leaf{std::move(solution), node.leaf->neighbour};
  }
  return result;
}

certified::Census certified_census(const Census& census) {
  certified::Census result{census.selections, census.order, {}, certified_node(census.tree)};
  for (const Conflict& conflict : census.conflicts) {
    result.conflicts.emplace_back();
    for (const auto& [sample, chosen, token, weight] : conflict.terms)
      result.conflicts.back().terms.push_back({sample, chosen, token, weight});
  }
  return result;
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
  finding.numbers["count"] = census.selections.size();
  finding.numbers["selections"] = census.selections;
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
  finding.certificate = certify(certified_census(census));
  return finding;
}

}  // namespace

Claim census_claim() {
  return {{"census",
           {{"budget", ParameterKind::positive, false, "CPU seconds after which it stops, undecided", {}},
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
