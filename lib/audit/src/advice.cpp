#include "attest/audit/advice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

/// What else the audit found that helps.
class Alternatives {
 public:
  explicit Alternatives(std::span<const DecidedClaim> decided) : locals_(known_local_selections(decided)) {
    const DecidedClaim* weights = find_decided(decided, "w-svm");
    if (has_verdict(weights, Verdict::holds)) feasible_weights_ = weights->selection;
  }

  std::string of(HypothesisId hypothesis, const std::optional<Selection>& selection) const {
    const bool about_p = hypothesis == HypothesisId::feasible_p_svm;
    std::string text;
    if (!locals_.empty() && (about_p || hypothesis == HypothesisId::locally_optimal || hypothesis == HypothesisId::start_in_basin))
      text += fmt::format("; locally optimal {} {}", locals_.size() == 1 ? "is" : "are",
                          locals_.size() == 1 ? to_string(locals_.front())
                                              : fmt::format("{} selections, such as {}", locals_.size(), to_string(locals_.front())));
    if (about_p && selection && selection == feasible_weights_) text += "; a full matrix W does prefer them (w-svm)";
    return text;
  }

 private:
  std::vector<Selection> locals_;
  std::optional<Selection> feasible_weights_;  // the selection whose W-SVM has a solution
};

/// The hypotheses to speak of: those that fail, or else those that are open.
std::vector<const DecidedHypothesis*> obstacles(const DecidedClaim& theorem) {
  for (const Verdict verdict : {Verdict::fails, Verdict::undecided}) {
    std::vector<const DecidedHypothesis*> found;
    for (const DecidedHypothesis& hypothesis : theorem.hypotheses)
      if (hypothesis.verdict == verdict) found.push_back(&hypothesis);
    if (!found.empty()) return found;
  }
  return {};
}

/// What to do about a hypothesis that does not hold; empty where there is nothing to say.
std::string remedy_for(const DecidedHypothesis& hypothesis, const DecidedClaim& theorem, const Alternatives* alternatives) {
  // The slope of a loss is enclosed at once, if it can be.
  if (hypothesis.verdict == Verdict::undecided && hypothesis.id == HypothesisId::assumption_a)
    return "scale v down where scores are as large as 10^5, or take a loss whose slope is below 0 on the interval of the scores";
  // A start is never refuted, and more time does not mend it.
  if (hypothesis.verdict == Verdict::undecided && hypothesis.id != HypothesisId::start_in_basin)
    return "allow more time (--budget) or ask about fewer samples";
  const std::string_view remedy = remedy_of(hypothesis.id, hypothesis.obstacle);
  return remedy.empty() ? "" : std::string(remedy) + (alternatives ? alternatives->of(hypothesis.id, theorem.selection) : "");
}

/// One piece of advice for all theorems that need it.
void add(std::vector<Advice>& list, const std::string& theorem, std::string message) {
  const auto same = std::ranges::find(list, message, &Advice::message);
  if (same == list.end())
    list.push_back({theorem, std::move(message)});
  else if (!(", " + same->theorem + ",").ends_with(", " + theorem + ","))  // a theorem's entries stand together
    same->theorem += ", " + theorem;
}

/// What to change for one theorem, each thing once; with what else there is, where that is asked for.
std::vector<std::string> changes_for(const DecidedClaim& theorem, const Alternatives* alternatives) {
  std::vector<std::string> changes;
  for (const DecidedHypothesis* hypothesis : obstacles(theorem))
    if (const std::string remedy = remedy_for(*hypothesis, theorem, alternatives); !remedy.empty())
      changes.push_back(fmt::format("{}: {}: {}", name_of(hypothesis->id), hypothesis->message, remedy));
  return changes;
}

}  // namespace

std::vector<Advice> advise(std::span<const DecidedClaim> decided) {
  const Alternatives alternatives(decided);
  std::vector<Advice> list;
  for (const DecidedClaim& theorem : decided)
    for (std::string& change : changes_for(theorem, &alternatives)) add(list, theorem.claim, std::move(change));
  return list;
}

std::optional<KeyChange> key_change(std::span<const DecidedClaim> decided,
                                    const std::function<std::string(const Selection&)>& name_of_selection) {
  std::vector<KeyChange> changes;
  for (const DecidedClaim& theorem : decided) {
    const std::vector<std::string> wanted = changes_for(theorem, nullptr);
    if (wanted.size() != 1) continue;
    auto known = std::ranges::find(changes, wanted.front(), &KeyChange::message);
    if (known == changes.end()) known = changes.insert(known, {{}, wanted.front()});
    const std::string name = theorem.claim + (theorem.selection ? " " + name_of_selection(*theorem.selection) : "");
    if (std::ranges::find(known->theorems, name) == known->theorems.end()) known->theorems.push_back(name);
  }
  const auto most = std::ranges::max_element(changes, {}, [](const KeyChange& change) { return change.theorems.size(); });
  return most == changes.end() ? std::nullopt : std::optional(*most);
}

}  // namespace attest
