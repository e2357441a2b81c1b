#include "chart.hpp"
#include "json_view.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// A line of the errors: a column, and what it is.
struct ErrorLine {
  const char* column;
  const char* name;
};
constexpr std::array<ErrorLine, 3> error_lines = {{{"direction_error", "the run"},
                                                   {"path_error", "the regularisation path at the same norm"},
                                                   {"best_error", "the run, to the largest scores"}}};

/// The checkpoint of that number in the file, among those that were looked at.
const Json* checkpoint(const std::vector<Json>& checkpoints, double index) {
  for (const Json& one : checkpoints)
    if (number_at(one, "checkpoint") == index) return &one;
  return nullptr;
}

/// What is proved of plain descent from a checkpoint on, at the norms of the later ones.
std::optional<ChartSeries> checkpoint_bound(const Json& numbers, double from_norm, double last_norm) {
  const auto constant = number_at(numbers, "rate_constant");
  if (!constant || !(from_norm > 0) || !(last_norm > from_norm)) return std::nullopt;
  ChartSeries series{"proved bound of plain descent", {}, {}, true, true};
  for (const double norm : {from_norm, std::sqrt(from_norm * last_norm), last_norm})
    if (*constant / norm <= largest_error)
      series.points.push_back(
          {norm, *constant / norm, fmt::format("norm {}, error at most {}, proved", short_number(norm), short_upper(*constant / norm))});
  return series.points.size() < 2 ? std::nullopt : std::optional(series);
}

Figures error_figure(const Json& numbers, const std::vector<Json>& checkpoints) {
  Chart chart{
      "run-beside-the-path",
      "The run beside the path",
      "Where the run lies on the path it is as far from its limit as can be expected at that norm; well above it, it follows another "
      "geometry or has not arrived.",
      {"norm", true},
      {"direction error", true},
      {}};
  const bool to_the_best = member(numbers, "heads_for") && member(numbers, "best") && numbers.at("heads_for") == numbers.at("best");
  for (const ErrorLine& line : error_lines) {
    if (to_the_best && std::string_view(line.column) == "best_error") continue;  // the same line again
    ChartSeries series{line.name, {}};
    for (const Json& one : checkpoints) {
      const auto norm = number_at(one, "norm");
      const auto error = number_at(one, line.column);
      if (norm && error)
        series.points.push_back({*norm, *error,
                                 fmt::format("{}: step {}, norm {}, error {}", line.name, short_number(number_at(one, "step").value_or(0)),
                                             short_number(*norm), short_number(*error))});
    }
    if (series.points.size() > 1) chart.series.push_back(std::move(series));
  }
  const auto certain = number_at(numbers, "certain_from");
  const Json* from = certain ? checkpoint(checkpoints, *certain) : nullptr;
  const auto norm = from ? number_at(*from, "norm") : std::nullopt;
  if (norm && *norm > 0) {
    chart.rules.push_back(
        {ChartRule::Across::x, *norm,
         fmt::format("from checkpoint {:g} on plain descent provably converges, norm {}", *certain, short_number(*norm))});
    if (auto bound = checkpoint_bound(numbers, *norm, number_at(checkpoints.back(), "norm").value_or(0)))
      chart.series.push_back(std::move(*bound));
  }
  return line_chart(chart);
}

Figures column_figure(const std::vector<Json>& checkpoints, Chart chart, const char* column) {
  ChartSeries series{"", {}};
  for (const Json& one : checkpoints) {
    const auto step = number_at(one, "step");
    const auto value = number_at(one, column);
    if (step && value) series.points.push_back({*step, *value, fmt::format("step {}: {}", short_number(*step), short_number(*value))});
  }
  chart.series.push_back(std::move(series));
  return line_chart(chart);
}

}  // namespace

Figures checkpoint_plots(const Json& numbers) {
  const std::vector<Json>& checkpoints = list_at(numbers, "checkpoints");
  if (checkpoints.size() < 2) return {};
  Figures figures = error_figure(numbers, checkpoints);
  figures += column_figure(checkpoints,
                           {"run-attention",
                            "Attention along the run",
                            "The least attention that a sample gives to the token it prefers: near 1 every sample has selected its token.",
                            {"step", false},
                            {"least attention", false},
                            {}},
                           "attention");
  figures += column_figure(checkpoints,
                           {"run-loss",
                            "Loss along the run",
                            "It falls to the loss of the selection that the run heads for; L* is that of the largest scores.",
                            {"step", false},
                            {"log(L − L*)", false},
                            {}},
                           "log_excess");
  return figures;
}

}  // namespace attest
