#include "attest/study/svm_decision.hpp"
#include "claim_list.hpp"
#include "hypotheses.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

struct Numbers {
  std::vector<Selection> selections;
  std::size_t nodes;
  double expected_nodes;
  bool complete;

  void write(Fields& out) const {
    out("count", selections.size())("selections", selections)("nodes", nodes)("expected_nodes", expected_nodes)("complete", complete);
  }
};

bool is_proved_optimal(const ClaimContext& context, const Selection& selection) {
  const Decided decided = decide_local_optimality(context, Parametrisation::prompt, selection);
  return decided.verdict == Verdict::holds && decided.grade == Grade::proved;
}

/// Into an ascending list, once.
void add(std::vector<Selection>& selections, const Selection& one) {
  const auto place = std::ranges::lower_bound(selections, one);
  if (place == selections.end() || *place != one) selections.insert(place, one);
}

std::string known_so_far(const std::vector<Selection>& selections, bool best) {
  if (selections.empty()) return "no locally optimal selection is known so far";
  if (selections.size() == 1)
    return fmt::format("one locally optimal selection is known so far{}", best ? ", that of the largest scores" : "");
  return fmt::format("{} locally optimal selections are known so far{}", selections.size(),
                     best ? ", that of the largest scores among them" : "");
}

struct Taken {
  std::shared_ptr<const Census> census;
  bool best_is_optimal;
};

/// The selection of the largest scores comes first, so that a census out of time knows at least of it: one p-SVM beside at least as many as
/// there are tokens.
Taken take(const ClaimContext& context) {
  const auto* seconds = context.request.find<Rational>("budget");
  if (!seconds) {
    const bool best_is_optimal = is_proved_optimal(context, context.study.best());
    return {context.study.census(context.budget, context.progress), best_is_optimal};
  }
  // Time of its own: what the study knows already is not what the claim asks for.
  Study& study = context.study;
  const Budget own(std::min(context.budget.seconds_left(), nearest_double(*seconds)));
  const bool best_is_optimal = is_proved_optimal({study, context.request, context.seed, own, {}}, study.best());
  return {std::make_shared<const Census>(take_census(study.tokens(), study.scores(), opinion_within(own), own, context.progress)),
          best_is_optimal};
}

bool is_demanded(const ClaimRequest& request, const std::vector<Selection>& found) {
  const auto* count = request.find<std::int64_t>("count");
  if (count && static_cast<std::uint64_t>(*count) != found.size()) return false;
  const auto* expected = request.find<std::vector<Selection>>("selections");
  std::vector<Selection> sorted = expected ? *expected : found;
  std::ranges::sort(sorted);
  return sorted == found;
}

Finding out_of_time(const Census& census, bool best_is_optimal, const Selection& best) {
  std::vector<Selection> known = census.selections;
  if (best_is_optimal) add(known, best);
  Finding finding;
  finding.message =
      fmt::format("the time was up after {} of some {:.2g} nodes, so that the whole tree takes some {:.2g} times as long; {}", census.nodes,
                  census.expected_nodes, census.expected_nodes / static_cast<double>(census.nodes), known_so_far(known, best_is_optimal));
  finding.evidence = Numbers{known, census.nodes, census.expected_nodes, false};
  finding.discoveries.locally_optimal = std::move(known);
  return finding;
}

Finding complete(const ClaimRequest& request, const Census& census) {
  const std::vector<Selection>& found = census.selections;
  const bool demanded = is_demanded(request, found);
  Finding finding(decided_exactly(demanded,
                                  fmt::format("{} locally optimal selection{} in all{}", found.size(), found.size() == 1 ? "" : "s",
                                              demanded ? "" : ", not those of the claim"),
                                  static_cast<const certified::Census&>(census)));
  finding.evidence = Numbers{found, census.nodes, census.expected_nodes, true};
  finding.discoveries.locally_optimal = found;
  return finding;
}

Finding check(const ClaimContext& context) {
  const auto [census, best_is_optimal] = take(context);
  return census->complete ? complete(context.request, *census) : out_of_time(*census, best_is_optimal, context.study.best());
}

/// No census has fewer nodes than tokens, and a node is a look for a conflict among its rows, of which some 8 d matter at most.
double least_seconds(const ProblemSize& size) {
  return size.tokens * std::min(size.rows, 8 * size.dimension) * size.dimension * size.dimension * 7e-9;
}

}  // namespace

Claim census_claim() {
  return {
      .schema = {"census",
                 {{"budget", ParameterKind::positive, false, "CPU seconds after which it stops, undecided", {}},
                  {"selections", ParameterKind::selections, false, "demand exactly these selections", {}},
                  {"count", ParameterKind::whole, false, "demand exactly so many", {}}},
                 {{"v", ""}}},
      .title = "Census",
      .summary = "all locally optimal selections, provably complete",
      .source = "[MM]",
      .words = "These are all locally optimal selections of the data, and there is no other.",
      .formula = R"(\{ \alpha : \alpha \text{ is locally optimal} \})",
      .text =
          "Lists every locally optimal selection: depth-first over the samples, a partial selection is left as soon as an exact proof "
          "shows "
          "that nothing below it is locally optimal, since its p-SVM is infeasible or since no solution could rest on tokens that score "
          "less "
          "(ours), and every full selection that is reached is decided exactly. The tree with its proofs is the certificate (census), so "
          "the "
          "list is complete.\n"
          "Holds, proved: the list is complete (and is the one given, if one is, and as long as given).\n"
          "Fails, proved: it is another.\n"
          "Undecided: the time was up, its own budget or the run's --budget; the numbers say what is known so far. The selection of the "
          "largest scores is decided first.",
      .numbers = {{"count", "how many there are"},
                  {"selections", "the locally optimal selections, ascending; out of time those that are known so far"},
                  {"nodes", "nodes of the search tree that were visited"},
                  {"expected_nodes", "nodes of the whole tree; out of time as the branches seen at each depth suggest"},
                  {"complete", "there is no other; false when the time was up"}},
      .section = AuditSection::optima,
      .least_seconds = least_seconds,
      .check = check};
}

}  // namespace attest
