#include "attest/audit/plan.hpp"

#include "attest/exact/global_optimality.hpp"
#include "attest/solve/active_set_guess.hpp"
#include "cost.hpp"
#include "entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace attest {
namespace {

using Parameters = std::map<std::string, ParameterValue, std::less<>>;

/// Collects what is wanted, as far as the registry, the data and their size allow it.
class Planner {
 public:
  Planner(const Problem& problem, double budget_seconds) : problem_(problem), budget_seconds_(budget_seconds) {}

  /// `ends_early`: a hypothesis is known to fail, so the claim's cost does not matter.
  void want(std::string_view name, Parameters parameters = {}, bool ends_early = false) {
    const Claim* claim = find_claim(name);
    if (claim == nullptr) return;
    if (const auto reason = obstacle(*claim, parameters, ends_early))
      skip(name, *reason, parameters);
    else
      plan.claims.push_back({std::string(name), std::move(parameters)});
  }

  void skip(std::string_view name, std::string reason, const Parameters& parameters = {}) {
    const auto given = parameters.find("selection");
    SkippedClaim skipped{std::string(name), given == parameters.end() ? std::nullopt : std::optional(std::get<Selection>(given->second)), std::move(reason)};
    if (std::ranges::find(plan.skipped, skipped) == plan.skipped.end()) plan.skipped.push_back(std::move(skipped));
  }

  void look_at(Selection selection, std::string why) {
    const auto known = std::ranges::find(plan.selections, selection, &AuditedSelection::selection);
    if (known == plan.selections.end())
      plan.selections.push_back({std::move(selection), std::move(why)});
    else
      known->why += "; " + why;
  }

  AuditPlan plan;

 private:
  std::optional<std::string> obstacle(const Claim& claim, const Parameters& parameters, bool ends_early) const {
    for (const Need& need : claim.schema.needs) {
      const bool there = need.field == "v" ? problem_.v.has_value() : problem_.queries.has_value();
      if (!there && !parameters.contains(need.unless)) return fmt::format("needs {}, which the data do not have", need.field);
    }
    const double seconds = estimated_seconds(claim.schema.name, problem_);
    if (ends_early || seconds <= budget_seconds_) return std::nullopt;
    return fmt::format("the data are too large: some {:.2g} s, and a claim has {:g} s (--budget)", seconds, budget_seconds_);
  }

  const Problem& problem_;
  double budget_seconds_;
};

/// A locally optimal selection with one token replaced by a worse one, so that the p-SVM has the old token as a neighbour with
/// weight, if floating point is right: what tightness is about. The claim decides.
std::optional<Selection> find_loose_selection(const Problem& problem, const Selection& optimal, const Budget& budget) {
  constexpr int most_tries = 64;
  const ExactTokens tokens(problem);
  const Scores scores = exact_scores(problem);
  int tries = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    for (std::size_t t = 0; t < problem.token_count(i) && tries < most_tries && !budget.spent(); ++t) {
      if (!(scores[i][t] < scores[i][optimal[i]])) continue;
      ++tries;
      Selection swapped = optimal;
      swapped[i] = t;
      const SvmProgram program = SvmProgram::p_svm(tokens, swapped);
      const ActiveSetGuess guess = guess_active_set(program, budget);
      const bool has_neighbour = std::ranges::any_of(guess.rows, [&](std::size_t row) { return program.name(row) == RowName{i, optimal[i]}; });
      if (guess.end == ActiveSetGuess::End::solved && has_neighbour) return swapped;
    }
  }
  return std::nullopt;
}

void plan_svms(Planner& planner, const std::optional<Selection>& best, const std::optional<Selection>& widest) {
  const Selection& main = best ? *best : *widest;
  planner.want("p-svm", {{"selection", main}});
  if (widest && *widest != main) planner.want("p-svm", {{"selection", *widest}});
  planner.want("v-svm", {{"selection", widest ? *widest : main}});
  planner.want("joint-svm", {{"selection", widest ? *widest : main}});
  planner.want("w-svm", {{"selection", main}});
  planner.want("w-svm", {{"norm", std::string("nuclear")}, {"selection", main}});
}

/// Training p, or W, at the largest scores.
void plan_best(Planner& planner, const Selection& best, std::span<const Json> decided) {
  const bool no_limit = has_verdict(find_entry(decided, "locally-optimal"), "fails");
  planner.want("gd-global", {}, no_limit);
  planner.want("gd-local", {{"selection", best}});
  planner.want("path", {}, no_limit);
  planner.want("cross-validation", {}, no_limit);
  for (const Rational& q : {Rational(3), Rational(7, 4)}) planner.want("mirror-descent", {{"q", q}, {"selection", best}});
  for (const std::string_view claim : {"w-gd", "w-path", "kq-path"}) planner.want(claim, {{"selection", best}});
}

