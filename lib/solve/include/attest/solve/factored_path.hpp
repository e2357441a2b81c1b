#pragma once

#include "attest/solve/path.hpp"

namespace attest {

/// A point W, by rows, of the path over W = K Q^T with fro(K)^2 + fro(Q)^2 <= 2R, judged from the data. `problem` is the image of
/// the weights. It is verified when nuc(W) <= R, it is stationary, and no point of `rivals` has a lower loss; `stationarity` is the
/// larger of the angle between the negative gradient in (K, Q) and (K, Q), and the part of |dL/dW| nuc(W) that a step
/// to another matrix of the nuclear ball would gain.
PathCheck check_factored_point(const NumericProblem& problem, const Eigen::VectorXd& v, const Selection& selection,
                               const Eigen::VectorXd& W, double radius, const std::vector<Eigen::VectorXd>& rivals = {});

/// nuc(W) of a W by rows; cheaper where its rows lie in the span of few queries.
double nuclear_norm(const NumericProblem& problem, const Eigen::VectorXd& W);

/// The d singular values of a W by rows, descending; those beside the span of the queries, which are columns, are 0 where they are
/// rounding.
Eigen::VectorXd weight_spectrum(const Eigen::MatrixXd& queries, const Eigen::VectorXd& W);

/// Minimisers of L over W = K Q^T with fro(K)^2 + fro(Q)^2 <= 2R for growing R: by [TS] over nuc(W) <= R. The branch that starts on the
/// ray of `hint`, a solution of the nuclear W-SVM by rows, at the last radius is followed down by Newton's method on
/// the sphere of (K, Q); unless the path is local, random starts at small radii and the branches up from them challenge it. Points
/// are W by rows.
Path follow_factored_path(const Problem& problem, const Selection& selection, const Eigen::VectorXd& hint, const PathSettings& settings,
                          const Budget& budget);

}  // namespace attest
