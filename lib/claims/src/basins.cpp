#include "attest/graph/numeric_problem.hpp"
#include "attest/solve/dense.hpp"
#include "attest/solve/path.hpp"
#include "claim_list.hpp"
#include "limit_prover.hpp"
#include "path_observation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

constexpr std::int64_t default_grid = 15;
constexpr double default_radius = 10;
/// Of starts along a side: more than a picture shows.
constexpr std::int64_t most_grid = 200;
constexpr std::int64_t default_iterations = 2000;
/// Singular values of the keys' differences below this share of the largest are rounding.
constexpr double span_threshold = 1e-9;

/// Two orthonormal vectors that span the differences of the keys, in which alone descent moves; none when they span more or less.
std::optional<Eigen::MatrixXd> plane_of_keys(const Problem& problem) {
  const NumericProblem numeric(problem);
  Eigen::Index columns = 0;
  for (const Eigen::MatrixXd& keys : numeric.keys) columns += keys.cols() - 1;
  Eigen::MatrixXd differences(numeric.dimension, columns);
  Eigen::Index column = 0;
  for (const Eigen::MatrixXd& keys : numeric.keys)
    for (Eigen::Index t = 1; t < keys.cols(); ++t) differences.col(column++) = keys.col(t) - keys.col(0);
  const Eigen::MatrixXd span = column_span(differences, span_threshold);
  if (span.cols() != 2) return std::nullopt;
  // The coordinate axes, where these are the plane: a picture is read more easily in them.
  for (Eigen::Index a = 0; a < numeric.dimension; ++a)
    for (Eigen::Index b = a + 1; b < numeric.dimension; ++b) {
      Eigen::MatrixXd axes = Eigen::MatrixXd::Zero(numeric.dimension, 2);
      axes(a, 0) = axes(b, 1) = 1;
      if ((span - axes * (axes.transpose() * span)).norm() <= span_threshold) return axes;
    }
  return span;
}

/// A selection that starts of the map provably reach.
struct Reached {
  Selection selection;
  Eigen::Vector2d direction;  ///< of its p^mm, in the plane
  std::size_t starts = 0;
  double share = 0;

  void write(Fields& out) const { out("selection", selection)("direction", direction)("starts", starts)("share", share); }
};

struct Start {
  std::optional<std::size_t> limit;  ///< into the list of what is reached; none where it is not proved
  std::optional<LimitBy> by;
  std::size_t from_iterate = 0;
};

std::string_view name_of_proof(const Start& start) {
  if (start.by == LimitBy::basin) return "basin";
  return start.by == LimitBy::cone ? "cone" : "wedge";
}

struct Numbers {
  DescentMethod method;
  double step;
  double radius;
  Eigen::MatrixXd plane;
  std::vector<double> ticks;  ///< coordinates of the starts, along each axis
  std::vector<Start> starts;  ///< row by row, from the least second coordinate up
  std::vector<Reached> limits;
  std::vector<Eigen::Vector2d> path;
  std::size_t proved = 0;
  std::size_t latest = 0;

  void write(Fields& out) const {
    std::vector<std::optional<std::size_t>> map;
    std::vector<std::optional<std::string_view>> by;
    for (const Start& start : starts) {
      map.push_back(start.limit);
      by.push_back(start.limit ? std::optional(name_of_proof(start)) : std::nullopt);
    }
    out("method", name_of(method))("step", step)("radius", radius)("starts", starts.size())("proved", proved);
    out("from_iterate", latest)("limits", limits)("plane", std::vector<Eigen::VectorXd>{plane.col(0), plane.col(1)});
    out("ticks", ticks)("map", map)("map_proved_by", by)("path", path);
  }
};

std::vector<double> ticks_of(double radius, std::int64_t count) {
  std::vector<double> ticks;
  for (std::int64_t k = 0; k < count; ++k)
    ticks.push_back(count == 1 ? 0 : radius * (2 * static_cast<double>(k) / static_cast<double>(count - 1) - 1));
  return ticks;
}

