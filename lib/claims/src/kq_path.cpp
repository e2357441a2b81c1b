#include "attest/base/tolerance.hpp"
#include "attest/exact/nuclear_bracket.hpp"
#include "attest/exact/path_ratio.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/factored_descent.hpp"
#include "attest/solve/factored_path.hpp"
#include "attest/solve/nuclear_guess.hpp"
#include "attest/solve/rate.hpp"
#include "claim_list.hpp"
#include "hypotheses.hpp"
#include "limit_proof.hpp"
#include "nuclear_rivals.hpp"
#include "path_observation.hpp"
#include "sampling.hpp"
#include "seconds.hpp"
#include "weight_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

using Eigen::VectorXd;

constexpr double default_radius = 0x1p20;
/// The rate is measured over the last radii, a factor of this.
constexpr double rate_span = 16;
/// From this many times the least norm on, a path that leads elsewhere contradicts the theorem.
constexpr double far_out_rows = 1000;

/// Where a product with the Hessian takes more products of numbers than this, the path is followed at few radii, from the ray alone, and
/// not as far: from radius to radius its equations get stiffer, and what is proved does not need it.
constexpr double large_work = 1e5;
constexpr double large_first = 64;
constexpr double large_last = 1024;
constexpr double large_growth = 4;

/// Descent on (K, Q), for its trace alone: so many steps, but no more products of numbers than these, and none where that leaves few steps.
constexpr std::int64_t descent_iterations = 10'000;
constexpr double descent_products = 1e9;
constexpr std::int64_t least_descent = 100;
constexpr double descent_step = 0.1;

/// The theorem with its hypotheses decided, and what the proved bracket says of the limit.
struct FactoredTheorem : PathSelection {
  VectorXd solution = {};  ///< a nuclear solution, by rows
  double lower = 0;        ///< proved: no feasible W has a smaller nuclear norm
};

/// The least row (x_i,alpha_i - x_it).W z_i.
double least_row(const NumericProblem& problem, const Selection& selection, const VectorXd& W) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < problem.keys.size(); ++i) {
    const auto chosen = static_cast<Eigen::Index>(selection[i]);
    const VectorXd prompt = problem.prompt(i, W);
    for (Eigen::Index t = 0; t < problem.keys[i].cols(); ++t)
      if (t != chosen) least = std::min(least, (problem.keys[i].col(chosen) - problem.keys[i].col(t)).dot(prompt));
  }
  return least;
}

/// Queries are written out, since without them the first tokens are the queries.
Problem without_token(const Problem& problem, std::size_t sample, std::size_t token) {
  Problem rest = problem;
  const std::size_t d = problem.dimension();
  if (!rest.queries) {
    std::vector<Rational> queries;
    for (const ExactMatrix& tokens : problem.tokens)
      for (std::size_t k = 0; k < d; ++k) queries.push_back(tokens.at(0, k));
    rest.queries = ExactMatrix::from_rationals(problem.sample_count(), d, std::move(queries));
  }
  std::vector<Rational> kept;
  for (std::size_t t = 0; t < problem.token_count(sample); ++t)
    for (std::size_t k = 0; t != token && k < d; ++k) kept.push_back(problem.tokens[sample].at(t, k));
  rest.tokens[sample] = ExactMatrix::from_rationals(problem.token_count(sample) - 1, d, std::move(kept));
  return rest;
}

/// Whether some matrix that satisfies all rows but this one has a norm below `lower`, proved. A solution at which the row is not
/// tight would be one without the row too, so the row is then tight at every solution. [docs/theory.md, W-parametrisation]
bool is_needed(const Problem& problem, Selection selection, const RowName& row, double lower, const Budget& budget) {
  const Problem rest = without_token(problem, row.sample, row.token);
  if (selection[row.sample] > row.token) --selection[row.sample];
  const ExactTokens tokens(rest);
  const SvmProgram program = SvmProgram::w_svm(tokens, std::move(selection));
  const NuclearGuess guess = guess_nuclear(program, budget);
  if (!guess.found) return false;
  const auto bracket = prove_nuclear_bracket(program, {guess.columns, guess.A, guess.B, guess.multipliers});
  return bracket && bracket->upper < exact_value(lower);
}

