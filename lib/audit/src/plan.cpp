#include "attest/audit/plan.hpp"

#include "attest/claims/claim.hpp"
#include "attest/exact/global_optimality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace attest {
namespace {

/// Norms of the random starts from which descent is followed.
constexpr std::array<int, 3> start_radii = {1, 10, 100};
/// Starts along a side of the map; data of more numbers than these get as many as the claim finds affordable.
constexpr std::int64_t map_grid = 11;
constexpr double most_mapped_numbers = 1e5;

using Parameters = decltype(ClaimRequest::parameters);

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
    SkippedClaim skipped{std::string(name), given == parameters.end() ? std::nullopt : std::optional(std::get<Selection>(given->second)),
                         std::move(reason)};
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
    for (const Need& need : claim.schema.needs)
      if (!problem_.v && !parameters.contains(need.unless)) return fmt::format("needs {}, which the data do not have", need.field);
    const double seconds = claim.least_seconds ? claim.least_seconds(ProblemSize(problem_)) : 0;
    if (ends_early || seconds <= budget_seconds_) return std::nullopt;
    return fmt::format("the data are too large: some {:.2g} s, and a claim has {:g} s (--budget)", seconds, budget_seconds_);
  }

  const Problem& problem_;
  double budget_seconds_;
};

void plan_svms(Planner& planner, const std::optional<Selection>& best, const std::optional<Selection>& widest) {
  const Selection& main = best ? *best : *widest;
  planner.want("p-svm", {{"selection", main}});
  if (widest && *widest != main) planner.want("p-svm", {{"selection", *widest}});
  planner.want("v-svm", {{"selection", widest ? *widest : main}});
  planner.want("joint-svm", {{"selection", widest ? *widest : main}});
  planner.want("w-svm", {{"selection", main}});
  planner.want("w-svm", {{"norm", std::string("nuclear")}, {"selection", main}});
  planner.want("sparsity-norm", {{"selection", main}});
}

/// Training p, or W, at the largest scores.
void plan_best(Planner& planner, const Selection& best, std::span<const DecidedClaim> decided) {
  const bool no_limit = has_verdict(find_decided(decided, "locally-optimal"), Verdict::fails);
  planner.want("first-step", {{"selection", best}});
  planner.want("gd-global", {}, no_limit);
  planner.want("gd-local", {{"selection", best}});
  planner.want("path", {}, no_limit);
  planner.want("cross-validation", {}, no_limit);
  for (const Rational& q : {Rational(3), Rational(7, 4)}) planner.want("mirror-descent", {{"q", q}, {"selection", best}});
  for (const std::string_view claim : {"w-gd", "w-path", "kq-path"}) planner.want(claim, {{"selection", best}});
}

/// Training p at the other locally optimal selections, as far as the census found them.
void plan_locals(Planner& planner, const Selection& best, std::span<const DecidedClaim> decided) {
  constexpr std::array<std::string_view, 3> theorems = {"gd-local", "path", "cross-validation"};
  std::vector<Selection> locals = local_selections_by_runs(decided);
  if (const auto first = std::ranges::find_if(locals, [&](const Selection& one) { return one != best; }); first != locals.end())
    planner.want("locally-optimal", {{"selection", *first}});  // with the picture of its margins
  std::erase(locals, best);
  const std::size_t found = locals.size();
  locals.resize(std::min(found, most_local_selections));
  const bool complete = has_verdict(find_decided(decided, "census"), Verdict::holds);
  const std::vector<ReachedSelection> reached = all_reached(decided);
  for (const Selection& selection : locals) {
    const bool descends_there = std::ranges::find(reached, selection, &ReachedSelection::selection) != reached.end();
    planner.look_at(selection, descends_there ? "locally optimal, descent goes there"
                               : complete     ? "locally optimal"
                                              : "locally optimal, found before the census ran out of time");
    for (const std::string_view claim : theorems) planner.want(claim, {{"selection", selection}});
  }
  if (found > locals.size())
    for (const std::string_view claim : theorems)
      planner.skip(claim,
                   fmt::format("checked for {} of the {} other locally optimal selections, those that most runs of descent go to first",
                               locals.size(), found));
}

/// A map of starts: of the plane of the keys, or of that of the two selections that say most.
void plan_map(Planner& planner, const Problem& problem, const Selection& best, std::span<const DecidedClaim> decided) {
  std::vector<Selection> shown = local_selections_by_runs(decided);
  std::ranges::stable_partition(shown, [&](const Selection& one) { return one == best; });
  shown.resize(std::min<std::size_t>(shown.size(), 2));
  const ProblemSize size(problem);
  Parameters parameters;
  if (size.tokens * size.dimension <= most_mapped_numbers) parameters.emplace("grid", map_grid);
  if (!shown.empty())
    parameters.emplace("selections", std::move(shown));
  else if (problem.dimension() > 2)
    return planner.skip("basins", "no locally optimal selection is known whose p^mm would span a plane to map");
  planner.want("basins", std::move(parameters));
}

