#include "attest/base/tolerance.hpp"
#include "attest/exact/global_optimality.hpp"
#include "attest/exact/local_optimality.hpp"
#include "attest/solve/lq_svm.hpp"
#include "claim_list.hpp"
#include "descent_theorem.hpp"
#include "hypotheses.hpp"
#include "svm_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

namespace attest {
namespace {

using Eigen::VectorXd;

/// What the runs are compared with besides the claim's own q: the exponents of the experiments in [MD].
constexpr std::array compared_exponents = {1.75, 2.0, 3.0};

struct LqDirection {
  double q;
  std::shared_ptr<const LqSvmSolution> svm;
};

/// The l_q-SVMs of the claim's own q, which has the first go at the time, and of those that it is compared with; by ascending q.
std::vector<LqDirection> solve_all(const ClaimContext& context, const Selection& selection, double q) {
  const auto solve = [&](double exponent) { return LqDirection{exponent, context.study.lq_svm(exponent, selection, context.budget)}; };
  std::vector<LqDirection> solved = {solve(q)};
  for (const double exponent : compared_exponents)
    if (exponent != q) solved.push_back(solve(exponent));
  std::ranges::sort(solved, {}, &LqDirection::q);
  return solved;
}

std::string why_unsolved(const LqSvmSolution& solution) {
  if (solution.too_large) return "the l_q-SVM has too many rows for the time that is left";
  return fmt::format("the l_q-SVM is not solved: KKT residual {:.3g}, gap {:.3g}", solution.residual.kkt, solution.residual.gap);
}

/// [MD] Local optimality with the tight rows of the l_q-SVM. Its solution is irrational, so that tight rows are observed, not proved;
/// where every other token scores less they do not matter.
Decided decide_neighbours(const SvmProgram& program, const LqSvmSolution& solution, const Scores& scores) {
  if (const GlobalOptimality global = decide_global_optimality(scores, program.selection()); global.unique)
    return decided_exactly(true, "the selected tokens score more than all others",
                           certified::GloballyOptimal{program.selection(), true, global.gap});
  Decided decided;
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
  decided.message = fmt::format("{} [{},{}] scores at least as much as the selected token",
                                certain != tight.certain.end() ? "neighbour" : "what may be a neighbour,", name.sample, name.token);
  return decided;
}

/// Cosines of the runs' last points and the directions of the l_q-SVMs, a row a run; none of one that is not solved.
struct Correlation {
  std::vector<double> q;
  std::vector<std::vector<std::optional<double>>> rows;

  void write(Fields& out) const { out("q", q)("rows", rows); }
};

Correlation correlate(const std::vector<RunNumbers>& runs, const std::vector<LqDirection>& directions) {
  Correlation table;
  for (const LqDirection& one : directions) table.q.push_back(one.q);
  for (const RunNumbers& run : runs) {
    const VectorXd last = run.observed.run.last().p.normalized();
    auto& row = table.rows.emplace_back();
    for (const LqDirection& one : directions)
      row.push_back(one.svm->solved() ? std::optional(last.dot(one.svm->p.normalized())) : std::nullopt);
  }
  return table;
}

struct Numbers {
  DescentNumbers descent;
  LqDirection own;
  Correlation correlation;

