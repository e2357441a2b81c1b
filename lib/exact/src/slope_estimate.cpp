#include "slope_estimate.hpp"

#include "attention_cells.hpp"
#include "attest/base/tolerance.hpp"
#include "float_vector.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

/// For each sample but the mover the point that goes furthest along u.
void follow(const MarginBound& end, std::size_t mover, const std::vector<double>& u, std::vector<std::size_t>& chosen) {
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (i == mover) continue;
    for (std::size_t t = 0; t < end.offered(i); ++t)
      if (dot(end.image(i, t), u) > dot(end.image(i, chosen[i]), u)) chosen[i] = t;
  }
}

}  // namespace

NearbySelection climb_selections(const MarginBound& end, std::size_t mover, std::size_t move, std::vector<std::size_t> start) {
  constexpr int rounds = 12;
  start[mover] = move;
  NearbySelection best{start, 0};
  for (int round = 0; round < rounds; ++round) {
    std::vector<const std::vector<double>*> points;
    for (std::size_t i = 0; i < start.size(); ++i) points.push_back(&end.image(i, start[i]));
    const NearestPoint nearest = nearest_to_origin(points);
    if (!(nearest.norm > best.margin)) break;
    best = {start, nearest.norm};
    std::vector<double> u(points.front()->size(), 0.0);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t c = 0; c < u.size(); ++c) u[c] += nearest.weights[i] * (*points[i])[c];
    follow(end, mover, u, start);
  }
  return best;
}

NearestPoint nearest_to_origin(const std::vector<const std::vector<double>*>& points) {
  constexpr int steps = 1000;
  const std::size_t n = points.size();
  std::vector<std::vector<double>> gram(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k <= i; ++k) gram[i][k] = gram[k][i] = dot(*points[i], *points[k]);
  std::vector<double> weights(n, 1.0 / static_cast<double>(n));
  std::vector<double> products(n, 0.0);  // with the combination
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) products[i] += weights[k] * gram[i][k];
  for (int step = 0; step < steps; ++step) {
    std::size_t low = 0;
    std::size_t high = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (products[i] < products[low]) low = i;
      if (weights[i] > 0 && (high == n || products[i] > products[high])) high = i;
    }
    const double gain = products[high] - products[low];
    const double curvature = gram[high][high] + gram[low][low] - 2 * gram[high][low];
    if (!(gain > weight_descent_tolerance.relative) || !(curvature > 0)) break;
    const double amount = std::min(weights[high], gain / curvature);
    weights[high] -= amount;
    weights[low] += amount;
    for (std::size_t i = 0; i < n; ++i) products[i] += amount * (gram[i][low] - gram[i][high]);
  }
  return {weights, std::sqrt(std::max(dot(weights, products), 0.0))};
}

double estimated_slope(const LabelMargin& margin, std::size_t mover) {
  double least = 1.0;
  for (const Rational& delta : {Rational(1), Rational(1, 2), Rational(1, 4), Rational(1, 8), Rational(1, 32)}) {
    const MarginBound end = cell_end(margin, mover, delta, 0);
    for (std::size_t move = 0; move < end.offered(mover); ++move) {
      const double found = climb_selections(end, mover, move, margin.selection()).margin;
      least = std::min(least, (1 - found) / nearest_double(delta));
    }
  }
  return least;
}

}  // namespace attest
