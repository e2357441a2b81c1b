#include "path_observation.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/descent_kernel.hpp"
#include "descent_pace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr double default_path_radius = 0x1p20;

/// The rate is measured over the last radii, a factor of this: with small margins 1/R sets in late.
constexpr double rate_span = 16;

/// At this many times p^mm the limit's loss is e^-1000: a path that leads elsewhere there contradicts the theorem. Before, it may
/// still be on its way.
constexpr double far_out_rows = 1000;

/// From radius to radius: on large data each point costs a second or more, and fewer show as much.
double radius_growth(const Problem& problem, Parametrisation parametrisation) {
  constexpr double large_work = 5e5;
  return iteration_work(problem, parametrisation) < large_work ? 2 : 4;
}

struct OpinionNumbers {
  const IpoptOpinion& opinion;

  void write(Fields& out) const {
    out("status", opinion.end)("iterations", opinion.iterations)("distance", opinion.distance)("lower_by", opinion.lower_by);
  }
};

Finding conclude(const PathTheorem& theorem, const ObservedPath& observed) {
  const std::string trouble = path_trouble(observed.path, theorem.local);
  if (!trouble.empty()) return theorem.theorem.conclude(Verdict::undecided, trouble);
  const double radius = observed.path.points.back().radius;
  const bool far_out = radius >= far_out_rows * theorem.p_mm.norm();
  if (far_out && !observed.selects && !(observed.secant_error <= heading_tolerance.distance))
    return theorem.theorem.conclude(Verdict::fails, fmt::format("every point is verified, and at R = {:.6g} the direction is {:.3g} away",
                                                                radius, observed.direction_error));
  if (!observed.falls_at_rate())
    return theorem.theorem.conclude(Verdict::undecided,
                                    observed.rate ? fmt::format("the direction error falls like R^{:.3g}, not like 1/R", *observed.rate)
                                                  : "the path is too short to measure a rate");
  return theorem.theorem.conclude(Verdict::holds, fmt::format("R = {:.6g}: direction error {:.3g}{}", radius, observed.direction_error,
                                                              observed.rate ? fmt::format(", falling like R^{:.3g}", *observed.rate) : ""));
}

}  // namespace

bool ObservedPath::falls_at_rate() const {
  const double allowed = degenerate ? degenerate_rate_tolerance.exponent : path_rate_tolerance.exponent;
  return direction_error <= direction_floor.distance || (rate && std::abs(*rate + 1) <= allowed);
}

std::optional<Eigen::VectorXd> path_point_at(const ClaimContext& context, const Selection& selection, const Eigen::VectorXd& near,
                                             bool local, double norm, Parametrisation parametrisation) {
  PathSettings settings;
  settings.seed = context.seed;
  settings.radii = {norm};
  if (local) settings.cone_mu = local_cone_mu;
  const Path path = follow_path(trained_image(context.problem(), parametrisation), image_vector(*context.problem().v), selection, near,
                                settings, context.budget);
  if (!path.verified()) return std::nullopt;
  return path.points.front().p;
}

ObservedPath observe_path(const ClaimContext& context, const PathTheorem& theorem) {
  const auto* given_radius = context.request.find<Rational>("radius");
  const double radius = given_radius ? nearest_double(*given_radius) : default_path_radius;
  const Eigen::VectorXd& p_mm = theorem.p_mm;
  PathSettings settings;
  settings.radii = growing_radii(std::min(1.0, radius), radius, radius_growth(context.problem(), theorem.parametrisation));
  settings.seed = context.seed;
  settings.ask_ipopt = true;
  if (theorem.local) settings.cone_mu = local_cone_mu;
  ObservedPath observed{follow_path(trained_image(context.problem(), theorem.parametrisation), image_vector(*context.problem().v),
                                    theorem.selection, p_mm, settings, context.budget)};
  observed.degenerate = theorem.degenerate;
  if (observed.path.points.empty()) return observed;
  const Eigen::VectorXd& last = observed.path.points.back().p;
  observed.direction_error = direction_error(last, p_mm);
  observed.secant_error =
      observed.path.points.size() > 1 ? direction_error(observed.path.secant_direction(), p_mm) : observed.direction_error;
  observed.rate = direction_rate(observed.path, p_mm, radius / rate_span);
  observed.selects =
      DescentKernel(context.problem(), context.study.scores(), 1, theorem.parametrisation).selection(last) == theorem.selection;
  return observed;
}

