#include "attest/exact/assumption_b.hpp"

#include "attest/exact/largest_margin.hpp"
#include "attest/solve/slope_search.hpp"
#include "claim_list.hpp"
#include "svm_decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

certified::Over certified_over(AttentionOver over) { return over == AttentionOver::all ? certified::Over::all : certified::Over::support; }

/// The positive weights of each list.
std::vector<certified::Multipliers> certified_weights(const std::vector<std::vector<Rational>>& lists) {
  std::vector<certified::Multipliers> result;
  for (const auto& weights : lists) {
    result.emplace_back();
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] > 0) result.back().push_back({{i, 0}, weights[i]});
  }
  return result;
}

certified::AssumptionB certified_proof(const SvmProgram& program, const AssumptionBProof& proof, AttentionOver over) {
  certified::AssumptionB result{program.selection(), certified_over(over), proof.nu, Rational(1 / (2 * proof.v.objective)),
                                certified_solution(program, proof.v), certified_weights(proof.weights), {}, {}};
  for (const auto& [sample, cells] : proof.samples) {
    result.samples.push_back({sample, {}});
    for (const auto& [upto, tree] : cells) result.samples.back().cells.push_back({upto, tree});
  }
  for (const auto& [row, combination] : proof.cover) {
    result.cover.push_back({row, {}});
    for (const auto& [name, weight] : combination) result.cover.back().lambda.push_back({name, weight});
  }
  return result;
}

/// A witness against the assumption, what kind it is, and what the table says of it.
struct Witness {
  decltype(certified::AssumptionBRefuted::by) by;
  const char* name;
  std::string message;
};

struct DescribeRefutation {
  Witness operator()(const AssumptionBRefutation::ByLimit& by) const {
    return {certified::AssumptionBRefuted::ByLimit{by.p, by.u}, "limit",
            fmt::format("attention can go to {}, whose margin is not smaller", to_string(by.selection))};
  }
  Witness operator()(const AssumptionBRefutation::BySoftRow& by) const {
    return {certified::AssumptionBRefuted::BySoftRow{by.p}, "soft-row", "along a ray the attention that fades last costs no margin"};
  }
  Witness operator()(const AssumptionBRefutation::ByWeightless& by) const {
    return {certified::AssumptionBRefuted::ByWeightless{by.p, by.sample, by.y}, "weightless",
            fmt::format("along a ray the attention of sample {} fades last, a support vector without weight", by.sample)};
  }
  Witness operator()(const AssumptionBRefutation::ByPoint& by) const {
    return {certified::AssumptionBRefuted::ByPoint{by.p, by.u}, "point", "at a point p the margin of s(p) is not below Gamma"};
  }
};

class Conclusion {
 public:
  Conclusion(const ClaimContext& context, const ExactTokens& tokens, AttentionOver over, Finding& finding)
      : context_(context), over_(over), finding_(finding), program_(SvmProgram::v_svm(tokens, *finding.selection)),
        tokens_(tokens) {}

  void operator()(const AssumptionBProof& proof) {
    report(proof.v, proof.nu);
    std::size_t cells = 0;
    for (const auto& sample : proof.samples) cells += sample.cells.size();
    finding_.numbers["nodes"] = proof.nodes;
    finding_.numbers["cells"] = cells;
    if (finding_.numbers.contains("largest_margin")) finding_.numbers["largest_margin"] = "proved";  // by this proof too
    finding_.grade = Grade::proved;
    finding_.verdict = Verdict::holds;
    demand_slope(proof.nu);
    finding_.message = fmt::format("nu = {:.4g} is proved by {} cell{} and {} node{}", nearest_double(proof.nu), cells,
                                   cells == 1 ? "" : "s", proof.nodes, proof.nodes == 1 ? "" : "s") +
                       (finding_.verdict == Verdict::holds ? "" : ", less than the claim demands; a larger one may hold");
    finding_.certificate = certify(certified_proof(program_, proof, over_));
    if (context_.budget.spent()) finding_.message += "; the time was up before more could be proved";
  }

  void operator()(const AssumptionBRefutation& refutation) {
    finding_.numbers["gamma"] = gamma(refutation.v);
    finding_.numbers["nu_lower"] = 0.0;
    finding_.numbers["nu_upper"] = 0.0;
    finding_.numbers["nu_upper_grade"] = name_of(Grade::proved);
    finding_.grade = Grade::proved;
    finding_.verdict = Verdict::fails;
    Witness witness = std::visit(DescribeRefutation(), refutation.by);
    finding_.numbers["by"] = witness.name;
    finding_.message = std::move(witness.message);
    finding_.certificate = certify(certified::AssumptionBRefuted{*finding_.selection, certified_over(over_),
                                                                 certified_solution(program_, refutation.v), std::move(witness.by)});
  }

  void operator()(const AssumptionBUndecided& undecided) {
    if (undecided.v) {
      const auto refutation = refute_by_points(tokens_, *finding_.selection, over_, points(*undecided.v), context_.budget);
      if (refutation) return (*this)(*refutation);
      report(*undecided.v, 0);
    }
    finding_.message = undecided.reason;
  }

  void operator()(const NoLabelMargin& none) {
    finding_.grade = Grade::proved;
    finding_.verdict = Verdict::inapplicable;
    finding_.message = "the v-SVM is infeasible, so there is no label margin";
    finding_.certificate = certify(
        certified::SvmInfeasible{program_.kind(), *finding_.selection, certified_multipliers(program_, none.farkas.multipliers), {}});
  }