/// A Frobenius solution of rank 1 is the only nuclear solution [docs/theory.md, W-parametrisation], and its rows are known exactly.
std::optional<Decided> decide_by_rank_one(const ClaimContext& context, const Selection& selection) {
  const auto frobenius = context.study.svm(SvmProgram::Kind::w, selection, context.budget);
  if (!frobenius->solution() || context.study.weight_rank(*frobenius) != 1) return std::nullopt;
  Decided decided = decide_local_optimality(context, Parametrisation::weights, selection);
  decided.grade = Grade::observed;  // the certificate, if there is one, is about the other norm
  decided.certificate.reset();
  return decided;
}

/// [MM, Def. 2; TS] at the nuclear solutions: refuted by a neighbour that is certain, open while one is possible.
Decided observe_locally_optimal(const ClaimContext& context, const FactoredTheorem& theorem) {
  const Selection& selection = theorem.selection;
  const std::vector<RowName> possible = possible_rivals(context.problem(), context.study.scores(), selection, theorem.solution);
  if (possible.empty())
    return {.verdict = Verdict::holds, .message = "scores more than every token whose row may be tight at the nuclear solution"};
  if (const auto exact = decide_by_rank_one(context, selection)) return *exact;
  for (const RowName& row : possible)
    if (is_needed(context.problem(), selection, row, theorem.lower, context.budget))
      return {.verdict = Verdict::fails,
              .message = fmt::format("neighbour [{},{}] scores at least as much as the selected token", row.sample, row.token)};
  return {.message = fmt::format("[{},{}] scores at least as much as the selected token, and whether its row is tight is not known",
                                 possible.front().sample, possible.front().token)};
}

/// The nuclear W-SVM gives a direction that doubles can hold.
DecidedNuclear decide_nuclear_direction(const ClaimContext& context, const Selection& selection) {
  DecidedNuclear decided = decide_nuclear(context, selection);
  if (decided.verdict != Verdict::holds) return decided;
  const NuclearBracket& bracket = *decided.svm->bracket;
  if (bracket.upper == 0) {
    decided.verdict = Verdict::fails;  // its certificate is nuclear-bracket, from 0 to 0
    decided.message = "its solution is 0, so there is no direction: no sample has two tokens";
    decided.obstacle = Obstacle::zero_solution;
  } else if (!(lower_double(bracket.lower) > 0)) {
    decided.verdict = Verdict::undecided;
    decided.grade = Grade::observed;
    decided.message = "the least nuclear norm is too small for doubles";
  }
  return decided;
}

FactoredTheorem assume(const ClaimContext& context) {
  FactoredTheorem path{assume_path_selection(context)};
  const DecidedNuclear svm = decide_nuclear_direction(context, path.selection);
  if (!path.theorem.assume(HypothesisId::feasible_w_svm, svm)) return path;
  path.solution = svm.solution();
  path.lower = lower_double(svm.svm->bracket->lower);
  if (path.local) path.theorem.assume(HypothesisId::locally_optimal, observe_locally_optimal(context, path));
  return path;
}

/// A matrix against the set of nuclear solutions. It scales to a feasible one of norm nuc(W) / least row, and none has less than the
/// bound: the ratio is at least 1, and 1 on the set alone.
struct SetDistance {
  double margin;  ///< least row over nuc(W)
  double ratio;
  SetDistance(const FactoredTheorem& theorem, const NumericProblem& problem, const VectorXd& W) {
    margin = least_row(problem, theorem.selection, W) / nuclear_norm(problem, W);
    ratio = margin > 0 ? 1 / (margin * theorem.lower) : std::numeric_limits<double>::infinity();
  }
};

