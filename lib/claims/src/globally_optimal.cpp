#include "claim_list.hpp"
#include "hypotheses.hpp"

namespace attest {
namespace {

struct Numbers {
  GlobalOptimality found;

  void write(Fields& out) const {
    out("unique", found.unique)("gap", found.gap ? std::optional(nearest_double(*found.gap)) : std::nullopt)("gap_exact", found.gap);
  }
};

Finding check(const ClaimContext& context) {
  const Selection& selection = context.selection_or_best();
  const auto* unique = context.request.find<bool>("unique");
  const GlobalOptimality found = decide_global_optimality(context.study.scores(), selection);
  Finding finding(describe(found, selection, unique && *unique));
  finding.selection = selection;
  finding.evidence = Numbers{found};
  return finding;
}

}  // namespace

Claim globally_optimal_claim() {
  return {
      .schema = {"globally-optimal",
                 {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"},
                  {"unique", ParameterKind::flag, false, "demand that no other token ties", {}, "false"}},
                 {{"v", ""}}},
      .title = "Globally optimal selection",
      .summary = "the selection has the largest score in every sample",
      .source = "[MM, Def. 1]",
      .words = "In every sample the selected token has the largest score.",
      .formula = R"(\gamma_{i \alpha_i} \ge \gamma_{it} = Y_i v \cdot x_{it} \quad \forall i, t)",
      .text =
          "With scores gamma_it = Y_i v.x_it, the selection alpha is globally optimal when gamma_i,alpha_i >= gamma_it for all i and t, "
          "and "
          "unique when every inequality with t != alpha_i is strict. Decided in rational arithmetic. With \"unique\": true a tie makes the "
          "claim fail. Grade: proved; certificates globally-optimal and not-globally-optimal.",
      .numbers = {{"unique", "no other token ties with the selected ones"},
                  {"gap", "the least difference to the score of another token; null when no sample has two tokens"},
                  {"gap_exact", "the same, as a fraction"}},
      .section = AuditSection::optima,
      .check = check};
}

}  // namespace attest
