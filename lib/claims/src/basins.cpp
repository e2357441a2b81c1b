#include "claim_list.hpp"
#include "plane_view.hpp"
#include "travel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr std::int64_t default_grid = 15;
/// A coarser map shows no border.
constexpr std::int64_t least_grid = 5;
constexpr double default_radius = 10;
/// Of starts along a side: more than a picture shows.
constexpr std::int64_t most_grid = 200;
/// Products of doubles that the runs of a map take at most at first, some seconds: on large data they are shorter, but not below this.
constexpr double most_work = 2e10;
constexpr std::int64_t least_travel = 200;

/// A selection that starts of the map go to.
struct Reached {
  Selection selection;
  Eigen::VectorXd p_mm;
  Eigen::Vector2d direction;  ///< of its p^mm as seen in the plane: shorter than 1 where it points out of it
  std::size_t starts = 0;     ///< that provably go there
  std::size_t seen = 0;       ///< that are seen to, beside these
  double share = 0;           ///< of all starts, both together

  void write(Fields& out) const { out("selection", selection)("direction", direction)("starts", starts)("seen", seen)("share", share); }
};

struct Start {
  std::optional<std::size_t> limit;  ///< into the list of what is reached; none where it is neither proved nor seen
  std::optional<LimitBy> by;         ///< none where it is not proved
};

/// The plane that is mapped, and what spans it.
struct MappedPlane {
  Eigen::MatrixXd plane;
  std::vector<Selection> of = {};  ///< of p^mm of the first and of p^mm of the second, or the first step from 0; empty for another plane
};

struct Numbers {
  DescentMethod method;
  double step;
  double radius;
  MappedPlane mapped;
  std::vector<double> ticks = {};  ///< coordinates of the starts, along each axis
  std::vector<Start> starts = {};  ///< row by row, from the least second coordinate up
  std::vector<Reached> limits = {};
  std::vector<Eigen::Vector2d> path = {};
  std::vector<Eigen::Vector2d> descent = {};
  LossInPlane loss = {};
  std::size_t proved = 0;
  std::size_t seen = 0;
  std::size_t latest = 0;

  void write(Fields& out) const {
    std::vector<std::optional<std::size_t>> map;
    std::vector<std::optional<std::size_t>> map_seen;
    std::vector<std::optional<std::string_view>> by;
    for (const Start& start : starts) {
      map.push_back(start.by ? start.limit : std::nullopt);
      map_seen.push_back(start.by ? std::nullopt : start.limit);
      by.push_back(start.by ? std::optional(name_of(*start.by)) : std::nullopt);
    }
    out("method", name_of(method))("step", step)("radius", radius)("starts", starts.size())("proved", proved)("seen", seen);
    out("from_iterate", latest)("limits", limits)("plane", std::vector<Eigen::VectorXd>{mapped.plane.col(0), mapped.plane.col(1)});
    out("plane_of", mapped.of)("ticks", ticks)("map", map)("map_seen", map_seen)("map_proved_by", by);
    out("path", path)("descent", descent)("loss", loss);
  }
};

/// Finds where the starts of a grid go.
class Mapper {
 public:
  Mapper(const ClaimContext& context, const DescentPlan& plan, Numbers& numbers)
      : context_(context), numbers_(numbers), traveller_(context, plan, numbers.ticks.size() * numbers.ticks.size()) {}

  void add(const Eigen::VectorXd& start) {
    if (context_.budget.spent()) return leave_open("the time was up");
    const Travelled travelled = traveller_.follow(start);
    if (!travelled.selection) return leave_open(travelled.why_open);
    const std::size_t limit = index_of(*travelled.selection);
    certificates_.push_back(travelled.proof.certificate());
    const ProvedLimit* proved = travelled.proof.proved();
    if (proved == nullptr) {
      ++numbers_.limits[limit].seen;
      ++numbers_.seen;
      if (obstacle_.empty()) obstacle_ = travelled.proof.obstacle();
      numbers_.starts.push_back({limit, std::nullopt});
      return;
    }
    ++numbers_.limits[limit].starts;
    ++numbers_.proved;
    numbers_.latest = std::max(numbers_.latest, proved->from_iterate);
    numbers_.starts.push_back({limit, proved->by});
  }

  std::vector<std::optional<Certificate>> certificates() && { return std::move(certificates_); }
  const std::string& obstacle() const { return obstacle_; }

 private:
  void leave_open(const std::string& obstacle) {
    if (obstacle_.empty()) obstacle_ = obstacle;
    certificates_.push_back(std::nullopt);
    numbers_.starts.push_back({});
  }

  std::size_t index_of(const Selection& selection) {
    const auto found = std::ranges::find(numbers_.limits, selection, &Reached::selection);
    if (found != numbers_.limits.end()) return static_cast<std::size_t>(found - numbers_.limits.begin());
    const Eigen::VectorXd& p_mm = *traveller_.limit(selection).direction;
    numbers_.limits.push_back({selection, p_mm, numbers_.mapped.plane.transpose() * p_mm.normalized()});
    return numbers_.limits.size() - 1;
  }