struct ObservedFactors {
  Path path;
  std::vector<SetDistance> distances = {};  // one a point
  std::optional<double> rate = {};          // of ratio - 1
  std::optional<double> direction_rate = {};

  bool falls_at_rate() const {
    return distances.back().ratio - 1 <= nuclear_gap_tolerance.relative || (rate && std::abs(*rate + 1) <= path_rate_tolerance.exponent);
  }
};

PathSettings path_settings(const ClaimContext& context, bool local) {
  const auto* given = context.request.find<Rational>("radius");
  PathSettings settings;
  settings.seed = context.seed;
  if (local) settings.cone_mu = local_cone_mu;
  const bool large = factored_work(ProblemSize(context.problem())) > large_work;
  const double radius = given ? nearest_double(*given) : large ? large_last : default_radius;
  if (large) {
    settings.starts = 0;
    settings.radii = growing_radii(std::min(large_first, radius), radius, large_growth);
  } else {
    settings.radii = doubling_radii(std::min(1.0, radius), radius);
  }
  return settings;
}

ObservedFactors observe(const ClaimContext& context, const FactoredTheorem& theorem, const PathSettings& settings) {
  const double radius = settings.radii.back();
  ObservedFactors observed{follow_factored_path(context.problem(), theorem.selection, theorem.solution, settings, context.budget)};
  const NumericProblem problem(context.problem(), Parametrisation::weights, WeightKeys::factors);
  std::vector<LogPoint> points;
  for (const PathPoint& point : observed.path.points) {
    observed.distances.emplace_back(theorem, problem, point.p);
    const double above = observed.distances.back().ratio - 1;
    if (point.check.verified && point.radius >= radius / rate_span && above > nuclear_solve_tolerance.relative && std::isfinite(above))
      points.push_back({std::log(point.radius), std::log(above)});
  }
  observed.rate = fit_slope(points);
  observed.direction_rate = direction_rate(observed.path, theorem.solution, radius / rate_span);
  return observed;
}

Finding conclude(const FactoredTheorem& theorem, const ObservedFactors& observed) {
  const std::string trouble = path_trouble(observed.path, theorem.local);
  if (!trouble.empty()) return theorem.theorem.conclude(Verdict::undecided, trouble);
  const double radius = observed.path.points.back().radius;
  const SetDistance& last = observed.distances.back();
  if (!(last.margin > 0)) {
    const bool contradicts = !theorem.local && radius >= far_out_rows * theorem.lower;
    return theorem.theorem.conclude(contradicts ? Verdict::fails : Verdict::undecided,
                                    fmt::format("every point is verified, and at R = {:.6g} other tokens have the largest logits", radius));
  }
  if (!observed.falls_at_rate())
    return theorem.theorem.conclude(Verdict::undecided, observed.rate
                                                            ? fmt::format("the distance falls like R^{:.3g}, not like 1/R", *observed.rate)
                                                            : "the path is too short to measure a rate");
  return theorem.theorem.conclude(Verdict::holds, fmt::format("R = {:.6g}: {:.3g} above the least nuclear norm{}", radius, last.ratio - 1,
                                                              observed.rate ? fmt::format(", falling like R^{:.3g}", *observed.rate) : ""));
}

/// Bounds of objective_ratio at these radii, which is where they are reported.
constexpr double reported_radii[] = {0x1p10, 0x1p14, 0x1p20};

struct RatioEntry {
  double radius;
  double ratio_bound;

  /// From a double between 1 and 2^53 the 1 is taken away exactly.
  void write(Fields& out) const { out("radius", radius)("bound", ratio_bound - 1)("ratio_bound", ratio_bound); }
};

