#include "attest/solve/head_path.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/exact/certificates.hpp"
#include "attest/exact/head_bounds.hpp"
#include "attest/exact/loss_jet.hpp"
#include "attest/solve/dense.hpp"
#include "attest/solve/descent.hpp"
#include "claim_list.hpp"
#include "hypotheses.hpp"
#include "theorem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Radii of the path, as powers of 2 over the margin: at the last the loss is some exp(-512) above its infimum.
constexpr int first_power = 3;
constexpr int last_power = 9;
/// Radii of the envelope, as powers of 2.
constexpr std::array<int, 3> envelope_powers = {10, 14, 20};

struct ObservedPoint {
  double radius;
  double direction_error;
  bool found;
  void write(Fields& out) const { out("radius", radius)("direction_error", direction_error)("found", found); }
};

struct EnvelopePoint {
  double radius;
  double bound;  ///< of the direction error there
  void write(Fields& out) const { out("radius", radius)("bound", bound); }
};

struct Numbers {
  std::optional<double> nu = {};
  std::optional<double> radius = {};
  std::optional<double> direction_error = {};
  std::optional<double> rate = {};
  std::vector<ObservedPoint> observed = {};
  std::vector<EnvelopePoint> envelope = {};
  std::optional<double> least_slope = {};
  std::optional<double> largest_slope = {};

  void write(Fields& out) const {
    out("nu", nu)("radius", radius)("direction_error", direction_error)("rate", rate);
    out("observed", observed)("envelope", envelope)("least_slope", least_slope)("largest_slope", largest_slope);
  }
};

/// phi where the head is phi(v.x); null for a network.
const Expression* written_head(const Problem& problem, const Head& head) {
  if (!head.activation || !problem.v || head.weights.size() != 1 || head.bias[0] != 0 || head.output[0] != 1) return nullptr;
  for (std::size_t k = 0; k < problem.dimension(); ++k)
    if (head.weights[0][k] != problem.v->at(0, k)) return nullptr;
  return &*head.activation;
}

/// The head's side of the theorem: what is proved of it and of the loss on its range.
struct HeadFacts {
  std::optional<HeadOnTokens> head = {};
  std::optional<certified::HeadSlopes> slopes = {};
  std::optional<certified::LossBlock> block = {};
};

Decided decide_head(const ClaimContext& context, const Head& head, const Selection& selection, HeadFacts& facts) {
  const Expression* phi = written_head(context.problem(), head);
  if (phi == nullptr)
    return {.message = "the head is a network: whether mixtures of tokens do worse than the selected ones is not decided"};
  facts.head.emplace(context.problem(), *phi, selection);
  auto bounds = bound_head(*facts.head);
  if (const auto* open = std::get_if<HeadUndecided>(&bounds)) return {.message = open->reason};
  facts.slopes = std::get<certified::HeadSlopes>(std::move(bounds));
  return decided_exactly(true, "the head falls from the selected tokens to all others at rates within bounds",
                         certified::HeadBounds{selection, phi->text(), *facts.slopes});
}

/// Assumption A where Y_i h may lie.
Decided decide_loss(const ClaimContext& context, HeadFacts& facts) {
  const auto range = head_range(*facts.head, *facts.slopes);
  if (!range) return {.message = "the head is not enclosed between the tokens"};
  const LossVerdict verdict = bound_loss(context.problem().loss, *range, context.budget);
  if (const auto* bounds = std::get_if<LossBounds>(&verdict))
    facts.block = certified::LossBlock{*range, bounds->slope_sup, bounds->m0, bounds->m1, bounds->cuts};
  return describe(std::visit([](const auto& outcome) -> AssumptionA { return outcome; }, verdict), *range, false);
}

