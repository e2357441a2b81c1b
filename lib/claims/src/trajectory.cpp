#include "attest/base/tolerance.hpp"
#include "checkpoints.hpp"
#include "claim_list.hpp"
#include "limit_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace attest {
namespace {

/// Steps of plain descent from a checkpoint on that a proof may take before its theorem is applied.
constexpr std::size_t few_steps = 100;
constexpr std::size_t few_steps_of_weights = 20;

/// The run moves v, or the data have none: with v as its last checkpoint has it.
std::optional<Problem> with_last_head(const Problem& problem, const TrainingRun& run) {
  if (run.heads.empty()) return std::nullopt;
  const std::size_t d = problem.dimension();
  bool as_given = problem.v.has_value();
  for (std::size_t k = 0; as_given && k < run.heads.size(); ++k) as_given = run.heads[k] == problem.v->image()[k % d];
  if (as_given) return std::nullopt;
  Problem moved = problem;
  const auto last = run.heads.end() - static_cast<std::ptrdiff_t>(d);
  moved.v = ExactMatrix::from_doubles(1, d, {last, run.heads.end()});
  return moved;
}

/// Plain descent from a checkpoint on, which provably converges.
struct Certainty {
  std::size_t checkpoint;  ///< among those of the series
  LimitProof proof;
};

/// Looks for the first checkpoint from which descent with steps of 1/L_p provably goes to the selection. [docs/theory.md, Basin theorem,
/// Cone theorem, Wedge theorem]
class CertaintySearch {
 public:
  CertaintySearch(const ClaimContext& context, const CheckpointSeries& series)
      : context_(context), series_(series), step_(safe_step(context, series.parametrisation())) {}

  /// The last checkpoint must be certain; who is certain later is so earlier down to some checkpoint, as a rule: bisection.
  std::optional<Certainty> find(const Selection& selection) const {
    if (!step_) return std::nullopt;
    std::size_t certain = series_.size() - 1;
    LimitProof proof = prove(selection, certain);
    if (proof.proved() == nullptr) return std::nullopt;
    for (std::size_t open = 0; open < certain && !context_.budget.spent();) {
      const std::size_t middle = (open + certain) / 2;
      LimitProof earlier = prove(selection, middle);
      if (earlier.proved() == nullptr) {
        open = middle + 1;
      } else {
        certain = middle;
        proof = std::move(earlier);
      }
    }
    return Certainty{certain, std::move(proof)};
  }

 private:
  LimitProof prove(const Selection& selection, std::size_t k) const {
    std::vector<Rational> start;
    for (const double value : series_.point(k)) start.push_back(exact_value(value));
    if (std::ranges::all_of(start, [](const Rational& value) { return value == 0; })) start.clear();
    const bool weights = series_.parametrisation() == Parametrisation::weights;
    return {selection,
            context_.study.limit(selection, {series_.parametrisation(), StepRule::constant, exact_value(*step_), std::move(start)},
                                 LimitStarts::given, weights ? few_steps_of_weights : few_steps, context_.budget)};
  }

  const ClaimContext& context_;
  const CheckpointSeries& series_;
  std::optional<double> step_;
};

/// The run beside the theory, with what is proved of it.
struct TrackedRun {
  TrainingRun::Trained trained;
  bool own_head;  ///< v is that of the last checkpoint
  ObservedRun observed;
  std::vector<Checkpoint> checkpoints;
  Selection best;
  std::optional<Certainty> certainty = {};

  const Selection& selection() const { return observed.selection; }
  const Checkpoint& last() const { return checkpoints.back(); }
  bool heads_for_optimum() const { return observed.heads_for_limit() && observed.limit.locally_optimal; }
  /// Where it goes, seen or proved.
  std::optional<Selection> heads_for() const { return certainty || heads_for_optimum() ? std::optional(selection()) : std::nullopt; }
  const char* parameter() const { return trained == TrainingRun::Trained::prompt ? "p" : "W"; }
  const char* solution() const { return trained == TrainingRun::Trained::prompt ? "p^mm" : "W^mm"; }
};

struct Numbers {
  TrackedRun run;

