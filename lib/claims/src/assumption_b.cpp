#include "assumption_b_decision.hpp"
#include "claim_list.hpp"

#include <cmath>

namespace attest {
namespace {

/// What is known of the largest nu.
struct Slope {
  double gamma;
  double nu_lower;
  std::optional<double> nu_upper;
  std::optional<std::string_view> nu_upper_by = {};
  std::optional<Grade> nu_upper_grade = {};

  void write(Fields& out) const {
    out("gamma", gamma)("nu_lower", nu_lower)("nu_upper", nu_upper);
    if (nu_upper_by) out("nu_upper_by", *nu_upper_by);
    if (nu_upper_grade) out("nu_upper_grade", *nu_upper_grade);
  }
};

struct SizeOfProof {
  std::size_t nodes;
  std::size_t cells;
};

struct Numbers {
  std::optional<bool> largest_margin_proved = {};  // of a selection that was searched for
  std::optional<Slope> slope = {};
  std::optional<SizeOfProof> proof = {};
  std::optional<std::string_view> by = {};

  void write(Fields& out) const {
    if (largest_margin_proved) out("largest_margin", *largest_margin_proved ? "proved" : "found");
    if (slope) slope->write(out);
    if (proof) out("nodes", proof->nodes)("cells", proof->cells);
    if (by) out("by", *by);
  }
};

double gamma_of(const SvmSolution& v) { return 1 / std::sqrt(2 * nearest_double(v.objective)); }

/// The proved lower bound beside the best upper bound that witnesses give. That is computed exactly, but no certificate holds the witness.
Slope bracket_slope(const ClaimContext& context, const AssumptionBDecision& decision, const SvmSolution& v, const Rational& nu_lower,
                    const std::vector<std::vector<double>>& points) {
  Slope slope{gamma_of(v), nu_lower > 0 ? lower_double(nu_lower) : 0.0, {}};
  const auto [by_rays, by_points] = bound_slope(context.study.tokens(), decision.selection, decision.over, points, context.budget);
  if (!by_rays && !by_points) return slope;
  const bool points_are_best = by_points && (!by_rays || *by_points < *by_rays);
  slope.nu_upper = upper_double(points_are_best ? *by_points : *by_rays);
  slope.nu_upper_by = points_are_best ? "point" : "ray";
  slope.nu_upper_grade = Grade::observed;
  return slope;
}

struct NameWitness {
  std::string_view operator()(const AssumptionBRefutation::ByLimit&) const { return "limit"; }
  std::string_view operator()(const AssumptionBRefutation::BySoftRow&) const { return "soft-row"; }
  std::string_view operator()(const AssumptionBRefutation::ByWeightless&) const { return "weightless"; }
  std::string_view operator()(const AssumptionBRefutation::ByPoint&) const { return "point"; }
};

/// The numbers of what was decided.
struct Count {
  const ClaimContext& context;
  const AssumptionBDecision& decision;
  Numbers numbers = {decision.largest_margin_proved};

