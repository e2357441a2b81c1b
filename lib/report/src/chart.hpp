#pragma once

#include "figure.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// A point of a chart; `title` is shown when it is pointed at.
struct ChartPoint {
  double x;
  double y;
  std::string title;
};

/// Points, joined by a line or not. Series of one group share a colour and an entry of the legend.
struct ChartSeries {
  std::string group;
  std::vector<ChartPoint> points;
  std::optional<double> slope = {};  ///< of a line through the last point, on logarithmic axes
  bool joined = true;
  bool dashed = false;  ///< a bound beside what is measured
};

struct ChartAxis {
  std::string label;
  bool logarithmic = false;
};

/// A line across the chart that something is measured against.
struct ChartRule {
  enum class Across { x, y };
  Across axis;  ///< on which it stands
  double at;
  std::string title;
};

struct Chart {
  std::string name;
  std::string title;
  std::string sentence;
  ChartAxis x;
  ChartAxis y;
  std::vector<ChartSeries> series;
  std::vector<ChartRule> rules = {};
};

/// The chart as one figure; none when no joined series has two points, and no other one, that its axes can show.
Figures line_chart(const Chart& chart);

}  // namespace attest
