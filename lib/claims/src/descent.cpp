#include "attest/solve/descent.hpp"

#include "claim_list.hpp"
#include "travel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace attest {
namespace {

constexpr std::int64_t default_iterations = 10'000;
/// Of a run whose length is free to choose.
constexpr std::int64_t most_iterations = 1'000'000;

/// What one run says of the claim, with the reason where it does not hold.
struct Judgement {
  Verdict verdict;
  std::string reason;
  Grade grade = Grade::observed;
};

Judgement judge(const ObservedRun& observed, const Selection* expected) {
  if (observed.run.end != DescentRun::End::finished) return {Verdict::undecided, why_ended(observed)};
  const std::string selection = to_string(observed.selection);
  if (!observed.heads_for_limit())
    return {Verdict::undecided,
            fmt::format("at norm {:.4g} it selects {} but does not yet head for a limit", observed.run.last().norm, selection)};
  // Beside a better or tied neighbour it passes a saddle, and moves on in its own time.
  if (!observed.limit.locally_optimal)
    return {Verdict::undecided,
            fmt::format("at norm {:.4g} it is at {}, which is not locally optimal", observed.run.last().norm, selection)};
  if (expected != nullptr && observed.selection != *expected)
    return {observed.settled() ? Verdict::fails : Verdict::undecided,
            fmt::format("it ends at {}, not at {}", selection, to_string(*expected))};
  return {Verdict::holds, ""};
}

/// What is proved of a run outweighs what is seen of it.
Judgement with_proof(Judgement seen, const LimitProof& proof, const Selection* expected) {
  if (proof.proved() == nullptr) return seen;
  if (expected == nullptr || proof.selection() == *expected) return {Verdict::holds, "", Grade::proved};
  return {Verdict::fails,
          fmt::format("it provably goes to the direction of {}, not of {}", to_string(proof.selection()), to_string(*expected)),
          Grade::proved};
}

std::string shares_text(const std::vector<Share>& shares) {
  std::string text;
  for (const Share& share : shares)
    text += fmt::format("{}{} of selection {}", text.empty() ? "" : ", ", share.runs, to_string(share.selection));
  return text;
}

struct Numbers {
  DescentMethod method;
  double step;
  std::vector<RunNumbers> runs;
  std::vector<Share> shares;
  std::optional<LimitBound> proof;  ///< of all runs

