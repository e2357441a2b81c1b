#include "claim_list.hpp"
#include "descent_theorem.hpp"

namespace attest {
namespace {

Finding check(const ClaimContext& context) { return with_evidence(observe_gd_local(context, Parametrisation::prompt)); }

}  // namespace

Claim gd_local_claim() {
  std::vector<ParameterSpec> parameters =
      descent_parameters({"at 100 p^mm and around it; constant: 5 p^mm", "normalised, and constant for the loss",
                          "100000, or what grows the norm 30 times; up to 10^7 where the rate sets in late; fewer on large data"});
  parameters.push_back(stop_parameter());
  parameters.insert(parameters.begin(), {"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"});
  return {
      .schema = {"gd-local", std::move(parameters), {{"v", ""}}},
      .title = "Theorem: local convergence of descent",
      .summary = "descent near a locally optimal direction converges to it",
      .source = "[MM]",
      .words =
          "If the selection is locally optimal, descent from far out in a cone around its max-margin direction converges to "
          "that direction.",
      .formula =
          R"(\frac{p(k)}{\|p(k)\|} \to \frac{p^{\mathrm{mm}}(\alpha)}{\|p^{\mathrm{mm}}(\alpha)\|} \quad \text{from } \|p(0)\| \ge R, p(0) \cdot p^{\mathrm{mm}} \ge (1 - \mu) \|p(0)\| \|p^{\mathrm{mm}}\|)",
      .text =
          "If Assumption A holds, p-SVM(alpha) is feasible and alpha is locally optimal, there are mu > 0 and R such that descent with a "
          "constant step of at most 1/L_p from any start with |p| >= R in the cone p.p^mm >= (1 - mu) |p||p^mm| has |p| -> infinity and "
          "p/|p| -> p^mm/|p^mm|. The hypotheses are decided exactly, but for a given constant step, which must be at most 1/L_p "
          "(observed). The conclusion is proved where of every run (normalised steps of 0.1 unless another method is given) a certificate "
          "shows that |p| -> infinity and p/|p| -> p^mm/|p^mm|, as for descent; else it is observed as for gd-global.\n"
          "Unless starts are given, one run starts at 100 p^mm, on the ray, which shows that descent stays, and four at that norm off "
          "the ray, at angles of 0.02 and 0.1 radians in directions drawn by the seed, which show that it comes back. Where at such a "
          "point the least row of a token that scores less, or its lead over the rows of tokens that score as much or more, is below "
          "half of what it is on the ray, the angle is halved until it is not. Every run has to converge, those off the ray to at most "
          "half the error they start with. With constant steps all of these start at norm 5 |p^mm|, as does the run that watches the "
          "loss, on the ray.\n"
          "On large data, where an iteration takes 5e4 products or more, runs start at 60 p^mm, their norm grows 4 times and not 30, one "
          "direction is drawn for "
          "each "
          "angle, fewer constant steps watch the loss, and normalised steps are longer where the tight rows allow it: 0.1 times the "
          "largest "
          "power of 2 with a step of at most |p^mm|/2 over M, the norm of sum lambda_c a_c a_c^T. There, unless a method, `step` or "
          "`iterations` is given, the conclusion is proved, of constant steps of 1/L_p, where all starts are in the basin of the globally "
          "optimal "
          "selection (certificate descent-basin, for which a bracket of the SVM is enough); the runs in normalised steps are then short, "
          "and for the eye.\n"
          "With \"stop\": \"proved\", as in sweeps, a run is made to the iterate from which its limit is proved, and its numbers are of so "
          "many "
          "iterations; one whose proof does not close has its 100000 and is not made longer, so that it may be undecided where a longer "
          "one "
          "would be seen at its rate. The loss is then watched over 1000 steps. What is proved is the same.\n"
          "Inapplicable: a hypothesis fails.\n"
          "Fails: a step within 1/L_p increases the loss; or a run from `starts`, or from a random start, provably goes to another "
          "direction, so that from there descent does not converge to p^mm(alpha) (the theorem itself only says that some cone does).\n"
          "Undecided: as for gd-global, and where a run ends elsewhere: the theorem does not say how wide the cone is.",
      .numbers =
          with_proof_specs(descent_number_specs({{"runs", "a list of runs, as for descent"}},
                                                {{"angles", "of the starts to the ray, a run each; absent where starts are given"}})),
      .hypotheses = {HypothesisId::assumption_a, HypothesisId::feasible_p_svm, HypothesisId::locally_optimal, HypothesisId::safe_step},
      .check = check};
}

}  // namespace attest
