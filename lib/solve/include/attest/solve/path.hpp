#pragma once

#include "attest/base/progress.hpp"
#include "attest/graph/numeric_problem.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// first, growth first, growth^2 first, … and last.
std::vector<double> growing_radii(double first, double last, double growth);
/// first, 2 first, 4 first, … and last.
std::vector<double> doubling_radii(double first = 1, double last = 0x1p20);

struct PathSettings {
  std::vector<double> radii = doubling_radii();  ///< ascending
  int starts = 3;                                ///< random starts at each radius up to multistart_radius
  double multistart_radius = 16;
  std::uint64_t seed = 1;
  bool ask_ipopt = false;  ///< for a second opinion on every point
  /// Minimise over the cone p.u >= (1 - mu)|p| around the hint u only: for a locally optimal selection.
  std::optional<double> cone_mu = {};
};

/// What a point is worth, recomputed from the data without the graph and the solvers. [docs/theory.md, section 5]
struct PathCheck {
  double log_excess = std::numeric_limits<double>::quiet_NaN();  ///< log(L - L_alpha); NaN where L <= L_alpha
  double norm_ratio = 0;                                         ///< |p| / R
  /// On the sphere the angle between -dL/dp and p; inside it what is left of the gradient when
  /// its terms cancel, over the largest of them: a plateau, where the terms are tiny and do not cancel, is not stationary.
  double stationarity = std::numeric_limits<double>::quiet_NaN();
  bool verified = false;
  std::string reason;  ///< why not
};

/// A point is verified when |p| <= R, it is stationary to `stationarity_tolerance`, and no point of `rivals` has a lower loss.
PathCheck check_path_point(const NumericProblem& problem, const Eigen::VectorXd& v, const Selection& selection, const Eigen::VectorXd& p,
                           double radius, const std::vector<Eigen::VectorXd>& rivals = {});

/// IPOPT's own solve at a radius, warm-started from the points before it.
struct IpoptOpinion {
  std::string end;
  int iterations = 0;
  Eigen::VectorXd q = {};          ///< p/R where it ended
  std::optional<double> distance;  ///< between the directions of the point and of where it ended
  std::optional<double> lower_by;  ///< by how much log(L - L*) is lower there
};

struct PathPoint {
  double radius = 0;
  Eigen::VectorXd p;
  int iterations = 0;
  std::string status;  ///< which method found it, and how that ended
  PathCheck check;
  std::optional<IpoptOpinion> ipopt = {};  ///< where it was asked
};

struct Path {
  std::vector<PathPoint> points;  ///< one a radius, in order, until it ended
  std::string ended;              ///< empty: at the last radius
  double build_seconds = 0;       ///< of the graph, once

  bool verified() const;                     ///< it reached the last radius and every point is verified
  Eigen::VectorXd final_direction() const;   ///< p/|p| of the last point
  Eigen::VectorXd secant_direction() const;  ///< of the last difference of two points; converges like 1/R^2
};

/// Minimisers of L over |p| <= R for growing R, for fixed v. A continuation follows whatever local branch it began on,
/// so there are two of them: the branch that starts on the ray of `hint` (p^mm) at the last radius, followed down, and the
/// lowest of several random starts at small radii, followed up; at each radius the lower loss is taken. From a radius to
/// the next: a secant predictor, Newton's method on the sphere, IPOPT where that fails, a shorter step where both fail.
/// In a cone only the first branch is followed.
Path follow_path(const NumericProblem& problem, const Eigen::VectorXd& v, const Selection& selection, const Eigen::VectorXd& hint,
                 const PathSettings& settings, const Budget& budget);

/// The slope of log |p/|p| - target/|target|| over log R, by least squares over the verified points from `from_radius` on.
std::optional<double> direction_rate(const Path& path, const Eigen::VectorXd& target, double from_radius);

}  // namespace attest
