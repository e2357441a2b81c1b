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

Json encode_tree(const SelectionTree& tree) {
  if (tree.weights) return *tree.weights;
  Json node = Json::array({tree.sample});
  for (const SelectionTree& child : tree.children) node.push_back(encode_tree(child));
  return node;
}

Json encode_weights(const std::vector<std::vector<Rational>>& lists) {
  Json encoded = Json::array();
  for (const auto& weights : lists) {
    Json list = Json::array();
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] > 0) list.push_back({i, encode(weights[i])});
    encoded.push_back(std::move(list));
  }
  return encoded;
}

Json encode_samples(const AssumptionBProof& proof) {
  Json samples = Json::array();
  for (const auto& [sample, cells] : proof.samples) {
    Json list = Json::array();
    for (const auto& [upto, tree] : cells) list.push_back({{"upto", encode(upto)}, {"tree", encode_tree(tree)}});
    samples.push_back({{"sample", sample}, {"cells", std::move(list)}});
  }
  return samples;
}

Json encode_cover(const AssumptionBProof& proof) {
  Json cover = Json::array();
  for (const auto& [row, combination] : proof.cover) {
    Json lambda = Json::array();
    for (const auto& [name, weight] : combination) lambda.push_back({name.sample, name.token, encode(weight)});
    cover.push_back({{"row", {row.sample, row.token}}, {"lambda", std::move(lambda)}});
  }
  return cover;
}

/// The witness beside `v`, and what the table says of it.
struct EncodeRefutation {
  Json& witness;
  std::string& message;

  void operator()(const AssumptionBRefutation::ByLimit& by) const {
    witness.update({{"by", "limit"}, {"p", encode(by.p)}, {"u", encode(by.u)}});
    message = fmt::format("attention can go to {}, whose margin is not smaller", to_string(by.selection));
  }
  void operator()(const AssumptionBRefutation::BySoftRow& by) const {
    witness.update({{"by", "soft-row"}, {"p", encode(by.p)}});
    message = "along a ray the attention that fades last costs no margin";
  }
  void operator()(const AssumptionBRefutation::ByWeightless& by) const {
    witness.update({{"by", "weightless"}, {"p", encode(by.p)}, {"sample", by.sample}, {"y", encode(by.y)}});
    message = fmt::format("along a ray the attention of sample {} fades last, a support vector without weight", by.sample);
  }
  void operator()(const AssumptionBRefutation::ByPoint& by) const {
    witness.update({{"by", "point"}, {"p", encode(by.p)}, {"u", encode(by.u)}});
    message = "at a point p the margin of s(p) is not below Gamma";
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
    Json statement = this->statement("assumption-b");
    statement["nu"] = encode(proof.nu);
    statement["gamma_squared"] = encode(Rational(1 / (2 * proof.v.objective)));
    Json witness = {
        {"v", encode_solution(program_, proof.v)}, {"weights", encode_weights(proof.weights)}, {"samples", encode_samples(proof)}};
    if (!proof.cover.empty()) witness["cover"] = encode_cover(proof);
    finding_.certificate = Certificate{"assumption-b", std::move(statement), std::move(witness)};
  }

  void operator()(const AssumptionBRefutation& refutation) {
    finding_.numbers["gamma"] = gamma(refutation.v);
    finding_.numbers["nu_lower"] = 0.0;
    finding_.numbers["nu_upper"] = 0.0;
    finding_.grade = Grade::proved;
    finding_.verdict = Verdict::fails;
    Json witness = {{"v", encode_solution(program_, refutation.v)}};
    std::visit(EncodeRefutation{witness, finding_.message}, refutation.by);
    finding_.numbers["by"] = witness["by"];
    finding_.certificate = Certificate{"assumption-b", statement("assumption-b-refuted"), std::move(witness)};
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
    finding_.certificate = Certificate{"v-svm",
                                       {{"kind", "svm-infeasible"}, {"selection", *finding_.selection}},
                                       {{"lambda", encode_multipliers(program_, none.farkas.multipliers)}}};
  }

 private:
  /// What is proved is a lower bound: one below what is demanded decides nothing.
  void demand_slope(const Rational& nu) {
    const auto* least = context_.request.find<Rational>("nu_lower");
    if (least == nullptr || nu >= *least) return;
    finding_.verdict = Verdict::undecided;
    finding_.grade = Grade::observed;
  }

  Json statement(const char* kind) const {
    return {{"kind", kind}, {"selection", *finding_.selection}, {"over", over_ == AttentionOver::all ? "all" : "support"}};
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
    if (nu_upper) finding_.numbers["nu_upper_by"] = points_are_best ? "point" : "ray";
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
          "Numbers: gamma, nu_lower (proved), nu_upper (proved by a witness p, a point or a ray; null when there is none),\n"
          "nu_upper_by, nodes and cells of the proof; by, the kind of witness, when it fails; largest_margin (proved or\n"
          "found) when no selection is given.",
          check};
}

}  // namespace attest