 private:
  /// What is proved is a lower bound: one below what is demanded decides nothing.
  void demand_slope(const Rational& nu) {
    const auto* least = context_.request.find<Rational>("nu_lower");
    if (least == nullptr || nu >= *least) return;
    finding_.verdict = Verdict::undecided;
    finding_.grade = Grade::observed;
  }

  static double gamma(const SvmSolution& v) { return 1 / std::sqrt(2 * nearest_double(v.objective)); }

  std::vector<std::vector<double>> points(const SvmSolution& v) const {
    const std::vector<bool> counts(context_.problem.sample_count(), over_ == AttentionOver::all);
    SlopeQuestion question{context_.problem, *finding_.selection, counts, {}};
    for (const std::size_t row : v.support) question.counts[program_.name(row).sample] = true;
    for (const Rational& entry : v.w) question.direction.push_back(nearest_double(entry));
    return search_slope_points(question, context_.seed, context_.budget);
  }

  void report(const SvmSolution& v, const Rational& nu_lower) {
    const SlopeWitnesses witnesses = bound_slope(tokens_, *finding_.selection, over_, points(v), context_.budget);
    const auto& [by_rays, by_points] = witnesses;
    const bool points_are_best = by_points && (!by_rays || *by_points < *by_rays);
    const std::optional<Rational>& nu_upper = points_are_best ? by_points : by_rays;
    finding_.numbers["gamma"] = gamma(v);
    finding_.numbers["nu_lower"] = nu_lower > 0 ? lower_double(nu_lower) : 0.0;
    finding_.numbers["nu_upper"] = nu_upper ? Json(upper_double(*nu_upper)) : Json();
    if (nu_upper) {
      finding_.numbers["nu_upper_by"] = points_are_best ? "point" : "ray";
      finding_.numbers["nu_upper_grade"] = name_of(Grade::observed);  // computed exactly, but no certificate holds the witness
    }
  }

  const ClaimContext& context_;
  AttentionOver over_;
  Finding& finding_;
  SvmProgram program_;
  const ExactTokens& tokens_;
};

/// The claim's selection, or the one with the largest margin.
Selection selection_for(const ClaimContext& context, const ExactTokens& tokens, Finding& finding) {
  if (const auto* given = context.request.find<Selection>("selection")) return *given;
  const Budget third(context.budget.seconds_left() / 3);  // the rest is for the claim itself
  LargestMargin largest = find_largest_margin(tokens, third, context.progress);
  finding.numbers["largest_margin"] = largest.proved ? "proved" : "found";
  return std::move(largest.selection);
}

/// The selection that refutes by a margin strictly larger than Gamma: a better default than one that was only found.
std::optional<Selection> larger_margin(const AssumptionBOutcome& outcome) {
  const auto* refutation = std::get_if<AssumptionBRefutation>(&outcome);
  const auto* limit = refutation ? std::get_if<AssumptionBRefutation::ByLimit>(&refutation->by) : nullptr;
  if (!limit) return std::nullopt;
  Rational length_squared = 0;
  for (const Rational& entry : limit->u) length_squared += entry * entry;
  return length_squared < 2 * refutation->v.objective ? std::optional(limit->selection) : std::nullopt;
}

Finding check(const ClaimContext& context) {
  const ExactTokens tokens(context.problem);
  const auto* word = context.request.find<std::string>("over");
  const AttentionOver over = word && *word == "support" ? AttentionOver::support : AttentionOver::all;
  Finding finding;
  finding.selection = selection_for(context, tokens, finding);
  AssumptionBOutcome outcome = decide_assumption_b(tokens, *finding.selection, over, context.budget, context.progress);
  while (finding.numbers.value("largest_margin", "") == "found") {
    const auto better = larger_margin(outcome);
    if (!better) break;
    finding.selection = *better;
    outcome = decide_assumption_b(tokens, *finding.selection, over, context.budget, context.progress);
  }
  std::visit(Conclusion(context, tokens, over, finding), outcome);
  return finding;
}

}  // namespace

Claim assumption_b_claim() {
  return {{"assumption-b",
           {{"selection", ParameterKind::selection, false, "one token a sample (default: the largest label margin)", {}},
            {"over", ParameterKind::choice, false, "the samples of the maximum (default: all)", {"all", "support"}},
            {"nu_lower", ParameterKind::positive, false, "demand a proof for a nu of at least this", {}}},
           {}},
          "Assumption B: attention off the selection costs label margin",
          "[MM, Assumption B] Let Gamma = 1/|v(alpha)| be the label margin of the selected tokens. There is a nu > 0\n"
          "such that for every p the label margin of the attended tokens X_i^T s_i(p) is at most\n"
          "Gamma - nu max_i (1 - s_i,alpha_i(p)). The maximum is over all samples, or over the support vectors of\n"
          "v-SVM(alpha) (over: support), which is what the relaxed joint theorem needs.\n"
          "Holds, proved: cells of delta = max (1 - s) from 0 to 1, each with a tree over the tokens whose leaves are\n"
          "closed by rational weights (certificate assumption-b). That also proves that alpha has the largest margin.\n"
          "Fails, proved: a reachable witness leaves no nu > 0 (certificate assumption-b-refuted).\n"
          "Undecided: neither was found, or what is proved is below the nu_lower given. Inapplicable, proved: v-SVM(alpha) is infeasible.\n"
          "Numbers: gamma, nu_lower (proved), nu_upper (from a witness p, a point or a ray; null when there is none),\n"
          "nu_upper_by, nu_upper_grade (observed: no certificate holds the witness; proved when B fails), nodes and cells of\n"
          "the proof; by, the kind of witness, when it fails; largest_margin (proved or found) when no selection is given.",
          check};
}

}  // namespace attest