  void write(Fields& out) const {
    const std::optional<LimitBound> bound = run.certainty ? std::optional(bound_of(*run.certainty->proof.proved())) : std::nullopt;
    out("trained", name_of(run.trained))("v", run.own_head ? "last checkpoint" : "data")("checkpoints", run.checkpoints)(
        "heads_for", run.heads_for())("best", run.best)("norm", run.last().norm)("direction_error", run.last().direction_error)(
        "heading_error", run.observed.heading_error)("expected_error", run.last().path_error)("rate", run.observed.rate)(
        "limit", run.observed.limit.direction)(
        "certain_from", run.certainty ? std::optional(run.checkpoints[run.certainty->checkpoint].index) : std::nullopt);
    write_bound(bound, out);
  }
};

/// Of the study, or of the nuclear program: where the run ends if it ends at that selection.
Limit limit_of(const ClaimContext& context, TrainingRun::Trained trained, const Selection& selection) {
  if (trained == TrainingRun::Trained::factors) return nuclear_limit(context, selection);
  return DescentLaboratory(context, trained == TrainingRun::Trained::prompt ? Parametrisation::prompt : Parametrisation::weights)
      .limit(selection);
}

void add_errors(const ClaimContext& context, const CheckpointSeries& series, TrackedRun& run) {
  const Limit best = limit_of(context, series.trained(), run.best);
  for (std::size_t k = 0; k < run.checkpoints.size(); ++k) {
    const auto error = [&](const Limit& limit) {
      const bool there = limit.direction && run.checkpoints[k].norm > 0;
      return there ? std::optional(direction_error(series.point(k), *limit.direction)) : std::nullopt;
    };
    run.checkpoints[k].direction_error = error(run.observed.limit);
    run.checkpoints[k].best_error = error(best);
  }
  if (!run.observed.limit.direction) return;
  const auto errors = path_errors(context, series, run.selection(), *run.observed.limit.direction);
  for (std::size_t k = 0; k < errors.size(); ++k) run.checkpoints[k].path_error = errors[k];
}

/// At the selection of its last checkpoint, or at the best one where that is proved to be its limit: a run is in the basin before it
/// selects.
TrackedRun follow(const ClaimContext& context, const TrainingRun& run, bool own_head) {
  const CheckpointSeries series(run);
  const Scores& scores = context.study.scores();
  DescentRun trace = series.trace(context.problem(), scores);
  std::vector<Checkpoint> checkpoints = series.observe(context.problem(), trace, scores);
  Selection selection = trace.last().selection;
  Limit limit = limit_of(context, run.trained, selection);
  const Selection& best = context.study.best();
  std::optional<Certainty> certainty;
  if (!own_head && run.trained != TrainingRun::Trained::factors) {
    const CertaintySearch search(context, series);
    if (limit.locally_optimal) certainty = search.find(selection);
    if (!certainty && best != selection) certainty = search.find(best);
    if (certainty && certainty->proof.selection() != selection) {
      selection = best;
      limit = limit_of(context, run.trained, best);
    }
  }
  TrackedRun tracked{
      run.trained,         own_head, compare_with_limit(std::move(trace), selection, std::move(limit)), std::move(checkpoints), best,
      std::move(certainty)};
  add_errors(context, series, tracked);
  return tracked;
}

/// "(2, 1), the largest scores", or "(2, 1), not α* = (0, 1), the largest scores".
std::string called(const TrackedRun& run) {
  if (run.selection() == run.best) return fmt::format("α* = {}, the largest scores", to_string(run.best));
  return fmt::format("{}, not α* = {}, the largest scores", to_string(run.selection()), to_string(run.best));
}

/// How far it is from its limit beside what can be expected at its norm.
std::string beside_the_path(const TrackedRun& run) {
  const auto& error = run.last().direction_error;
  const auto& expected = run.last().path_error;
  if (!error) return "";
  return fmt::format("; its direction error is {:.2g}{}", *error,
                     expected ? fmt::format(", the path's at that norm {:.2g}", *expected) : "");
}

/// Why it is open where the run goes.
std::string why_open(const TrackedRun& run) {
  const std::string norm = fmt::format("norm {:.4g}", run.last().norm);
  const ObservedRun& observed = run.observed;
  if (run.checkpoints.size() == 1) return fmt::format("one checkpoint does not say where it goes: at {} it selects {}", norm, called(run));
  if (!observed.still_grows())
    return fmt::format(
        "at {} it no longer grows: it ends at a finite {} that prefers {}, and no theorem says where (weight decay, or steps that shrink?)",
        norm, run.parameter(), to_string(run.selection()));
  const std::optional<double> expected = run.last().path_error;
  if (!observed.saturated() || (expected && !(*expected <= heading_tolerance.distance)))
    return fmt::format("{} is too small to tell{}; so far it selects {}{}", norm,
                       expected ? fmt::format(", expect error {:.2g} there", *expected) : "", called(run), beside_the_path(run));
  const std::string at = fmt::format("at {} it selects {}", norm, called(run));
  if (!observed.limit.direction) return fmt::format("{}, whose SVM has no known direction", at);
  if (!observed.limit.locally_optimal) return fmt::format("{}, which is not locally optimal: a longer run leaves it", at);
  if (!(observed.heading_error && *observed.heading_error <= heading_tolerance.distance))
    return fmt::format("{}, but from half that norm on it moves in a direction {:.2g} away from {}", at,
                       observed.heading_error.value_or(std::numeric_limits<double>::quiet_NaN()), run.solution());
  return fmt::format("{}, but not all along from half that norm on", at);
}

std::string where_to(const TrackedRun& run) {
  std::string text = fmt::format("heads for {}", called(run));
  if (run.last().direction_error)
    text += fmt::format("; direction error {:.3g} at norm {:.4g}", *run.last().direction_error, run.last().norm);
  if (run.last().path_error) text += fmt::format(", the path's is {:.3g}", *run.last().path_error);
  return text;
}

/// A run whose direction error grew again, though its selection stayed: descent on the loss would not do that. Empty for others.
std::string turned_away(const TrackedRun& run) {
  constexpr double grown = 1.5;
  const Checkpoint* closest = nullptr;
  for (const Checkpoint& one : run.checkpoints)
    if (one.selection == run.selection() && one.direction_error && (!closest || *one.direction_error < *closest->direction_error))
      closest = &one;
  const auto& last = run.last().direction_error;
  if (!closest || !last || !(*last > grown * *closest->direction_error) || !run.observed.saturated()) return "";
  return fmt::format(
      "; since step {:g}, where its error was {:.2g}, the run itself moves away from {}: another geometry, or gradients that are rounding "
      "at such norms",
      closest->step, *closest->direction_error, run.solution());
}

std::string certainty_text(const TrackedRun& run) {
  const auto parametrisation = run.trained == TrainingRun::Trained::prompt ? Parametrisation::prompt : Parametrisation::weights;
  return fmt::format("plain descent from checkpoint {} provably converges to {}: {}", run.checkpoints[run.certainty->checkpoint].index,
                     to_string(run.selection()), bound_of(*run.certainty->proof.proved()).text(parametrisation));
}

std::string remarks(const TrackedRun& run, const TrainingRun& given) {
  std::string text = turned_away(run);
  if (run.own_head) text += "; v is that of the last checkpoint, and nothing is proved";
  if (run.trained == TrainingRun::Trained::factors) text += "; judged by W = K Q^T and the nuclear W-SVM";
  if (!given.unread.empty()) text += fmt::format("; not looked at: {}", fmt::join(given.unread, ", "));
  return text;
}

/// What is proved outweighs what is seen. A run that is seen elsewhere than it should be may still turn: only a proof refutes.
void judge(const TrackedRun& run, const Selection* reaches, Finding& finding) {
  const bool elsewhere = reaches != nullptr && run.selection() != *reaches;
  const std::string instead = elsewhere ? fmt::format(", not for {}", to_string(*reaches)) : "";
  if (run.certainty) {
    finding.verdict = elsewhere ? Verdict::fails : Verdict::holds;
    finding.grade = Grade::proved;
    finding.certificate = run.certainty->proof.certificate();
    finding.message = fmt::format("{}{}; {}", where_to(run), instead, certainty_text(run));
  } else if (run.heads_for_optimum()) {
    finding.verdict = elsewhere ? Verdict::undecided : Verdict::holds;
    finding.message = fmt::format("{}{}", where_to(run), elsewhere ? instead + ", though nothing proves that it ends there" : "");
  } else {
    finding.message = why_open(run);
  }
}

Finding check(const ClaimContext& given) {
  Finding finding;
  const auto* named = given.request.find<TrainingRun>("run");
  if (named == nullptr || given.budget.spent()) {
    finding.message = named == nullptr ? "no run is given" : "the time was up before the run was looked at";
    return finding;
  }
  const TrainingRun& run = *named;
  std::optional<Problem> moved = with_last_head(given.problem(), run);
  const bool own_head = moved.has_value();
  std::optional<Study> own;
  if (moved) own.emplace(std::move(*moved));
  const ClaimContext context{own ? *own : given.study, given.request, given.seed, given.budget, given.progress};
  TrackedRun tracked = follow(context, run, own_head);
  judge(tracked, given.request.find<Selection>("reaches"), finding);
  finding.message += remarks(tracked, run);
  finding.selection = tracked.heads_for();
  finding.evidence = Numbers{std::move(tracked)};
  return finding;
}

}  // namespace