/// Minimisers of the path of the best selection within the square, for the eye.
std::vector<Eigen::Vector2d> path_in(const ClaimContext& context, const Eigen::MatrixXd& plane, double radius,
                                     const Eigen::VectorXd& p_mm) {
  std::vector<Eigen::Vector2d> points;
  for (const double share : {0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0})
    if (const auto p = path_point_at(context, context.study.best(), p_mm, false, share * radius)) points.push_back(plane.transpose() * *p);
  return points;
}

/// Proves where the starts of a grid go.
class Mapper {
 public:
  Mapper(const ClaimContext& context, const DescentPlan& plan, Numbers& numbers)
      : context_(context), plan_(plan), numbers_(numbers), laboratory_(context), prover_(context, Parametrisation::prompt, plan) {}

  void add(const Eigen::VectorXd& start) {
    if (context_.budget.spent()) return leave_open("the time was up");
    const ObservedRun observed = laboratory_.run(start, plan_);
    // Starts of the grid are none of the claim's parameters: they are the doubles that they are.
    const LimitProof proof = prover_.prove(observed, 0);
    const ProvedLimit* proved = proof.proved();
    if (proved == nullptr) return leave_open(proof.obstacle());
    certificates_.push_back(proof.certificate());
    const std::size_t limit = index_of(proof.selection(), *observed.limit.direction);
    ++numbers_.limits[limit].starts;
    ++numbers_.proved;
    numbers_.latest = std::max(numbers_.latest, proved->from_iterate);
    numbers_.starts.push_back({limit, proved->by, proved->from_iterate});
  }

  std::vector<std::optional<Certificate>> certificates() && { return std::move(certificates_); }
  const std::string& obstacle() const { return obstacle_; }

 private:
  void leave_open(const std::string& obstacle) {
    if (obstacle_.empty()) obstacle_ = obstacle;
    certificates_.push_back(std::nullopt);
    numbers_.starts.push_back({});
  }

  std::size_t index_of(const Selection& selection, const Eigen::VectorXd& p_mm) {
    const auto found = std::ranges::find(numbers_.limits, selection, &Reached::selection);
    if (found != numbers_.limits.end()) return static_cast<std::size_t>(found - numbers_.limits.begin());
    numbers_.limits.push_back({selection, (numbers_.plane.transpose() * p_mm).normalized()});
    return numbers_.limits.size() - 1;
  }

  const ClaimContext& context_;
  DescentPlan plan_;
  Numbers& numbers_;
  DescentLaboratory laboratory_;
  LimitProver prover_;
  std::vector<std::optional<Certificate>> certificates_;
  std::string obstacle_;  // of the first start that is open
};

std::string shares_text(const std::vector<Reached>& limits) {
  std::string text;
  for (const Reached& one : limits) text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", one.starts, to_string(one.selection));
  return text;
}