void PathPointNumbers::write(Fields& out) const {
  const auto opinion = point.ipopt ? std::optional(OpinionNumbers{*point.ipopt}) : std::nullopt;
  out("radius", point.radius)("direction_error", direction_error)("log_excess", point.check.log_excess)(
      "norm_ratio", point.check.norm_ratio)("stationarity", point.check.stationarity)("iterations", point.iterations)(
      "status", point.status)("ipopt", opinion)("verified", point.check.verified);
  if (objective_ratio) out("objective_ratio", *objective_ratio);
}

std::vector<PathPointNumbers> point_numbers(const Path& path, const Eigen::VectorXd& p_mm) {
  std::vector<PathPointNumbers> points;
  for (const PathPoint& point : path.points) points.push_back({point, direction_error(point.p, p_mm)});
  return points;
}

std::string path_trouble(const Path& path, bool local) {
  if (!path.ended.empty()) return fmt::format("the path is not whole: {}", path.ended);
  bool begun = !local;  // in a cone the theorem begins at some norm that it does not tell
  for (const PathPoint& point : path.points) {
    begun = begun || point.check.verified;
    if (begun && !point.check.verified) return fmt::format("the point at R = {:.6g} is not verified: {}", point.radius, point.check.reason);
  }
  if (!begun) return "no point of the path in the cone is verified";
  return "";
}

void PathNumbers::write(Fields& out) const {
  const std::vector<PathPoint>& points = observed.path.points;
  if (points.empty())
    out("radius", std::nullopt)("direction_error", std::nullopt)("secant_error", std::nullopt);
  else
    out("radius", points.back().radius)("direction_error", observed.direction_error)("secant_error", observed.secant_error);
  out("rate", observed.rate)("cone", cone)("points", point_numbers(observed.path, p_mm));
  out("envelope", limit ? std::optional(limit->entries()) : std::nullopt);
  if (cone) out("proved_cone", limit ? limit->cone() : std::nullopt);
}

std::vector<NumberSpec> PathNumbers::specs() {
  return {{"radius", "last radius R"},
          {"direction_error", "|a/|a| - b/|b|| between the last point and the solution of the SVM"},
          {"secant_error", "direction error of the last difference of two points"},
          {"rate", "slope of log direction error over log R, over the last factor 16"},
          {"cone", "whether it is the local path"},
          {"points", "the path, a radius each"},
          {"points[].radius", "R"},
          {"points[].direction_error", "of this point"},
          {"points[].log_excess", "log(L - L*)"},
          {"points[].norm_ratio", "norm / R"},
          {"points[].stationarity", "the angle between the point and the negative gradient, recomputed from the data"},
          {"points[].iterations", "of the method that found it"},
          {"points[].status", "which method found it, and how that ended"},
          {"points[].ipopt", "IPOPT's own solve, null on large data: status, iterations, distance (of direction), lower_by (log_excess)"},
          {"points[].verified", "whether the point passed its checks"},
          {"envelope", "proved of every minimiser and every R from the first radius on; null where no proof closes"},
          {"envelope[].radius", "R0: the entry is about every R >= R0"},
          {"envelope[].bound", "the least proved bound of the direction error at R0"},
          {"envelope[].sqrt_bound", "the bound b at R0 of the form b sqrt(R0/R)"},
          {"envelope[].rate", "Q: the direction error is at most Q/R for every R >= R0; null where that form does not close"},
          {"proved_cone", "of a local path: the minimisers that the envelope is about; null without one"},
          {"proved_cone.radius", "they have at least this norm"},
          {"proved_cone.opening", "and at most this part of p.w/|w| across w: the tangent of the cone's angle"}};
}

CheckedPath check_path(const ClaimContext& context, Parametrisation parametrisation) {
  const PathTheorem theorem = assume_path_theorem(context, parametrisation);
  if (!theorem.theorem.applies()) return {theorem.theorem.obstacle(theorem.selection)};
  ObservedPath observed = observe_path(context, theorem);
  std::optional<PathLimit> limit = prove_path_limit(context, theorem, observed.path);
  CheckedPath checked{conclude(theorem, observed)};
  if (limit) checked.finding = with_limit(std::move(checked.finding), *limit, observed.path, theorem.p_mm);
  checked.finding.selection = theorem.selection;
  checked.numbers = PathNumbers{std::move(observed), theorem.p_mm, theorem.local, std::move(limit)};
  return checked;
}

}  // namespace attest