  void write(Fields& out) const {
    descent.write(out);
    out("q", own.q)("kkt_residual", own.svm->residual.kkt)("gap", own.svm->residual.gap)("solution", own.svm->p)("correlation",
                                                                                                                 correlation);
  }
};

/// Why a run that heads for its limit is not yet seen to end there; empty when it is.
std::string doubt(const VectorXd& last, bool off_the_ray, const LqDirection& own, const std::vector<LqDirection>& directions) {
  const double error = direction_error(last, own.svm->p);
  // A run from off the ray has to come back, and is judged by that: for small q its error falls too slowly to become small.
  if (!off_the_ray && !(error <= mirror_direction_tolerance.distance)) return fmt::format("the direction error is {:.3g}", error);
  for (const LqDirection& other : directions) {
    const bool differs = other.svm->solved() && direction_error(other.svm->p, own.svm->p) > mirror_direction_tolerance.distance;
    if (differs && !(error < direction_error(last, other.svm->p)))
      return fmt::format("the run is nearer to the solution for q = {:.6g}", other.q);
  }
  return "";
}

/// What holds by the runs' headings and rates alone is undecided while a run's end is in doubt.
void compare_ends(Finding& finding, const std::vector<RunNumbers>& runs, const std::vector<Start>& starts, const LqDirection& own,
                  const std::vector<LqDirection>& directions) {
  for (std::size_t k = 0; k < runs.size() && finding.verdict == Verdict::holds; ++k) {
    const std::string why = doubt(runs[k].observed.run.last().p, starts[k].angle > 0, own, directions);
    if (why.empty()) continue;
    finding.verdict = Verdict::undecided;
    finding.message = fmt::format("run {}: {}", k, why);
    finding.conclusion = finding.message;
  }
}

Finding observe(const ClaimContext& context, DescentTheorem& descent, const Selection& selection, const LqDirection& own,
                const std::vector<LqDirection>& directions) {
  if (!own.svm->solved()) {
    Finding finding =
        descent.theorem.conclude(Verdict::undecided, (context.budget.spent() ? "the time was up: " : "") + why_unsolved(*own.svm));
    finding.selection = selection;
    return finding;
  }
  const double scale = chosen_method(context.request) == DescentMethod::constant ? watched_scale : descent.pace.scale;
  const std::vector<Start> starts = cone_starts(context, selection, own.svm->p, {scale, descent.pace.directions}, Parametrisation::prompt);
  auto [finding, numbers] = descent.observe(selection, starts, {watched_scale * own.svm->p}, DescentTheorem::Reach::cone);
  finding.selection = selection;
  if (numbers) {
    compare_ends(finding, numbers->runs, starts, own, directions);
    Correlation correlation = correlate(numbers->runs, directions);
    finding.evidence = Numbers{std::move(*numbers), own, std::move(correlation)};
  }
  return std::move(finding);
}

Finding check(const ClaimContext& context) {
  const auto* given = context.request.find<Rational>("q");
  const double q = given ? nearest_double(*given) : 2;
  const Selection& selection = context.selection_or_best();
  DescentTheorem descent(context, Parametrisation::prompt, q);
  descent.assume_loss();
  const DecidedSvm direction = decide_direction(context, Parametrisation::prompt, selection, q == 2 ? SvmProof::exact : SvmProof::any);
  if (!descent.theorem.assume(HypothesisId::feasible_p_svm, direction)) return descent.theorem.obstacle(selection);
  const SvmProgram& program = direction.bracket ? direction.bracket->program : direction.svm->program;
  const std::vector<LqDirection> directions = solve_all(context, selection, q);
  const LqDirection& own = *std::find_if(directions.begin(), directions.end(), [&](const LqDirection& one) { return one.q == q; });
  descent.theorem.assume(HypothesisId::locally_optimal, q == 2 ? decide_local_optimality(context, Parametrisation::prompt, selection)
                                                               : decide_neighbours(program, *own.svm, context.study.scores()));
  if (q == 2) descent.assume_step();
  descent.pace = descent_pace(context, Parametrisation::prompt, direction);
  descent.pace.step.reset();                                               // it is that of gradient descent
  if (descent.pace.large) descent.pace.longest = descent.pace.iterations;  // a rate is seen at once, or at no length that there is time for
  return descent.theorem.applies() ? observe(context, descent, selection, own, directions) : descent.theorem.obstacle(selection);
}

/// Runs, and three l_q-SVMs.
double least_seconds(const ProblemSize& size) { return 4e-6 * size.tokens * size.dimension; }

}  // namespace

Claim mirror_descent_claim() {
  std::vector<ParameterSpec> parameters =
      descent_parameters({"at 100 times the solution of the l_q-SVM and around it; constant: 5 times", "normalised",
                          "100000, or what grows the norm 30 times; up to 10^7 where the rate sets in late; fewer on large data"});
  for (ParameterSpec& one : parameters)
    if (one.name == "method") std::erase(one.choices, "flow");
  parameters.insert(parameters.begin(), {{"q", ParameterKind::above_one, false, "exponent of the mirror map", {}, "2, gradient descent"},
                                         {"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"}});
  return {
      .schema = {"mirror-descent", std::move(parameters), {{"v", ""}}},
      .title = "Mirror descent",
      .summary = "mirror descent converges to the direction of the l_q-SVM",
      .source = "[MD]",
      .words = "Mirror descent with the q-norm as its potential converges in direction to the SVM of least q-norm.",
      .formula = R"(\frac{p(k)}{\|p(k)\|_q} \to \argmin_p \|p\|_q \quad \text{subject to} \quad (k_{i \alpha_i} - k_{it}) \cdot p \ge 1)",
      .text =
          "Mirror descent with the map psi(p) = (1/q) sum_j |p_j|^q, q > 1, moves grad psi(p) against the gradient. If Assumption A holds, "
          "p-SVM(alpha) is feasible and alpha is locally optimal with the tight rows of the l_q-SVM, min |p|_q subject to "
          "(k_i,alpha_i - k_it).p >= 1 for all i and t != alpha_i, descent that starts far out near its solution has |p| -> infinity and "
          "converges to it in direction. q = 2 is gradient descent and gd-local.\n"
          "Constant steps move grad psi(p) by `step` times the gradient, normalised ones along the gradient until p has moved by `step`; "
          "there is no flow. Runs start at 100 times the solution (constant: 5 times) and around it, as for gd-local.\n"
          "Assumption A and a feasible p-SVM are proved. The l_q-SVM is solved by Newton steps on its dual, or by IPOPT; KKT residual and "
          "duality gap are "
          "recomputed from the data and must be at most 1e-8. Its solution is irrational, so that for q other than 2 tight rows, and with "
          "them local optimality, are observed, unless every other token scores less, which is proved; a token that scores as much, and "
          "whose row may be tight, leaves the claim undecided. Grade: observed.\n"
          "Holds: every run, those from off the ray too, heads for the solution's direction as for gd-local, with an error that falls like "
          "norm^-1 to norm^(1-q) (either power within 0.1, within 0.2 where a tight row has multiplier 0, and within half of q - 1, so "
          "that "
          "it does fall) or is below rounding, ends within 0.01 of it (off the ray: within half of where it starts), and nearer to it than "
          "to the solutions for q = 1.75, 2 and 3 that are farther than 0.01 from it.\n"
          "Inapplicable: a hypothesis fails.\n"
          "Fails: only for q = 2, where a constant step within 1/L_p increases the loss.\n"
          "Undecided: a run does not get there, is too short or ends at another selection, or the l_q-SVM is not solved.",
      .numbers = descent_number_specs(
          {{"runs", "a list of runs, as for descent"}},
          {{"angles", "of the starts to the ray, a run each; absent where starts are given"},
           {"q", "exponent of the mirror map"},
           {"kkt_residual", "largest violation of the KKT conditions of the l_q-SVM, recomputed from the data"},
           {"gap", "1 - lower/upper bound of the least q-norm, recomputed from the data"},
           {"solution", "of the l_q-SVM"},
           {"correlation", "q, the exponents compared, and rows, for each run the cosines of its last point and their l_q-SVM solutions"}}),
      .hypotheses = {HypothesisId::assumption_a, HypothesisId::feasible_p_svm, HypothesisId::locally_optimal, HypothesisId::safe_step},
      .least_seconds = least_seconds,
      .check = check};
}

}  // namespace attest