std::vector<RatioEntry> entries_of(const certified::PathRatio& ratio) {
  std::vector<double> radii = {nearest_double(ratio.radius)};
  for (const double radius : reported_radii)
    if (radius > radii.front()) radii.push_back(radius);
  std::vector<RatioEntry> entries;
  for (const double radius : radii) entries.push_back({radius, *ratio_bound(ratio, radius)});
  return entries;
}

/// [docs/theory.md, Theorem N] None of a local path, or where it does not close.
std::optional<certified::PathRatio> prove_ratio(const ClaimContext& context, const FactoredTheorem& theorem) {
  if (theorem.local || context.budget.spent()) return std::nullopt;
  const auto svm = context.study.nuclear_svm(theorem.selection, context.budget);
  const AssumptionA assumption = context.study.assumption_a(context.budget);
  const auto* loss = std::get_if<LossBounds>(&assumption);
  if (!svm->bracket || loss == nullptr) return std::nullopt;
  return prove_path_ratio({svm->program, *svm->bracket, context.study.scores(), *loss, context.study.score_interval()},
                          doubling_radii(1, default_radius), context.budget);
}

/// What was seen, beside what is proved: few radii show no rate yet.
std::string seen_text(const Finding& finding, const ObservedFactors& observed, bool whole) {
  const std::vector<PathPoint>& points = observed.path.points;
  if (whole || !observed.path.verified() || !(observed.distances.back().margin > 0)) return finding.message;
  return fmt::format("followed at {} radii, to R = {:.6g}: {:.3g} above it", points.size(), points.back().radius,
                     observed.distances.back().ratio - 1);
}

/// The finding with its conclusion proved: what was followed, the whole path or few radii, must not contradict it.
Finding with_ratio(Finding finding, const certified::PathRatio& ratio, const ObservedFactors& observed, bool whole) {
  for (std::size_t k = 0; k < observed.distances.size(); ++k) {
    const PathPoint& point = observed.path.points[k];
    const auto bound = ratio_bound(ratio, point.radius);
    if (!point.check.verified || !bound || observed.distances[k].ratio <= *bound + nuclear_gap_tolerance.relative) continue;
    finding.verdict = Verdict::undecided;
    finding.message = fmt::format("the point at R = {:.6g} is verified, and outside of what is proved of every minimiser", point.radius);
    finding.conclusion = finding.message;
    return finding;
  }
  const RatioEntry last = entries_of(ratio).back();
  finding.verdict = Verdict::holds;
  finding.grade = Grade::proved;
  finding.certificate = ratio;
  finding.message =
      fmt::format("proved of every minimiser from R = {:.6g} on: at R = {:.6g} at most {} above the least nuclear norm; {}",
                  nearest_double(ratio.radius), last.radius, bound_text(last.ratio_bound - 1), seen_text(finding, observed, whole));
  finding.conclusion = finding.message;
  return finding;
}

/// A point of descent on (K, Q).
struct DescentPoint {
  std::int64_t iteration;
  double norm;
  double direction_error;
  double objective_ratio;

  void write(Fields& out) const {
    out("iteration", iteration)("norm", norm)("direction_error", direction_error)("objective_ratio", objective_ratio);
  }
};

/// Normalised descent on (K, Q) from a small start; no theorem is claimed for it.
std::vector<DescentPoint> descent_trace(const ClaimContext& context, const FactoredTheorem& theorem) {
  const ProblemSize size(context.problem());
  const double step_products = 2 * size.tokens * size.dimension + 3 * cube(size.dimension);
  const std::int64_t iterations = std::min(descent_iterations, static_cast<std::int64_t>(descent_products / step_products));
  if (iterations < least_descent) return {};
  const NumericProblem problem(context.problem(), Parametrisation::weights, WeightKeys::factors);
  DescentKernel kernel(context.problem(), context.study.scores(), 1, Parametrisation::weights);
  Sampler sampler(context.seed);
  const VectorXd start = theorem.local ? theorem.solution : VectorXd(0.1 * sampler.unit_vector(problem.dimension));
  std::vector<DescentPoint> trace;
  for (const FactoredTracePoint& point : descend_factored(kernel, start, descent_step, iterations, context.budget))
    trace.push_back(
        {point.iteration, point.W.norm(), direction_error(point.W, theorem.solution), SetDistance(theorem, problem, point.W).ratio});
  return trace;
}

