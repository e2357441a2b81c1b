#include "attest/exact/ascent.hpp"
#include "attest/exact/stationary_point.hpp"
#include "attest/solve/stationary_guess.hpp"
#include "claim_list.hpp"
#include "over.hpp"
#include "sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {
namespace {

constexpr std::int64_t default_starts = 30;
/// Products that the search may take in all, some seconds, at most 60 dense Hessians a start: large data get fewer starts.
constexpr double most_work = 4e10;
/// Parameters of a problem in which Newton's method is tried: its Hessian is dense.
constexpr std::size_t most_parameters = 400;
/// Starts are normal vectors of these lengths, of the one on which attention changes.
constexpr std::array<double, 3> start_lengths = {0.3, 1, 3};

struct Numbers {
  std::optional<std::string> by = {};
  std::optional<std::vector<double>> direction = {};  ///< u, or q
  std::optional<std::vector<std::size_t>> ranks = {};
  std::optional<std::vector<double>> point = {};
  std::optional<double> radius = {};  ///< of the box, in coordinates of its basis
  std::int64_t starts = 0;
  bool excluded = false;

  void write(Fields& out) const {
    out("by", by)("direction", direction)("ranks", ranks)("point", point)("radius", radius)("starts", starts)("excluded", excluded);
  }
};

std::vector<double> image_of(const std::vector<Rational>& values) {
  std::vector<double> image;
  for (const Rational& value : values) image.push_back(nearest_double(value));
  return image;
}

/// What Theorem S rests on, as a certificate holds it, with its numbers.
struct DescribeAscent {
  using By = decltype(certified::NoStationaryPoint::by);
  Numbers& numbers;

  By operator()(const AscentDirection& ascent) const {
    numbers.by = "direction";
    numbers.direction = image_of(ascent.u);
    return certified::NoStationaryPoint::ByDirection{ascent.u};
  }
  By operator()(const AscentQuery& ascent) const {
    numbers.by = "query";
    numbers.direction = image_of(ascent.q);
    return certified::NoStationaryPoint::ByQuery{ascent.q};
  }
  By operator()(const IndependentQueries& queries) const {
    numbers.by = "rank";
    numbers.ranks = {queries.rank};
    return certified::NoStationaryPoint::ByRank{};
  }
};

std::string words_of(const Ascent& ascent) {
  if (std::holds_alternative<IndependentQueries>(ascent))
    return "the queries are independent, so some direction is never orthogonal to the gradient";
  if (std::holds_alternative<AscentQuery>(ascent))
    return "a vector q separates the queries by their labels: along v q^T the loss falls everywhere";
  return "along a direction in which larger scores have larger keys the loss falls everywhere";
}

/// [docs/theory.md, Theorem S] It needs l' < 0 on the scores.
Finding conclude(const ClaimContext& context, Parametrisation over, const Ascent& ascent, Numbers& numbers) {
  Finding finding;
  auto by = std::visit(DescribeAscent{numbers}, ascent);
  const AssumptionA assumption = context.study.assumption_a(context.budget);
  if (const auto* bounds = std::get_if<LossBounds>(&assumption)) {
    finding.verdict = Verdict::holds;
    finding.grade = Grade::proved;
    finding.message = words_of(ascent);
    finding.certificate =
        certified::NoStationaryPoint{over,
                                     context.problem().dimension(),
                                     {context.study.score_interval(), bounds->slope_sup, bounds->m0, bounds->m1, bounds->cuts},
                                     std::move(by)};
  } else {
    finding.message = words_of(ascent) + " where l' < 0, but that is not proved on the interval of the scores";
  }
  return finding;
}

Finding refuted(Parametrisation over, std::vector<Rational> centre, decltype(certified::StationaryPoint::by) by, std::string message) {
  Finding finding;
  finding.verdict = Verdict::fails;
  finding.grade = Grade::proved;
  finding.message = std::move(message);
  finding.certificate = certified::StationaryPoint{over, std::move(centre), std::move(by)};
  return finding;
}

Finding refute_at_origin(const ClaimContext& context, Parametrisation over, Numbers& numbers) {
  numbers.by = "origin";
  const std::size_t d = context.problem().dimension();
  std::vector<Rational> origin(over == Parametrisation::weights ? d * d : d, 0);
  numbers.point = image_of(origin);
  return refuted(over, std::move(origin), certified::StationaryPoint::ByOrigin{}, "the gradient is 0 at 0");
}

Finding refute_by(Parametrisation over, const StationaryBox& box, Numbers& numbers) {
  numbers.by = "krawczyk";
  numbers.point = image_of(box.centre);
  numbers.radius = upper_double(box.radius.front());
  double square = 0;
  for (const double entry : *numbers.point) square += entry * entry;
  return refuted(over, box.centre, certified::StationaryPoint::ByKrawczyk{box.basis, box.radius, box.inverse},
                 fmt::format("a stationary point is enclosed, of norm {:.6g}", std::sqrt(square)));
}

std::int64_t affordable_starts(const ProblemSize& size, Parametrisation over) {
  const double parameters = over == Parametrisation::weights ? size.dimension * size.dimension : size.dimension;
  const double fit = most_work / (60 * size.tokens * parameters * parameters);
  return static_cast<std::int64_t>(std::clamp(fit, 1.0, static_cast<double>(default_starts)));
}

/// A stationary point that Newton's method guesses from random starts, and ball arithmetic encloses.
std::optional<StationaryBox> search(const ClaimContext& context, Parametrisation over, Numbers& numbers) {
  const std::size_t d = context.problem().dimension();
  if ((over == Parametrisation::weights ? d * d : d) > most_parameters) return std::nullopt;
  const StationarySearch newton(context.problem(), over);
  const auto* given = context.request.find<std::int64_t>("starts");
  const std::int64_t wanted = given ? *given : affordable_starts(ProblemSize(context.problem()), over);
  Sampler sampler(context.seed);
  while (numbers.starts < wanted && !context.budget.spent()) {
    const double length = start_lengths[static_cast<std::size_t>(numbers.starts++) % start_lengths.size()] * newton.length();
    const auto guess = newton.from(length * sampler.normal_vector(newton.dimension()));
    if (!guess) continue;
    const std::span near(guess->data(), static_cast<std::size_t>(guess->size()));
    if (auto box = enclose_stationary_point(context.study.tokens(), context.study.scores(), over, near)) return box;
  }
  return std::nullopt;
}

Finding decide(const ClaimContext& context, Parametrisation over, Numbers& numbers) {
  Finding finding;
  finding.message = "the time was up";
  if (context.budget.spent()) return finding;
  const ExactTokens& tokens = context.study.tokens();
  const auto ascent = find_ascent(tokens, context.study.scores(), over);
  if (const auto* found = std::get_if<Ascent>(&ascent)) return conclude(context, over, *found, numbers);
  numbers.excluded = std::get<NoAscent>(ascent).excluded;
  if (is_stationary_at_origin(tokens, context.study.scores(), over)) return refute_at_origin(context, over, numbers);
  if (const auto box = search(context, over, numbers)) return refute_by(over, *box, numbers);
  finding.message = fmt::format("no direction {}, and no stationary point was found from {} starts{}",
                                numbers.excluded ? "shows it, as none can" : "was found that shows it", numbers.starts,
                                context.budget.spent() ? " before the time was up" : "");
  return finding;
}

Finding check(const ClaimContext& context) {
  Numbers numbers;
  Finding finding = decide(context, over_of(context.request), numbers);
  finding.evidence = numbers;
  return finding;
}

}  // namespace

