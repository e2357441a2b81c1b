#include "attest/base/tolerance.hpp"
#include "attest/exact/global_optimality.hpp"
#include "attest/exact/local_optimality.hpp"
#include "attest/solve/lq_svm.hpp"
#include "claim_list.hpp"
#include "descent_theorem.hpp"
#include "limit_direction.hpp"
#include "svm_decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace attest {
namespace {

using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

/// What the runs are compared with besides the claim's own q: the exponents of the experiments in [MD].
constexpr std::array compared_exponents = {1.75, 2.0, 3.0};

struct LqDirection {
  double q;
  LqSvmSolution svm;
};

/// The l_q-SVMs of the claim's own q, which has the first go at the time, and of those that it is compared with; by ascending q.
std::vector<LqDirection> solve_all(const SvmProgram& program, double q, const VectorXd& p_mm, const Budget& budget) {
  std::vector<LqDirection> solved = {{q, solve_lq_svm(program, q, p_mm, budget)}};
  for (const double exponent : compared_exponents)
    if (exponent != q) solved.push_back({exponent, solve_lq_svm(program, exponent, p_mm, budget)});
  std::ranges::sort(solved, {}, &LqDirection::q);
  return solved;
}

std::string why_unsolved(const LqSvmSolution& solution) {
  if (solution.too_large) return "the l_q-SVM has too many rows for the time that is left";
  return fmt::format("the l_q-SVM is not solved: KKT residual {:.3g}, gap {:.3g}", solution.residual.kkt, solution.residual.gap);
}

/// [MD] Local optimality with the tight rows of the l_q-SVM. Its solution is irrational, so that tight rows are observed, not proved;
/// where every other token scores less they do not matter.
Finding decide_neighbours(const SvmProgram& program, const LqSvmSolution& solution, const Scores& scores) {
  if (const GlobalOptimality global = decide_global_optimality(scores, program.selection()); global.unique)
    return decided_exactly(true, "the selected tokens score more than all others",
                           certified::GloballyOptimal{program.selection(), true, global.gap});
  Finding decided;
  if (!solution.solved()) {
    decided.message = why_unsolved(solution);
    return decided;
  }
  const TightRows tight = tight_rows(program, solution);
  const auto outscored = [&](std::size_t row) { return !selected_outscores(program, row, scores); };
  const auto possible = std::find_if(tight.possible.begin(), tight.possible.end(), outscored);
  if (possible == tight.possible.end()) {
    decided.verdict = Verdict::holds;
    decided.message = fmt::format("scores more than its neighbours {} (in floating point)", row_list(program, tight.possible));
    return decided;
  }
  const auto certain = std::find_if(tight.certain.begin(), tight.certain.end(), outscored);
  if (certain != tight.certain.end()) decided.verdict = Verdict::fails;
  const RowName name = program.name(certain != tight.certain.end() ? *certain : *possible);
  decided.message = fmt::format("{} [{},{}] scores at least as much as the selected token", certain != tight.certain.end() ? "neighbour" : "what may be a neighbour,",
                                name.sample, name.token);
  return decided;
}

VectorXd final_point(const Json& run) {
  const auto entries = run.at("final").get<std::vector<double>>();
  return Eigen::Map<const VectorXd>(entries.data(), static_cast<Eigen::Index>(entries.size()));
}

/// Cosines of the runs' last points and the directions of the l_q-SVMs, a row a run.
Json correlations(const Json& runs, const std::vector<LqDirection>& directions) {
  Json table = {{"q", Json::array()}, {"rows", Json::array()}};
  for (const LqDirection& one : directions) table["q"].push_back(one.q);
  for (const Json& run : runs) {
    Json row = Json::array();
    for (const LqDirection& one : directions)
      row.push_back(one.svm.solved() ? Json(final_point(run).normalized().dot(one.svm.p.normalized())) : Json());
    table["rows"].push_back(std::move(row));
  }
  return table;
}

/// Why a run that heads for its limit is not yet seen to end there; empty when it is.
std::string doubt(const VectorXd& last, bool off_the_ray, const LqDirection& own, const std::vector<LqDirection>& directions) {
  const double error = direction_error(last, own.svm.p);
  // A run from off the ray has to come back, and is judged by that: for small q its error falls too slowly to become small.
  if (!off_the_ray && !(error <= mirror_direction_tolerance.distance)) return fmt::format("the direction error is {:.3g}", error);
  for (const LqDirection& other : directions) {
    const bool differs = other.svm.solved() && direction_error(other.svm.p, own.svm.p) > mirror_direction_tolerance.distance;
    if (differs && !(error < direction_error(last, other.svm.p))) return fmt::format("the run is nearer to the solution for q = {:.6g}", other.q);
  }
  return "";
}

void add_evidence(Finding& finding, const std::vector<Start>& starts, const LqDirection& own, const std::vector<LqDirection>& directions) {
  const Json runs = finding.numbers.at("runs");  // a copy: new numbers may move the old ones
  for (std::size_t k = 0; k < runs.size() && finding.verdict == Verdict::holds; ++k) {
    const std::string why = doubt(final_point(runs[k]), starts[k].angle > 0, own, directions);
    if (why.empty()) continue;
    finding.verdict = Verdict::undecided;
    finding.message = fmt::format("run {}: {}", k, why);
    finding.conclusion = finding.message;
  }
  finding.numbers["q"] = own.q;
  finding.numbers["kkt_residual"] = own.svm.residual.kkt;
  finding.numbers["gap"] = own.svm.residual.gap;
  finding.numbers["solution"] = std::vector<double>(own.svm.p.begin(), own.svm.p.end());
  finding.numbers["correlation"] = correlations(runs, directions);
}

Finding observe(const ClaimContext& context, DescentTheorem& descent, const Selection& selection, const LqDirection& own,
                const std::vector<LqDirection>& directions) {
  if (!own.svm.solved()) {
    Finding finding = descent.theorem.conclude(
        Verdict::undecided, (context.budget.spent() ? "the time was up: " : "") + why_unsolved(own.svm));
    finding.selection = selection;
    return finding;
  }
  const double scale = chosen_method(context.request) == DescentMethod::constant ? watched_scale : cone_scale;
  const std::vector<Start> starts = cone_starts(context, selection, own.svm.p, scale, Parametrisation::prompt);
  Finding finding = descent.observe(selection, starts, {watched_scale * own.svm.p}, DescentTheorem::Reach::cone);
  finding.selection = selection;
  if (finding.numbers.contains("runs")) add_evidence(finding, starts, own, directions);
  return finding;
}

Finding check(const ClaimContext& context) {
  const auto* given = context.request.find<Rational>("q");
  const double q = given ? nearest_double(*given) : 2;
  const Selection selection = selection_or_best(context);
  DescentTheorem descent(context, Parametrisation::prompt, q);
  descent.assume_loss();
  const Finding direction = decide_direction(context, selection);
  if (!descent.theorem.assume("feasible p-SVM", direction)) return descent.theorem.obstacle(selection);
  const ExactTokens tokens(context.problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, selection);
  const std::vector<LqDirection> directions = solve_all(program, q, solution_of(direction), context.budget);
  const LqDirection& own = *std::find_if(directions.begin(), directions.end(), [&](const LqDirection& one) { return one.q == q; });
  descent.theorem.assume("locally optimal selection", q == 2 ? decide(context, locally_optimal_claim(), {{"selection", selection}})
                                                             : decide_neighbours(program, own.svm, exact_scores(context.problem)));
  if (q == 2) descent.assume_step();
  return descent.theorem.applies() ? observe(context, descent, selection, own, directions) : descent.theorem.obstacle(selection);
}

}  // namespace