/// omega with a_c.omega = log(b_i Delta_c/lambda_c) + a constant on the rows with a multiplier, Delta_c the slope of the head at the
/// selected token times the distance: what the minimisers tend to across p^mm [docs/theory.md, Theorem Q]. As coefficients of these rows;
/// any will do.
std::vector<Multiplier> guess_shift(const ClaimContext& context, const SolvedSvm& svm, const HeadOnTokens& head) {
  const std::vector<Multiplier>& multipliers = svm.solution()->multipliers;
  const auto count = static_cast<Index>(multipliers.size());
  MatrixXd rows(count, static_cast<Index>(context.problem().dimension()));
  VectorXd offsets(count);
  double mean = 0;
  double total = 0;
  for (Index k = 0; k < count; ++k) {
    const auto& [row, weight] = multipliers[static_cast<std::size_t>(k)];
    const FractionVector vector = svm.program.row(row);
    for (Index c = 0; c < rows.cols(); ++c)
      rows(k, c) = nearest_double(Rational(vector.numerators[static_cast<std::size_t>(c)], vector.denominator));
    const auto [i, t] = svm.program.name(row);
    const LossJet phi = evaluate(*head.head, nearest_double(head.arguments[i][head.selection[i]]));
    const double steepness = -evaluate(context.problem().loss, head.labels[i] * phi.value).slope;
    const double lambda = nearest_double(weight);
    offsets(k) = std::log(steepness * std::abs(phi.slope) * nearest_double(head.distance(i, t)) / lambda);
    mean += lambda * offsets(k);
    total += lambda;
  }
  offsets.array() -= mean / total;
  const VectorXd coefficients = least_squares(rows * rows.transpose(), offsets);
  std::vector<Multiplier> shift;
  for (Index k = 0; k < count; ++k)
    if (std::isfinite(coefficients(k)) && coefficients(k) != 0)
      shift.push_back({multipliers[static_cast<std::size_t>(k)].row, exact_value(coefficients(k))});
  return shift;
}

/// Theorem P with a head, at the radii where it closes.
std::vector<certified::HeadEnvelope::Entry> prove_envelope(const ClaimContext& context, const SolvedSvm& svm, const HeadFacts& facts) {
  const HeadEnvelopeFacts given{&*facts.head, &context.problem().loss, &svm.program, svm.solution(), &*facts.slopes, &*facts.block};
  const std::vector<Multiplier> shift = guess_shift(context, svm, *facts.head);
  std::vector<certified::HeadEnvelope::Entry> entries;
  for (const int power : envelope_powers) {
    if (context.budget.spent()) break;
    const Rational radius(Integer(1) << power);
    auto shifted = prove_head_envelope(given, radius, shift);
    auto plain = prove_head_envelope(given, radius, {});
    if (plain && (!shifted || plain->square < shifted->square)) shifted = std::move(plain);
    if (shifted) entries.push_back(*std::move(shifted));
  }
  return entries;
}

/// Up to the radius that is asked for, but no farther than doubles see.
std::vector<double> radii_of(const ClaimContext& context, double norm) {
  const auto* asked = context.request.find<Rational>("radius");
  const double farthest = std::ldexp(norm, last_power);
  if (!std::isfinite(farthest)) return {};
  const double last = asked ? std::min(nearest_double(*asked), farthest) : farthest;
  std::vector<double> radii;
  for (int power = first_power; std::ldexp(norm, power) < last; ++power) radii.push_back(std::ldexp(norm, power));
  radii.push_back(last);
  return radii;
}

/// Slope of log error over log R between the last point and the last but two, some two doublings before it; none below rounding, where it
/// says nothing.
std::optional<double> rate_of(const std::vector<ObservedPoint>& points) {
  if (points.size() < 3) return std::nullopt;
  const ObservedPoint& last = points.back();
  const ObservedPoint& earlier = points[points.size() - 3];
  if (!last.found || !earlier.found || last.direction_error <= newton_tolerance.radians) return std::nullopt;
  return std::log(last.direction_error / earlier.direction_error) / std::log(last.radius / earlier.radius);
}

void observe(const ClaimContext& context, const Head& head, const DecidedSvm& svm, Numbers& numbers) {
  const VectorXd target = svm.solution();
  const std::vector<double> radii = radii_of(context, target.stableNorm());
  for (const HeadPathPoint& point : follow_head_path(context.problem(), head, svm.svm->program.selection(), target, radii, context.budget))
    numbers.observed.push_back({point.radius, direction_error(point.p, target), point.found});
  if (numbers.observed.empty() || !numbers.observed.back().found) return;
  numbers.radius = numbers.observed.back().radius;
  numbers.direction_error = numbers.observed.back().direction_error;
  numbers.rate = rate_of(numbers.observed);
}

