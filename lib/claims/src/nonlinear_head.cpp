#include "attest/base/tolerance.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/head_flow.hpp"
#include "claim_list.hpp"
#include "sampling.hpp"
#include "svm_decision.hpp"
#include "worst.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

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

struct ComparedRun {
  Comparison comparison = Comparison::ambiguous;
  std::string reason;
  Json numbers = Json::object();
  double direction_error = 0;
  double finite_part_error = 0;
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
  compared.direction_error = direction_error(last, w);
  compared.finite_part_error = (inside - predicted).norm() / (1 + predicted.norm());
  const LastStretch stretch(run, w);
  const VectorXd prediction = span * predicted + rest.dot(w) / w.squaredNorm() * w;
  compared.numbers["norm"] = last.norm();
  compared.numbers["direction_error"] = compared.direction_error;
  compared.numbers["increment_error"] = stretch.increment_error;
  compared.numbers["rate"] = std::isfinite(stretch.rate) ? Json(stretch.rate) : Json();
  compared.numbers["finite_part_error"] = compared.finite_part_error;
  compared.numbers["correlation"] = last.dot(w) / (last.norm() * w.norm());
  compared.numbers["correlation_with_finite_part"] = last.dot(prediction) / (last.norm() * prediction.norm());
  const bool falls = compared.direction_error <= direction_floor.distance || stretch.rate <= head_rate_tolerance.exponent - 1;
  const bool agreed =
      stretch.increment_error <= heading_tolerance.distance && falls && compared.finite_part_error <= finite_part_tolerance.relative;
  compared.comparison = agreed ? Comparison::agreed : Comparison::differed;
  if (!agreed) compared.reason = "the run does not move as predicted, or not yet";
}