Claim trajectory_claim() {
  return {
      .schema = {"trajectory",
                 {{"run", ParameterKind::run, true, "the training run", {}},
                  {"reaches", ParameterKind::selection, false, "the selection that it must head for", {}, "any locally optimal one"}},
                 {}},
      .title = "A training run heads for a locally optimal selection",
      .summary = "a training run heads for a locally optimal selection",
      .source = "[MM; TS]",
      .words =
          "The checkpoints of a training run, whatever optimiser made it, head for the max-margin direction of a locally optimal "
          "selection.",
      .formula =
          R"(\frac{p_k}{\|p_k\|} \to \frac{p^{\mathrm{mm}}(\alpha)}{\|p^{\mathrm{mm}}(\alpha)\|} \quad \text{for a locally optimal } \alpha)",
      .text =
          "The run is a .npz file with p (steps, d), or W (steps, d, d), or K and Q (steps, d, m), and perhaps v (steps, d) and step "
          "(steps,), "
          "relative to the case. p is a prompt for the keys of the data, softmax(K_i p); W, and W = K Q^T, are the weights of softmax(X_i "
          "W "
          "z_i), whose limits are the Frobenius and the nuclear W-SVM. Of more than 1000 checkpoints 1000 are looked at, evenly spaced. v "
          "is "
          "the data's; where the run has another one, or one that moves, all is judged by v as the last checkpoint has it.\n"
          "Each checkpoint is measured in arithmetic that is true at any norm: its loss, the tokens with the largest logits, the direction "
          "error to the exact p^mm (W^mm) of the selection that the run is at in the end and to that of the largest scores, and beside it "
          "path_error, that of the regularisation path at the same norm (nuclear norm for K, Q), which says what error to expect "
          "there. No theorem speaks of Adam, momentum or noise: what is seen of them is observed.\n"
          "Holds, observed: as for descent, the last stretch, from half the final norm on, selects the same tokens, points to p^mm "
          "within 0.05, the selected logits lead by at least 10 and the norm still grows; and the selection is locally optimal, decided "
          "exactly (K, Q: at the nuclear solution that was found), and that of `reaches`.\n"
          "Holds, proved: plain gradient descent with steps of 1/L_p, started at the last checkpoint, provably converges to p^mm of the "
          "selection; the checkpoint is taken as the doubles of the file, and at most 100 steps (W: 20) are enclosed before the theorem is "
          "applied. certain_from is the first checkpoint, found by bisection, from which that is so, and the certificate (descent-basin, "
          "descent-cone or descent-wedge) is about it. It says where plain descent goes from there, not what another optimiser does next.\n"
          "Fails, proved: that limit is another than `reaches`. Undecided: all else; the message says whether the norm is too small, and "
          "what error to expect at that norm.",
      .numbers = {{"trained", "what the run trains: p, W or K, Q"},
                  {"v", "whose v it is judged by: the data's, or that of the last checkpoint"},
                  {"checkpoints", "the checkpoints, in order"},
                  {"checkpoints[].checkpoint", "its place in the file, from 0"},
                  {"checkpoints[].step", "the file's step, or the place"},
                  {"checkpoints[].norm", "of p, or of W (Frobenius)"},
                  {"checkpoints[].loss", "L"},
                  {"checkpoints[].log_excess", "log(L - L*)"},
                  {"checkpoints[].attention", "the least attention that a sample gives to its selected token"},
                  {"checkpoints[].selection", "the largest logits"},
                  {"checkpoints[].direction_error", "|a/|a| - b/|b|| to p^mm of the selection that the run is judged by; null without one"},
                  {"checkpoints[].best_error", "the same to p^mm of the largest scores"},
                  {"checkpoints[].path_error",
                   "of the regularisation path at the same norm, to the first of these; null where no point is verified; between 48 norms "
                   "interpolated"},
                  {"heads_for", "the selection that it heads for, seen or proved; null where that is open"},
                  {"best", "the selection of the largest scores"},
                  {"norm", "of the last checkpoint"},
                  {"direction_error", "of the last checkpoint"},
                  {"heading_error", "direction error of the last stretch, from half the final norm on"},
                  {"expected_error", "path_error of the last checkpoint"},
                  {"rate", "slope of log error over log norm at large norms; null where it cannot be measured"},
                  {"limit", "p^mm, or W^mm by rows, of the selection that it is judged by"},
                  {"certain_from", "the first checkpoint from which plain descent provably converges; null without a proof"},
                  {"proved_by", "how: cone, basin or wedge (docs/theory.md)"},
                  {"from_iterate", "the iterate of plain descent, from that checkpoint on, that the theorem is applied to"},
                  {"rate_constant", "by the cone: the direction error of plain descent is at most this over the norm; rounded up"}},
      .section = AuditSection::numerics,
      .check = check};
}

}  // namespace attest
