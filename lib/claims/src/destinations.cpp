#include "attest/claims/destinations.hpp"

#include "claim_list.hpp"
#include "limit_prover.hpp"
#include "path_observation.hpp"
#include "sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {
namespace {

constexpr std::int64_t default_starts = 100;
/// From 0 they lead to norm 200, where most runs show where they go.
constexpr std::int64_t default_iterations = 2000;
/// Of a run that says nothing yet.
constexpr std::int64_t most_iterations = 200'000;
/// Products of doubles that the runs of a claim may take in all, some seconds: large data get fewer starts, and no longer runs.
constexpr double most_work = 2e9;
/// Fewer say nothing of shares.
constexpr std::int64_t least_starts = 10;
/// What the proofs of a claim may take in all, in products of balls, some seconds: further runs are observed.
constexpr double most_proof_work = 2e7;
/// A search for a proof that finds none runs in doubles, so many iterations long; a product of theirs is this part of one of balls.
constexpr double searched_iterations = 1e4;
constexpr double double_part = 0.02;
/// What a step in balls takes beside its products, in products.
constexpr double work_of_a_step = 250;
/// The norms at which users ask what error to expect.
constexpr std::array<double, 3> usual_norms = {5, 10, 100};

/// Products of doubles that an iteration takes: logits and gradient.
double work_of_iteration(const ClaimContext& context) {
  const ProblemSize size(context.problem());
  return std::max(1.0, 2 * size.tokens * size.dimension);
}

/// How many starts of a norm the work allows.
std::int64_t count_of_starts(const ClaimContext& context) {
  if (const auto* given = context.request.find<std::int64_t>("random")) return *given;
  const double fit = most_work / (work_of_iteration(context) * static_cast<double>(default_iterations));
  return std::clamp(static_cast<std::int64_t>(std::min(fit, 1e6)), least_starts, default_starts);
}

std::vector<Eigen::VectorXd> drawn_starts(const ClaimContext& context, const Rational* radius) {
  const auto d = static_cast<Eigen::Index>(context.problem().dimension());
  if (radius == nullptr) return {Eigen::VectorXd::Zero(d)};
  Sampler sampler(context.seed);
  std::vector<Eigen::VectorXd> starts;
  const std::int64_t count = count_of_starts(context);
  for (std::int64_t k = 0; k < count; ++k) starts.emplace_back(nearest_double(*radius) * sampler.unit_vector(d));
  return starts;
}

/// Why a run is not assigned to a selection.
std::string why_open(const ObservedRun& observed) {
  if (observed.run.end != DescentRun::End::finished) return why_ended(observed);
  const TracePoint& last = observed.run.last();
  const std::string selection = to_string(observed.selection);
  if (observed.heads_for_limit()) return fmt::format("at norm {:.4g} it is at {}, which is not locally optimal", last.norm, selection);
  return fmt::format("at norm {:.4g}, after {} iterations, it attends most to {} but heads for no max-margin direction", last.norm,
                     last.iteration, selection);
}

bool heads_for_local_optimum(const ObservedRun& observed) { return observed.heads_for_limit() && observed.limit.locally_optimal; }

struct ReachedNumbers {
  const ReachedSelection& reached;
  std::size_t starts;

  void write(Fields& out) const {
    out("selection", reached.selection)("runs", reached.runs)("share", static_cast<double>(reached.runs) / static_cast<double>(starts));
    out("proved", reached.proved)("grade", reached.grade());
  }
};

/// Follows runs, one after the other, and counts where they go.
class Traveller {
 public:
  Traveller(const ClaimContext& context, const DescentPlan& plan, Destinations& found)
      : context_(context), plan_(plan), found_(found), laboratory_(context), prover_(context, Parametrisation::prompt, plan),
        free_length_(context.request.find<std::int64_t>("iterations") == nullptr && plan.method != DescentMethod::constant),
        work_left_(most_work) {}

