#include "chart.hpp"

#include "markup.hpp"
#include "plot_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr PlotFrame chart_frame{.width = 380, .left = 66, .right = 12, .top = 10, .base = 208, .bottom = 42};
/// Marks of all series of a chart together: more cannot be told apart and only make the page large. Lines bend more
/// often.
constexpr std::size_t most_marks = 26;
constexpr std::size_t most_bends = 32;
constexpr std::size_t most_series = 24;
/// Of an axis on which powers of ten would be too few ticks.
constexpr double few_decades = 1.6;
/// How much of the axis a slope line covers at most.
constexpr double slope_line_decades = 2;

/// Maps numbers of an axis to the drawing.
class Scale {
 public:
  Scale(const ChartAxis& axis, double low, double high, double begin, double end)
      : logarithmic_(axis.logarithmic), begin_(begin), end_(end), low_(place(low)), high_(place(high)) {
    if (high_ - low_ < 1e-12 * std::max(1.0, std::abs(high_))) {
      low_ -= 0.5;
      high_ += 0.5;
    }
    const double margin = 0.03 * (high_ - low_);
    low_ -= margin;
    high_ += margin;
  }

  double place(double value) const { return logarithmic_ ? std::log10(value) : value; }
  double drawn(double placed) const { return begin_ + (placed - low_) / (high_ - low_) * (end_ - begin_); }
  double at(double value) const { return drawn(place(value)); }
  double high() const { return high_; }  ///< the upper end, placed

  struct Tick {
    double at;
    std::string label;
  };
  std::vector<Tick> ticks() const {
    if (logarithmic_ && high_ - low_ < few_decades) return ticks_within_few_decades();
    std::vector<Tick> made;
    const double step = nice_step();
    for (double tick = std::ceil(low_ / step) * step; tick <= high_ + 1e-9 * step; tick += step) {
      const double value = std::abs(tick) < 1e-9 * step ? 0 : tick;
      made.push_back({drawn(value), logarithmic_ ? power_label(value) : fmt::format("{:.4g}", value)});
    }
    return made;
  }

 private:
  /// At 1, 2, 5, or where that is too few at every digit.
  std::vector<Tick> ticks_within_few_decades() const {
    std::vector<Tick> made;
    for (const std::vector<int>& digits : {std::vector<int>{1, 2, 5}, std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}}) {
      made.clear();
      for (double power = std::floor(low_); power <= high_; ++power)
        for (const int digit : digits)
          if (const double placed = power + std::log10(digit); placed >= low_ && placed <= high_)
            made.push_back({drawn(placed), short_number(digit * std::pow(10.0, power))});
      if (made.size() > 1) break;
    }
    return made;
  }

  double nice_step() const {
    const double raw = (high_ - low_) / 5;
    if (logarithmic_ && raw <= 1) return 1;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
      if (raw <= factor * power) return factor * power;
    return 10 * power;
  }

  static std::string power_label(double exponent) {
    if (exponent == 0) return "1";
    if (exponent == 1) return "10";
    return power_of_ten(static_cast<int>(exponent));
  }

  bool logarithmic_;
  double begin_;
  double end_;
  double low_ = 0;
  double high_ = 1;
};

bool shows(const Chart& chart, const ChartPoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y) && (!chart.x.logarithmic || point.x > 0) && (!chart.y.logarithmic || point.y > 0);
}

/// What the axes can show of a series.
std::vector<const ChartPoint*> visible(const Chart& chart, const ChartSeries& series) {
  std::vector<const ChartPoint*> points;
  for (const ChartPoint& point : series.points)
    if (shows(chart, point)) points.push_back(&point);
  return points;
}

/// So many of the points at most, the first and the last among them.
std::vector<const ChartPoint*> thinned_to(std::size_t most, const std::vector<const ChartPoint*>& points) {
  if (points.size() <= most) return points;
  std::vector<const ChartPoint*> thinned;
  for (std::size_t k = 0; k < most; ++k) thinned.push_back(points[k * (points.size() - 1) / (most - 1)]);
  return thinned;
}

std::string axes(const Chart& chart, const Scale& x, const Scale& y) {
  std::string marks;
  for (const Scale::Tick& tick : x.ticks()) marks += chart_frame.vertical(tick.at, tick.label);
  for (const Scale::Tick& tick : y.ticks()) marks += chart_frame.horizontal(tick.at, tick.label);
  return marks + chart_frame.axes() + chart_frame.name_of_x(chart.x.label) + chart_frame.name_of_y(chart.y.label);
}

