#include "claim_list.hpp"
#include "descent_theorem.hpp"
#include "limit_direction.hpp"
#include "weight_numbers.hpp"
#include "weight_program.hpp"

#include <algorithm>
#include <limits>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// The run that the claim's numbers are about.
const Json& worst_run(const Json& runs) {
  const auto error = [](const Json& run) {
    const Json& found = run.at("direction_error");
    return found.is_null() ? std::numeric_limits<double>::infinity() : found.get<double>();
  };
  return *std::max_element(runs.begin(), runs.end(), [&](const Json& a, const Json& b) { return error(a) < error(b); });
}

void add_weight_numbers(const ClaimContext& context, Finding& finding) {
  const Json run = worst_run(finding.numbers.at("runs"));  // a copy: new numbers may move the old ones
  const Json& trace = run.at("trace");
  finding.numbers["rank"] = decide_direction(context, *finding.selection, Parametrisation::weights).numbers.value("rank", Json());  // null when the time is up
  finding.numbers["singular_values"] = singular_values(entries_of(run.at("final")));
  finding.numbers["trace"] = thinned_trace(trace.at("norm"), trace.at("direction_error"));
}

Finding check(const ClaimContext& context) {
  const bool given = context.request.find<Selection>("selection") != nullptr;
  Finding finding = given ? check_gd_local(context, Parametrisation::weights) : check_gd_global(context, Parametrisation::weights);
  finding.numbers["local"] = given;
  if (finding.numbers.contains("runs")) add_weight_numbers(context, finding);
  return finding;
}

}  // namespace

Claim w_gd_claim() {
  std::vector<ParameterSpec> parameters =
      descent_parameters("d x d matrices where the runs start (default: local at 100 W^mm and around it, constant 5 W^mm; global 0)",
                         "how to descend (default: normalised, and constant for the loss)", "of each run (default 100000)", ParameterKind::matrices);
  parameters.insert(parameters.begin(), {"selection", ParameterKind::selection, false, "the local theorem for these tokens (default: the global one)", {}});
  return {{"w-gd", std::move(parameters), {{"v", ""}}},
          "descent on W converges to the W-SVM direction",
          "[TS] The model softmax(X_i W z_i) with queries z_i (without them the first tokens), trained in W; the case's own\n"
          "W plays no part. With a `selection`: if Assumption A holds and alpha is locally optimal for the W-SVM (it scores\n"
          "more than the neighbours at W^mm, the Frobenius solution), descent with constant steps of at most 1/L_W from far\n"
          "out near the ray of W^mm has |W| -> infinity and W/|W| -> W^mm/|W^mm|. Without one: if alpha is the unique\n"
          "globally optimal selection and W-SVM(alpha) is feasible, the same from any start with one sample whose non-optimal\n"
          "scores are equal, and else from the basin L(W) < L* + chi/n, as for gd-global. All hypotheses but the basin are decided\n"
          "exactly; the conclusion is observed as for gd-local (also off the ray of W^mm) and gd-global, with a gradient\n"
          "sum g_i z_i^T that is right at any norm.\n"
          "Inapplicable: a hypothesis fails. Fails: from any start, and a run settles elsewhere; or a step within 1/L_W increases the\n"
          "loss. Undecided: a run is not in the basin so far, no limit yet, or another rate.\n"
          "Numbers: norm, direction_error, iterations, rate (of the worst run), monotone, rank (of W^mm, exact),\n"
          "singular_values (of the last W), trace [{norm, direction_error}], local, runs, shares, method, step, and from_iterate or\n"
          "angles as for gd-global and gd-local.",
          check};
}

}  // namespace attest
