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
  std::optional<TokenView> view;                                 ///< of the exact solution
  std::optional<std::vector<RowName>> possible_neighbours = {};  ///< of a bracket

  void write(Fields& out) const {
    out("neighbours", neighbours);
    if (possible_neighbours) out("possible_neighbours", *possible_neighbours);
    if (outscored_by) out("outscored_by", *outscored_by);
    if (view) out("view", *view);
  }
};

/// Locally optimal, but its neighbours may not be those that the claim lists.
void demand_neighbours(Finding& finding, const ClaimContext& context, const SvmProgram& program, const std::vector<std::size_t>& tight) {
  if (are_demanded(context.request, "neighbours", program, tight)) return;
  finding.verdict = Verdict::fails;
  finding.message += ", which are not those of the claim";
}

/// By a bracket, unless the claim lists the neighbours and the bracket does not know them.
DecidedOptimum decide_as_demanded(const ClaimContext& context, const Selection& selection) {
  DecidedOptimum decided = decide_local_optimality(context, Parametrisation::prompt, selection, demanded_proof(context.request));
  const bool listed = context.request.find<RowNames>("neighbours") != nullptr;
  if (!decided.bracket || !listed || decided.bracket->bracket.support_is_known()) return decided;
  return decide_local_optimality(context, Parametrisation::prompt, selection, SvmProof::exact);
}

Finding check(const ClaimContext& context) {
  const Selection& selection = context.selection_or_best();
  const DecidedOptimum decided = decide_as_demanded(context, selection);
  Finding finding(decided);
  finding.selection = selection;
  if (finding.verdict == Verdict::undecided) return finding;
  if (decided.bracket) {
    const auto& [program, hint, bracket] = *decided.bracket;
    finding.evidence = Numbers{certified_rows(program, bracket.support), decided.rival, {}, certified_rows(program, bracket.possible)};
    if (finding.verdict == Verdict::holds) demand_neighbours(finding, context, program, bracket.support);
  } else {
    const auto svm = context.study.svm(Parametrisation::prompt, selection, context.budget);
    if (!svm->solution()) return finding;
    finding.evidence = Numbers{certified_rows(svm->program, svm->solution()->support), decided.rival,
                               token_view(svm->program, *svm->solution(), context.study.scores())};
    if (finding.verdict == Verdict::holds) demand_neighbours(finding, context, svm->program, svm->solution()->support);
  }
  if (finding.verdict == Verdict::holds) finding.discoveries.locally_optimal = {selection};
  return finding;
}

}  // namespace

Claim locally_optimal_claim() {
  return {
      .schema = {"locally-optimal",
                 {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"},
                  {"neighbours", ParameterKind::rows, false, "demand exactly these neighbours", {}},
                  {"exact", ParameterKind::flag, false, "decide by the exact solution, however large the program is", {}, "false"}},
                 {{"v", ""}}},
      .title = "Locally optimal selection",
      .summary = "the selected tokens score more than their neighbours",
      .source = "[MM, Def. 2]",
      .words = "The selected token scores more than its neighbours: the tokens whose constraint is tight at the max-margin direction.",
      .formula = R"(\gamma_{i \alpha_i} > \gamma_{it} \quad \text{whenever} \quad (k_{i \alpha_i} - k_{it}) \cdot p^{\mathrm{mm}} = 1)",
      .text =
          "Let p solve p-SVM(alpha). The neighbours of alpha_i are the tokens t with (k_i,alpha_i - k_it).p = 1. alpha is locally optimal "
          "when gamma_i,alpha_i > gamma_it for every neighbour: gradient descent that starts near its direction converges to it. With the "
          "exact solution the neighbours are known, not estimated. Where more than 48 rows may be tight a bracket of the solution decides "
          "(see p-svm): every row "
          "that may be tight scores less, or one that must be tight does not; the exact solution is asked for where it does not tell.\n"
          "Holds, proved (certificate locally-optimal).\n"
          "Fails, proved: a neighbour scores at least as much, or the p-SVM is infeasible (certificate not-locally-optimal); or the "
          "neighbours are not those given, if they are.",
      .numbers = {{"neighbours", "the tokens [i, t] whose row is tight, of a bracket those that are for certain"},
                  {"possible_neighbours", "of a bracket: every token [i, t] whose row may be tight"},
                  {"outscored_by", "the neighbour [i, t] that scores at least as much, if one does"},
                  {"view", "the tokens as the p-SVM sees them, for pictures (docs/results.md); not of a bracket"}},
      .section = AuditSection::optima,
      .check = check};
}

}  // namespace attest
