#include "claim_list.hpp"
#include "descent_theorem.hpp"
#include "limit_direction.hpp"
#include "svm_decision.hpp"

namespace attest {
namespace {

Finding check(const ClaimContext& context) { return check_gd_local(context, Parametrisation::prompt); }

}  // namespace

Finding check_gd_local(const ClaimContext& context, Parametrisation parametrisation) {
  const Selection selection = selection_or_best(context);
  DescentTheorem descent(context, parametrisation);
  descent.assume_loss();
  const Finding direction = decide_direction(context, selection, parametrisation);
  descent.theorem.assume(feasible_name(parametrisation), direction);
  descent.theorem.assume("locally optimal selection", decide_locally_optimal(context, selection, parametrisation));
  descent.assume_step();
  if (!descent.theorem.applies()) return descent.theorem.obstacle(selection);
  const Eigen::VectorXd limit = solution_of(direction);
  const double scale = chosen_method(context.request) == DescentMethod::constant ? watched_scale : cone_scale;
  return descent.observe(selection, cone_starts(context, selection, limit, scale, parametrisation), {watched_scale * limit}, DescentTheorem::Reach::cone);
}

Claim gd_local_claim() {
  std::vector<ParameterSpec> parameters = descent_parameters("where the runs start (default: at 100 p^mm and around it; constant: 5 p^mm)",
                                                             "how to descend (default: normalised, and constant for the loss)",
                                                             "of each run (default 100000)");
  parameters.insert(parameters.begin(), {"selection", ParameterKind::selection, false, "one token a sample (default: the largest scores)", {}});
  return {{"gd-local", std::move(parameters), {{"v", ""}}},
          "descent near a locally optimal direction converges to it",
          "[MM] If Assumption A holds and alpha is locally optimal, there are mu > 0 and R such that descent with a\n"
          "constant step of at most 1/L_p from any start with |p| >= R in the cone p.p^mm >= (1 - mu) |p||p^mm| has\n"
          "|p| -> infinity and p/|p| -> p^mm/|p^mm|. The hypotheses are decided exactly. The conclusion is observed as\n"
          "for gd-global: unless starts are given, from 100 p^mm and from four points of that norm off the ray, at angles of 0.02 and\n"
          "0.1 radians in directions drawn by the seed (less where a row would lose half its lead), and every run has to converge, those off the\n"
          "ray to at most half their error. Constant steps watch the loss from 5 p^mm.\n"
          "Inapplicable: a hypothesis fails. A run that ends elsewhere leaves the claim undecided: the theorem does\n"
          "not say how wide the cone is. Fails: a step within 1/L_p increases the loss.\n"
          "Numbers: norm, direction_error, iterations, rate (of the worst run), monotone, runs, shares, method, step, angles (of the\n"
          "starts to the ray, a run each).",
          check};
}

}  // namespace attest