Finding check(const ClaimContext& context) {
  Finding finding;
  if (context.budget.spent()) {
    finding.message = "the time was up before the first start";
    return finding;
  }
  const DescentMethod method = chosen_method(context.request).value_or(DescentMethod::normalised);
  const std::optional<DescentPlan> plan = descent_plan(context, method, default_iterations);
  const std::optional<Eigen::MatrixXd> plane = plane_of_keys(context.problem());
  if (!plan || !plane) {
    finding.message = plan ? "the differences of the keys do not span two dimensions: there is no map to draw"
                           : "no step is given, and 1/L_p is not known: Assumption A is not proved, or L_p is 0 or too large";
    return finding;
  }
  const auto* radius = context.request.find<Rational>("radius");
  const auto* grid = context.request.find<std::int64_t>("grid");
  if (grid && *grid > most_grid) {
    finding.message = fmt::format("a grid of more than {} starts a side is not mapped", most_grid);
    return finding;
  }
  Numbers numbers{method, plan->step, radius ? nearest_double(*radius) : default_radius, *plane, {}, {}, {}, {}};
  numbers.ticks = ticks_of(numbers.radius, grid ? *grid : default_grid);
  Mapper mapper(context, *plan, numbers);
  for (const double up : numbers.ticks)
    for (const double across : numbers.ticks) mapper.add(across * plane->col(0) + up * plane->col(1));
  for (Reached& one : numbers.limits) one.share = static_cast<double>(one.starts) / static_cast<double>(numbers.starts.size());
  const auto best = std::ranges::find(numbers.limits, context.study.best(), &Reached::selection);
  if (best != numbers.limits.end()) numbers.path = path_in(context, *plane, numbers.radius, *plane * best->direction);
  const bool all = numbers.proved == numbers.starts.size();
  finding.verdict = all ? Verdict::holds : Verdict::undecided;
  finding.grade = all ? Grade::proved : Grade::observed;
  finding.message = fmt::format("{} of {} starts have a proved limit{}{}", numbers.proved, numbers.starts.size(),
                                numbers.limits.empty() ? "" : ": ", shares_text(numbers.limits));
  if (!all) finding.message += "; the first that is open: " + mapper.obstacle();
  finding.run_certificates = std::move(mapper).certificates();
  if (all) finding.certificate = finding.run_certificates.front();
  finding.evidence = std::move(numbers);
  return finding;
}

}  // namespace

Claim basins_claim() {
  return {
      .schema = {"basins",
                 {{"radius", ParameterKind::positive, false, "half the side of the square of starts", {}, "10"},
                  {"grid", ParameterKind::count, false, "starts along each side, at most 200", {}, "15"},
                  {"method", ParameterKind::choice, false, "how to descend", {"constant", "normalised", "flow"}, "normalised"},
                  {"step", ParameterKind::positive, false, "step, or arc length", {}, "0.1; constant: 1/L_p"},
                  {"iterations", ParameterKind::count, false, "of each run, to see where it heads", {}, "2000"}},
                 {{"v", ""}}},
      .title = "Map of basins",
      .summary = "from which starts descent provably ends where",
      .source = "[ours]",
      .words =
          "From every start of a grid in the plane of the keys, gradient descent provably converges to the max-margin direction of a "
          "locally optimal selection.",
      .formula =
          R"(\frac{p(k)}{\|p(k)\|} \to \frac{p^{\mathrm{mm}}(\alpha(p(0)))}{\|p^{\mathrm{mm}}(\alpha(p(0)))\|} \quad \text{for each start } p(0))",
      .text =
          "For data whose differences of keys span two dimensions: descent leaves that plane as it finds it, so a map of it shows "
          "everything. Each start is run in doubles to see where it heads, and that limit is then proved by a certificate descent-basin, "
          "descent-cone or descent-wedge, as for the claim descent.\n"
          "Holds: the limit of every start is proved.\n"
          "Undecided: some start's limit is not proved (the map leaves it hatched), or the keys do not span two dimensions. Starts near "
          "the "
          "border of two basins may need more iterations than are looked at; one on the border need not have a limit of this kind.",
      .numbers = {{"method", "how the runs descend"},
                  {"step", "their step, or arc length"},
                  {"radius", "half the side of the square of starts"},
                  {"starts", "how many there are"},
                  {"proved", "how many of them have a proved limit"},
                  {"from_iterate", "the latest iterate that a proof is about"},
                  {"limits", "the selections that starts provably reach: selection, direction of p^mm in the plane, starts, share"},
                  {"plane", "two orthonormal vectors that span the differences of the keys"},
                  {"ticks", "the coordinates of the starts, the same along both vectors"},
                  {"map",
                   "for each start, row by row from the least second coordinate, its limit's place in `limits`; null where it is open"},
                  {"map_proved_by", "for each start, how its limit is proved; null where it is open"},
                  {"path", "minimisers of the path of the best selection in the square, for the picture"}},
      .section = AuditSection::numerics,
      .check = check};
}

}  // namespace attest