/// The error falls like 1/R or more, up to what a nonlinear head may leave, over the last two doublings, or is below rounding.
bool converges(const Numbers& numbers) {
  if (numbers.rate) return *numbers.rate <= head_rate_tolerance.exponent - 1;
  return numbers.observed.size() >= 3 && numbers.direction_error && *numbers.direction_error <= newton_tolerance.radians;
}

std::string observed_words(const Numbers& numbers) {
  if (numbers.observed.empty()) return "no path was followed";
  const ObservedPoint& last = numbers.observed.back();
  if (!last.found) return fmt::format("no minimiser was found near the ray at R = {:.3g}", last.radius);
  return fmt::format("at R = {:.3g} the direction error is {:.2e}", last.radius, last.direction_error);
}

Finding conclude(const ClaimContext& context, const Theorem& theorem, const SolvedSvm& svm, const HeadFacts& facts, Numbers& numbers) {
  auto entries = prove_envelope(context, svm, facts);
  if (entries.empty())
    return theorem.conclude(converges(numbers) ? Verdict::holds : Verdict::undecided, observed_words(numbers) + "; no envelope closes");
  for (const auto& entry : entries)
    numbers.envelope.push_back({nearest_double(entry.radius), std::sqrt(upper_double(entry.square / entry.radius))});
  Finding finding = theorem.conclude(Verdict::holds,
                                     fmt::format("proved from R = {:g} on; {}", numbers.envelope.front().radius, observed_words(numbers)));
  finding.grade = Grade::proved;
  finding.certificate = certified::HeadEnvelope{
      svm.program.selection(), facts.head->head->text(), certified_multipliers(svm.program, svm.solution()->multipliers), *facts.block,
      *facts.slopes,           std::move(entries)};
  return finding;
}

/// The mixture of attention s is sum_t s_t |u_it - u_i,alpha_i| >= (1 - s_i,alpha_i) min_t |u_it - u_i,alpha_i| away from the selected
/// token, so that Y_i h falls by nu (1 - s_i,alpha_i) or more, nu the least slope times the least distance.
Rational least_fall(const HeadOnTokens& head, std::size_t sample, const Rational& slope) {
  std::optional<Rational> least;
  for (std::size_t t = 0; t < head.arguments[sample].size(); ++t)
    if (t != head.selection[sample] && (!least || head.distance(sample, t) < *least)) least = head.distance(sample, t);
  return slope * least.value_or(0);
}

void describe_slopes(const HeadOnTokens& head, const certified::HeadSlopes& slopes, Numbers& numbers) {
  for (std::size_t i = 0; i < slopes.bounds.size(); ++i) {
    const auto& bounds = slopes.bounds[i];
    if (!bounds) continue;
    numbers.nu = std::min(numbers.nu.value_or(HUGE_VAL), lower_double(least_fall(head, i, bounds->low)));
    numbers.least_slope = std::min(numbers.least_slope.value_or(HUGE_VAL), lower_double(bounds->low));
    numbers.largest_slope = std::max(numbers.largest_slope.value_or(0), upper_double(bounds->high));
  }
}

Finding decide(const ClaimContext& context, const Selection& selection, Numbers& numbers) {
  const Head& head = *context.request.find<Head>("head");
  Theorem theorem;
  HeadFacts facts;
  const DecidedSvm svm = decide_direction(context, Parametrisation::prompt, selection, SvmProof::exact);
  const bool separable = theorem.assume(HypothesisId::feasible_p_svm, svm);
  if (theorem.assume(HypothesisId::head_bounds, decide_head(context, head, selection, facts)))
    theorem.assume(HypothesisId::assumption_a, decide_loss(context, facts));
  if (facts.slopes) describe_slopes(*facts.head, *facts.slopes, numbers);
  if (separable) observe(context, head, svm, numbers);
  if (theorem.applies()) return conclude(context, theorem, *svm.svm, facts, numbers);
  Finding finding = theorem.obstacle(selection);
  if (separable) finding.conclusion = observed_words(numbers);
  return finding;
}

