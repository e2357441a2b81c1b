#include "attest/certificate/certified.hpp"
#include "attest/exact/flat_score.hpp"
#include "claim_list.hpp"
#include "loss_assumption.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

void conclude(Finding& finding, const LossBounds& bounds, const RationalInterval& interval, bool from_scores) {
  finding.verdict = Verdict::holds;
  finding.grade = Grade::proved;
  // Bounds stay bounds as doubles: rounded upwards.
  finding.numbers["slope_sup"] = upper_double(bounds.slope_sup);
  finding.numbers["m0"] = upper_double(bounds.m0);
  finding.numbers["m1"] = upper_double(bounds.m1);
  finding.numbers["slope_sup_exact"] = to_string(bounds.slope_sup);
  finding.numbers["m0_exact"] = to_string(bounds.m0);
  finding.numbers["m1_exact"] = to_string(bounds.m1);
  finding.numbers["cells"] = bounds.cuts.size() + 1;
  finding.message = fmt::format("l' <= {:.5g} < 0, |l'| <= M1 = {:.5g}, |l''| <= M0 = {:.5g}",
                                upper_double(bounds.slope_sup), upper_double(bounds.m1), upper_double(bounds.m0));
  finding.certificate = certify(certified::LossBounds{interval, bounds.slope_sup, bounds.m0, bounds.m1, from_scores, bounds.cuts});
}

void conclude(Finding& finding, const LossNotDecreasing& refuted, const RationalInterval& interval, bool from_scores) {
  finding.verdict = Verdict::fails;
  finding.grade = Grade::proved;
  finding.numbers["a"] = nearest_double(refuted.a);
  finding.numbers["b"] = nearest_double(refuted.b);
  finding.message = fmt::format("the loss does not decrease strictly: l({:.6g}) <= l({:.6g})", nearest_double(refuted.a),
                                nearest_double(refuted.b));
  finding.certificate = certify(certified::LossNotDecreasing{interval, refuted.a, refuted.b, from_scores, refuted.by_slope});
}

void conclude(Finding& finding, const LossUndecided& undecided, const RationalInterval&, bool) {
  finding.message = undecided.reason;
}

void conclude(Finding& finding, const FlatScore& flat) {
  finding.verdict = Verdict::fails;
  finding.grade = Grade::proved;
  finding.numbers["at"] = nearest_double(flat.at);
  finding.numbers["sample"] = flat.sample;
  finding.numbers["token"] = flat.token;
  finding.message = fmt::format("l' >= 0 at u = {:.6g}, the largest score of sample {} (token {}): strictly decreasing is not enough there",
                                nearest_double(flat.at), flat.sample, flat.token);
  finding.certificate = certify(certified::LossFlat{flat.sample, flat.token, flat.at, flat.exactly});
}

Finding decide_on(const RationalInterval& interval, const ClaimContext& context, bool from_scores) {
  Finding finding;
  finding.numbers["interval"] = {lower_double(interval.low), upper_double(interval.high)};
  const LossVerdict verdict = bound_loss(context.problem.loss, interval, context.budget);
  std::visit([&](const auto& outcome) { conclude(finding, outcome, interval, from_scores); }, verdict);
  return finding;
}

Finding check(const ClaimContext& context) {
  if (const auto* given = context.request.find<RationalInterval>("interval")) return decide_on(*given, context, false);
  const Scores scores = exact_scores(context.problem);
  Finding finding = decide_on(score_interval(scores), context, true);
  if (finding.verdict != Verdict::undecided) return finding;
  if (const auto flat = find_flat_score(context.problem.loss, scores)) conclude(finding, *flat);
  return finding;
}

}  // namespace

RationalInterval score_interval(const Scores& scores) {
  RationalInterval interval{scores.front().front(), scores.front().front()};
  for (const auto& sample : scores) {
    const auto [least, largest] = std::minmax_element(sample.begin(), sample.end());
    interval.low = std::min(interval.low, *least);
    interval.high = std::max(interval.high, *largest);
  }
  return interval;
}

Claim assumption_a_claim() {
  return {{"assumption-a",
           {{"interval", ParameterKind::interval, false, "[low, high] for u (default: what the scores span)", {}}},
           {{"v", "interval"}}},
          "Assumption A: the loss decreases, with a Lipschitz slope",
          "[MM, Assumption A; l' < 0 is ours] On the interval that the scores Y_i v.x_it span (every Y_i f_i lies in\n"
          "it, whatever p is), l' < 0, |l'| <= M1, and l' is M0-Lipschitz. The papers ask for a strictly decreasing l,\n"
          "which is not enough: with l' = 0 at a largest score the theorems are false (docs/theory.md, section 1).\n"
          "Decided by outward-rounded enclosures of l, l', l'' over an adaptive subdivision; works for any written loss.\n"
          "Holds, proved: l' <= slope_sup < 0, m1 and m0 are certified upper bounds (certificate loss-bounds).\n"
          "Fails, proved: two points a < b with l(a) <= l(b) (certificate loss-not-decreasing), or, without a given\n"
          "interval, l' >= 0 at the largest score of a sample (certificate loss-flat).\n"
          "Undecided: the loss cannot be enclosed on the interval, or its slope touches 0 at another point.\n"
          "Numbers: interval, slope_sup, m0, m1 (doubles, rounded upwards), slope_sup_exact, m0_exact, m1_exact, cells;\n"
          "a and b, or at, sample and token, when it fails.",
          check};
}

}  // namespace attest