  std::int64_t longest() const {
    std::int64_t iterations = 0;
    for (const RunNumbers& one : runs) iterations = std::max(iterations, one.observed.run.last().iteration);
    return iterations;
  }
  void write(Fields& out) const {
    out("method", name_of(method))("step", step)("iterations", longest())("runs", runs)("shares", shares);
    write_bound(proof, out);
  }
};

/// What all runs say: the first that provably contradicts the claim, else the first that does, else the first that is open.
struct Said {
  Judgement judgement = {Verdict::holds, ""};
  std::size_t run = 0;
};

Said said_by_all(const std::vector<Judgement>& judged) {
  const auto weight = [](const Judgement& one) {
    if (one.verdict == Verdict::fails) return one.grade == Grade::proved ? 3 : 2;
    return one.verdict == Verdict::undecided ? 1 : 0;
  };
  const auto worst = std::ranges::max_element(judged, {}, weight);  // the first of these
  return {*worst, static_cast<std::size_t>(worst - judged.begin())};
}

std::string proof_text(const std::vector<LimitProof>& proofs, const std::optional<LimitBound>& of_all) {
  if (of_all) return "proved: " + of_all->text(Parametrisation::prompt);
  const auto proved =
      static_cast<std::size_t>(std::ranges::count_if(proofs, [](const LimitProof& one) { return one.proved() != nullptr; }));
  const auto open = std::ranges::find_if(proofs, [](const LimitProof& one) { return one.proved() == nullptr; });
  const std::string why = fmt::format("run {}: {}", open - proofs.begin(), open->obstacle());
  return proved == 0 ? "not proved: " + why : fmt::format("{} of {} limits proved; {}", proved, proofs.size(), why);
}

/// As a file of a training run holds it.
TrainingRun recorded(const ObservedRun& observed) {
  TrainingRun run;
  for (const TracePoint& point : observed.run.trace) {
    run.steps.push_back(static_cast<double>(point.iteration));
    run.values.insert(run.values.end(), point.p.begin(), point.p.end());
  }
  run.count = run.steps.size();
  return run;
}

Finding check(const ClaimContext& context) {
  const auto planned = travel_plan(context, default_iterations);
  if (const auto* open = std::get_if<Finding>(&planned)) return *open;
  const DescentPlan& plan = std::get<DescentPlan>(planned);
  Finding finding;
  DescentLaboratory laboratory(context);
  const auto* reaches = context.request.find<std::vector<Selection>>("reaches");
  const Eigen::VectorXd origin = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(context.problem().dimension()));
  const bool free_length = has_free_length(context.request, plan);
  const auto longer = [&](std::int64_t iterations) {
    return free_length && iterations < most_iterations ? std::optional(std::min(10 * iterations, most_iterations)) : std::nullopt;
  };
  const LimitProver prover(context, Parametrisation::prompt, plan);
  std::vector<ObservedRun> runs;
  std::vector<LimitProof> proofs;
  std::vector<Judgement> judged;
  for (const Eigen::VectorXd& start : starting_points(context, {origin})) {
    const std::size_t index = runs.size();
    const Selection* expected = reaches && index < reaches->size() ? &(*reaches)[index] : nullptr;
    runs.push_back(run_until_told(
        laboratory, start, plan, [&](const ObservedRun& run) { return judge(run, expected).verdict == Verdict::undecided; }, longer));
    proofs.push_back(prover.prove(runs.back(), index));
    judged.push_back(with_proof(judge(runs.back(), expected), proofs.back(), expected));
  }
  const Said said = said_by_all(judged);
  const std::optional<LimitBound> of_all = bound_of_all(proofs);
  std::vector<Share> shares = shares_of(runs);
  finding.verdict = said.judgement.verdict;
  finding.message = fmt::format("run {}: {}", said.run, said.judgement.reason);
  if (finding.verdict == Verdict::holds)
    finding.message = fmt::format("{} run{} to the directions of locally optimal selections: {}; {}", runs.size(),
                                  runs.size() == 1 ? " heads" : "s head", shares_text(shares), proof_text(proofs, of_all));
  finding.grade = finding.verdict == Verdict::holds ? (of_all ? Grade::proved : Grade::observed) : said.judgement.grade;
  if (finding.grade == Grade::proved) finding.certificate = proofs[said.run].certificate();
  finding.run_certificates = certificates_of(proofs);
  std::ranges::transform(runs, std::back_inserter(finding.recorded_runs), recorded);
  finding.evidence = Numbers{plan.method, plan.step, run_numbers(std::move(runs), proofs), std::move(shares), of_all};
  return finding;
}

}  // namespace