struct Numbers {
  FactoredTheorem theorem;
  ObservedFactors observed;      ///< one point at least
  std::vector<double> spectrum;  ///< of the last
  std::vector<DescentPoint> descent;
  std::optional<certified::PathRatio> ratio;

  void write(Fields& out) const {
    const PathPoint& last = observed.path.points.back();
    const SetDistance& distance = observed.distances.back();
    out("radius", last.radius)("direction_error", direction_error(last.p, theorem.solution))("objective_ratio", distance.ratio)(
        "margin", distance.margin)("rank", numerical_rank(spectrum))("spectrum_ratio", spectrum_ratio(spectrum))(
        "singular_values", spectrum)("rate", observed.rate)("direction_rate", observed.direction_rate)("lower", theorem.lower)(
        "cone", theorem.local)("points", points())("envelope", ratio ? std::optional(entries_of(*ratio)) : std::nullopt)(
        "final", rows_of(last.p))("descent", descent);
  }

 private:
  std::vector<PathPointNumbers> points() const {
    std::vector<PathPointNumbers> points = point_numbers(observed.path, theorem.solution);
    for (std::size_t k = 0; k < points.size(); ++k) points[k].objective_ratio = observed.distances[k].ratio;
    return points;
  }
};

Finding check(const ClaimContext& context) {
  const FactoredTheorem theorem = assume(context);
  if (!theorem.theorem.applies()) return theorem.theorem.obstacle(theorem.selection);
  const PathSettings settings = path_settings(context, theorem.local);
  std::optional<certified::PathRatio> ratio = prove_ratio(context, theorem);  // first: what is proved needs no path
  ObservedFactors observed = observe(context, theorem, settings);
  Finding finding = conclude(theorem, observed);
  finding.selection = theorem.selection;
  if (observed.path.points.empty()) return finding;  // the time was up before the first
  if (ratio) finding = with_ratio(std::move(finding), *ratio, observed, settings.starts > 0);
  std::vector<double> spectrum = singular_values(context.problem(), observed.path.points.back().p);
  finding.evidence = Numbers{theorem, std::move(observed), std::move(spectrum), descent_trace(context, theorem), std::move(ratio)};
  return finding;
}

/// The nuclear W-SVM, and few radii or the whole path.
double least_seconds(const ProblemSize& size) {
  return factored_work(size) > large_work ? weight_path_seconds(size) : factored_path_seconds(size);
}

}  // namespace

