#include "attest/base/tolerance.hpp"
#include "chart.hpp"
#include "plots.hpp"
#include "traces.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

struct Abscissa {
  const char* column;
  const char* label;
};

/// What errors are drawn over, the best first.
constexpr Abscissa abscissas[] = {{"radius", "radius R"}, {"norm", "norm"}, {"p_norm", "norm"}, {"iteration", "iteration"}};

const Abscissa* abscissa_of(const Columns& columns) {
  for (const Abscissa& one : abscissas)
    if (columns.find(one.column) != nullptr) return &one;
  return nullptr;
}

ChartSeries series_of(const Trace& trace, const Abscissa& over, const std::string& error, const std::string& group) {
  ChartSeries series{group, {}, trace.rate};
  const std::vector<double>& x = *trace.columns.find(over.column);
  const std::vector<double>& y = *trace.columns.find(error);
  // A run that starts on the ray has an error of rounding there, which would be all that the chart shows.
  std::size_t first = 0;
  while (first < y.size() && y[first] <= direction_floor.distance) ++first;
  for (std::size_t k = first; k < std::min(x.size(), y.size()); ++k)
    series.points.push_back({x[k], y[k], fmt::format("{} {}, error {}", over.column, short_number(x[k]), short_number(y[k]))});
  return series;
}

std::string legend_of(const Trace& trace, const std::string& error) {
  if (error == "direction_error") return trace.group;
  return trace.group.empty() ? error : trace.group + ", " + error;
}

/// One chart a source: its traces have the same columns.
std::string chart_of(const std::vector<const Trace*>& traces) {
  const Abscissa* over = abscissa_of(traces.front()->columns);
  if (over == nullptr) return "";
  Chart chart{std::string("Direction error over ") + over->label, {over->label, true}, {"direction error", true}, {}};
  for (const Trace* trace : traces)
    for (const std::string& error : trace->columns.errors())
      if (trace->columns.find(over->column) != nullptr) chart.series.push_back(series_of(*trace, *over, error, legend_of(*trace, error)));
  const bool sloped = std::ranges::any_of(traces, [](const Trace* trace) { return trace->rate.has_value(); });
  if (traces.size() == 1 && sloped)
    chart.title += fmt::format("; dashed: slope {:.3f}", *traces.front()->rate);
  else if (sloped)
    chart.title += "; dashed: fitted slopes";
  return line_chart(chart);
}

}  // namespace

std::string error_plots(const nlohmann::ordered_json& numbers) {
  const std::vector<Trace> traces = traces_of(numbers);
  std::string figures;
  for (std::size_t begin = 0; begin < traces.size();) {
    std::vector<const Trace*> together;
    std::size_t end = begin;
    for (; end < traces.size() && traces[end].source == traces[begin].source; ++end) together.push_back(&traces[end]);
    figures += chart_of(together);
    begin = end;
  }
  return figures;
}

}  // namespace attest