  void follow(const Eigen::VectorXd& start) {
    const ObservedRun observed = run_until_it_heads(start);
    // Drawn starts are none of the claim's parameters: they are the doubles that they are.
    LimitProof proof = prove(observed);
    const TracePoint& last = observed.run.last();
    std::optional<Selection> selection;
    if (proof.proved() != nullptr)
      selection = proof.selection();
    else if (heads_for_local_optimum(observed))
      selection = observed.selection;
    if (selection)
      count(*selection, proof.proved() != nullptr);
    else
      leave_open(why_open(observed));
    runs.push_back({selection, last.norm, last.iteration, proof_of(proof)});
    if (runs.size() == 1) first_ = observed;
    proofs.push_back(std::move(proof));
  }

  /// The errors along the path to the selection that most runs reach, and what is proved of the first of these runs.
  void expect_errors() {
    if (found_.reached.empty()) return;
    const Selection& selection = found_.reached.front().selection;
    const Eigen::VectorXd p_mm = *laboratory_.limit(selection).direction;
    const bool local = selection != context_.study.best();
    for (const double norm : usual_norms) {
      ExpectedError expected{norm, std::nullopt, std::nullopt};
      if (const auto point = path_point_at(context_, selection, p_mm, local, norm)) expected.path_error = direction_error(*point, p_mm);
      expected.bound = bound_at(norm, selection);
      found_.expected.push_back(expected);
    }
  }

  std::vector<TravelledRun> runs;
  std::vector<LimitProof> proofs;

 private:
  ObservedRun run_until_it_heads(const Eigen::VectorXd& start) {
    DescentPlan plan = plan_;
    ObservedRun observed = laboratory_.run(start, plan);
    while (observed.run.end == DescentRun::End::finished && !heads_for_local_optimum(observed) && may_go_on(plan)) {
      plan.iterations *= 10;
      observed = laboratory_.run(start, plan);
    }
    return observed;
  }

  LimitProof prove(const ObservedRun& observed) {
    if (proof_work_left_ <= 0)
      return {observed.selection,
              std::make_shared<const LimitOutcome>(OpenLimit{LimitObstacle::too_much_work, "the work for proofs is used up"})};
    LimitProof proof = prover_.prove(observed, runs.size());
    if (proof.proved() != nullptr)
      proof_work_left_ -= (work_of_a_step + work_of_iteration(context_)) * static_cast<double>(1 + proof.proved()->from_iterate);
    else if (observed.limit.locally_optimal)
      proof_work_left_ -= double_part * work_of_iteration(context_) * searched_iterations;
    return proof;
  }

  /// Counts the work of a run that is ten times as long.
  bool may_go_on(const DescentPlan& plan) {
    const double work = work_of_iteration(context_) * 10 * static_cast<double>(plan.iterations);
    if (!free_length_ || 10 * plan.iterations > most_iterations || work > work_left_) return false;
    work_left_ -= work;
    return true;
  }

  void count(const Selection& selection, bool proved) {
    auto known = std::ranges::find(found_.reached, selection, &ReachedSelection::selection);
    if (known == found_.reached.end()) known = found_.reached.insert(known, {selection, 0, 0});
    ++known->runs;
    known->proved += proved ? 1 : 0;
  }

  void leave_open(std::string why) {
    if (found_.undecided++ == 0) found_.why_undecided = std::move(why);
  }

  static std::optional<RunProof> proof_of(const LimitProof& proof) {
    const ProvedLimit* proved = proof.proved();
    if (proved == nullptr) return std::nullopt;
    return RunProof{proved->by == LimitBy::basin  ? "basin"
                    : proved->by == LimitBy::cone ? "cone"
                                                  : "wedge",
                    proved->from_iterate, proved->rate_constant ? std::optional(upper_double(*proved->rate_constant)) : std::nullopt};
  }

