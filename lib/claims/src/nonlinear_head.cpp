#include "attest/base/tolerance.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/head_flow.hpp"
#include "claim_list.hpp"
#include "sampling.hpp"
#include "worst.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::int64_t default_runs = 10;

/// How a run compares with the prediction W = W_fin + C W^mm.
enum class Comparison {
  agreed,      ///< direction and finite part are those predicted
  differed,    ///< the sets are clear and the program is feasible, but they are not
  ambiguous,   ///< the sets are not clear: the run did not settle, or they hang on how a kink is smoothed
  infeasible,  ///< the generalised SVM of the sets has no solution
};

std::string to_string(Comparison comparison) {
  switch (comparison) {
    case Comparison::agreed: return "agreed";
    case Comparison::differed: return "differed";
    case Comparison::ambiguous: return "ambiguous";
    case Comparison::infeasible: return "infeasible";
  }
  return {};
}

/// A run beside the prediction.
struct RunErrors {
  double norm;  ///< of the last W
  double direction_error;
  double increment_error;
  double rate;
  double finite_part_error;
  double correlation;
  double correlation_with_finite_part;
};

struct ComparedRun {
  Comparison comparison = Comparison::ambiguous;
  std::string reason = {};
  std::optional<TokenSets> sets = {};    ///< once the run separated tokens
  std::optional<double> objective = {};  ///< of their generalised SVM, where it has a solution
  std::optional<RunErrors> errors = {};  ///< of every run that agreed or differed

  void write(Fields& out) const {
    out("end", to_string(comparison));
    if (sets) out("selected_sets", *sets);
    if (objective) out("objective", *objective);
    if (errors)
      out("norm", errors->norm)("direction_error", errors->direction_error)("increment_error", errors->increment_error)(
          "rate", errors->rate)("finite_part_error", errors->finite_part_error)("correlation", errors->correlation)(
          "correlation_with_finite_part", errors->correlation_with_finite_part);
    if (!reason.empty()) out("reason", reason);
  }
};

MatrixXd image_of_solution(const SvmProgram& program, const SvmSolution& solution) {
  const std::vector<Rational> exact = weight_matrix(program, solution);
  const auto d = static_cast<Eigen::Index>(program.dimension());
  MatrixXd W(d, d);
  for (Eigen::Index r = 0; r < d; ++r)
    for (Eigen::Index c = 0; c < d; ++c) W(r, c) = nearest_double(exact[static_cast<std::size_t>(r * d + c)]);
  return W;
}

/// The run from half its norm on. Where W = W_fin + C W^mm + o(1), increments point along W^mm, and the direction error of W itself,
/// which W_fin leaves, falls like 1/|W|; towards another limit it would stay.
struct LastStretch {
  double increment_error;
  double rate;  ///< slope of log direction error over log |W|

  LastStretch(const HeadRun& run, const VectorXd& w) {
    const VectorXd& last = run.points.back();
    std::size_t from = run.points.size() - 1;
    while (from > 0 && run.points[from].norm() > last.norm() / 2) --from;
    const VectorXd& half = run.points[from];
    increment_error = direction_error(last - half, w);
    rate = std::log(direction_error(last, w) / direction_error(half, w)) / std::log(last.norm() / half.norm());
  }
};

/// [TS] W ~ W_fin + C W^mm: W^mm the generalised SVM's solution, W_fin in the span of differences inside the sets.
void compare_with_prediction(ComparedRun& compared, const HeadModel& model, const HeadRun& run, const VectorXd& w) {
  const VectorXd& last = run.points.back();
  const VectorXd& earlier = run.points[run.points.size() * 2 / 3];
  const MatrixXd span = model.finite_span(run.sets);
  const VectorXd inside = span.transpose() * last;
  const VectorXd rest = last - span * inside;
  const VectorXd predicted = span.cols() == 0 ? VectorXd(0) : finite_part(model, run.sets, span, span.transpose() * earlier);
  if (span.cols() > 0 && predicted.size() == 0) {
    compared.reason = "the finite part has no single minimiser";
    return;
  }
  const LastStretch stretch(run, w);
  const VectorXd prediction = span * predicted + rest.dot(w) / w.squaredNorm() * w;
  compared.errors = RunErrors{.norm = last.norm(),
                              .direction_error = direction_error(last, w),
                              .increment_error = stretch.increment_error,
                              .rate = stretch.rate,
                              .finite_part_error = (inside - predicted).norm() / (1 + predicted.norm()),
                              .correlation = last.dot(w) / (last.norm() * w.norm()),
                              .correlation_with_finite_part = last.dot(prediction) / (last.norm() * prediction.norm())};
  const bool falls = compared.errors->direction_error <= direction_floor.distance || stretch.rate <= head_rate_tolerance.exponent - 1;
  const bool agreed = stretch.increment_error <= heading_tolerance.distance && falls &&
                      compared.errors->finite_part_error <= finite_part_tolerance.relative;
  compared.comparison = agreed ? Comparison::agreed : Comparison::differed;
  if (!agreed) compared.reason = "the run does not move as predicted, or not yet";
}

