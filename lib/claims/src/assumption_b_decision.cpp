#include "assumption_b_decision.hpp"

#include "attest/base/bound_text.hpp"
#include "attest/exact/certificates.hpp"
#include "attest/solve/slope_search.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

struct DescribeRefutation {
  std::string operator()(const AssumptionBRefutation::ByLimit& by) const {
    return fmt::format("attention can go to {}, whose margin is not smaller", to_string(by.selection));
  }
  std::string operator()(const AssumptionBRefutation::BySoftRow&) const {
    return "along a ray the attention that fades last costs no margin";
  }
  std::string operator()(const AssumptionBRefutation::ByWeightless& by) const {
    return fmt::format("along a ray the attention of sample {} fades last, a support vector without weight", by.sample);
  }
  std::string operator()(const AssumptionBRefutation::ByPoint&) const { return "at a point p the margin of s(p) is not below Gamma"; }
};

/// What the outcome says of the assumption, with its certificate.
struct DescribeOutcome {
  SvmProgram program;
  AttentionOver over;

  Decided operator()(const AssumptionBProof& proof) const {
    std::size_t cells = 0;
    for (const auto& sample : proof.samples) cells += sample.cells.size();
    return decided_exactly(true,
                           fmt::format("nu = {} is proved by {} cell{} and {} node{}", text_below(proof.nu, 4), cells,
                                       cells == 1 ? "" : "s", proof.nodes, proof.nodes == 1 ? "" : "s"),
                           certify_assumption_b(program, proof, over));
  }
  Decided operator()(const AssumptionBRefutation& refutation) const {
    return decided_exactly(false, std::visit(DescribeRefutation(), refutation.by), certify_refuted(program, refutation, over));
  }
  Decided operator()(const AssumptionBUndecided& undecided) const { return {.message = undecided.reason}; }
  Decided operator()(const NoLabelMargin& none) const {
    return {Verdict::inapplicable, Grade::proved, "the v-SVM is infeasible, so there is no label margin",
            certify_infeasible(program, none.farkas), Obstacle::no_label_margin};
  }
};

/// The selection that refutes by a margin strictly larger than Gamma: a better default than one that was only found.
std::optional<Selection> larger_margin(const AssumptionBOutcome& outcome) {
  const auto* refutation = std::get_if<AssumptionBRefutation>(&outcome);
  const auto* limit = refutation ? std::get_if<AssumptionBRefutation::ByLimit>(&refutation->by) : nullptr;
  if (!limit) return std::nullopt;
  Rational length_squared = 0;
  for (const Rational& entry : limit->u) length_squared += entry * entry;
  return length_squared < 2 * refutation->v.objective ? std::optional(limit->selection) : std::nullopt;
}

/// For a selection that was only found to have the largest margin: as long as the outcome shows a larger one, that is the selection.
void follow_larger_margins(const ClaimContext& context, const Progress& progress, AssumptionBDecision& decision) {
  while (const auto better = larger_margin(*decision.outcome)) {
    decision.selection = *better;
    decision.outcome = context.study.assumption_b(decision.selection, decision.over, context.budget, progress);
  }
}

/// What the exact search leaves open, a point in doubles may still refute.
void try_points(const ClaimContext& context, AssumptionBDecision& decision) {
  const auto* undecided = std::get_if<AssumptionBUndecided>(decision.outcome.get());
  if (undecided == nullptr || !undecided->v) return;
  decision.points = slope_points(context, decision.selection, decision.over, *undecided->v);
  auto refutation = refute_by_points(context.study.tokens(), decision.selection, decision.over, decision.points, context.budget);
  if (refutation) decision.outcome = std::make_shared<const AssumptionBOutcome>(std::move(*refutation));
}

}  // namespace

AssumptionBDecision decide_assumption_b(const ClaimContext& context, const Selection* given, AttentionOver over, const Progress& progress) {
  AssumptionBDecision decision;
  decision.over = over;
  if (given != nullptr) {
    decision.selection = *given;
  } else {
    const Budget third(context.budget.seconds_left() / 3);  // the rest is for the assumption itself
    const LargestMargin largest = context.study.largest_margin(third, progress);
    decision.selection = largest.selection;
    decision.largest_margin_proved = largest.proved;
  }
  decision.outcome = context.study.assumption_b(decision.selection, over, context.budget, progress);
  if (decision.largest_margin_proved == false) follow_larger_margins(context, progress, decision);
  try_points(context, decision);
  // The proof shows that no selection has a larger margin, too.
  if (decision.largest_margin_proved && std::holds_alternative<AssumptionBProof>(*decision.outcome)) decision.largest_margin_proved = true;
  const DescribeOutcome describe{SvmProgram::v_svm(context.study.tokens(), decision.selection), over};
  static_cast<Decided&>(decision) = std::visit(describe, *decision.outcome);
  return decision;
}

std::vector<std::vector<double>> slope_points(const ClaimContext& context, const Selection& selection, AttentionOver over,
                                              const SvmSolution& v) {
  const SvmProgram program = SvmProgram::v_svm(context.study.tokens(), selection);
  SlopeQuestion question{context.problem(), selection, std::vector<bool>(context.problem().sample_count(), over == AttentionOver::all), {}};
  for (const std::size_t row : v.support) question.counts[program.name(row).sample] = true;
  for (const Rational& entry : v.w) question.direction.push_back(nearest_double(entry));
  return search_slope_points(question, context.seed, context.budget);
}

std::string_view note_of_time(const Budget& budget) { return budget.spent() ? "; the time was up before more could be proved" : ""; }

}  // namespace attest
