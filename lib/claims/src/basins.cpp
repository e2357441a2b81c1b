#include "claim_list.hpp"
#include "limit_prover.hpp"
#include "plane_view.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

constexpr std::int64_t default_grid = 15;
constexpr double default_radius = 10;
/// Of starts along a side: more than a picture shows.
constexpr std::int64_t most_grid = 200;
constexpr std::int64_t default_iterations = 2000;

/// A selection that starts of the map provably reach.
struct Reached {
  Selection selection;
  Eigen::VectorXd p_mm;
  Eigen::Vector2d direction;  ///< of its p^mm as seen in the plane: shorter than 1 where it points out of it
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
  std::vector<double> ticks = {};  ///< coordinates of the starts, along each axis
  std::vector<Start> starts = {};  ///< row by row, from the least second coordinate up
  std::vector<Reached> limits = {};
  std::vector<Eigen::Vector2d> path = {};
  std::vector<Eigen::Vector2d> descent = {};
  LossInPlane loss = {};
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
    out("ticks", ticks)("map", map)("map_proved_by", by)("path", path)("descent", descent)("loss", loss);
  }
};

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
    numbers_.limits.push_back({selection, p_mm, numbers_.plane.transpose() * p_mm.normalized()});
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
  if (!plan) {
    finding.message = "no step is given, and 1/L_p is not known: Assumption A is not proved, or L_p is 0 or too large";
    return finding;
  }
  const auto* directions = context.request.find<std::vector<RationalPoint>>("directions");
  const std::optional<Eigen::MatrixXd> plane = directions ? plane_of_directions(*directions) : plane_of_keys(context.problem());
  if (!plane) {
    finding.message = directions ? "the directions are not two independent vectors: they span no plane"
                                 : "the differences of the keys do not span two dimensions: give two `directions` to map their plane";
    return finding;
  }
  const auto* radius = context.request.find<Rational>("radius");
  const auto* grid = context.request.find<std::int64_t>("grid");
  if (grid && *grid > most_grid) {
    finding.message = fmt::format("a grid of more than {} starts a side is not mapped", most_grid);
    return finding;
  }
  Numbers numbers{method, plan->step, radius ? nearest_double(*radius) : default_radius, *plane};
  numbers.ticks = ticks_of(numbers.radius, grid ? *grid : default_grid);
  Mapper mapper(context, *plan, numbers);
  for (const double up : numbers.ticks)
    for (const double across : numbers.ticks) mapper.add(across * plane->col(0) + up * plane->col(1));
  for (Reached& one : numbers.limits) one.share = static_cast<double>(one.starts) / static_cast<double>(numbers.starts.size());
  const auto best = std::ranges::find(numbers.limits, context.study.best(), &Reached::selection);
  if (best != numbers.limits.end()) numbers.path = path_in_plane(context, *plane, numbers.radius, best->p_mm);
  numbers.descent = descent_in_plane(context, *plane, numbers.radius, *plan);
  numbers.loss = loss_in_plane(context, *plane, numbers.radius);
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
                  {"directions", ParameterKind::points, false, "two vectors whose plane is mapped", {}, "the plane of the keys"},
                  {"method", ParameterKind::choice, false, "how to descend", {"constant", "normalised", "flow"}, "normalised"},
                  {"step", ParameterKind::positive, false, "step, or arc length", {}, "0.1; constant: 1/L_p"},
                  {"iterations", ParameterKind::count, false, "of each run, to see where it heads", {}, "2000"}},
                 {{"v", ""}}},
      .title = "Map of basins",
      .summary = "from which starts descent provably ends where",
      .source = "[ours]",
      .words =
          "From every start of a grid in a plane, gradient descent provably converges to the max-margin direction of a "
          "locally optimal selection.",
      .formula =
          R"(\frac{p(k)}{\|p(k)\|} \to \frac{p^{\mathrm{mm}}(\alpha(p(0)))}{\|p^{\mathrm{mm}}(\alpha(p(0)))\|} \quad \text{for each start } p(0))",
      .text =
          "Where the differences of keys span two dimensions, descent moves in that plane alone, so a map of it shows everything. In other "
          "data `directions` chooses a plane of starts, such as that of the p^mm of two selections; descent may leave it. Each start is "
          "run in doubles to see where it heads, and that limit is then proved by a certificate descent-basin, "
          "descent-cone or descent-wedge, as for the claim descent.\n"
          "Holds: the limit of every start is proved.\n"
          "Undecided: some start's limit is not proved (the map leaves it hatched), or there is no plane to map: the keys do not "
          "span two dimensions, or the directions do not. Starts near the border of two basins may need more iterations than are looked "
          "at; one on the border need not have a limit of this kind.",
      .numbers = {{"method", "how the runs descend"},
                  {"step", "their step, or arc length"},
                  {"radius", "half the side of the square of starts"},
                  {"starts", "how many there are"},
                  {"proved", "how many of them have a proved limit"},
                  {"from_iterate", "the latest iterate that a proof is about"},
                  {"limits", "the selections that starts provably reach: selection, direction of p^mm as seen in the plane, starts, share"},
                  {"plane", "two orthonormal vectors that span it"},
                  {"ticks", "the coordinates of the starts, the same along both vectors"},
                  {"map",
                   "for each start, row by row from the least second coordinate, its limit's place in `limits`; null where it is open"},
                  {"map_proved_by", "for each start, how its limit is proved; null where it is open"},
                  {"path", "minimisers of the path of the best selection in the square, for the picture"},
                  {"descent", "points of descent from 0 in the square, for the picture"},
                  {"loss", "log(L - L*) in the square, for the picture: ticks, and log_excess row by row as in `map`"}},
      .section = AuditSection::numerics,
      .check = check};
}

}  // namespace attest
