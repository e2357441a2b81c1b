#pragma once

#include <optional>
#include <span>

namespace attest {

/// A point of a log-log plot.
struct LogPoint {
  double x;
  double y;
};

/// The slope of the least-squares line; none for fewer than three points or no spread in x.
std::optional<double> fit_slope(std::span<const LogPoint> points);

}  // namespace attest