  const ClaimContext& context_;
  Numbers& numbers_;
  Traveller traveller_;
  std::vector<std::optional<Certificate>> certificates_;
  std::string obstacle_;  // of the first start that is not proved
};

/// Where descent from 0 is after its first step.
Eigen::VectorXd first_step(const ClaimContext& context) {
  DescentKernel kernel(context.problem(), context.study.scores());
  const Eigen::VectorXd origin = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(context.problem().dimension()));
  return descend(kernel, origin, {.method = DescentMethod::normalised, .iterations = 1}, context.budget).last().p;
}

/// That of p^mm of two selections, or of p^mm of one and the first step from 0.
std::optional<Eigen::MatrixXd> plane_of_selections(const ClaimContext& context, const std::vector<Selection>& selections) {
  if (selections.empty() || selections.size() > 2) return std::nullopt;
  DescentLaboratory laboratory(context);
  const std::optional<Eigen::VectorXd> along = laboratory.limit(selections.front()).direction;
  const std::optional<Eigen::VectorXd> towards =
      selections.size() == 2 ? laboratory.limit(selections.back()).direction : first_step(context);
  return along && towards ? plane_of(*along, *towards) : std::nullopt;
}

/// The plane that the claim asks for, or why there is none.
std::variant<MappedPlane, std::string> plane_to_map(const ClaimContext& context) {
  if (const auto* directions = context.request.find<std::vector<RationalPoint>>("directions")) {
    if (const auto plane = plane_of_directions(*directions)) return MappedPlane{*plane};
    return "the directions are not two independent vectors: they span no plane";
  }
  if (const auto plane = plane_of_keys(context.problem())) return MappedPlane{*plane};
  const auto* selections = context.request.find<std::vector<Selection>>("selections");
  if (selections == nullptr)
    return "the differences of the keys do not span two dimensions: give two `directions`, or `selections`, to map their plane";
  if (const auto plane = plane_of_selections(context, *selections)) return MappedPlane{*plane, *selections};
  return "the selections span no plane: give one or two whose p-SVM has a solution, and whose p^mm are independent";
}

/// As fine as the work allows, odd so that 0 is a start.
std::int64_t usual_grid(const ClaimContext& context) {
  const auto side = static_cast<std::int64_t>(std::sqrt(std::min(runs_within_work(ProblemSize(context.problem())), 1e6)));
  return std::clamp(side % 2 == 0 ? side - 1 : side, least_grid, default_grid);
}

std::int64_t usual_iterations(const ProblemSize& size, double starts) {
  const double affordable = most_work / (starts * work_of_iteration(size));
  return static_cast<std::int64_t>(std::clamp(affordable, static_cast<double>(least_travel), static_cast<double>(usual_travel)));
}

std::string shares_text(const std::vector<Reached>& limits) {
  std::string text;
  for (const Reached& one : limits)
    text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", one.starts + one.seen, to_string(one.selection));
  return text;
}

Finding check(const ClaimContext& context) {
  Finding finding;
  if (context.budget.spent()) {
    finding.message = "the time was up before the first start";
    return finding;
  }
  const auto* grid = context.request.find<std::int64_t>("grid");
  const std::int64_t side = grid ? *grid : usual_grid(context);
  const auto planned = travel_plan(context, usual_iterations(ProblemSize(context.problem()), static_cast<double>(side * side)));
  if (const auto* open = std::get_if<Finding>(&planned)) return *open;
  const DescentPlan& plan = std::get<DescentPlan>(planned);
  const auto mapped = plane_to_map(context);
  if (const auto* none = std::get_if<std::string>(&mapped)) {
    finding.message = *none;
    return finding;
  }
  const auto* radius = context.request.find<Rational>("radius");
  if (side > most_grid) {
    finding.message = fmt::format("a grid of more than {} starts a side is not mapped", most_grid);
    return finding;
  }
  Numbers numbers{plan.method, plan.step, radius ? nearest_double(*radius) : default_radius, std::get<MappedPlane>(mapped)};
  numbers.ticks = ticks_of(numbers.radius, side);
  const Eigen::MatrixXd& plane = numbers.mapped.plane;
  Mapper mapper(context, plan, numbers);
  const auto all_starts = static_cast<double>(numbers.ticks.size() * numbers.ticks.size());
  for (const double up : numbers.ticks)
    for (const double across : numbers.ticks) {
      if (context.progress) context.progress(static_cast<double>(numbers.starts.size()) / all_starts, "descent");
      mapper.add(across * plane.col(0) + up * plane.col(1));
    }
  for (Reached& one : numbers.limits) one.share = static_cast<double>(one.starts + one.seen) / all_starts;
  const auto best = std::ranges::find(numbers.limits, context.study.best(), &Reached::selection);
  if (best != numbers.limits.end()) numbers.path = path_in_plane(context, plane, numbers.radius, best->p_mm);
  numbers.descent = descent_in_plane(context, plane, numbers.radius, plan);
  numbers.loss = loss_in_plane(context, plane, numbers.radius);
  const std::size_t count = numbers.starts.size();
  const bool all = numbers.proved == count;
  finding.verdict = numbers.proved + numbers.seen == count ? Verdict::holds : Verdict::undecided;
  finding.grade = all ? Grade::proved : Grade::observed;
  finding.message = fmt::format("{} of {} starts have a proved limit{}{}{}", numbers.proved, count,
                                numbers.seen > 0 ? fmt::format(", {} more are seen to head for one", numbers.seen) : "",
                                numbers.limits.empty() ? "" : ": ", shares_text(numbers.limits));
  if (!all) finding.message += "; the first that is not proved: " + mapper.obstacle();
  finding.run_certificates = std::move(mapper).certificates();
  if (all) finding.certificate = finding.run_certificates.front();
  finding.evidence = std::move(numbers);
  return finding;
}

