#include "claim_list.hpp"
#include "hypotheses.hpp"

namespace attest {
namespace {

/// Bounds stay bounds as doubles: rounded upwards.
struct Numbers {
  RationalInterval interval;
  AssumptionA assumption;

  void write(Fields& out) const {
    out("interval", std::vector{lower_double(interval.low), upper_double(interval.high)});
    if (const auto* bounds = std::get_if<LossBounds>(&assumption))
      out("slope_sup", upper_double(bounds->slope_sup))("m0", upper_double(bounds->m0))("m1", upper_double(bounds->m1))(
          "slope_sup_exact", bounds->slope_sup)("m0_exact", bounds->m0)("m1_exact", bounds->m1)("cells", bounds->cuts.size() + 1);
    if (const auto* refuted = std::get_if<LossNotDecreasing>(&assumption))
      out("a", nearest_double(refuted->a))("b", nearest_double(refuted->b));
    if (const auto* flat = std::get_if<FlatScore>(&assumption))
      out("at", nearest_double(flat->at))("sample", flat->sample)("token", flat->token);
  }
};

AssumptionA decide_on(const RationalInterval& interval, const ClaimContext& context) {
  return std::visit([](const auto& outcome) -> AssumptionA { return outcome; },
                    bound_loss(context.problem().loss, interval, context.budget));
}

Finding check(const ClaimContext& context) {
  const auto* given = context.request.find<RationalInterval>("interval");
  const RationalInterval interval = given ? *given : context.study.score_interval();
  const AssumptionA assumption = given ? decide_on(interval, context) : context.study.assumption_a(context.budget);
  Finding finding(describe(assumption, interval, given == nullptr));
  finding.evidence = Numbers{interval, assumption};
  return finding;
}

}  // namespace

Claim assumption_a_claim() {
  return {
      .schema = {"assumption-a",
                 {{"interval", ParameterKind::interval, false, "[low, high] for u", {}, "what the scores span"}},
                 {{"v", "interval"}}},
      .title = "Assumption A",
      .summary = "Assumption A: the loss decreases, with a Lipschitz slope",
      .source = "[MM, Assumption A; l' < 0 is ours]",
      .words = "On the interval I that the scores span, the slope of the loss is negative, bounded by M₁ and M₀-Lipschitz.",
      .formula =
          R"(\ell^\prime(u) < 0, \quad |\ell^\prime(u)| \le M_1, \quad |\ell^\prime(u) - \ell^\prime(w)| \le M_0 |u - w| \quad \text{for } u, w \in I)",
      .text =
          "On the interval that the scores Y_i v.x_it span (every Y_i f_i lies in it, whatever p is), l' < 0, |l'| <= M1, and l' is "
          "M0-Lipschitz. The papers ask for a strictly decreasing l, which is not enough: with l' = 0 at a largest score the theorems are "
          "false (docs/theory.md, section 1). Decided by outward-rounded enclosures of l, l', l'' over an adaptive subdivision; works for "
          "any written loss.\n"
          "Holds, proved: l' <= slope_sup < 0, m1 and m0 are certified upper bounds (certificate loss-bounds).\n"
          "Fails, proved: two points a < b with l(a) <= l(b) (certificate loss-not-decreasing), or, without a given interval, l' >= 0 at "
          "the largest score of a sample (certificate loss-flat).\n"
          "Undecided: the loss cannot be enclosed on the interval, or its slope touches 0 at another point.",
      .numbers = {{"interval", "the scores' interval I"},
                  {"slope_sup", "upper bound of l' on I, as a double rounded upwards (one above -1e-324 reads -0)"},
                  {"m0", "bound of |l''| on I, rounded upwards"},
                  {"m1", "bound of |l'| on I, rounded upwards"},
                  {"slope_sup_exact", "slope_sup as a fraction"},
                  {"m0_exact", "m0 as a fraction"},
                  {"m1_exact", "m1 as a fraction"},
                  {"cells", "cells of the proof"},
                  {"a", "where it fails: l(a) <= l(b) with a < b"},
                  {"b", "where it fails: l(a) <= l(b) with a < b"},
                  {"at", "where it fails: a largest score at which l' >= 0"},
                  {"sample", "the sample whose largest score that is"},
                  {"token", "the token whose score that is"}},
      .section = AuditSection::assumptions,
      .check = check};
}

}  // namespace attest
