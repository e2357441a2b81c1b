#include "attest/exact/local_optimality.hpp"

#include "claim_list.hpp"
#include "hypotheses.hpp"
#include "svm_words.hpp"
#include "token_view.hpp"

namespace attest {
namespace {

struct Numbers {
  std::vector<RowName> neighbours;
  std::optional<RowName> outscored_by;
  TokenView view;

  void write(Fields& out) const {
    out("neighbours", neighbours);
    if (outscored_by) out("outscored_by", *outscored_by);
    out("view", view);
  }
};

/// Locally optimal, but its neighbours may not be those that the claim lists.
void demand_neighbours(Finding& finding, const ClaimContext& context, const SolvedSvm& svm) {
  if (are_demanded(context.request, "neighbours", svm.program, svm.solution()->support)) return;
  finding.verdict = Verdict::fails;
  finding.message += ", which are not those of the claim";
}

Finding check(const ClaimContext& context) {
  const Selection& selection = context.selection_or_best();
  Finding finding(decide_local_optimality(context, Parametrisation::prompt, selection));
  finding.selection = selection;
  if (finding.verdict == Verdict::undecided) return finding;
  const auto svm = context.study.svm(Parametrisation::prompt, selection, context.budget);
  if (!svm->solution()) return finding;
  finding.evidence = Numbers{certified_rows(svm->program, svm->solution()->support),
                             outscoring_neighbour(svm->program, *svm->solution(), context.study.scores()),
                             token_view(svm->program, *svm->solution(), context.study.scores())};
  if (finding.verdict == Verdict::holds) demand_neighbours(finding, context, *svm);
  if (finding.verdict == Verdict::holds) finding.discoveries.locally_optimal = {selection};
  return finding;
}

}  // namespace

Claim locally_optimal_claim() {
  return {
      .schema = {"locally-optimal",
                 {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"},
                  {"neighbours", ParameterKind::rows, false, "demand exactly these neighbours", {}}},
                 {{"v", ""}}},
      .title = "Locally optimal selection",
      .summary = "the selected tokens score more than their neighbours",
      .source = "[MM, Def. 2]",
      .words = "The selected token scores more than its neighbours: the tokens whose constraint is tight at the max-margin direction.",
      .formula = R"(\gamma_{i \alpha_i} > \gamma_{it} \quad \text{whenever} \quad (k_{i \alpha_i} - k_{it}) \cdot p^{\mathrm{mm}} = 1)",
      .text =
          "Let p solve p-SVM(alpha). The neighbours of alpha_i are the tokens t with (k_i,alpha_i - k_it).p = 1. alpha is locally optimal "
          "when gamma_i,alpha_i > gamma_it for every neighbour: gradient descent that starts near its direction converges to it. With the "
          "exact solution the neighbours are known, not estimated.\n"
          "Holds, proved (certificate locally-optimal).\n"
          "Fails, proved: a neighbour scores at least as much, or the p-SVM is infeasible (certificate not-locally-optimal); or the "
          "neighbours are not those given, if they are.",
      .numbers = {{"neighbours", "the tokens [i, t] whose row is tight"},
                  {"outscored_by", "the neighbour [i, t] that scores at least as much, if one does"},
                  {"view", "the tokens as the p-SVM sees them, for pictures (docs/results.md)"}},
      .section = AuditSection::optima,
      .check = check};
}

}  // namespace attest
