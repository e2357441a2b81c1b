#include "claim_list.hpp"
#include "path_observation.hpp"

namespace attest {
namespace {

Finding check(const ClaimContext& context) {
  CheckedPath checked = check_path(context, Parametrisation::prompt);
  if (checked.numbers) checked.finding.evidence = std::move(*checked.numbers);
  return std::move(checked.finding);
}

}  // namespace

Claim path_claim() {
  return {
      .schema = {"path",
                 {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"},
                  {"radius", ParameterKind::positive, false, "the last R", {}, "2^20"}},
                 {{"v", ""}}},
      .title = "Theorem: regularisation path",
      .summary = "the regularisation path converges to the SVM direction",
      .source = "[MM]",
      .words = "The minimisers of the loss over balls of growing radius R converge in direction to the max-margin direction.",
      .formula =
          R"(p_R = \argmin_{\|p\| \le R} L(v, p), \quad \frac{p_R}{R} \to \frac{p^{\mathrm{mm}}}{\|p^{\mathrm{mm}}\|} \quad (R \to \infty))",
      .text =
          "RP-global and its local version. If Assumption A holds, alpha is the unique globally optimal selection and p-SVM(alpha) is "
          "feasible, the minimisers p_R of L over |p| <= R have p_R/R -> p^mm/|p^mm|. For another selection, locally optimal, the same "
          "holds "
          "for minimisers in a cone around p^mm, from some norm on. The hypotheses are decided exactly.\n"
          "The conclusion is proved where enclosures close (docs/theory.md, Theorems P, Q and C; certificate path-envelope): a bound of "
          "the "
          "direction error of every minimiser and of every R from some R0 on, K and Q with |p_R/R - p^mm/|p^mm||^2 <= K/R and, where tight "
          "rows "
          "have multipliers and are independent, <= (Q/R)^2. For a selection that is not globally optimal it speaks of the minimisers in a "
          "cone around p^mm (proved_cone).\n"
          "It is observed too: the path is followed by doubling R (large data: by factors of 4), on log(L - L*), from several starts and "
          "from the ray of p^mm, and "
          "every point is verified from the data: |p| <= R; it is stationary on the sphere, the negative gradient parallel to p within "
          "1e-7; "
          "no lower loss at the scaled p^mm, the point before or any start. Where the data are small (rows x numbers^2 of at most 2e6) "
          "dense "
          "Hessians come from a CasADi graph and IPOPT solves each radius too, from the secant of the points before it, and says where it "
          "ends; on larger data conjugate gradients use products with the Hessian alone. The points found are witnesses of the proof, "
          "which does not rest on them.\n"
          "Holds, proved: an envelope closes. Holds, observed: none does, all points are verified and the direction error falls like 1/R "
          "(slope -1 within 0.05 over the last factor 16; within 0.2 where a tight row has multiplier 0, since it then falls like "
          "log(R)/R) "
          "or is below rounding.\n"
          "Inapplicable: a hypothesis fails. Fails: a verified path that leads elsewhere. Undecided: neither; or a verified point "
          "contradicts "
          "an envelope.",
      .numbers = PathNumbers::specs(),
      .hypotheses = {HypothesisId::assumption_a, HypothesisId::unique_optimum, HypothesisId::feasible_p_svm, HypothesisId::locally_optimal},
      // Some twenty radii and several starts.
      .least_seconds = [](const ProblemSize& size) { return size.tokens * size.dimension * 1e-6; },
      .check = check};
}

}  // namespace attest