/// The fitted slope, drawn through the last point over the last decades.
std::string slope_line(const ChartSeries& series, const ChartPoint& first, const ChartPoint& last, const Scale& x, const Scale& y) {
  double span = std::min(slope_line_decades, x.place(last.x) - x.place(first.x));
  if (*series.slope < 0) span = std::min(span, (y.high() - y.place(last.y)) / -*series.slope);  // it stays inside the axes
  const double from = x.place(last.x) - span;
  const double raised = y.place(last.y) - *series.slope * span;
  return fmt::format("<path class=\"slope\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"><title>fitted slope {:.4g}</title></path>", x.drawn(from),
                     y.drawn(raised), x.at(last.x), y.at(last.y), *series.slope);
}

std::string drawn_series(const ChartSeries& series, const std::vector<const ChartPoint*>& points, std::size_t marks, const Scale& x,
                         const Scale& y, std::size_t colour) {
  std::string line;
  std::string dots;
  if (series.joined)
    for (const ChartPoint* point : thinned_to(most_bends, points))
      line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x.at(point->x), y.at(point->y));
  for (const ChartPoint* point : thinned_to(marks, points))
    dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>", x.at(point->x), y.at(point->y),
                        series.joined ? 2.5 : 3.5, escaped(point->title));
  if (series.joined) line = fmt::format("<path class=\"{}\" d=\"{}\"/>", series.dashed ? "line bound" : "line", line);
  return fmt::format("<g class=\"{}\">{}{}</g>", colour_class(colour), line, dots);
}

std::string rules_of(const Chart& chart, const Scale& x, const Scale& y) {
  std::string marks;
  for (const ChartRule& rule : chart.rules)
    marks += rule.axis == ChartRule::Across::x ? fmt::format("<path class=\"rule\" d=\"M{:.1f} {}V{}\"><title>{}</title></path>",
                                                             x.at(rule.at), chart_frame.top, chart_frame.base, escaped(rule.title))
                                               : fmt::format("<path class=\"rule\" d=\"M{} {:.1f}H{}\"><title>{}</title></path>",
                                                             chart_frame.left, y.at(rule.at), chart_frame.end(), escaped(rule.title));
  return marks;
}

std::vector<std::string> groups_of(const Chart& chart) {
  std::vector<std::string> groups;
  for (const ChartSeries& series : chart.series)
    if (std::ranges::find(groups, series.group) == groups.end()) groups.push_back(series.group);
  return groups;
}

}  // namespace

Figures line_chart(const Chart& chart) {
  const std::size_t most = std::max<std::size_t>(4, most_marks / std::max<std::size_t>(1, chart.series.size()));
  std::vector<std::pair<const ChartSeries*, std::vector<const ChartPoint*>>> shown;
  for (const ChartSeries& series : chart.series)
    if (auto points = visible(chart, series); points.size() >= (series.joined ? 2 : 1)) shown.emplace_back(&series, std::move(points));
  if (shown.empty()) return {};
  const std::size_t all = shown.size();
  if (all > most_series) shown.resize(most_series);

  const ChartPoint& any = *shown.front().second.front();
  double x_low = any.x, x_high = any.x, y_low = any.y, y_high = any.y;
  for (const auto& [series, points] : shown)
    for (const ChartPoint* point : points) {
      x_low = std::min(x_low, point->x);
      x_high = std::max(x_high, point->x);
      y_low = std::min(y_low, point->y);
      y_high = std::max(y_high, point->y);
    }
  const Scale x(chart.x, x_low, x_high, chart_frame.left, chart_frame.end());
  const Scale y(chart.y, y_low, y_high, chart_frame.base, chart_frame.top);

  const std::vector<std::string> groups = groups_of(chart);
  std::string marks = axes(chart, x, y) + rules_of(chart, x, y);
  std::string slopes;
  std::vector<bool> sloped(groups.size(), false);  // one slope a group is enough to look at
  for (const auto& [series, points] : shown) {
    const auto group = static_cast<std::size_t>(std::ranges::find(groups, series->group) - groups.begin());
    marks += drawn_series(*series, points, series->joined ? most : points.size(), x, y, group);
    if (series->slope && !sloped[group]) slopes += slope_line(*series, *points.front(), *points.back(), x, y);
    sloped[group] = sloped[group] || series->slope.has_value();
  }
  const std::string description =
      fmt::format("{} series; {} from {} to {}, {} from {} to {}", shown.size(), chart.x.label, short_number(x_low), short_number(x_high),
                  chart.y.label, short_number(y_low), short_number(y_high));
  const std::string title = all > most_series ? fmt::format("{} ({} of {})", chart.title, most_series, all) : chart.title;
  return {{chart.name, title, chart.sentence, description, chart_frame.width, chart_frame.height(), marks + slopes,
           groups.size() > 1 ? groups : std::vector<std::string>{}}};
}

}  // namespace attest
