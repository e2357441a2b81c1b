#include "claim_list.hpp"
#include "limit_direction.hpp"
#include "path_observation.hpp"
#include "weight_numbers.hpp"
#include "weight_program.hpp"

namespace attest {
namespace {

Finding check(const ClaimContext& context) {
  Finding finding = check_path(context, Parametrisation::weights);
  if (finding.numbers.contains("final")) {
    finding.numbers["rank"] = decide_direction(context, *finding.selection, Parametrisation::weights).numbers.value("rank", nlohmann::ordered_json());  // null when the time is up
    finding.numbers["singular_values"] = singular_values(entries_of(finding.numbers.at("final")));
  }
  return finding;
}

}  // namespace

Claim w_path_claim() {
  return {{"w-path",
           {{"selection", ParameterKind::selection, false, "one token a sample (default: the largest scores)", {}},
            {"radius", ParameterKind::positive, false, "the last R (default 2^20)", {}}},
           {{"v", ""}}},
          "the path over |W| <= R converges to the W-SVM direction",
          "[TS] The model softmax(X_i W z_i) with queries z_i (without them the first tokens); the case's own W plays no\n"
          "part. If Assumption A holds, alpha is the unique globally optimal selection and W-SVM(alpha) is feasible, the\n"
          "minimisers W_R of L over |W| <= R (Frobenius) have W_R/R -> W^mm/|W^mm|. For another selection, locally optimal\n"
          "for the W-SVM, the same holds in a cone around W^mm. Hypotheses are decided exactly; the path is followed and\n"
          "verified as for path.\n"
          "Holds: all points are verified and the direction error falls like 1/R (slope -1 within 0.05).\n"
          "Inapplicable: a hypothesis fails. Fails: a verified path that leads elsewhere. Undecided: a point is not\n"
          "verified, or another rate.\n"
          "Numbers: radius, direction_error, secant_error, rate, cone (whether it is the local path), rank (of W^mm,\n"
          "exact), final (the last W by rows), singular_values (of it), points [{radius, direction_error, log_excess,\n"
          "norm_ratio, stationarity, iterations, status, ipopt, verified}].",
          check};
}

}  // namespace attest
