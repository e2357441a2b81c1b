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
  const Json& run = worst_run(finding.numbers.at("runs"));
  const Json trace = run.at("trace");
  finding.numbers["rank"] = decide_direction(context, *finding.selection, Parametrisation::weights).numbers.at("rank");
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
      descent_parameters("d x d matrices where the runs start (default: local 100 W^mm, constant 5 W^mm; global 0)",
                         "how to descend (default: normalised, and constant for the loss)", "of each run (default 100000)", ParameterKind::matrices);
  parameters.insert(parameters.begin(), {"selection", ParameterKind::selection, false, "the local theorem for these tokens (default: the global one)", {}});
  return {{"w-gd", std::move(parameters), {{"v", ""}}},
          "descent on W converges to the W-SVM direction",
          "[TS] The model softmax(X_i W z_i) with queries z_i (without them the first tokens), trained in W; the case's own\n"
          "W plays no part. With a `selection`: if Assumption A holds and alpha is locally optimal for the W-SVM (it scores\n"
          "more than the neighbours at W^mm, the Frobenius solution), descent with constant steps of at most 1/L_W from far\n"
          "out near the ray of W^mm has |W| -> infinity and W/|W| -> W^mm/|W^mm|. Without one: if alpha is the unique\n"
          "globally optimal selection, W-SVM(alpha) is feasible, in each sample all non-optimal scores are equal and, with\n"
          "several inputs, no other selection is locally optimal, the same from any start. All hypotheses are decided\n"
          "exactly; the conclusion is observed as for gd-local and gd-global, with a gradient sum g_i z_i^T that is right\n"
          "at any norm.\n"
          "Inapplicable: a hypothesis fails. Fails: with one input a run of the global theorem ends elsewhere, or a step\n"
          "within 1/L_W increases the loss. Undecided: no limit yet, or another rate.\n"
          "Numbers: norm, direction_error, iterations, rate (of the worst run), monotone, rank (of W^mm, exact),\n"
          "singular_values (of the last W), trace [{norm, direction_error}], local, runs, shares, method, step.",
          check};
}

}  // namespace attest