void compare_separated(ComparedRun& compared, const ClaimContext& context, const HeadModel& model, const HeadRun& run) {
  const SvmProgram program = SvmProgram::w_svm(context.study.tokens(), run.sets);
  const SvmOutcome outcome = decide_svm(program, {}, context.budget);
  if (const auto* undecided = std::get_if<SvmUndecided>(&outcome)) {
    compared.reason = undecided->reason;
    return;
  }
  const auto* solution = std::get_if<SvmSolution>(&outcome);
  if (!solution) {
    compared.comparison = Comparison::infeasible;
    compared.reason = "the generalised SVM of the selected sets is infeasible";
    return;
  }
  compared.objective = nearest_double(solution->objective);
  if (solution->objective == 0) {
    compared.reason = "every token is selected: the prediction has no direction";
    return;
  }
  compare_with_prediction(compared, model, run, model.coordinates(image_of_solution(program, *solution)));
}

/// The models whose runs must agree: one for a smooth head, two widths for a kink.
std::vector<HeadModel> models_of(const Problem& problem, const Head& head) {
  const double width = kink_width.relative * activation_scale(problem, head);
  std::vector<HeadModel> models;
  models.emplace_back(problem, head, width);
  if (!head.activation) models.emplace_back(problem, head, width / 4);
  return models;
}

ComparedRun compare_run(const ClaimContext& context, const std::vector<HeadModel>& models, const MatrixXd& start,
                        const HeadFlowSettings& settings) {
  ComparedRun compared;
  std::vector<HeadRun> runs;
  for (const HeadModel& model : models) {
    runs.push_back(follow_head_flow(model, model.coordinates(start), settings, context.budget));
    if (runs.back().end != HeadRun::End::separated) {
      compared.reason = "the run ended " + to_string(runs.back().end);
      return compared;
    }
  }
  compared.sets = runs.back().sets;
  if (runs.front().sets != runs.back().sets) {
    compared.reason = "the selected sets hang on how relu is smoothed";
    return compared;
  }
  compare_separated(compared, context, models.back(), runs.back());
  return compared;
}

/// Entries uniform between -1/sqrt(d) and 1/sqrt(d), as the second paper's experiments start.
MatrixXd draw_start(Sampler& sampler, Eigen::Index d) {
  MatrixXd W(d, d);
  for (double& entry : W.reshaped()) entry = (2 * sampler.uniform() - 1) / std::sqrt(static_cast<double>(d));
  return W;
}

/// What all runs say together.
struct Numbers {
  std::vector<ComparedRun> runs;

  std::int64_t count(Comparison comparison) const { return std::ranges::count(runs, comparison, &ComparedRun::comparison); }

  void write(Fields& out) const {
    out("trained", runs.size());
    for (const Comparison comparison : {Comparison::agreed, Comparison::differed, Comparison::ambiguous, Comparison::infeasible})
      out(to_string(comparison), count(comparison));
    const auto first = std::ranges::find(runs, Comparison::agreed, &ComparedRun::comparison);
    out("selected_sets", first == runs.end() ? std::nullopt : first->sets)("direction_error", worst(&RunErrors::direction_error))(
        "finite_part_error", worst(&RunErrors::finite_part_error))("increment_tolerance", heading_tolerance.distance)(
        "rate_tolerance", head_rate_tolerance.exponent)("finite_part_tolerance", finite_part_tolerance.relative)("runs", runs);
  }

 private:
  /// Of the runs that agreed.
  std::optional<double> worst(double RunErrors::*error) const {
    if (count(Comparison::agreed) == 0) return std::nullopt;
    Worst worst;
    for (const ComparedRun& run : runs)
      if (run.comparison == Comparison::agreed) worst.see((*run.errors).*error);
    return worst.value();
  }
};