void plan_tightness(Planner& planner, const std::optional<Selection>& optimal, const LooseSelection& loose) {
  if (!optimal) return planner.skip("tightness", "no locally optimal selection is known to look beside");
  if (!loose.selection)
    return planner.skip("tightness", "no selection was found beside a locally optimal one whose p-SVM has a better neighbour" +
                                         (loose.why_not.empty() ? "" : ": " + loose.why_not));
  planner.look_at(*loose.selection, fmt::format("one token away from the locally optimal {}, and worse", to_string(*optimal)));
  planner.want("tightness", {{"selection", *loose.selection}});
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
  planner.want("destinations");
  for (const int radius : start_radii) planner.want("destinations", {{"radius", Rational(radius)}});
  planner.want("no-stationary-point");
  planner.want("assumption-b");
  planner.want("overparametrised");
  planner.want("derivatives");
  planner.want("step-size");
  planner.want("prompt-weight");
  return std::move(planner.plan);
}

std::optional<Selection> largest_scores(const Problem& problem) {
  return problem.v ? std::optional(best_selection(exact_scores(problem))) : std::nullopt;
}

std::optional<Selection> selection_to_loosen(const Problem& problem, std::span<const DecidedClaim> decided) {
  const std::vector<Selection> locals = known_local_selections(decided);
  if (!problem.v || locals.empty()) return std::nullopt;
  const Selection best = best_selection(exact_scores(problem));
  return std::ranges::find(locals, best) != locals.end() ? best : locals.front();
}

AuditPlan plan_selection_claims(const Problem& problem, std::span<const DecidedClaim> decided, const LooseSelection& loose,
                                double budget_seconds) {
  Planner planner(problem, budget_seconds);
  const std::optional<Selection> best = largest_scores(problem);
  const DecidedClaim* assumption_b = find_decided(decided, "assumption-b");
  const std::optional<Selection> widest = assumption_b ? assumption_b->selection : std::nullopt;
  if (best) planner.look_at(*best, "the largest scores under v");
  if (widest)
    planner.look_at(
        *widest, assumption_b->discoveries.largest_margin_proved ? "the largest label margin" : "the largest label margin that was found");
  if (best || widest)
    plan_svms(planner, best, widest);
  else
    for (const std::string_view claim : {"p-svm", "v-svm", "joint-svm", "w-svm"})
      planner.skip(claim, "no selection: without v it is the one with the largest label margin, which was not found");
  if (widest) planner.want("assumption-b", {{"over", std::string("support")}, {"selection", *widest}});
  if (best) {
    plan_best(planner, *best, decided);
    plan_locals(planner, *best, decided);
    plan_map(planner, problem, *best, decided);
    plan_tightness(planner, selection_to_loosen(problem, decided), loose);
    return std::move(planner.plan);
  }
  for (const std::string_view claim : {"basins", "first-step", "gd-global", "gd-local", "tightness", "path", "cross-validation",
                                       "mirror-descent", "w-gd", "w-path", "kq-path"})
    planner.want(claim);  // each says what it needs
  return std::move(planner.plan);
}

AuditPlan plan_joint_claims(const Problem& problem, std::span<const DecidedClaim> decided, double budget_seconds) {
  Planner planner(problem, budget_seconds);
  std::vector<const DecidedClaim*> about_b;
  for (const DecidedClaim& one : decided)
    if (one.claim == "assumption-b") about_b.push_back(&one);
  if (about_b.empty() || !about_b.front()->selection) {
    planner.skip("joint-path", "no selection: the one with the largest label margin was not found");
    return std::move(planner.plan);
  }
  // The theorem decides Assumption B itself, and would spend its time on it again in vain.
  for (const std::string over : {"support", "all"}) {
    const Parameters parameters = {{"over", over}, {"selection", *about_b.front()->selection}};
    const DecidedClaim& b = over == "all" ? *about_b.front() : *about_b.back();
    if (b.verdict == Verdict::undecided)
      planner.skip("joint-path", fmt::format("over {}: Assumption B is undecided: {}", over, b.message), parameters);
    else
      planner.want("joint-path", parameters);
  }
  return std::move(planner.plan);
}

}  // namespace attest
