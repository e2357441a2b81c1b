#include "attest/audit/advice.hpp"

#include "entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace attest {
namespace {

/// What can be changed when a hypothesis does not hold. Empty: nothing is wrong with the data then, or another hypothesis says it.
struct Remedy {
  std::string_view hypothesis;
  std::string_view text;
  std::string_view when = {};  ///< its message begins so
};
/// The hypothesis of gd-global that is about the start and not about the data.
constexpr std::string_view basin = "start in the basin";
constexpr std::array remedies = {
    Remedy{"Assumption A", "take a loss whose slope is negative on the interval of the scores, such as the logistic one"},
    Remedy{"logistic loss", "Theorem II is about the logistic loss: take it, or write it as log(1+exp(-u))"},
    Remedy{"unique globally optimal selection", "change v or one of the tied tokens, so that one token of each sample scores most"},
    Remedy{"feasible p-SVM", "give samples of two tokens or more", "its solution is 0"},
    Remedy{"feasible p-SVM", "no p prefers the selected tokens to these: change or drop one of them, or give the tokens more dimensions"},
    Remedy{"feasible W-SVM", "give samples of two tokens or more", "its solution is 0"},
    Remedy{"feasible W-SVM", "no W prefers the selected tokens to these: change or drop one of them, or give tokens and queries more dimensions"},
    Remedy{"locally optimal selection", "", "its p-SVM is infeasible"},
    Remedy{"locally optimal selection", "", "its W-SVM is infeasible"},
    Remedy{"locally optimal selection", "change v so that the selected token outscores its neighbours, or ask about a selection that the census lists"},
    Remedy{"step at most 1/L_p", "take a smaller step"},
    Remedy{"a better neighbour with weight", ""},
    Remedy{"independent tight rows", ""},
    Remedy{"Assumption B", "", "the v-SVM is infeasible"},
    Remedy{"Assumption B", "attention to any other token must make the label margin smaller: change the tokens that do not, "
                           "or ask about the support vectors alone (over: support)"},
    Remedy{"feasible v-SVM", "no head v gives every selected token the sign of its label: change labels or tokens, or add dimensions"},
    Remedy{"feasible joint p-SVM", ""},
    Remedy{"no free choice outside the support", "in samples that are no support vectors every other token must have a smaller label margin"},
    Remedy{"r large against R", "let r grow faster against R (regime)"},
};

std::string_view remedy_of(std::string_view hypothesis, std::string_view message) {
  const auto found =
      std::ranges::find_if(remedies, [&](const Remedy& one) { return one.hypothesis == hypothesis && message.starts_with(one.when); });
  return found == remedies.end() ? "the theorem says nothing of these data unless this holds" : found->text;
}

/// What else the audit found that helps.
class Alternatives {
 public:
  explicit Alternatives(std::span<const Json> entries) : locals_(known_local_selections(entries)) {
    const Json* weights = find_entry(entries, "w-svm");
    if (has_verdict(weights, "holds")) feasible_weights_ = selection_of(weights);
  }

  std::string of(std::string_view hypothesis, const std::optional<Selection>& selection) const {
    const bool about_p = hypothesis == "feasible p-SVM";
    std::string text;
    if (!locals_.empty() && (about_p || hypothesis == "locally optimal selection" || hypothesis == basin))
      text += fmt::format("; locally optimal {} {}", locals_.size() == 1 ? "is" : "are",
                          locals_.size() == 1 ? to_string(locals_.front()) : fmt::format("{} selections, such as {}", locals_.size(), to_string(locals_.front())));
    if (about_p && selection && selection == feasible_weights_) text += "; a full matrix W does prefer them (w-svm)";
    return text;
  }

 private:
  std::vector<Selection> locals_;
  std::optional<Selection> feasible_weights_;  // the selection whose W-SVM has a solution
};

std::string text_at(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

/// The hypotheses to speak of: those that fail, or else those that are open.
std::vector<const Json*> obstacles(const Json& entry) {
  for (const char* verdict : {"fails", "undecided"}) {
    std::vector<const Json*> found;
    for (const Json& hypothesis : entry.at("hypotheses"))
      if (hypothesis.at("verdict") == verdict) found.push_back(&hypothesis);
    if (!found.empty()) return found;
  }
  return {};
}

/// One piece of advice for all theorems that need it.
void add(std::vector<Advice>& list, const std::string& theorem, std::string message) {
  const auto same = std::ranges::find(list, message, &Advice::message);
  if (same == list.end())
    list.push_back({theorem, std::move(message)});
  else if (!(", " + same->theorem + ",").ends_with(", " + theorem + ","))  // a theorem's entries stand together
    same->theorem += ", " + theorem;
}

}  // namespace

std::vector<Advice> advise(std::span<const Json> entries) {
  const Alternatives alternatives(entries);
  std::vector<Advice> list;
  for (const Json& entry : entries) {
    if (!entry.contains("hypotheses")) continue;
    for (const Json* hypothesis : obstacles(entry)) {
      const std::string name = text_at(*hypothesis, "name");
      const std::string message = text_at(*hypothesis, "message");
      const std::string about = fmt::format("{}: {}", name, message);
      if (name == basin)  // never refuted
        add(list, text_at(entry, "claim"), about + ": where descent ends depends on its start; start nearer to p^mm, or see gd-local" + alternatives.of(name, selection_of(&entry)));
      else if (hypothesis->at("verdict") == "undecided")
        add(list, text_at(entry, "claim"), about + ": allow more time (--budget) or ask about fewer samples");
      else if (const std::string_view remedy = remedy_of(name, message); !remedy.empty())
        add(list, text_at(entry, "claim"), fmt::format("{}: {}{}", about, remedy, alternatives.of(name, selection_of(&entry))));
    }
  }
  return list;
}

}  // namespace attest