/// Training p at the other locally optimal selections, as far as the census found them.
void plan_locals(Planner& planner, const Selection& best, std::span<const Json> decided) {
  constexpr std::array<std::string_view, 3> theorems = {"gd-local", "path", "cross-validation"};
  std::vector<Selection> locals = known_local_selections(decided);
  std::erase(locals, best);
  const std::size_t found = locals.size();
  locals.resize(std::min(found, most_local_selections));
  const bool complete = has_verdict(find_entry(decided, "census"), "holds");
  for (const Selection& selection : locals) {
    planner.look_at(selection, complete ? "locally optimal" : "locally optimal, found before the census ran out of time");
    for (const std::string_view claim : theorems) planner.want(claim, {{"selection", selection}});
  }
  if (found > locals.size())
    for (const std::string_view claim : theorems)
      planner.skip(claim, fmt::format("checked for {} of the {} other locally optimal selections, the first ones of the census", locals.size(), found));
}

void plan_tightness(Planner& planner, const Problem& problem, const Selection& best, std::span<const Json> decided, double budget_seconds) {
  const std::vector<Selection> locals = known_local_selections(decided);
  if (locals.empty()) return planner.skip("tightness", "no locally optimal selection is known to look beside");
  const Selection& optimal = std::ranges::find(locals, best) != locals.end() ? best : locals.front();
  const std::optional<Selection> loose = find_loose_selection(problem, optimal, Budget(budget_seconds));
  if (!loose) return planner.skip("tightness", "no selection was found beside a locally optimal one whose p-SVM has a better neighbour");
  planner.look_at(*loose, fmt::format("one token away from the locally optimal {}, and worse", to_string(optimal)));
  planner.want("tightness", {{"selection", *loose}});
}

}  // namespace

AuditPlan plan_data_claims(const Problem& problem, double budget_seconds) {
  Planner planner(problem, budget_seconds);
  planner.want("assumption-a");
  planner.want("globally-optimal", {{"unique", true}});
  if (problem.v)
    planner.want("locally-optimal", {{"selection", best_selection(exact_scores(problem))}});
  else
    planner.want("locally-optimal");  // says what it needs
  planner.want("census");
  planner.want("assumption-b");
  planner.want("overparametrised");
  planner.want("derivatives");
  planner.want("step-size");
  planner.want("prompt-weight");
  return std::move(planner.plan);
}

AuditPlan plan_selection_claims(const Problem& problem, std::span<const Json> decided, double budget_seconds) {
  Planner planner(problem, budget_seconds);
  const auto best = problem.v ? std::optional(best_selection(exact_scores(problem))) : std::nullopt;
  const Json* assumption_b = find_entry(decided, "assumption-b");
  const std::optional<Selection> widest = selection_of(assumption_b);
  if (best) planner.look_at(*best, "the largest scores under v");
  if (widest) {
    const bool proved = assumption_b->at("numbers").value("largest_margin", "") == "proved";
    planner.look_at(*widest, proved ? "the largest label margin" : "the largest label margin that was found");
  }
  if (best || widest)
    plan_svms(planner, best, widest);
  else
    for (const std::string_view claim : {"p-svm", "v-svm", "joint-svm", "w-svm"})
      planner.skip(claim, "no selection: without v it is the one with the largest label margin, which was not found");
  if (widest) planner.want("assumption-b", {{"over", std::string("support")}, {"selection", *widest}});
  if (best) {
    plan_best(planner, *best, decided);
    plan_locals(planner, *best, decided);
    plan_tightness(planner, problem, *best, decided, budget_seconds);
    return std::move(planner.plan);
  }
  for (const std::string_view claim : {"gd-global", "gd-local", "tightness", "path", "cross-validation", "mirror-descent", "w-gd", "w-path", "kq-path"})
    planner.want(claim);  // each says what it needs
  return std::move(planner.plan);
}

AuditPlan plan_joint_claims(const Problem& problem, std::span<const Json> decided, double budget_seconds) {
  Planner planner(problem, budget_seconds);
  const std::optional<Selection> widest = selection_of(find_entry(decided, "assumption-b"));
  if (!widest) {
    planner.skip("joint-path", "no selection: the one with the largest label margin was not found");
    return std::move(planner.plan);
  }
  // The theorem decides Assumption B itself, and would spend its time on it again in vain.
  std::vector<const Json*> about_b;
  for (const Json& entry : decided)
    if (entry.at("claim") == "assumption-b") about_b.push_back(&entry);
  for (const std::string over : {"support", "all"}) {
    const Parameters parameters = {{"over", over}, {"selection", *widest}};
    const Json* b = over == "all" ? about_b.front() : about_b.back();
    if (has_verdict(b, "undecided"))
      planner.skip("joint-path", fmt::format("over {}: Assumption B is undecided: {}", over, b->at("message").get<std::string>()), parameters);
    else
      planner.want("joint-path", parameters);
  }
  return std::move(planner.plan);
}

}  // namespace attest