Claim descent_claim() {
  std::vector<ParameterSpec> parameters =
      descent_parameters({"one run, from 0", "normalised", "10000, up to 1000000 where that says nothing yet"});
  parameters.push_back({"reaches", ParameterKind::selections, false, "the selection that each of `starts` must reach", {}});
  return {
      .schema = {"descent", std::move(parameters), {{"v", ""}}, PairedLists{"reaches", "starts"}},
      .title = "Descent reaches locally optimal selections",
      .summary = "descent ends at directions of locally optimal selections",
      .source = "[MM]",
      .words =
          "Gradient descent converges to the max-margin direction of a locally optimal selection, from every start that was "
          "tried.",
      .formula =
          R"(\frac{p(k)}{\|p(k)\|} \to \frac{p^{\mathrm{mm}}(\alpha)}{\|p^{\mathrm{mm}}(\alpha)\|} \quad \text{for a locally optimal } \alpha)",
      .text =
          "Gradient descent on L(v, .) for fixed v and W, in arithmetic that stays true at any norm: constant (p - step gradient), "
          "normalised (p - step gradient/|gradient|), or flow (the normalised one with infinitely small steps; step is then the arc "
          "length of an iteration). A run ends at a selection when it selects these tokens all along its last stretch, from half its "
          "final norm on, that stretch points to the exact p^mm of the selection within 0.05 (heading_error), the selected logits lead "
          "by at least 10, and the norm still grows. It has settled there when the selection is locally optimal, too, and the direction "
          "error falls like 1/norm.\n"
          "Proved: of each run, the one in real numbers with the start and step as they are written (drawn starts, and 1/L_p, as the "
          "doubles they are), a certificate descent-cone, descent-basin or descent-wedge shows that |p| -> infinity and p/|p| -> "
          "p^mm/|p^mm|. K iterations, at most 10000, fewer on large data, and at most `iterations`, are enclosed in ball arithmetic; from "
          "iterate K on a theorem "
          "says the rest (docs/theory.md). The curve of a flow is followed piece by piece; over W it must satisfy it at the start. A run "
          "whose limit is not proved is observed, its "
          "`obstacle` says why; the grade is proved when every run is.\n"
          "Holds: every run ends at a selection that is locally optimal, decided exactly, and at the one that `reaches` names for its "
          "start.\n"
          "Fails: some run has settled at another one than `reaches` names; proved where that limit is.\n"
          "Undecided: some run does not head for a limit yet, stands still in doubles (the gradient is 0 there, or flow needs too short "
          "steps), or is at a selection with a neighbour that scores as much or more, which a longer run leaves. Runs that say nothing "
          "yet are made longer, up to 1000000 iterations, unless `iterations` is given or steps are constant. Constant steps grow the "
          "norm like log k and seldom get there; gd-global and gd-local judge them by monotone decrease.",
      .numbers = {{"method", "how the runs descend"},
                  {"step", "their step, or arc length"},
                  {"iterations", "of the longest run"},
                  {"runs", "a list of runs"},
                  {"runs[].start", "where it starts; null for a matrix of more than 65536 numbers, as final and limit are"},
                  {"runs[].final", "where it ends"},
                  {"runs[].norm", "norm at the end"},
                  {"runs[].direction_error",
                   "|a/|a| - b/|b|| of its end to p^mm of the selection that it reaches; null where that has none"},
                  {"runs[].heading_error", "direction error of the last stretch, from half the final norm on"},
                  {"runs[].rate", "slope of log error over log norm at large norms; null where it cannot be measured"},
                  {"runs[].selection", "the largest logits at the end"},
                  {"runs[].locally_optimal", "whether that selection is known to be locally optimal"},
                  {"runs[].iterations", "how many it took"},
                  {"runs[].monotone", "constant steps: no step increased the loss"},
                  {"runs[].limit", "p^mm of the selection that it reaches; null where that has none"},
                  {"runs[].trace",
                   "lists iteration, norm, log_excess = log(L - L*) and direction_error, at logarithmically spaced iterations"},
                  {"runs[].positions", "points p along the run, for pictures (docs/results.md)"},
                  {"runs[].attention", "attention along the run, for pictures (docs/results.md)"},
                  {"runs[].proved_by", "how its limit is proved: cone, basin or wedge (docs/theory.md); null where it is not"},
                  {"runs[].from_iterate", "the iterate K that the proof is about; null where there is none"},
                  {"runs[].rate_constant", "by the cone: from iterate K on the direction error is at most this over the norm; rounded up"},
                  {"runs[].obstacle", "why its limit is not proved; null where it is"},
                  {"shares", "which selections the runs reached: selection, runs, share"},
                  {"proved_by", "how all limits are proved, by what says least; null where one is not"},
                  {"from_iterate", "the last of the runs' iterates K"},
                  {"rate_constant", "the largest of the runs' constants; null where one has none"}},
      .section = AuditSection::numerics,
      .check = check};
}

}  // namespace attest
