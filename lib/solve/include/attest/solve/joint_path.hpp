#pragma once

#include "attest/base/progress.hpp"
#include "attest/solve/path.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attest {

struct JointSettings {
  std::vector<double> radii = doubling_radii(1, 4096);  ///< of p, ascending
  double factor = 1;                                    ///< r = factor R^power bounds v
  double power = 1;
  int starts = 3;  ///< random starts at each radius up to multistart_radius
  double multistart_radius = 4;
  std::uint64_t seed = 1;

  double head_radius(double radius) const;
};

struct JointPoint {
  double radius = 0;       ///< R
  double head_radius = 0;  ///< r
  Eigen::VectorXd v;
  Eigen::VectorXd p;
  double log_loss = 0;
  double stationarity_v = 0;  ///< as PathCheck::stationarity, recomputed from the data
  double stationarity_p = 0;
  std::string status;
  /// Where both ran: the larger angle between the directions of the joint solve and those of the split.
  std::optional<double> overlap;
  bool verified = false;
  std::string reason;  ///< why not
};

struct JointPath {
  std::vector<JointPoint> points;
  std::string ended;  ///< empty: at the last radius

  bool verified() const;
  /// The largest disagreement of the two methods and the number of radii where both ran, in the overlap: attention is
  /// nearly at the selection, and doubles still see what is missing.
  struct Overlap {
    double largest;
    std::size_t points;
  };
  Overlap overlap() const;
};

/// Minimisers of the logistic L(v,p) over |v| <= r, |p| <= R. [docs/theory.md, section 5]
///
/// Up to the wall where doubles lose 1 - s, IPOPT minimises log L in (v,p) jointly. Everywhere the split does it in turns:
/// v from its own log-loss at the attention of p, p from log(L - L_alpha) at v; at a fixed point both blocks are
/// stationary, which is what the joint program asks. `v_hint` and `p_hint` are the SVM solutions, whose rays are among the starts.
JointPath follow_joint_path(const NumericProblem& problem, const Selection& selection, const Eigen::VectorXd& v_hint,
                            const Eigen::VectorXd& p_hint, const JointSettings& settings, const Budget& budget);

/// Fills in what is recomputed from the data, and the verdict: |v| <= r, |p| <= R, both blocks stationary, and no lower loss
/// at the rays of the hints.
void check_joint_point(const NumericProblem& problem, const Selection& selection, const Eigen::VectorXd& v_hint,
                       const Eigen::VectorXd& p_hint, JointPoint& point);

}  // namespace attest
