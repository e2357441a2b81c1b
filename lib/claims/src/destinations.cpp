#include "attest/claims/destinations.hpp"

#include "claim_list.hpp"
#include "path_observation.hpp"
#include "sampling.hpp"
#include "travel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {
namespace {

constexpr std::int64_t default_starts = 100;
/// Fewer say nothing of shares.
constexpr std::int64_t least_starts = 10;
/// Of data so large that no more are drawn: where the first of them are all undecided there are no shares to tell, and the others stay out.
constexpr std::size_t telling_starts = 4;
/// The norms at which users ask what error to expect.
constexpr std::array<double, 3> usual_norms = {5, 10, 100};

/// How many starts of a norm the work allows.
std::int64_t count_of_starts(const ClaimContext& context) {
  if (const auto* given = context.request.find<std::int64_t>("random")) return *given;
  return std::clamp(static_cast<std::int64_t>(std::min(runs_within_work(ProblemSize(context.problem())), 1e6)), least_starts,
                    default_starts);
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

struct ReachedNumbers {
  const ReachedSelection& reached;
  std::size_t starts;

  void write(Fields& out) const {
    out("selection", reached.selection)("runs", reached.runs)("share", static_cast<double>(reached.runs) / static_cast<double>(starts));
    out("proved", reached.proved)("grade", reached.grade());
  }
};

/// The run's direction error at a norm, between the points of its trace; none where its norms do not reach it.
std::optional<double> error_at(const ObservedRun& observed, double norm) {
  const std::vector<TracePoint>& trace = observed.run.trace;
  for (std::size_t k = 1; k < std::min(trace.size(), observed.errors.size()); ++k) {
    const double low = trace[k - 1].norm;
    if (!(low <= norm && norm <= trace[k].norm && low > 0)) continue;
    const double part = trace[k].norm > low ? std::log(norm / low) / std::log(trace[k].norm / low) : 0;
    return observed.errors[k - 1] + part * (observed.errors[k] - observed.errors[k - 1]);
  }
  return std::nullopt;
}

/// Counts where runs go.
class Count {
 public:
  Count(const ClaimContext& context, const DescentPlan& plan, Destinations& found)
      : context_(context), found_(found), traveller_(context, plan, found.starts) {}

  void follow(const Eigen::VectorXd& start) {
    Travelled travelled = traveller_.follow(start);
    if (travelled.selection)
      add(*travelled.selection, travelled.proved());
    else if (found_.undecided++ == 0)
      found_.why_undecided = travelled.why_open;
    const TracePoint& last = travelled.observed.run.last();
    runs.push_back({travelled.selection, last.norm, last.iteration, proof_of(travelled.proof)});
    proofs.push_back(std::move(travelled.proof));
    if (!first_) first_ = std::move(travelled.observed);
  }

  /// The errors along the path to the selection that most runs reach, and what is seen and proved of the first run, where it goes there.
  void expect_errors() {
    if (found_.reached.empty()) return;
    const Selection& selection = found_.reached.front().selection;
    const Eigen::VectorXd p_mm = *traveller_.limit(selection).direction;
    const bool local = selection != context_.study.best();
    const bool first_goes_there = runs.front().selection == selection;
    if (first_goes_there) found_.rate = proved_rate();
    for (const double norm : usual_norms) {
      ExpectedError expected{norm};
      if (const auto point = path_point_at(context_, selection, p_mm, local, norm)) expected.path_error = direction_error(*point, p_mm);
      if (first_goes_there && first_->selection == selection) expected.seen_error = error_at(*first_, norm);
      if (found_.rate) expected.bound = found_.rate->bound_at(norm);
      found_.expected.push_back(expected);
    }
  }

  std::vector<TravelledRun> runs;
  std::vector<LimitProof> proofs;

 private:
  void add(const Selection& selection, bool proved) {
    auto known = std::ranges::find(found_.reached, selection, &ReachedSelection::selection);
    if (known == found_.reached.end()) known = found_.reached.insert(known, {selection, 0, 0});
    ++known->runs;
    known->proved += proved ? 1 : 0;
  }

  static std::optional<RunProof> proof_of(const LimitProof& proof) {
    const ProvedLimit* proved = proof.proved();
    if (proved == nullptr) return std::nullopt;
    return RunProof{name_of(proved->by), proved->from_iterate,
                    proved->rate_constant ? std::optional(upper_double(*proved->rate_constant)) : std::nullopt};
  }

  /// C/norm from iterate K of the first run on.
  std::optional<ProvedRate> proved_rate() const {
    const std::optional<RunProof>& proof = runs.front().proof;
    if (!proof || !proof->rate_constant) return std::nullopt;
    const auto from = static_cast<std::int64_t>(proof->from_iterate);
    const auto reached = std::ranges::find_if(first_->run.trace, [&](const TracePoint& point) { return point.iteration >= from; });
    return reached == first_->run.trace.end() ? std::nullopt : std::optional(ProvedRate{*proof->rate_constant, reached->norm});
  }

  const ClaimContext& context_;
  Destinations& found_;
  Traveller traveller_;
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
  const auto planned = travel_plan(context, usual_travel);
  if (const auto* open = std::get_if<Finding>(&planned)) return *open;
  const DescentPlan& plan = std::get<DescentPlan>(planned);
  Finding finding;
  const auto* radius = context.request.find<Rational>("radius");
  const std::vector<Eigen::VectorXd> starts = drawn_starts(context, radius);
  Destinations found{radius ? nearest_double(*radius) : 0, starts.size()};
  Count count(context, plan, found);
  const bool few = context.request.find<std::int64_t>("random") == nullptr && starts.size() == static_cast<std::size_t>(least_starts);
  for (const Eigen::VectorXd& start : starts) {
    if (few && found.undecided == telling_starts && count.runs.size() == telling_starts) break;
    if (context.progress) context.progress(static_cast<double>(count.runs.size()) / static_cast<double>(starts.size()), "descent");
    count.follow(start);
  }
  found.starts = count.runs.size();
  std::ranges::stable_sort(found.reached, std::greater{}, &ReachedSelection::runs);
  count.expect_errors();
  const bool all_proved = std::ranges::all_of(count.runs, [](const TravelledRun& run) { return run.proof.has_value(); });
  finding.verdict = found.undecided == 0 ? Verdict::holds : Verdict::undecided;
  finding.grade = all_proved ? Grade::proved : Grade::observed;
  finding.message = fmt::format("{}: {}", starts_text(found), shares_text(found));
  if (found.undecided > 0) finding.message += "; the first that is open: " + found.why_undecided;
  if (all_proved) finding.certificate = count.proofs.front().certificate();
  finding.run_certificates = certificates_of(count.proofs);
  for (const ReachedSelection& one : found.reached) finding.discoveries.locally_optimal.push_back(one.selection);
  const double best_share = share_of(context.study.best(), found);
  finding.evidence = DestinationNumbers{name_of(plan.method), plan.step, std::move(found), best_share, std::move(count.runs)};
  return finding;
}

}  // namespace

std::optional<double> ProvedRate::bound_at(double norm) const {
  const double bound = constant / norm;
  return norm >= from_norm && bound < 2 ? std::optional(std::nextafter(bound, 2.0)) : std::nullopt;
}

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
  out("best_share", best_share)("undecided", found.undecided)("expected", found.expected)("rate", found.rate)("runs", runs);
}

Claim destinations_claim() {
  return {
      .schema = {"destinations",
                 {{"radius", ParameterKind::positive, false, "the norm of random starts", {}, "none: one run, from 0"},
                  {"random",
                   ParameterKind::count,
                   false,
                   "how many of them, drawn by the seed",
                   {},
                   "100; large data: 10, or the first 4 where these are all undecided"},
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
                  {"expected[].seen_error", "of the first run when it had that norm; null where it goes elsewhere, or never had it"},
                  {"expected[].bound",
                   "proved of the first run, from that norm on; null where the proof brings no rate, or is about larger norms"},
                  {"rate", "what is proved of the first run's direction error; null where the proof brings no rate"},
                  {"rate.constant", "it is at most this over the norm"},
                  {"rate.from_norm", "from this norm on"},
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
