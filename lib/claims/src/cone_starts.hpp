#pragma once

#include "attest/claims/claim.hpp"
#include "attest/model/parametrisation.hpp"

#include <Eigen/Core>

#include <vector>

namespace attest {

/// Where a run starts. `angle` to the ray of its limit, in radians, for starts that are made by one; 0 for all others.
struct Start {
  Eigen::VectorXd point;
  double angle = 0;
};

std::vector<Start> as_starts(const std::vector<Eigen::VectorXd>& points);

/// Where starts around a ray are.
struct ConePlaces {
  double scale;    ///< of the limit
  int directions;  ///< for each angle
};

/// The starts of a local theorem: those that the claim gives, or else `scale` times the limit, which shows that descent stays, and points
/// of the same norm off its ray, which show that it comes back. These are at 0.02 and 0.1 radians, some directions each, drawn by the seed;
/// where such a point is not well inside the cone, at half the angle, a quarter, and so on.
std::vector<Start> cone_starts(const ClaimContext& context, const Selection& selection, const Eigen::VectorXd& limit,
                               const ConePlaces& places, Parametrisation parametrisation);

}  // namespace attest
