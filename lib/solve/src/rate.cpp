#include "attest/solve/rate.hpp"

namespace attest {

std::optional<double> fit_slope(std::span<const LogPoint> points) {
  if (points.size() < 3) return std::nullopt;
  const auto count = static_cast<double>(points.size());
  double mean_x = 0;
  double mean_y = 0;
  for (const LogPoint& point : points) {
    mean_x += point.x / count;
    mean_y += point.y / count;
  }
  double spread = 0;
  double common = 0;
  for (const LogPoint& point : points) {
    spread += (point.x - mean_x) * (point.x - mean_x);
    common += (point.x - mean_x) * (point.y - mean_y);
  }
  if (!(spread > 0)) return std::nullopt;
  return common / spread;
}

}  // namespace attest