  /// C/norm from iterate K of the first run on, where that run has this norm only later.
  std::optional<double> bound_at(double norm, const Selection& selection) const {
    const TravelledRun& run = runs.front();
    if (run.selection != selection || !run.proof || !run.proof->rate_constant) return std::nullopt;
    const auto from = static_cast<std::int64_t>(run.proof->from_iterate);
    const auto reached = std::ranges::find_if(first_->run.trace, [&](const TracePoint& point) { return point.iteration >= from; });
    const double bound = *run.proof->rate_constant / norm;
    const bool says_something = reached != first_->run.trace.end() && reached->norm <= norm && bound < 2;
    return says_something ? std::optional(std::nextafter(bound, 2.0)) : std::nullopt;
  }

  const ClaimContext& context_;
  DescentPlan plan_;
  Destinations& found_;
  DescentLaboratory laboratory_;
  LimitProver prover_;
  bool free_length_;
  double work_left_;
  double proof_work_left_ = most_proof_work;
  std::optional<ObservedRun> first_;
};

std::string starts_text(const Destinations& found) {
  return found.radius == 0 ? "from 0" : fmt::format("of {} starts of norm {:g}", found.starts, found.radius);
}

std::string shares_text(const Destinations& found) {
  std::string text;
  std::size_t proved = 0;
  for (const ReachedSelection& one : found.reached) {
    text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", one.runs, to_string(one.selection));
    proved += one.proved;
  }
  if (found.undecided > 0) text += fmt::format("{}{} undecided", text.empty() ? "" : ", ", found.undecided);
  return text + fmt::format("; {} proved", proved == found.starts ? "all" : fmt::format("{}", proved));
}

double share_of(const Selection& selection, const Destinations& found) {
  const auto reached = std::ranges::find(found.reached, selection, &ReachedSelection::selection);
  return reached == found.reached.end() ? 0 : static_cast<double>(reached->runs) / static_cast<double>(found.starts);
}

Finding check(const ClaimContext& context) {
  const DescentMethod method = chosen_method(context.request).value_or(DescentMethod::normalised);
  const std::optional<DescentPlan> plan = descent_plan(context, method, default_iterations);
  Finding finding;
  if (!plan) {
    finding.message = "no step is given, and 1/L_p is not known: Assumption A is not proved, or L_p is 0 or too large";
    return finding;
  }
  const auto* radius = context.request.find<Rational>("radius");
  const std::vector<Eigen::VectorXd> starts = drawn_starts(context, radius);
  Destinations found{radius ? nearest_double(*radius) : 0, starts.size()};
  Traveller traveller(context, *plan, found);
  for (const Eigen::VectorXd& start : starts) {
    if (context.progress) context.progress(static_cast<double>(traveller.runs.size()) / static_cast<double>(starts.size()), "descent");
    traveller.follow(start);
  }
  std::ranges::stable_sort(found.reached, std::greater{}, &ReachedSelection::runs);
  traveller.expect_errors();
  const bool all_proved = std::ranges::all_of(traveller.runs, [](const TravelledRun& run) { return run.proof.has_value(); });
  finding.verdict = found.undecided == 0 ? Verdict::holds : Verdict::undecided;
  finding.grade = all_proved ? Grade::proved : Grade::observed;
  finding.message = fmt::format("{}: {}", starts_text(found), shares_text(found));
  if (found.undecided > 0) finding.message += "; the first that is open: " + found.why_undecided;
  if (all_proved) finding.certificate = traveller.proofs.front().certificate();
  finding.run_certificates = certificates_of(traveller.proofs);
  for (const ReachedSelection& one : found.reached) finding.discoveries.locally_optimal.push_back(one.selection);
  const double best_share = share_of(context.study.best(), found);
  finding.evidence = DestinationNumbers{name_of(method), plan->step, std::move(found), best_share, std::move(traveller.runs)};
  return finding;
}

}  // namespace

void TravelledRun::write(Fields& out) const {
  out("selection", selection)("norm", norm)("iterations", iterations);
  out("proved_by", proof ? std::optional(proof->by) : std::nullopt)("from_iterate",
                                                                    proof ? std::optional(proof->from_iterate) : std::nullopt);
  out("rate_constant", proof ? proof->rate_constant : std::nullopt);
}