Finding conclude(std::vector<ComparedRun> runs) {
  const Numbers numbers{std::move(runs)};
  const auto agreed = numbers.count(Comparison::agreed);
  const auto differed = numbers.count(Comparison::differed);
  Finding finding;
  finding.verdict = agreed > 0 && differed == 0 ? Verdict::holds : Verdict::undecided;
  finding.message = fmt::format("{} of {} runs as predicted, {} not, {} ambiguous, {} infeasible", agreed, numbers.runs.size(), differed,
                                numbers.count(Comparison::ambiguous), numbers.count(Comparison::infeasible));
  finding.evidence = numbers;
  return finding;
}

/// Whether some W tells two tokens of a sample apart: they differ, and the sample's query is not 0.
bool can_select(const Problem& problem) {
  const auto is_zero = [&](const ExactMatrix& matrix, std::size_t row) {
    for (std::size_t k = 0; k < problem.dimension(); ++k)
      if (matrix.at(row, k) != 0) return false;
    return true;
  };
  const auto differs = [&](const ExactMatrix& tokens, std::size_t t) {
    for (std::size_t k = 0; k < problem.dimension(); ++k)
      if (tokens.at(t, k) != tokens.at(0, k)) return true;
    return false;
  };
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    if (problem.queries ? is_zero(*problem.queries, i) : is_zero(problem.tokens[i], 0)) continue;
    for (std::size_t t = 1; t < problem.token_count(i); ++t)
      if (differs(problem.tokens[i], t)) return true;
  }
  return false;
}

/// The finding when no W changes any attention; none when one does.
std::optional<Finding> nothing_to_select(const Problem& problem) {
  const bool lone = std::ranges::all_of(problem.tokens, [](const ExactMatrix& sample) { return sample.rows() == 1; });
  if (!lone && can_select(problem)) return std::nullopt;
  Finding finding;
  finding.verdict = Verdict::inapplicable;
  finding.message = "in every sample the tokens are equal or the query is 0: W changes no attention, and there is nothing to select";
  if (!lone) return finding;
  finding.grade = Grade::proved;
  finding.message = "every sample has one token: there is nothing to select";
  finding.certificate = certified::SvmOptimal{SvmProgram::Kind::w, Selection(problem.sample_count(), 0), 0, {}, {}, {}};
  return finding;
}

HeadFlowSettings flow_settings(const ClaimRequest& request) {
  HeadFlowSettings settings;
  if (const auto* step = request.find<Rational>("step")) settings.step = nearest_double(*step);
  if (const auto* iterations = request.find<std::int64_t>("iterations"))
    settings.steps = static_cast<int>(std::min<std::int64_t>(*iterations, 1'000'000));
  return settings;
}

Finding check(const ClaimContext& context) {
  const Problem& problem = context.problem();
  if (auto finding = nothing_to_select(problem)) return *std::move(finding);
  const std::vector<HeadModel> models = models_of(problem, *context.request.find<Head>("head"));
  if (models.front().dimension() == 0) {
    Finding finding;
    finding.message = "differences of tokens times queries are too small or too large for doubles";
    return finding;
  }
  const auto* wanted = context.request.find<std::int64_t>("runs");
  const HeadFlowSettings settings = flow_settings(context.request);
  Sampler sampler(context.seed);
  std::vector<ComparedRun> runs;
  for (std::int64_t k = 0; k < (wanted ? *wanted : default_runs); ++k)
    runs.push_back(compare_run(context, models, draw_start(sampler, static_cast<Eigen::Index>(problem.dimension())), settings));
  Finding finding = conclude(std::move(runs));
  if (context.budget.spent()) {
    finding.verdict = Verdict::undecided;
    finding.message = "the time was up: " + finding.message;
  }
  return finding;
}

}  // namespace

