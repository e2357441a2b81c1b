#include "claim_list.hpp"
#include "descent_theorem.hpp"

namespace attest {
namespace {

Finding check(const ClaimContext& context) { return with_evidence(observe_gd_global(context, Parametrisation::prompt)); }

}  // namespace

Claim gd_global_claim() {
  std::vector<ParameterSpec> parameters =
      descent_parameters({"one run, from 0", "normalised, and constant for the loss",
                          "100000, or what grows the norm 30 times; up to 10^7 where the rate sets in late; fewer on large data"});
  parameters.push_back(stop_parameter());
  return {
      .schema = {"gd-global", std::move(parameters), {{"v", ""}}},
      .title = "Theorem: global convergence of descent",
      .summary = "descent from the optimal basin converges to its direction",
      .source = "[MM], ours",
      .words =
          "If the hypotheses hold, descent diverges in norm and converges in direction to the max-margin direction of the "
          "globally optimal selection: from any start with one sample whose other scores are equal, else from the basin, where "
          "the loss is below that of a second-best token.",
      .formula =
          R"(\|p(k)\| \to \infty, \quad \frac{p(k)}{\|p(k)\|} \to \frac{p^{\mathrm{mm}}}{\|p^{\mathrm{mm}}\|} \quad \text{once } L(p(k)) < L^{*} + \frac{\chi}{n})",
      .text =
          "If Assumption A holds, alpha is the unique globally optimal selection and p-SVM(alpha) is feasible, then constant steps of at "
          "most 1/L_p, and flow, have |p| -> infinity and p/|p| -> p^mm/|p^mm|: with one sample in which all non-optimal scores are "
          "equal, from any start; else from the basin L(p) < L* + chi/n, where chi is the least l(second-best score) - l(best score) of "
          "a sample with two tokens. The first is GD-global, the second, the basin theorem, is this project's (docs/theory.md). That "
          "each run (from `starts`, or 0) is in the basin from some iterate on is the hypothesis \"start in the basin\"; of constant steps "
          "and flow one iterate is enough, they do not leave it. "
          "With several samples convergence from any start is false, even where no other selection is locally optimal "
          "(docs/theory.md).\n"
          "The hypotheses are decided exactly, but for two: the basin is decided in ball arithmetic at rounded iterates, so observed, "
          "unless the limits of the runs are proved, which says that they end in it, or that one ends outside; "
          "and with \"method\": \"constant\" and a `step` also that the step is at most 1/L_p, observed because spectral norms are "
          "floating point.\n"
          "The conclusion is proved: with one sample and equal scores for constant steps of 1/L_p (of `step`, or flow, where these are "
          "asked "
          "for) from every start, by a certificate descent-basin; else, and for \"method\": \"normalised\", where of every run that is "
          "listed "
          "(normalised steps of 0.1 unless another method is given) a certificate shows that |p| -> infinity and p/|p| -> p^mm/|p^mm|, as "
          "for "
          "descent. These need no observed hypothesis. The loss is watched beside, in floating point.\n"
          "Otherwise it is observed: normalised descent heads for p^mm with an error that falls like 1/norm (slope -1 within 0.1, "
          "within 0.2 where a tight row has multiplier 0), and with constant steps of 1/L_p, over 10000 of them, the loss never "
          "increases. The theorem speaks of constant steps and flow from the iterate in the basin on; that normalised steps converge "
          "too is seen, not said by it. With \"method\": \"constant\" the direction error must fall, not be small (the norm grows like "
          "log k), and the run is compared with the regularisation path's minimiser at the same norm: it must not be farther from it "
          "than the limit is.\n"
          "Inapplicable: a hypothesis fails, such as a run that provably goes to another direction; it is named, with its evidence and, "
          "where it has one, its certificate, which is that of "
          "the claim.\n"
          "Fails: from any start, and a run settles at another locally optimal selection, proved where that limit is; or a step within "
          "1/L_p increases the loss.\n"
          "Undecided: a run is not in the basin so far (a longer one may be; the message says where it goes), no limit yet, another "
          "rate, or a run that stands still in doubles.",
      .numbers = with_proof_specs(descent_number_specs(
          {{"runs", "a list of runs, as for descent"},
           {"runs[].basin_iterate", "its first iterate in the basin; null while there is none, 0 where the theorem is about any start"}},
          {{"basin_iterate", "the last of these; null while a run has none"}})),
      .hypotheses = {HypothesisId::assumption_a, HypothesisId::unique_optimum, HypothesisId::feasible_p_svm, HypothesisId::equal_scores,
                     HypothesisId::safe_step, HypothesisId::start_in_basin},
      .check = check};
}

}  // namespace attest
