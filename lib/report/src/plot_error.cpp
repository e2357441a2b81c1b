#include "attest/base/tolerance.hpp"
#include "chart.hpp"
#include "json_view.hpp"
#include "plots.hpp"
#include "traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace attest {
namespace {

/// What errors are drawn over, the best first.
constexpr NamedColumn error_abscissas[] = {{"radius", "radius R"}, {"norm", "norm"}, {"p_norm", "norm"}, {"iteration", "iteration"}};

ChartSeries series_of(const Trace& trace, const NamedColumn& over, const std::string& error, const std::string& group) {
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

/// The proved envelope C/norm at those points of the trace that it is about.
std::optional<ChartSeries> envelope_of(const Trace& trace) {
  const std::vector<double>* iterations = trace.columns.find("iteration");
  const std::vector<double>* norms = trace.columns.find("norm");
  if (!trace.bound || iterations == nullptr || norms == nullptr) return std::nullopt;
  ChartSeries series{"proved bound C/norm", {}, {}, true, true};
  for (std::size_t k = 0; k < std::min(iterations->size(), norms->size()); ++k) {
    const double norm = (*norms)[k];
    const double bound = trace.bound->constant / norm;
    if ((*iterations)[k] >= trace.bound->from_iterate && bound <= largest_error)
      series.points.push_back({norm, bound, fmt::format("norm {}, error at most {}, proved", short_number(norm), short_upper(bound))});
  }
  if (series.points.size() < 2) return std::nullopt;  // no line, and no entry of the legend
  return series;
}

/// One for each selection that runs end at is enough to look at.
void add_envelopes(const std::vector<const Trace*>& traces, Chart& chart) {
  std::set<std::string> drawn;
  for (const Trace* trace : traces)
    if (auto envelope = envelope_of(*trace); envelope && drawn.insert(trace->group).second) chart.series.push_back(std::move(*envelope));
}

std::string legend_of(const Trace& trace, const std::string& error) {
  if (error == "direction_error" && !trace.group.empty()) return trace.group;
  return trace.group.empty() ? error : trace.group + ", " + error;
}

/// What is proved of the direction of every minimiser of a path, over R; a bound of its nuclear norm has a scale of its own.
std::optional<ChartSeries> path_bound(const nlohmann::ordered_json& numbers) {
  const nlohmann::ordered_json* envelope = member(numbers, "envelope");
  if (envelope == nullptr) return std::nullopt;
  const Columns columns(*envelope);
  const std::vector<double>* radii = columns.find("radius");
  const std::vector<double>* bounds = columns.find("bound");
  if (radii == nullptr || bounds == nullptr || columns.find("ratio_bound") != nullptr) return std::nullopt;
  ChartSeries series{"proved bound", {}, {}};
  for (std::size_t k = 0; k < radii->size(); ++k)
    series.points.push_back(
        {(*radii)[k], (*bounds)[k], fmt::format("radius {}, proved bound {}", short_number((*radii)[k]), short_number((*bounds)[k]))});
  return series;
}

/// One chart a source: its traces have the same columns.
Figures chart_of(const std::vector<const Trace*>& traces, const std::optional<ChartSeries>& bound) {
  const NamedColumn* over = first_of(error_abscissas, traces.front()->columns);
  if (over == nullptr) return {};
  Chart chart{"direction-error",
              std::string("Direction error over ") + over->label,
              "A straight line that falls is convergence in direction: the error is a power of the norm.",
              {over->label, true},
              {"direction error", true},
              {}};
  for (const Trace* trace : traces)
    for (const std::string& error : trace->columns.errors())
      if (trace->columns.find(over->column) != nullptr) chart.series.push_back(series_of(*trace, *over, error, legend_of(*trace, error)));
  if (std::string_view(over->column) == "norm") add_envelopes(traces, chart);
  if (bound && traces.front()->source == "points") {
    for (ChartSeries& measured : chart.series) measured.group = "measured";
    chart.series.push_back(*bound);
  }
  const bool sloped = std::ranges::any_of(traces, [](const Trace* trace) { return trace->rate.has_value(); });
  if (traces.size() == 1 && sloped)
    chart.title += fmt::format("; dashed: slope {:.3f}", *traces.front()->rate);
  else if (sloped)
    chart.title += "; dashed: fitted slopes";
  return line_chart(chart);
}

}  // namespace

Figures error_plots(const nlohmann::ordered_json& numbers) {
  const std::vector<Trace> traces = traces_of(numbers);
  const std::optional<ChartSeries> bound = path_bound(numbers);
  Figures figures;
  for (std::size_t begin = 0; begin < traces.size();) {
    std::vector<const Trace*> together;
    std::size_t end = begin;
    for (; end < traces.size() && traces[end].source == traces[begin].source; ++end) together.push_back(&traces[end]);
    figures += chart_of(together, bound);
    begin = end;
  }
  return figures;
}

}  // namespace attest