Claim nonlinear_head_claim() {
  return {
      .schema = {"nonlinear-head",
                 {{"head",
                   ParameterKind::head,
                   true,
                   "{\"expression\": \"tanh(u)\"} with u = v.x, or {\"weights\", \"activation\", \"output\", \"bias\"}",
                   {}},
                  {"runs", ParameterKind::count, false, "how many random starts", {}, "10"},
                  {"step", ParameterKind::positive, false, "length of a step", {}, "0.2"},
                  {"iterations", ParameterKind::count, false, "steps of a run at most", {}, "4000"}},
                 {}},
      .title = "Nonlinear heads",
      .summary = "descent on W with a nonlinear head moves as predicted",
      .source = "[TS]",
      .words =
          "With a nonlinear head descent selects sets of tokens: a finite part weighs them, and an unbounded part follows "
          "the generalised SVM.",
      .formula = R"(W(k) \approx W^{\mathrm{fin}} + C_k W^{\mathrm{mm}}, \quad W^{\mathrm{fin}} \perp W^{\mathrm{mm}})",
      .text =
          "With a head h that is not linear, descent on W may select a set O_i of tokens of a sample. Predicted is W ~ W_fin + C W^mm, C "
          "growing: W^mm the solution of the generalised SVM, minimise 1/2 |W|^2 subject to (x_ia - x_it).W z_i >= 1 for a in O_i, t not "
          "in "
          "O_i, and (x_ia - x_ib).W z_i = 0 for a, b in O_i; W_fin in the span of the (x_ia - x_ib) z_i^T, where it minimises the loss of "
          "attention that is shared inside the sets.\n"
          "The head is an expression of u = v.x, such as {\"expression\": \"tanh(u)\"} (needs v), or a network of two layers, "
          "{\"weights\": "
          "[[...], ...], \"activation\": \"relu\", \"output\": [...], \"bias\": [...]}: sum_k output_k phi(weights_k.x + bias_k) with phi "
          "relu, tanh or sigmoid; output is 1 and bias 0 unless given.\n"
          "Each run follows gradient flow on W by implicit steps from a random start, entries uniform within 1/sqrt(d) of 0, of which the "
          "part that descent can change is taken, until every token has at least 1e-2 of the attention (it is selected) or at most 1e-13. "
          "W^mm is found in exact arithmetic, W_fin by Newton's method. A run has agreed when from half its norm on it moves along W^mm "
          "within 0.05, its direction error falls like 1/|W| or faster (slope of the logarithms at most -0.8), and its part in the span is "
          "W_fin within 1e-3, relative; otherwise it differed, or is not there yet. It is ambiguous when its sets are not clear: it did "
          "not "
          "settle, every token is selected, the finite part has no single minimiser, or, with relu, the sets hang on the width (1e-3 and "
          "2.5e-4 of the largest "
          "argument) over which the kink is smoothed. It is infeasible when the generalised SVM is.\n"
          "Holds, observed: some run agreed and none that could be compared differed. Undecided otherwise: no finite run refutes a limit.\n"
          "Inapplicable: there is nothing to select. Every sample has one token (proved; certificate svm-optimal of w-svm, with objective "
          "0), "
          "or in every sample the tokens are equal or the query is 0, so that no W changes any attention.",
      .numbers = {{"trained", "how many runs"},
                  {"agreed", "how many of them agreed"},
                  {"differed", "how many differed"},
                  {"ambiguous", "how many are ambiguous"},
                  {"infeasible", "how many have an infeasible generalised SVM"},
                  {"selected_sets", "of the first run that agreed: the tokens O_i of each sample; null without one"},
                  {"direction_error", "|a/|a| - b/|b|| of W against W^mm, the worst of the runs that agreed; null without one"},
                  {"finite_part_error",
                   "relative, of the part in the span against W_fin, the worst of the runs that agreed; null without one"},
                  {"increment_tolerance", "what increment_error may be"},
                  {"rate_tolerance", "by how much rate may exceed -1"},
                  {"finite_part_tolerance", "what finite_part_error may be"},
                  {"runs", "all of them"},
                  {"runs[].end", "agreed, differed, ambiguous or infeasible"},
                  {"runs[].selected_sets", "the sets O_i, once tokens are separated"},
                  {"runs[].objective", "1/2 |W^mm|^2"},
                  {"runs[].norm", "of W at the end"},
                  {"runs[].direction_error", "of W against W^mm"},
                  {"runs[].increment_error", "direction error of the stretch from half the norm on"},
                  {"runs[].rate", "slope of log direction error over log norm on that stretch"},
                  {"runs[].finite_part_error", "of the part in the span against W_fin"},
                  {"runs[].correlation", "cosine of W and W^mm"},
                  {"runs[].correlation_with_finite_part", "cosine of W and W_fin + C W^mm"},
                  {"runs[].reason", "why it did not agree"}},
      .section = AuditSection::numerics,
      .check = check};
}

}  // namespace attest