Claim kq_path_claim() {
  return {
      .schema = {"kq-path",
                 {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest scores"},
                  {"radius", ParameterKind::positive, false, "the last R", {}, "2^20; large data: 2^10"}},
                 {{"v", ""}}},
      .title = "Theorem: regularisation path of key and query",
      .summary = "the path over K and Q converges to the nuclear W-SVM",
      .source = "[TS]",
      .words = "When W = KQᵀ is trained through its factors, the path converges to the solutions of the nuclear-norm W-SVM.",
      .formula = R"(W = K Q^\top, \quad \|K\|_F^2 + \|Q\|_F^2 \le 2R, \quad \frac{W_R}{R} \to \argmin \|W\|_{*})",
      .text =
          "The model softmax(X_i K Q^T z_i) with queries z_i (without them the first tokens); the case's own W plays no part. If "
          "Assumption A holds, alpha is the unique globally optimal selection and W-SVM(alpha) is feasible, with a proved bracket of its "
          "least nuclear norm, the minimisers of L over |K|^2 + |Q|^2 <= 2R (Frobenius), which is nuc(W) <= R, approach, in the direction "
          "of "
          "W = K Q^T, the set of W of least nuclear norm that satisfy the rows of the W-SVM. For another selection the same is looked for "
          "near the ray of such a W, and no neighbour at the nuclear solutions may score as much as the selected token.\n"
          "The nuclear solution is not rational: a row is certainly tight where a matrix that misses this row alone has, proved, less norm "
          "than lower; it is not where its slack at the solution found exceeds 1e-4 of 1 + |a||W|, or where the Frobenius solution has "
          "rank 1 "
          "(then it is the nuclear one) and exact arithmetic says so; else it may be. A neighbour that is certain makes the claim "
          "inapplicable, one that is possible leaves it undecided.\n"
          "The conclusion is proved where enclosures close (docs/theory.md, Theorem N; certificate path-ratio): of every minimiser and "
          "every R "
          "from some R0 on objective_ratio is at most (upper/lower)/(1 - upper C/R), with the proved bracket of the least nuclear norm. "
          "For a "
          "selection that is not globally optimal no such proof is made.\n"
          "It is observed too: the path is followed by doubling R (large data: at R = 64, 256 and 1024, or to the given radius by factors "
          "of 4, from the ray alone), by Newton's method on the sphere of (K, Q), from the ray of a "
          "solution and from random starts; each point is verified from the data: nuc(W) <= R; the negative gradient in (K, Q) is parallel "
          "to "
          "(K, Q), and no step in the nuclear ball gains more than 1e-7 of |dL/dW| R to first order; no lower loss at the scaled solution "
          "or "
          "the point before. The distance to the set is objective_ratio - 1, where objective_ratio = nuc(W) / least row / lower is at "
          "least 1 "
          "because lower is proved.\n"
          "Holds, proved: the bound closes. Holds, observed: it does not, all points are verified and the distance falls like 1/R (slope "
          "-1 within 0.05 over the last factor 16) or is below "
          "1e-6.\n"
          "Inapplicable: a hypothesis fails. Fails: a verified path, far out, that leads to other tokens. Undecided: neither; or a "
          "verified point contradicts the bound.",
      .numbers = {{"radius", "last radius R"},
                  {"direction_error", "|a/|a| - b/|b|| to the solution that was found; the set may hold others"},
                  {"objective_ratio", "nuc(W) / least row / lower: at least 1, and 1 on the set"},
                  {"margin", "least row / nuc(W)"},
                  {"rank", "singular values above 1e-5 of the first"},
                  {"spectrum_ratio", "the last of these over the next; null without one"},
                  {"singular_values", "of W, largest first"},
                  {"rate", "slope of log (objective_ratio - 1) over log R"},
                  {"direction_rate", "slope of log direction error over log R"},
                  {"lower", "proved: no feasible W has a smaller nuclear norm"},
                  {"cone", "whether it is the local path"},
                  {"points", "the path, a radius each, as for path"},
                  {"points[].objective_ratio", "of this point; null where other tokens have the largest logits"},
                  {"envelope", "proved of every minimiser and every R from the first radius on; null where no proof closes"},
                  {"envelope[].radius", "R"},
                  {"envelope[].bound", "of objective_ratio - 1 at this R"},
                  {"envelope[].ratio_bound", "of objective_ratio at this R"},
                  {"final", "the last W by rows"},
                  {"descent", "a trace of normalised steps on (K, Q), up to 10000, about which nothing is claimed; empty on large data"},
                  {"descent[].iteration", "how many steps"},
                  {"descent[].norm", "of W"},
                  {"descent[].direction_error", "to the solution that was found"},
                  {"descent[].objective_ratio", "as for the path"}},
      .hypotheses = {HypothesisId::assumption_a, HypothesisId::unique_optimum, HypothesisId::feasible_w_svm, HypothesisId::locally_optimal},
      .least_seconds = least_seconds,
      .check = check};
}

}  // namespace attest