Finding check(const ClaimContext& context) {
  const auto* given = context.request.find<Selection>("selection");
  const Selection selection = given ? *given : best_for_head(context.problem(), *context.request.find<Head>("head"));
  Numbers numbers;
  Finding finding = decide(context, selection, numbers);
  finding.selection = selection;
  finding.evidence = numbers;
  return finding;
}

}  // namespace

Claim head_path_claim() {
  return {
      .schema =
          {"head-path",
           {{"head",
             ParameterKind::head,
             true,
             "{\"expression\": \"tanh(u)\"} with u = v.x, or {\"weights\", \"activation\", \"output\", \"bias\"}",
             {}},
            {"selection", ParameterKind::selection, false, "one token a sample", {}, "the largest outputs of the head, times the label"},
            {"radius", ParameterKind::positive, false, "the last R that is followed, at most 512 |p^mm|", {}, "512 |p^mm|"}},
           {}},
      .title = "Regularisation path with a nonlinear head",
      .summary = "with a nonlinear head the path converges to the SVM",
      .source = "[MM], envelope ours",
      .words =
          "With a head that falls from the selected tokens towards all mixtures with others, the minimisers over balls of growing radius "
          "converge in direction to the max-margin direction.",
      .formula =
          R"(p_R = \argmin_{\|p\| \le R} \frac{1}{n} \sum_i \ell(Y_i h(X_i^\top \mathrm{softmax}(K_i p))), \quad \frac{p_R}{R} \to \frac{p^{\mathrm{mm}}}{\|p^{\mathrm{mm}}\|})",
      .text =
          "Suppose nu (1 - s_i,alpha_i) <= Y_i h(x_i,alpha_i) - Y_i h(X_i^T s) <= Lambda (1 - s_i,alpha_i) for all attention s, with nu > "
          "0, "
          "Assumption A on the interval of all Y_i h, and a feasible p-SVM(alpha). Then the minimisers of L over |p| <= R converge in "
          "direction to p^mm. For a head phi(v.x) the first is decided by enclosures of phi on cells between v.x_i,alpha_i and the other "
          "v.x_it, which must lie on one side of it (certificate head-bounds); for networks it is undecided.\n"
          "Holds, proved: the bounds close from some R on, which envelope lists: every minimiser for every larger R has a direction error "
          "of at most bound times the root of radius over R (certificate head-envelope).\n"
          "Holds, observed: the hypotheses are proved, no envelope closes, and Newton's method on spheres of growing radius finds "
          "minimisers "
          "whose direction error falls like 1/R (within 0.2 in the exponent). Undecided: a hypothesis is undecided, or the error does not "
          "fall. Inapplicable: a hypothesis fails.",
      .numbers = {{"nu", "lower bound of nu above; null when not proved"},
                  {"radius", "the last R that was followed; null where no minimiser was found there"},
                  {"direction_error", "the direction error there"},
                  {"rate", "slope of log error over log R over the last three points; null below rounding"},
                  {"observed", "points that Newton's method finds, one a radius"},
                  {"observed[].radius", "R"},
                  {"observed[].direction_error", "|p/|p| - p^mm/|p^mm||"},
                  {"observed[].found", "it is a minimiser along the sphere, as far as doubles see"},
                  {"envelope", "radii from which on a bound is proved; empty where none is"},
                  {"envelope[].radius", "R"},
                  {"envelope[].bound", "of the direction error of every minimiser there"},
                  {"least_slope", "lower bound of the rate at which Y_i h falls from the selected tokens; null when not proved"},
                  {"largest_slope", "upper bound of that rate"}},
      .hypotheses = {HypothesisId::feasible_p_svm, HypothesisId::head_bounds, HypothesisId::assumption_a},
      .section = AuditSection::theorems,
      // Hessians by differences of gradients.
      .least_seconds = [](const ProblemSize& size) { return 1e-6 * size.tokens * size.dimension * size.dimension; },
      .check = check};
}

}  // namespace attest
