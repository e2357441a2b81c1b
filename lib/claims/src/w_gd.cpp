#include "claim_list.hpp"
#include "descent_theorem.hpp"
#include "seconds.hpp"
#include "weight_numbers.hpp"

namespace attest {
namespace {

/// What there is to say of W besides what is said of p.
struct WeightNumbers {
  std::optional<std::size_t> rank;  ///< of W^mm; none when the time was up
  std::vector<double> spectrum;     ///< of the last W of the worst run
  std::vector<ThinnedPoint> trace;  ///< of that run

  void write(Fields& out) const { out("rank", rank)("singular_values", spectrum)("trace", trace); }
};

struct Numbers {
  std::optional<DescentNumbers> descent;  ///< none where nothing was run
  bool local;
  std::optional<WeightNumbers> weights = {};  ///< where there are runs

  void write(Fields& out) const {
    if (descent) descent->write(out);
    out("local", local);
    if (weights) weights->write(out);
  }
};

std::vector<ThinnedPoint> trace_of(const ObservedRun& observed) {
  std::vector<double> norms;
  for (const TracePoint& point : observed.run.trace) norms.push_back(point.norm);
  return thinned_trace(norms, observed.errors);
}

WeightNumbers weight_numbers(const ClaimContext& context, const Selection& selection, const ObservedRun& worst) {
  const auto svm = context.study.svm_within_reach(Parametrisation::weights, selection, context.budget);
  return {svm && svm->solution() ? std::optional(context.study.weight_rank(*svm)) : std::nullopt,
          singular_values(context.problem(), worst.run.last().p), trace_of(worst)};
}

Finding check(const ClaimContext& context) {
  const bool local = context.request.find<Selection>("selection") != nullptr;
  auto [finding, descent] =
      local ? observe_gd_local(context, Parametrisation::weights) : observe_gd_global(context, Parametrisation::weights);
  Numbers numbers{std::move(descent), local};
  if (numbers.descent) numbers.weights = weight_numbers(context, *finding.selection, numbers.descent->worst_run());
  finding.evidence = std::move(numbers);
  return std::move(finding);
}

}  // namespace

Claim w_gd_claim() {
  std::vector<ParameterSpec> parameters =
      descent_parameters({"local: at 100 W^mm and around it, constant 5 W^mm; global: 0", "normalised, and constant for the loss",
                          "100000, or what grows the norm 30 times; up to 10^7 where the rate sets in late; fewer on large data"},
                         ParameterKind::matrices);
  parameters.push_back(stop_parameter());
  parameters.insert(parameters.begin(),
                    {"selection", ParameterKind::selection, false, "the local theorem for these tokens", {}, "the global one"});
  return {
      .schema = {"w-gd", std::move(parameters), {{"v", ""}}},
      .title = "Theorem: descent on the weights",
      .summary = "descent on W converges to the W-SVM direction",
      .source = "[TS]",
      .words =
          "Descent on the matrix of attention weights, from near a locally optimal direction or from the basin of the globally "
          "optimal selection, converges in direction to the solution of the Frobenius W-SVM.",
      .formula = R"(\frac{W(k)}{\|W(k)\|_F} \to \frac{W^{\mathrm{mm}}}{\|W^{\mathrm{mm}}\|_F})",
      .text =
          "The model softmax(X_i W z_i) with queries z_i (without them the first tokens), trained in W; the case's own W plays no part. "
          "With a `selection`, the local theorem: if Assumption A holds, W-SVM(alpha) is feasible and alpha is locally optimal for it (it "
          "scores more than its neighbours, the tokens whose rows are tight at W^mm, the Frobenius solution), descent with constant "
          "steps of at most 1/L_W from far out near the ray of W^mm has |W| -> infinity and W/|W| -> W^mm/|W^mm|. Without one, the global "
          "theorem: if Assumption A holds, alpha is the unique globally optimal selection and W-SVM(alpha) is feasible, the same from "
          "any start with one sample whose non-optimal scores are equal, and else from the basin L(W) < L* + chi/n, as for gd-global.\n"
          "All hypotheses but the basin, and a given constant step, which must be at most 1/L_W, are decided exactly; these two are "
          "observed. The conclusion is proved, for these W, as for gd-local and gd-global; else it is observed as for gd-local (from 100 "
          "W^mm and off its ray; constant steps from norm 5 |W^mm|) and "
          "gd-global (from 0; on large data from 30 W^mm in place of 100, and as gd-local says), with a gradient sum g_i z_i^T that is "
          "right at any norm: W heads for W^mm with an error that falls like "
          "1/|W|, and constant steps of 1/L_W never increase the loss.\n"
          "Inapplicable: a hypothesis fails.\n"
          "Fails: from any start, and a run settles elsewhere; with a `selection`, and a run from `starts` provably goes elsewhere; or a "
          "step "
          "within 1/L_W increases the loss.\n"
          "Undecided: a run is not in the basin so far, no limit yet, or another rate; and with a `selection` where a run ends elsewhere.",
      .numbers = with_proof_specs(
          descent_number_specs({{"runs", "a list of runs, as for descent; a matrix is a list of rows"},
                                {"runs[].basin_iterate", "the global theorem: its first iterate in the basin, as for gd-global"}},
                               {{"angles", "the local theorem: of the starts to the ray, a run each; absent where starts are given"},
                                {"basin_iterate", "the global theorem: the last of the runs' basin_iterate, as for gd-global"},
                                {"local", "whether it is the local theorem"},
                                {"rank", "rank of W^mm, exact; null when the time is up"},
                                {"singular_values", "of the last W of the run with the largest direction error, largest first"},
                                {"trace", "at most 64 points of that run: norm, direction_error"}})),
      .hypotheses = {HypothesisId::assumption_a, HypothesisId::unique_optimum, HypothesisId::feasible_w_svm, HypothesisId::locally_optimal,
                     HypothesisId::equal_scores, HypothesisId::safe_step, HypothesisId::start_in_basin},
      .least_seconds = [](const ProblemSize& size) { return 2e-6 * weight_pass(size); },
      .check = check};
}

}  // namespace attest