/// Of the coarsest map, with its bands of the loss.
double least_seconds(const ProblemSize& size) {
  constexpr double products_a_second = 4e9;
  constexpr auto starts = static_cast<double>(least_grid * least_grid);
  const double iterations = starts * static_cast<double>(usual_iterations(size, starts)) + 2000;
  return iterations * work_of_iteration(size) / products_a_second;
}

}  // namespace

Claim basins_claim() {
  return {
      .schema = {"basins",
                 {{"radius", ParameterKind::positive, false, "half the side of the square of starts", {}, "10"},
                  {"grid", ParameterKind::count, false, "starts along each side, at most 200", {}, "15; large data: fewer, at least 5"},
                  {"directions", ParameterKind::points, false, "two vectors whose plane is mapped", {}, "the plane of the keys"},
                  {"selections",
                   ParameterKind::selections,
                   false,
                   "where the keys span more than two dimensions: one or two selections whose plane is mapped",
                   {}},
                  {"method", ParameterKind::choice, false, "how to descend", {"constant", "normalised", "flow"}, "normalised"},
                  {"step", ParameterKind::positive, false, "step, or arc length", {}, "0.1; constant: 1/L_p"},
                  {"iterations",
                   ParameterKind::count,
                   false,
                   "of each run, to see where it heads",
                   {},
                   "2000, up to 200000 where that says nothing yet; large data: fewer, at least 200"}},
                 {{"v", ""}}},
      .title = "Map of basins",
      .summary = "from which starts descent ends where",
      .source = "[ours]",
      .words =
          "From every start of a grid in a plane, gradient descent converges to the max-margin direction of a locally optimal selection.",
      .formula =
          R"(\frac{p(k)}{\|p(k)\|} \to \frac{p^{\mathrm{mm}}(\alpha(p(0)))}{\|p^{\mathrm{mm}}(\alpha(p(0)))\|} \quad \text{for each start } p(0))",
      .text =
          "Where the differences of keys span two dimensions, descent moves in that plane alone, so a map of it shows everything. In other "
          "data `directions` chooses a plane of starts, or `selections` does: that of the p^mm of two selections, or of the p^mm of one "
          "and "
          "the first step of descent from 0; descent may leave it. Each start is run in doubles to see where it heads, and that limit is "
          "then proved by a certificate descent-basin, descent-cone or descent-wedge, as for the claim descent, as long as the counted "
          "work "
          "of the claim allows; what is not proved counts when the run heads for the exact p^mm of a locally optimal selection, as for the "
          "claim destinations.\n"
          "Holds: every start goes to a selection; proved when the limit of every start is.\n"
          "Undecided: some start goes nowhere as far as was looked (the map leaves it hatched), or there is no plane to map: the keys do "
          "not "
          "span two dimensions, or the directions do not. Starts near the border of two basins may need more iterations than are looked "
          "at; one on the border need not have a limit of this kind.",
      .numbers =
          {{"method", "how the runs descend"},
           {"step", "their step, or arc length"},
           {"radius", "half the side of the square of starts"},
           {"starts", "how many there are"},
           {"proved", "how many of them have a proved limit"},
           {"seen", "how many more are seen to head for one"},
           {"from_iterate", "the latest iterate that a proof is about"},
           {"limits",
            "the selections that starts go to: selection, direction of p^mm as seen in the plane, starts that provably do, more "
            "that are seen to, share of both"},
           {"plane", "two orthonormal vectors that span it"},
           {"plane_of", "the selections whose p^mm span it; empty where it is that of the keys or of directions"},
           {"ticks", "the coordinates of the starts, the same along both vectors"},
           {"map",
            "for each start, row by row from the least second coordinate, its proved limit's place in `limits`; null where it is open"},
           {"map_seen", "the same of starts whose limit is seen, not proved"},
           {"map_proved_by", "for each start, how its limit is proved; null where it is open"},
           {"path", "minimisers of the path of the best selection in the square, for the picture"},
           {"descent", "points of descent from 0 in the square, for the picture"},
           {"loss", "log(L - L*) in the square, for the picture: ticks, and log_excess row by row as in `map`"}},
      .section = AuditSection::optima,
      .least_seconds = least_seconds,
      .check = check};
}

}  // namespace attest
