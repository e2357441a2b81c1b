#include "path_observation.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/descent_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr double default_path_radius = 0x1p20;

/// The rate is measured over the last radii, a factor of this: with small margins 1/R sets in late.
constexpr double rate_span = 16;

Json encode_opinion(const std::optional<IpoptOpinion>& opinion) {
  if (!opinion) return {};
  return {{"status", opinion->end}, {"iterations", opinion->iterations}, {"distance", opinion->distance ? Json(*opinion->distance) : Json()},
          {"lower_by", opinion->lower_by && std::isfinite(*opinion->lower_by) ? Json(*opinion->lower_by) : Json()}};
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

}  // namespace

bool ObservedPath::falls_at_rate() const {
  const double allowed = degenerate ? degenerate_rate_tolerance.exponent : path_rate_tolerance.exponent;
  return direction_error <= direction_floor.distance || (rate && std::abs(*rate + 1) <= allowed);
}

std::optional<Eigen::VectorXd> path_point_at(const ClaimContext& context, const Selection& selection, const Eigen::VectorXd& near, bool local,
                                             double norm, Parametrisation parametrisation) {
  PathSettings settings;
  settings.seed = context.seed;
  settings.radii = {norm};
  if (local) settings.cone_mu = local_cone_mu;
  const Path path = follow_path(NumericProblem(context.problem, parametrisation), image_vector(*context.problem.v), selection, near, settings, context.budget);
  if (!path.verified()) return std::nullopt;
  return path.points.front().p;
}

ObservedPath observe_path(const ClaimContext& context, const PathTheorem& theorem) {
  const auto* given_radius = context.request.find<Rational>("radius");
  const double radius = given_radius ? nearest_double(*given_radius) : default_path_radius;
  const Eigen::VectorXd& p_mm = theorem.p_mm;
  PathSettings settings;
  settings.radii = doubling_radii(std::min(1.0, radius), radius);
  settings.seed = context.seed;
  settings.ask_ipopt = true;
  if (theorem.local) settings.cone_mu = local_cone_mu;
  ObservedPath observed{follow_path(NumericProblem(context.problem, theorem.parametrisation), image_vector(*context.problem.v),
                                    theorem.selection, p_mm, settings, context.budget)};
  observed.degenerate = theorem.degenerate;
  if (observed.path.points.empty()) return observed;
  const Eigen::VectorXd& last = observed.path.points.back().p;
  observed.direction_error = direction_error(last, p_mm);
  observed.secant_error = observed.path.points.size() > 1 ? direction_error(observed.path.secant_direction(), p_mm) : observed.direction_error;
  observed.rate = direction_rate(observed.path, p_mm, radius / rate_span);
  observed.selects = DescentKernel(context.problem, exact_scores(context.problem), 1, theorem.parametrisation).selection(last) == theorem.selection;
  return observed;
}

Json encode_points(const Path& path, const Eigen::VectorXd& p_mm) {
  Json points = Json::array();
  for (const PathPoint& point : path.points)
    points.push_back({{"radius", point.radius},
                      {"direction_error", finite(direction_error(point.p, p_mm))},
                      {"log_excess", finite(point.check.log_excess)},
                      {"norm_ratio", finite(point.check.norm_ratio)},
                      {"stationarity", finite(point.check.stationarity)},
                      {"iterations", point.iterations},
                      {"status", point.status},
                      {"ipopt", encode_opinion(point.ipopt)},
                      {"verified", point.check.verified}});
  return points;
}

std::string path_trouble(const Path& path, bool local) {
  if (!path.ended.empty()) return fmt::format("the path is not whole: {}", path.ended);
  bool begun = !local;  // in a cone the theorem begins at some norm that it does not tell
  for (const PathPoint& point : path.points) {
    begun = begun || point.check.verified;
    if (begun && !point.check.verified)
      return fmt::format("the point at R = {:.6g} is not verified: {}", point.radius, point.check.reason);
  }
  if (!begun) return "no point of the path in the cone is verified";
  return "";
}

}  // namespace attest
