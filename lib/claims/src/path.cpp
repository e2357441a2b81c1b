#include "attest/solve/path.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/exact/global_optimality.hpp"
#include "claim_list.hpp"
#include "path_observation.hpp"
#include "path_theorem.hpp"
#include "weight_program.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// At this many times p^mm the limit's loss is e^-1000: a path that leads elsewhere there contradicts the theorem. Before, it may
/// still be on its way.
constexpr double far_out_rows = 1000;

Finding conclude(const PathTheorem& theorem, const ObservedPath& observed) {
  const std::string trouble = path_trouble(observed.path, theorem.local);
  if (!trouble.empty()) return theorem.theorem.conclude(Verdict::undecided, trouble);
  const double radius = observed.path.points.back().radius;
  const bool far_out = radius >= far_out_rows * theorem.p_mm.norm();
  if (far_out && !observed.selects && !(observed.secant_error <= heading_tolerance.distance))
    return theorem.theorem.conclude(Verdict::fails, fmt::format("every point is verified, and at R = {:.6g} the direction is {:.3g} away", radius,
                                                                observed.direction_error));
  if (!observed.falls_at_rate())
    return theorem.theorem.conclude(Verdict::undecided, observed.rate ? fmt::format("the direction error falls like R^{:.3g}, not like 1/R", *observed.rate)
                                                                      : "the path is too short to measure a rate");
  return theorem.theorem.conclude(
      Verdict::holds, fmt::format("R = {:.6g}: direction error {:.3g}{}", radius, observed.direction_error,
                                  observed.rate ? fmt::format(", falling like R^{:.3g}", *observed.rate) : ""));
}

Finding check(const ClaimContext& context) { return check_path(context, Parametrisation::prompt); }

}  // namespace

Finding check_path(const ClaimContext& context, Parametrisation parametrisation) {
  const PathTheorem theorem = assume_path_theorem(context, parametrisation);
  if (!theorem.theorem.applies()) return theorem.theorem.obstacle(theorem.selection);
  const ObservedPath observed = observe_path(context, theorem);
  Finding finding = conclude(theorem, observed);
  finding.selection = theorem.selection;
  finding.numbers = {{"radius", observed.path.points.empty() ? Json() : Json(observed.path.points.back().radius)},
                     {"direction_error", observed.path.points.empty() ? Json() : Json(observed.direction_error)},
                     {"secant_error", observed.path.points.empty() ? Json() : Json(observed.secant_error)},
                     {"rate", observed.rate ? Json(*observed.rate) : Json()},
                     {"cone", theorem.local},
                     {"points", encode_points(observed.path, theorem.p_mm)}};
  if (parametrisation == Parametrisation::weights && !observed.path.points.empty())
    finding.numbers["final"] = matrix_rows(observed.path.points.back().p);
  return finding;
}

Claim path_claim() {
  return {{"path",
           {{"selection", ParameterKind::selection, false, "one token a sample (default: the largest scores)", {}},
            {"radius", ParameterKind::positive, false, "the last R (default 2^20)", {}}},
           {{"v", ""}}},
          "the regularisation path converges to the SVM direction",
          "[MM] If Assumption A holds, alpha is the unique globally optimal selection and p-SVM(alpha) is feasible, the\n"
          "minimisers p_R of L over |p| <= R have p_R/R -> p^mm/|p^mm|. For another selection, locally optimal, the same\n"
          "holds for minimisers in a cone around p^mm. The hypotheses are decided exactly. The conclusion is observed: the\n"
          "path is followed by doubling R, from several starts and from the ray of p^mm, on log(L - L*), and every point is\n"
          "verified from the data: |p| <= R, stationary on the sphere, no start and no scaled p^mm has a lower loss.\n"
          "Holds: all points are verified and the direction error falls like 1/R (slope -1 within 0.05).\n"
          "Inapplicable: a hypothesis fails. Fails: a verified path that leads elsewhere. Undecided: a point is not\n"
          "verified, or another rate.\n"
          "Numbers: radius, direction_error, secant_error, rate, cone (whether it is the local path), points [{radius,\n"
          "direction_error, log_excess, norm_ratio, stationarity, iterations, status, verified}].",
          check};
}

}  // namespace attest