void DestinationNumbers::write(Fields& out) const {
  std::vector<ReachedNumbers> reached;
  for (const ReachedSelection& one : found.reached) reached.push_back({one, found.starts});
  out("method", method)("step", step)("radius", found.radius)("starts", found.starts)("destinations", reached);
  out("best_share", best_share)("undecided", found.undecided)("expected", found.expected)("runs", runs);
}

Claim destinations_claim() {
  return {
      .schema = {"destinations",
                 {{"radius", ParameterKind::positive, false, "the norm of random starts", {}, "none: one run, from 0"},
                  {"random", ParameterKind::count, false, "how many of them, drawn by the seed", {}, "100; large data: fewer, at least 10"},
                  {"method", ParameterKind::choice, false, "how to descend", {"normalised", "constant", "flow"}, "normalised"},
                  {"step", ParameterKind::positive, false, "step or arc length", {}, "0.1; constant: 1/L_p"},
                  {"iterations", ParameterKind::count, false, "of each run", {}, "2000, up to 200000 where that says nothing yet"}},
                 {{"v", ""}}},
      .title = "Where training goes",
      .summary = "which selections descent heads for, with what share",
      .source = "[ours]",
      .words =
          "Gradient descent from 0, or from random starts of one norm, heads for the max-margin directions of these locally optimal "
          "selections, with these shares.",
      .formula =
          R"(\frac{p(k)}{\|p(k)\|} \to \frac{p^{\mathrm{mm}}(\alpha)}{\|p^{\mathrm{mm}}(\alpha)\|} \quad \text{for a share of the starts } p(0))",
      .text =
          "Descent as in the claim descent, from 0 or, with `radius`, from starts drawn evenly from the sphere of that norm. A run counts "
          "for a selection when its limit is proved (a certificate descent-cone, descent-basin or descent-wedge closes), or when it heads "
          "for the selection's exact p^mm as the claim descent demands and the selection is locally optimal, decided exactly. A run that "
          "does neither is undecided: it is counted as that and never assigned. Runs that say nothing yet are made longer as long as the "
          "counted work of the claim allows, and proofs are looked for as long: what comes after is observed.\n"
          "The grade of a share is proved when the limit of every run in it is. The share itself is that of the starts drawn; it is an "
          "estimate of the share of all starts of that norm.\n"
          "Holds: every run counts for a selection; proved when every limit is.\n"
          "Undecided: some run does not.",
      .numbers = {{"method", "how the runs descend"},
                  {"step", "their step, or arc length"},
                  {"radius", "the norm of the starts"},
                  {"starts", "how many there are"},
                  {"destinations", "the selections that runs go to, those of most runs first"},
                  {"destinations[].selection", "a locally optimal selection"},
                  {"destinations[].runs", "how many go there"},
                  {"destinations[].share", "of all starts"},
                  {"destinations[].proved", "of how many of them the limit is proved"},
                  {"destinations[].grade", "proved when it is of all of them"},
                  {"best_share", "the share of the starts that go to the selection of the largest scores"},
                  {"undecided", "how many runs go to none, as far as was looked"},
                  {"expected", "how far one must train to see it, for the selection of most runs"},
                  {"expected[].norm", "of p"},
                  {"expected[].path_error",
                   "the direction error of the minimiser of that norm (the regularisation path); null where it is not verified"},
                  {"expected[].bound",
                   "proved of the first run, from that norm on; null where the proof brings no rate, or is about larger norms"},
                  {"runs", "each run, in the order of the starts"},
                  {"runs[].selection", "where it goes; null where that is undecided"},
                  {"runs[].norm", "norm at its end"},
                  {"runs[].iterations", "how many it took"},
                  {"runs[].proved_by", "how its limit is proved: cone, basin or wedge (docs/theory.md); null where it is not"},
                  {"runs[].from_iterate", "the iterate K that the proof is about; null where there is none"},
                  {"runs[].rate_constant", "by the cone: from iterate K on the direction error is at most this over the norm; rounded up"}},
      .section = AuditSection::optima,
      .check = check};
}

}  // namespace attest
