#include "attest/solve/descent.hpp"

#include "claim_list.hpp"
#include "descent_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t default_iterations = 10'000;
/// Of a run whose length is free to choose.
constexpr std::int64_t most_iterations = 1'000'000;

/// What one run says of the claim, with the reason where it does not hold.
struct Judgement {
  Verdict verdict;
  std::string reason;
};

Judgement judge(const ObservedRun& observed, const Selection* expected) {
  if (observed.run.end != DescentRun::End::finished) return {Verdict::undecided, why_ended(observed)};
  const std::string selection = to_string(observed.selection);
  if (!observed.heads_for_limit())
    return {Verdict::undecided, fmt::format("at norm {:.4g} it selects {} but does not yet head for a limit", observed.run.last().norm, selection)};
  // Beside a better or tied neighbour it passes a saddle, and moves on in its own time.
  if (!observed.limit.locally_optimal)
    return {Verdict::undecided, fmt::format("at norm {:.4g} it is at {}, which is not locally optimal", observed.run.last().norm, selection)};
  if (expected != nullptr && observed.selection != *expected)
    return {observed.settled() ? Verdict::fails : Verdict::undecided, fmt::format("it ends at {}, not at {}", selection, to_string(*expected))};
  return {Verdict::holds, ""};
}

/// A longer run where the length is free to choose and this one says nothing yet. Constant steps would take exponentially long.
ObservedRun run_until_judged(DescentLaboratory& laboratory, const Eigen::VectorXd& start, DescentPlan plan, const Selection* expected, bool free_length) {
  ObservedRun observed = laboratory.run(start, plan);
  while (free_length && observed.run.end == DescentRun::End::finished && judge(observed, expected).verdict == Verdict::undecided &&
         plan.iterations < most_iterations) {
    plan.iterations = std::min(10 * plan.iterations, most_iterations);
    observed = laboratory.run(start, plan);
  }
  return observed;
}

std::string shares_text(const Json& shares) {
  std::string text;
  for (const Json& entry : shares)
    text += fmt::format("{}{} of selection {}", text.empty() ? "" : ", ", entry.at("runs").get<std::size_t>(),
                        to_string(entry.at("selection").get<Selection>()));
  return text;
}

Finding check(const ClaimContext& context) {
  const DescentMethod method = chosen_method(context.request).value_or(DescentMethod::normalised);
  const std::optional<DescentPlan> plan = descent_plan(context, method, default_iterations);
  Finding finding;
  if (!plan) {
    finding.message = "no step is given, and 1/L_p is not known: Assumption A is not proved, or L_p is 0 or too large";
    return finding;
  }
  DescentLaboratory laboratory(context);
  const auto* reaches = context.request.find<std::vector<Selection>>("reaches");
  const Eigen::VectorXd origin = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(context.problem.dimension()));
  std::vector<ObservedRun> runs;
  Json encoded = Json::array();
  const bool free_length = context.request.find<std::int64_t>("iterations") == nullptr && method != DescentMethod::constant;
  std::int64_t longest = 0;
  finding.verdict = Verdict::holds;
  for (const Eigen::VectorXd& start : starting_points(context, {origin})) {
    const std::size_t index = runs.size();
    const Selection* expected = reaches && index < reaches->size() ? &(*reaches)[index] : nullptr;
    runs.push_back(run_until_judged(laboratory, start, *plan, expected, free_length));
    encoded.push_back(encode_run(runs.back()));
    longest = std::max(longest, runs.back().run.last().iteration);
    const Judgement judgement = judge(runs.back(), expected);
    // A run that contradicts the claim says more than one that is open.
    if (finding.verdict == Verdict::fails || judgement.verdict == Verdict::holds) continue;
    if (finding.verdict == Verdict::undecided && judgement.verdict == Verdict::undecided) continue;
    finding.verdict = judgement.verdict;
    finding.message = fmt::format("run {}: {}", index, judgement.reason);
  }
  const Json shares = encode_shares(runs);
  finding.numbers = {{"method", name_of(method)}, {"step", plan->step}, {"iterations", longest}, {"runs", std::move(encoded)}, {"shares", shares}};
  if (finding.verdict == Verdict::holds)
    finding.message = fmt::format("{} run{} to the directions of locally optimal selections: {}", runs.size(),
                                  runs.size() == 1 ? " heads" : "s head", shares_text(shares));
  return finding;
}

}  // namespace

Claim descent_claim() {
  std::vector<ParameterSpec> parameters =
      descent_parameters("where the runs start (default: one run, from 0)", "how to descend (default normalised)", "of each run (default 10000, up to 1000000 where that says nothing yet)");
  parameters.push_back({"reaches", ParameterKind::selections, false, "the selection that each of `starts` must reach", {}});
  return {{"descent", std::move(parameters), {{"v", ""}}, PairedLists{"reaches", "starts"}},
          "descent ends at directions of locally optimal selections",
          "[MM] Gradient descent on L(v, .) for fixed v and W, in arithmetic that stays true at any norm: constant\n"
          "(p - step gradient), normalised (p - step gradient/|gradient|), or flow (the normalised one with\n"
          "infinitely small steps; step is then the arc length of an iteration). A run ends at a selection when it\n"
          "selects these tokens all along its last stretch, from half its final norm on, and the stretch points\n"
          "to the exact p^mm of the selection within 0.05 (heading_error).\n"
          "Holds: every run ends at a selection that is locally optimal, decided exactly, and at the one that\n"
          "`reaches` names for its start. Fails: some run has settled at another one than `reaches` names: that one is locally optimal and\n"
          "the direction error falls like 1/norm. Undecided: some run does not head for a limit yet, stands still in doubles, or is at a\n"
          "selection with a neighbour that scores as much or more, which it will leave. Such runs are made longer, up to 1000000\n"
          "iterations, unless `iterations` is given. Constant steps grow the norm like log k and\n"
          "seldom get there; gd-global and gd-local judge them by monotone decrease.\n"
          "Numbers: runs [{start, final, norm, direction_error, heading_error, rate, selection, locally_optimal,\n"
          "iterations, monotone, trace}], shares [{selection, runs, share}], method, step, iterations. Direction errors\n"
          "are |a/|a| - b/|b||; iterations is that of the longest run; rate is the slope of log error over log norm at large norms. Grade: observed.",
          check};
}

}  // namespace attest
