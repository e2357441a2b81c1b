#include "attest/exact/global_optimality.hpp"

#include "attest/certificate/certified.hpp"
#include "claim_list.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

Finding check(const ClaimContext& context) {
  const Scores scores = exact_scores(context.problem);
  const auto* given = context.request.find<Selection>("selection");
  const auto* demanded = context.request.find<bool>("unique");
  const bool demand_unique = demanded && *demanded;
  const Selection selection = given ? *given : best_selection(scores);
  const GlobalOptimality decided = decide_global_optimality(scores, selection);
  const bool holds = demand_unique ? decided.unique : decided.optimal;

  Finding finding;
  finding.verdict = holds ? Verdict::holds : Verdict::fails;
  finding.grade = Grade::proved;
  finding.selection = selection;
  finding.numbers["unique"] = decided.unique;
  finding.numbers["gap"] = decided.gap ? Json(nearest_double(*decided.gap)) : Json();
  finding.numbers["gap_exact"] = decided.gap ? Json(to_string(*decided.gap)) : Json();

  if (holds) {
    finding.message = !decided.gap      ? "every sample has one token"
                      : decided.unique ? fmt::format("unique; the closest score is {:.6g} below", nearest_double(*decided.gap))
                                       : fmt::format("optimal but not unique: token {} of sample {} ties", decided.token, decided.sample);
    finding.certificate = certify(certified::GloballyOptimal{selection, decided.unique, decided.gap});
  } else {
    finding.message = fmt::format("token {} of sample {} scores {}", decided.token, decided.sample,
                                  decided.gap->is_zero() ? "the same" : "more than the selected one");
    finding.certificate = certify(certified::NotGloballyOptimal{selection, demand_unique, decided.sample, decided.token});
  }
  return finding;
}

}  // namespace

Claim globally_optimal_claim() {
  return {{"globally-optimal",
           {{"selection", ParameterKind::selection, false, "one token a sample (default: the largest scores)", {}},
            {"unique", ParameterKind::flag, false, "demand that no other token ties (default false)", {}}},
           {{"v", ""}}},
          "the selection has the largest score in every sample",
          "[MM, Def. 1] With scores gamma_it = Y_i v.x_it, the selection alpha is globally optimal when\n"
          "gamma_i,alpha_i >= gamma_it for all i and t, and unique when every inequality with t != alpha_i is\n"
          "strict. Decided in rational arithmetic. With \"unique\": true a tie makes the claim fail.\n"
          "Numbers: unique, gap (least difference to another token), gap_exact. Grade: proved; certificates\n"
          "globally-optimal and not-globally-optimal.",
          check};
}

}  // namespace attest
