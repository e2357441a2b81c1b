#pragma once

#include "attest/base/progress.hpp"
#include "attest/graph/numeric_problem.hpp"
#include "attest/model/head.hpp"

#include <Eigen/Core>

#include <vector>

namespace attest {

/// A minimiser of the loss with a nonlinear head over |p| <= R, as far as Newton's method on the sphere finds it.
struct HeadPathPoint {
  double radius;
  Eigen::VectorXd p;
  bool found;  ///< stationary on the sphere, curved upwards along it
};

/// Minimisers of L(p) = 1/n sum_i l(Y_i h(X_i^T softmax(K_i p))) for growing R, from the ray of `hint` and from the point before; the lower
/// one is taken. It is L less the loss of the selected tokens alone that is followed, to some exp(-700).
std::vector<HeadPathPoint> follow_head_path(const Problem& problem, const Head& head, const Selection& selection,
                                            const Eigen::VectorXd& hint, const std::vector<double>& radii, const Budget& budget);

/// The token of each sample with the largest Y_i h(x_it), in doubles.
Selection best_for_head(const Problem& problem, const Head& head);

}  // namespace attest
