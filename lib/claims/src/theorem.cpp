#include "theorem.hpp"

#include <fmt/format.h>

namespace attest {

bool Theorem::assume(HypothesisId id, const Decided& decided) {
  const bool holds = decided.verdict == Verdict::holds;
  // Inapplicable below (no v-SVM, say) leaves the hypothesis without its object: it does not hold.
  const Verdict verdict = decided.verdict == Verdict::inapplicable ? Verdict::fails : decided.verdict;
  hypotheses_.push_back(
      {id, verdict, decided.grade, decided.message, decided.obstacle, decided.grade == Grade::proved ? decided.certificate : std::nullopt});
  // A hypothesis that fails says more than one that is open.
  if (!holds && (!obstacle_ || (obstacle_->verdict == Verdict::undecided && verdict == Verdict::fails))) obstacle_ = hypotheses_.back();
  return holds;
}

Finding Theorem::obstacle(std::optional<Selection> selection) const {
  Finding finding;
  finding.selection = std::move(selection);
  const bool refuted = obstacle_->verdict == Verdict::fails;
  finding.verdict = refuted ? Verdict::inapplicable : Verdict::undecided;
  finding.grade = refuted ? obstacle_->grade : Grade::observed;
  finding.message =
      fmt::format("{}: {}: {}", refuted ? "a hypothesis fails" : "a hypothesis is undecided", name_of(obstacle_->id), obstacle_->message);
  finding.certificate = finding.grade == Grade::proved ? obstacle_->certificate : std::nullopt;
  finding.hypotheses = hypotheses_;
  finding.conclusion = "not looked at: the theorem does not apply";
  return finding;
}

Finding Theorem::conclude(Verdict verdict, std::string conclusion) const {
  Finding finding;
  finding.verdict = verdict;
  finding.message = conclusion;
  finding.hypotheses = hypotheses_;
  finding.conclusion = std::move(conclusion);
  return finding;
}

}  // namespace attest
