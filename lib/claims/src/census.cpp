#include "attest/exact/census.hpp"

#include "claim_list.hpp"
#include "svm_decision.hpp"

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

Finding check(const ClaimContext& context) {
  const ExactTokens tokens(context.problem);
  const Scores scores = exact_scores(context.problem);
  const auto* seconds = context.request.find<Rational>("budget");
  const Budget budget(std::min(context.budget.seconds_left(), seconds ? nearest_double(*seconds) : context.budget.seconds_left()));
  const Census census = take_census(tokens, scores, float_opinion, budget, context.progress);

  Finding finding;
  finding.numbers["count"] = census.selections.size();
  finding.numbers["selections"] = census.selections;
  finding.numbers["nodes"] = census.nodes;
  finding.numbers["complete"] = census.complete;
  if (!census.complete) {
    finding.message = fmt::format("the time was up after {} nodes; {} locally optimal selections found so far", census.nodes, census.selections.size());
    return finding;
  }
  finding.grade = Grade::proved;
  const auto* expected = context.request.find<std::vector<Selection>>("selections");
  std::vector<Selection> sorted = expected ? *expected : census.selections;
  std::ranges::sort(sorted);
  finding.verdict = sorted == census.selections ? Verdict::holds : Verdict::fails;
  finding.message = fmt::format("{} locally optimal selection{} in all{}", census.selections.size(), census.selections.size() == 1 ? "" : "s",
                                finding.verdict == Verdict::holds ? "" : ", not those of the claim");
  finding.certificate = certify(certified_census(census));
  return finding;
}

}  // namespace

Claim census_claim() {
  return {{"census",
           {{"budget", ParameterKind::positive, false, "CPU seconds after which it stops, undecided", {}},
            {"selections", ParameterKind::selections, false, "demand exactly these selections", {}}},
           {{"v", ""}}},
          "all locally optimal selections of the data, provably complete",
          "Lists every locally optimal selection: depth-first over the samples, a partial selection is left as soon\n"
          "as an exact Farkas proof shows that its p-SVM is infeasible, and every full selection that is reached is\n"
          "decided exactly. The tree with its proofs is the certificate (census), so the list is complete.\n"
          "Holds, proved: the list is complete (and is the one given, if one is). Fails, proved: it is another.\n"
          "Undecided: the time was up; the numbers say what was found so far.\n"
          "Numbers: count, selections, nodes, complete.",
          check};
}

}  // namespace attest
