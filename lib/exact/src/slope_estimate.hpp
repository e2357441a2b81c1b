#pragma once

#include "label_margin.hpp"

namespace attest {

/// The point of the convex hull nearest to the origin, in doubles: its weights and its norm.
struct NearestPoint {
  std::vector<double> weights;
  double norm;
};
NearestPoint nearest_to_origin(const std::vector<const std::vector<double>*>& points);

/// A selection of offered points that a local search reaches, and its margin in units of Gamma.
struct NearbySelection {
  std::vector<std::size_t> points;
  double margin;
};
/// From `start` with the mover at `move`, where it stays.
NearbySelection climb_selections(const MarginBound& end, std::size_t mover, std::size_t move, std::vector<std::size_t> start);

/// About the largest nu that a proof by cells can reach for a mover, in units of Gamma: the least (Gamma - margin)/delta that
/// a local search over selections finds for some delta. A guess, for where to start.
double estimated_slope(const LabelMargin& margin, std::size_t mover);

}  // namespace attest
