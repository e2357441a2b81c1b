#pragma once

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

struct Chart {
  std::string title;
  ChartAxis x;
  ChartAxis y;
  std::vector<ChartSeries> series;
};

/// The chart as a figure with inline SVG; empty when no joined series has two points that its axes can show.
std::string line_chart(const Chart& chart);

/// "1.23e-05": a number as plots and tables show it.
std::string short_number(double value);
/// The same of a positive number that others are at most: never below it.
std::string short_upper(double value);

/// A figure around drawn marks: caption, SVG of that size with its description, legend (group names in the order of
/// their colours).
std::string figure(const std::string& title, const std::string& description, double width, double height, const std::string& marks,
                   const std::vector<std::string>& legend = {});

/// The class that gives the k-th group its colour.
std::string colour_class(std::size_t group);

}  // namespace attest
