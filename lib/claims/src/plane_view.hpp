#pragma once

#include "attest/claims/claim.hpp"
#include "attest/solve/descent.hpp"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace attest {

// Planes of prompts p, as two orthonormal columns, and what a picture of one shows.

/// The plane that spans the differences of the keys, in which alone descent moves; none when they span more or less. It is given by
/// coordinate axes where these are the plane.
std::optional<Eigen::MatrixXd> plane_of_keys(const Problem& problem);
/// The plane of two given vectors, the first along the first of them; none when they are not two, or dependent.
std::optional<Eigen::MatrixXd> plane_of_directions(const std::vector<RationalPoint>& directions);

/// The plane of two vectors, the first along the first of them; none when they are dependent.
std::optional<Eigen::MatrixXd> plane_of(const Eigen::VectorXd& first, const Eigen::VectorXd& second);

/// `count` numbers from -radius to radius.
std::vector<double> ticks_of(double radius, std::int64_t count);

/// log(L - L*) on a grid of a square of the plane, row by row from the least second coordinate up.
struct LossInPlane {
  std::vector<double> ticks;
  std::vector<double> log_excess;

  void write(Fields& out) const { out("ticks", ticks)("log_excess", log_excess); }
};
LossInPlane loss_in_plane(const ClaimContext& context, const Eigen::MatrixXd& plane, double radius);

/// Where descent from 0 goes as long as it is in the square and near the plane, as seen in it.
std::vector<Eigen::Vector2d> descent_in_plane(const ClaimContext& context, const Eigen::MatrixXd& plane, double radius,
                                              const DescentPlan& plan);
/// Minimisers of the path of the best selection, found near its p^mm, as seen in the plane; without those that are far from it.
std::vector<Eigen::Vector2d> path_in_plane(const ClaimContext& context, const Eigen::MatrixXd& plane, double radius,
                                           const Eigen::VectorXd& p_mm);

}  // namespace attest