  Numbers operator()(const AssumptionBProof& proof) {
    const auto points = slope_points(context, decision.selection, decision.over, proof.v);
    numbers.slope = bracket_slope(context, decision, proof.v, proof.nu, points);
    numbers.proof = SizeOfProof{proof.nodes, 0};
    for (const auto& sample : proof.samples) numbers.proof->cells += sample.cells.size();
    return numbers;
  }
  Numbers operator()(const AssumptionBRefutation& refutation) {
    numbers.slope = Slope{gamma_of(refutation.v), 0, 0, {}, Grade::proved};
    numbers.by = std::visit(NameWitness(), refutation.by);
    return numbers;
  }
  Numbers operator()(const AssumptionBUndecided& undecided) {
    if (undecided.v) numbers.slope = bracket_slope(context, decision, *undecided.v, 0, decision.points);
    return numbers;
  }
  Numbers operator()(const NoLabelMargin&) { return numbers; }
};

/// What is proved is a lower bound: one below what is demanded decides nothing.
void demand_slope(const ClaimRequest& request, const AssumptionBProof& proof, Finding& finding) {
  const auto* least = request.find<Rational>("nu_lower");
  if (least == nullptr || proof.nu >= *least) return;
  finding.verdict = Verdict::undecided;
  finding.grade = Grade::observed;
  finding.message += ", less than the claim demands; a larger one may hold";
}

Finding check(const ClaimContext& context) {
  const auto* word = context.request.find<std::string>("over");
  const AttentionOver over = word && *word == "support" ? AttentionOver::support : AttentionOver::all;
  const AssumptionBDecision decision = decide_assumption_b(context, context.request.find<Selection>("selection"), over, context.progress);
  Finding finding(decision);
  finding.selection = decision.selection;
  finding.discoveries.largest_margin_proved = decision.largest_margin_proved.value_or(false);
  finding.evidence = std::visit(Count{context, decision}, *decision.outcome);
  if (const auto* proof = std::get_if<AssumptionBProof>(decision.outcome.get())) {
    demand_slope(context.request, *proof, finding);
    finding.message += note_of_time(context.budget);
  }
  return finding;
}

}  // namespace

Claim assumption_b_claim() {
  return {
      .schema = {"assumption-b",
                 {{"selection",
                   ParameterKind::selection,
                   false,
                   "one token a sample",
                   {},
                   "the one with the largest label margin, which is searched for"},
                  {"over",
                   ParameterKind::choice,
                   false,
                   "the samples of the maximum: all, as written, or the support vectors of v-SVM(alpha)",
                   {"all", "support"},
                   "all"},
                  {"nu_lower", ParameterKind::positive, false, "demand a proof for a nu of at least this", {}}},
                 {}},
      .title = "Assumption B",
      .summary = "Assumption B: attention elsewhere costs label margin",
      .source = "[MM, Assumption B]",
      .words = "Attention that moves off the selected tokens costs label margin, at a rate of at least ν.",
      .formula = R"(\exists \nu > 0 \forall p : \quad \text{margin}(x_1^p, \ldots, x_n^p) \le \Gamma - \nu \max_i (1 - s_{i \alpha_i}(p)))",
      .text =
          "Let Gamma = 1/|v(alpha)| be the label margin of the selected tokens. There is a nu > 0 such that for every p the label margin "
          "of "
          "the attended tokens X_i^T s_i(p) is at most Gamma - nu max_i (1 - s_i,alpha_i(p)). The maximum is over all samples, or over the "
          "support vectors of v-SVM(alpha) (over: support), which is what the relaxed joint theorem needs. The mathematics is in "
          "docs/theory.md, section 4.\n"
          "Holds, proved: cells of delta = max (1 - s) from 0 to 1, each with a tree over the tokens whose leaves are closed by rational "
          "weights (certificate assumption-b). That also proves that alpha has the largest label margin. Over all samples it needs every "
          "sample with two tokens in the support, or the rows of the others covered by its rows: combinations of them with weights that "
          "sum "
          "to at least 1.\n"
          "Fails, proved: a witness that attention can reach leaves no nu > 0 (certificate assumption-b-refuted).\n"
          "Undecided: neither was found, or what is proved is below the nu_lower given; the proof treats all attention, reachable or not, "
          "as "
          "possible.\n"
          "Inapplicable, proved: v-SVM(alpha) is infeasible (certificate svm-infeasible).",
      .numbers =
          {{"largest_margin",
            "proved or found to be that of the selection; proved when the proof, or the search's own tree, shows that no selection has a "
            "larger one; absent where a selection is given"},
           {"gamma", "label margin Gamma"},
           {"nu_lower", "nu that is proved"},
           {"nu_upper", "no larger nu is possible, by a witness p that IPOPT finds from several starts or by exact rays; null without one"},
           {"nu_upper_by", "the witness: point or ray"},
           {"nu_upper_grade",
            "how nu_upper is known; observed: computed by exact and interval arithmetic, but no certificate holds the witness; proved when "
            "the claim fails"},
           {"nodes", "nodes of the proof's trees"},
           {"cells", "cells of the proof"},
           {"by", "the kind of witness, when it fails: limit, soft-row, weightless or point"}},
      .section = AuditSection::assumptions,
      // Estimates of the slope, a nearest point each, for every token of every sample.
      .least_seconds = [](const ProblemSize& size) { return size.samples * size.tokens * size.dimension * 2e-5; },
      .check = check};
}

}  // namespace attest