Claim mirror_descent_claim() {
  std::vector<ParameterSpec> parameters = descent_parameters("where the runs start (default: at 100 times the solution of the l_q-SVM and around it; constant: 5 times)",
                                                             "how to descend (default: normalised)", "of each run (default 100000)");
  for (ParameterSpec& one : parameters)
    if (one.name == "method") std::erase(one.choices, "flow");
  parameters.insert(parameters.begin(), {{"q", ParameterKind::above_one, false, "exponent of the mirror map (default 2, gradient descent)", {}},
                                         {"selection", ParameterKind::selection, false, "one token a sample (default: the largest scores)", {}}});
  return {{"mirror-descent", std::move(parameters), {{"v", ""}}},
          "mirror descent converges to the direction of the l_q-SVM",
          "[MD] Mirror descent with the map psi(p) = (1/q) sum_j |p_j|^q, q > 1, moves grad psi(p) against the gradient.\n"
          "If Assumption A holds and alpha is locally optimal with the tight rows of the l_q-SVM\n"
          "  min |p|_q subject to (k_i,alpha_i - k_it).p >= 1 for all i and t != alpha_i,\n"
          "descent that starts far out near its solution has |p| -> infinity and converges to it in direction. q = 2 is\n"
          "gradient descent and gd-local. Normalised steps move grad psi(p) along the gradient until p has moved by `step`.\n"
          "The l_q-SVM is solved by IPOPT and Newton steps; KKT residual and duality gap are recomputed from the data and must be\n"
          "at most 1e-8. Its solution is irrational, so that for q other than 2 tight rows, and with them local optimality, are\n"
          "observed unless every other token scores less.\n"
          "Holds: every run, those from off the ray too, heads for the solution's direction as for gd-local, with an error that falls\n"
          "like norm^-1 to norm^(1-q) (either power within 0.1, and within half of q - 1), ends within 0.01 of it (off the ray: within\n"
          "half of where it starts), and nearer to it than to the solutions for q = 1.75, 2\n"
          "and 3 that are farther than 0.01 from it. Undecided: a run does not get there, or the l_q-SVM is not solved.\n"
          "Inapplicable: a hypothesis fails. Fails: only for q = 2, where a step within 1/L_p increases the loss.\n"
          "Numbers: norm, direction_error, iterations, rate (of the worst run), monotone, runs, shares, method, step, q, kkt_residual,\n"
          "gap, angles, solution, correlation {q, rows}: the cosines of each run's last point and the l_q-SVM solutions. Grade: observed.",
          check};
}

}  // namespace attest
