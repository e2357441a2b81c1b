#include "chart.hpp"
#include "plots.hpp"
#include "traces.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

constexpr NamedColumn losses[] = {{"log_excess", "log(L − L*)"}, {"log_loss", "log L"}};
constexpr NamedColumn loss_abscissas[] = {{"iteration", "iteration"}, {"radius", "radius R"}, {"norm", "norm"}};

}  // namespace

Figures loss_plots(const nlohmann::ordered_json& numbers) {
  std::vector<Chart> charts;
  std::string source;
  for (const Trace& trace : traces_of(numbers)) {
    const NamedColumn* loss = first_of(losses, trace.columns);
    const NamedColumn* over = first_of(loss_abscissas, trace.columns);
    if (loss == nullptr || over == nullptr) continue;
    if (charts.empty() || source != trace.source)
      charts.push_back({"loss",
                        fmt::format("Loss, {}, over {}", loss->label, over->label),
                        "It falls without end: no minimiser is finite.",
                        {over->label, true},
                        {loss->label, false},
                        {}});
    source = trace.source;
    ChartSeries series{trace.group, {}};
    const std::vector<double>& x = *trace.columns.find(over->column);
    const std::vector<double>& y = *trace.columns.find(loss->column);
    for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k)
      series.points.push_back({x[k], y[k], fmt::format("{} {}: {}", over->column, short_number(x[k]), short_number(y[k]))});
    charts.back().series.push_back(std::move(series));
  }
  Figures figures;
  for (const Chart& chart : charts) figures += line_chart(chart);
  return figures;
}

}  // namespace attest
