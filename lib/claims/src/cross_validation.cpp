#include "attest/base/tolerance.hpp"
#include "attest/solve/descent.hpp"
#include "claim_list.hpp"
#include "descent_runs.hpp"
#include "path_observation.hpp"
#include "path_theorem.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t default_iterations = 1'000'000;
/// Descent starts on the ray, where rows are 100: from elsewhere it may rightly end at another locally optimal selection.
constexpr double start_scale = 100;

Finding judge(const Theorem& theorem, double gd_vs_svm, double path_vs_svm, double gd_vs_path) {
  const double worst = std::max({gd_vs_svm, path_vs_svm, gd_vs_path});
  const bool agree = gd_vs_svm <= cross_validation_tolerance.distance && path_vs_svm <= cross_validation_tolerance.distance &&
                     gd_vs_path <= cross_validation_tolerance.distance;
  return theorem.conclude(agree ? Verdict::holds : Verdict::undecided,
                          fmt::format("descent, path and exact SVM are {} {:.3g} of each other", agree ? "within" : "only within", worst));
}

Finding check(const ClaimContext& context) {
  const PathTheorem theorem = assume_path_theorem(context);
  if (!theorem.theorem.applies()) return theorem.theorem.obstacle(theorem.selection);
  const ObservedPath path = observe_path(context, theorem);
  DescentLaboratory laboratory(context);
  const DescentPlan plan = descent_plan(context, DescentMethod::normalised, default_iterations).value();
  const ObservedRun run = laboratory.run(start_scale * theorem.p_mm, plan);
  const Eigen::VectorXd& descended = run.run.last().p;

  Finding finding;
  const std::string trouble = path_trouble(path.path, theorem.local);
  if (!trouble.empty()) {
    finding = theorem.theorem.conclude(Verdict::undecided, trouble);
  } else if (!run.heads_for_limit()) {
    finding = theorem.theorem.conclude(Verdict::undecided, run.run.end == DescentRun::End::finished ? "descent does not head for a limit yet" : why_ended(run));
  } else {
    const std::optional<Eigen::VectorXd> equal =
        path_point_at(context, theorem.selection, path.path.final_direction(), theorem.local, descended.norm());
    if (!equal) {
      finding = theorem.theorem.conclude(Verdict::undecided, fmt::format("the path's point at norm {:.6g} is not verified", descended.norm()));
    } else {
      const double gd_vs_svm = direction_error(descended, theorem.p_mm);
      const double gd_vs_path = direction_error(descended, *equal);
      finding = judge(theorem.theorem, gd_vs_svm, path.direction_error, gd_vs_path);
      finding.numbers = {{"gd_vs_svm", gd_vs_svm}, {"path_vs_svm", path.direction_error}, {"gd_vs_path", gd_vs_path},
                         {"tolerance", cross_validation_tolerance.distance}, {"norm", descended.norm()}, {"radius", path.path.points.back().radius}};
    }
  }
  finding.numbers["rate"] = path.rate ? Json(*path.rate) : Json();
  finding.numbers["points"] = encode_points(path.path, theorem.p_mm);
  finding.numbers["runs"] = Json::array({encode_run(run)});
  finding.selection = theorem.selection;
  return finding;
}

}  // namespace

Claim cross_validation_claim() {
  return {{"cross-validation",
           {{"selection", ParameterKind::selection, false, "one token a sample (default: the largest scores)", {}},
            {"radius", ParameterKind::positive, false, "the last R of the path (default 2^20)", {}},
            {"step", ParameterKind::positive, false, "of the normalised descent (default 0.1)", {}},
            {"iterations", ParameterKind::count, false, "of the descent (default 1000000)", {}}},
           {{"v", ""}}},
          "descent, regularisation path and exact SVM agree",
          "[MM] Under the hypotheses of `path`, three computations that share no code must find one direction: normalised\n"
          "descent from 100 p^mm, the verified regularisation path, and the exact solution of the p-SVM.\n"
          "Holds: the three pairwise direction errors are at most 1e-3; descent and path are compared at equal norm.\n"
          "Inapplicable: a hypothesis fails. Undecided: some error is larger, or a computation did not finish.\n"
          "Numbers: gd_vs_svm, path_vs_svm, gd_vs_path, tolerance, norm (of descent), radius, rate (of the path), points,\n"
          "runs. Grade: observed.",
          check};
}

}  // namespace attest