Claim no_stationary_point_claim() {
  return {
      .schema =
          {"no-stationary-point",
           {over_parameter(),
            {"starts", ParameterKind::count, false, "random starts of the search for a stationary point", {}, "30, fewer on large data"}},
           {{"v", ""}}},
      .title = "No stationary point",
      .summary = "the gradient of the loss vanishes nowhere",
      .source = "ours",
      .words = "The gradient of the loss is 0 at no point, so that descent with safe steps leaves every bounded set.",
      .formula = R"(\nabla L(p) \ne 0 \quad \forall p)",
      .text =
          "Holds, proved: along some u the keys of a sample do not fall where its scores rise, (k_it - k_it').u >= 0 whenever gamma_it > "
          "gamma_it', one of them > 0, and l' < 0 on the scores; then -dL/dp.u > 0 everywhere, and constant steps of at most 1/L_p, and "
          "flow, go to infinity from every start. u is v, or -v, where W is not given and the labels agree; else it is found by a "
          "perceptron or "
          "by linear programming in rational arithmetic. Over W it is "
          "enough that some q has Y_i q.z_i >= 0 for all samples whose scores differ, > 0 for one, as it is when their queries are "
          "linearly "
          "independent (certificate no-stationary-point).\n"
          "Fails, proved: a stationary point is enclosed by Krawczyk's test in ball arithmetic, near one that Newton's method found from a "
          "random start, or it is 0, where the terms of the gradient cancel in rational arithmetic (certificate stationary-point).\n"
          "Undecided: neither. That no stationary point was found says nothing.",
      .numbers = {{"by", "what shows it: direction, query or rank; against it: origin or krawczyk"},
                  {"direction", "u, by rows where it is a matrix, or q"},
                  {"ranks", "of the queries of the samples whose scores differ, one number: as many as these are"},
                  {"point", "the middle of the box that holds a stationary point, by rows where it is a matrix"},
                  {"radius", "of the box, in coordinates of its basis; null at the origin"},
                  {"starts", "starts of the search for a stationary point that were tried"},
                  {"excluded", "it is proved that no such direction exists"}},
      .section = AuditSection::optima,
      // The rows of all pairs of scores in rational arithmetic; what follows watches its budget.
      .least_seconds = [](const ProblemSize& size) { return 1e-6 * size.rows * size.dimension; },
      .check = check};
}

}  // namespace attest