void compare_separated(ComparedRun& compared, const ClaimContext& context, const HeadModel& model, const HeadRun& run) {
  const ExactTokens tokens(context.problem);
  const SvmProgram program = SvmProgram::w_svm(tokens, run.sets);
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
  compared.numbers["objective"] = nearest_double(solution->objective);
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
  compared.numbers["selected_sets"] = runs.back().sets;
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

Finding conclude(const std::vector<ComparedRun>& runs) {
  Finding finding;
  const auto count = [&](Comparison comparison) { return std::ranges::count(runs, comparison, &ComparedRun::comparison); };
  Worst direction;
  Worst finite;
  Json sets;
  Json list = Json::array();
  for (const ComparedRun& run : runs) {
    Json entry = {{"end", to_string(run.comparison)}};
    entry.update(run.numbers);
    if (!run.reason.empty()) entry["reason"] = run.reason;
    list.push_back(std::move(entry));
    if (run.comparison != Comparison::agreed) continue;
    if (sets.is_null()) sets = run.numbers.at("selected_sets");
    direction.see(run.direction_error);
    finite.see(run.finite_part_error);
  }
  const auto agreed = count(Comparison::agreed);
  finding.numbers["trained"] = runs.size();
  for (const Comparison comparison : {Comparison::agreed, Comparison::differed, Comparison::ambiguous, Comparison::infeasible})
    finding.numbers[to_string(comparison)] = count(comparison);
  finding.numbers["selected_sets"] = sets;
  finding.numbers["direction_error"] = agreed > 0 ? Json(direction.value()) : Json();
  finding.numbers["finite_part_error"] = agreed > 0 ? Json(finite.value()) : Json();
  finding.numbers["increment_tolerance"] = heading_tolerance.distance;
  finding.numbers["rate_tolerance"] = head_rate_tolerance.exponent;
  finding.numbers["finite_part_tolerance"] = finite_part_tolerance.relative;
  finding.numbers["runs"] = std::move(list);
  finding.verdict = agreed > 0 && count(Comparison::differed) == 0 ? Verdict::holds : Verdict::undecided;
  finding.message = fmt::format("{} of {} runs as predicted, {} not, {} ambiguous, {} infeasible", agreed, runs.size(),
                                count(Comparison::differed), count(Comparison::ambiguous), count(Comparison::infeasible));
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

Finding check(const ClaimContext& context) {
  const Problem& problem = context.problem;
  const bool lone = std::ranges::all_of(problem.tokens, [](const ExactMatrix& sample) { return sample.rows() == 1; });
  if (lone) {
    Finding finding;
    finding.verdict = Verdict::inapplicable;
    finding.grade = Grade::proved;
    finding.message = "every sample has one token: there is nothing to select";
    finding.certificate = certify(certified::SvmOptimal{SvmProgram::Kind::w, Selection(problem.sample_count(), 0), 0, {}, {}, {}});
    return finding;
  }
  if (!can_select(problem)) {
    Finding finding;
    finding.verdict = Verdict::inapplicable;
    finding.message = "in every sample the tokens are equal or the query is 0: W changes no attention, and there is nothing to select";
    return finding;
  }
  const auto* step = context.request.find<Rational>("step");
  const auto* iterations = context.request.find<std::int64_t>("iterations");
  const auto* wanted = context.request.find<std::int64_t>("runs");
  HeadFlowSettings settings;
  if (step) settings.step = nearest_double(*step);
  if (iterations) settings.steps = static_cast<int>(std::min<std::int64_t>(*iterations, 1'000'000));
  const std::vector<HeadModel> models = models_of(problem, *context.request.find<Head>("head"));
  if (models.front().dimension() == 0) {
    Finding finding;
    finding.message = "differences of tokens times queries are too small or too large for doubles";
    return finding;
  }
  Sampler sampler(context.seed);
  std::vector<ComparedRun> runs;
  for (std::int64_t k = 0; k < (wanted ? *wanted : default_runs); ++k)
    runs.push_back(compare_run(context, models, draw_start(sampler, static_cast<Eigen::Index>(problem.dimension())), settings));
  Finding finding = conclude(runs);
  if (context.budget.spent()) {
    finding.verdict = Verdict::undecided;
    finding.message = "the time was up: " + finding.message;
  }
  return finding;
}

}  // namespace

Claim nonlinear_head_claim() {
  return {{"nonlinear-head",
           {{"head", ParameterKind::head, true,
             "{\"expression\": \"tanh(u)\"} with u = v.x, or {\"weights\", \"activation\", \"output\", \"bias\"}", {}},
            {"runs", ParameterKind::count, false, "how many random starts (default: 10)", {}},
            {"step", ParameterKind::positive, false, "length of a step (default: 0.2)", {}},
            {"iterations", ParameterKind::count, false, "steps of a run at most (default: 4000)", {}}},
           {}},
          "descent on W with a nonlinear head moves as predicted",
          "[TS] With a head h that is not linear, descent on W may select a set O_i of tokens of a sample. Predicted is\n"
          "W ~ W_fin + C W^mm, C growing: W^mm the solution of the generalised SVM, minimise 1/2 |W|^2 subject to\n"
          "(x_ia - x_it).W z_i >= 1 for a in O_i, t not in O_i, and (x_ia - x_ib).W z_i = 0 for a, b in O_i; W_fin in the\n"
          "span of the (x_ia - x_ib) z_i^T, where it minimises the loss of attention that is shared inside the sets.\n"
          "The head is an expression of u = v.x, or sum_k output_k phi(weights_k.x + bias_k) with phi relu, tanh or\n"
          "sigmoid; output is 1 and bias 0 unless given.\n"
          "Each run follows gradient flow on W from a random start until every token has at least 1e-2 of the attention\n"
          "(it is selected) or at most 1e-13. W^mm is found in exact arithmetic, W_fin by Newton's method. A run has\n"
          "agreed when from half its norm on it moves along W^mm within 0.05, its direction error falls like 1/|W| or faster\n"
          "(slope at most -0.8), and its part in the span is W_fin within 1e-3; otherwise it differed, or is not there yet. It is\n"
          "ambiguous when its sets are not clear (or, with relu, hang on the width over which the kink is smoothed), and\n"
          "infeasible when the generalised SVM is. Holds, observed: some run agreed and none that could be compared\n"
          "differed. Undecided otherwise: no finite run refutes a limit. Inapplicable: there is nothing to select.\n"
          "Numbers: trained, agreed, differed, ambiguous, infeasible (counts of runs), selected_sets (of the first that\n"
          "agreed), direction_error of W against W^mm and finite_part_error (the worst of those that agreed), the\n"
          "tolerances, and runs with end, selected_sets, objective = 1/2 |W^mm|^2, norm, direction_error,\n"
          "increment_error and rate (from half the norm on), finite_part_error, correlation with W^mm and with W_fin + C W^mm, reason.",
          check};
}

}  // namespace attest
