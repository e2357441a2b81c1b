#include "json_view.hpp"
#include "markup.hpp"
#include "plane_square.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// Bands of the loss, each with as many points of the grid.
constexpr std::size_t bands = 9;

std::vector<double> levels_of(std::vector<double> values) {
  std::ranges::sort(values);
  std::vector<double> levels;
  for (std::size_t k = 0; k <= bands; ++k) levels.push_back(values[k * (values.size() - 1) / bands]);
  return levels;
}

std::size_t band_of(const std::vector<double>& levels, double value) {
  const auto above = std::lower_bound(levels.begin() + 1, levels.end() - 1, value);
  return static_cast<std::size_t>(above - levels.begin()) - 1;
}

/// A row of the grid, neighbours of one band drawn as one bar.
std::string row_of(const PlaneSquare& square, const std::vector<double>& ticks, double up, const double* values,
                   const std::vector<double>& levels) {
  std::string marks;
  for (std::size_t begin = 0; begin < ticks.size();) {
    const std::size_t band = band_of(levels, values[begin]);
    std::size_t end = begin + 1;
    while (end < ticks.size() && band_of(levels, values[end]) == band) ++end;
    const double left = square.x(ticks[begin]) - square.cell() / 2;
    // Bars overlap a little: between two that only touch the paper shines through.
    marks += fmt::format(
        "<rect class=\"level\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill-opacity=\"{:.2f}\"><title>log(L − L*) "
        "from {} "
        "to {}</title></rect>",
        left, square.y(up) - square.cell() / 2, square.cell() * static_cast<double>(end - begin) + 0.2, square.cell() + 0.2,
        0.04 + 0.7 * static_cast<double>(band) / static_cast<double>(bands - 1), short_number(levels[band]),
        short_number(levels[band + 1]));
    begin = end;
  }
  return marks;
}

}  // namespace

Figures loss_plane_plot(const Json& numbers) {
  const Json* loss = member(numbers, "loss");
  const auto radius = number_at(numbers, "radius");
  if (loss == nullptr || !radius || !(*radius > 0)) return {};
  const auto ticks = numbers_at(*loss, "ticks");
  const auto values = numbers_at(*loss, "log_excess");
  if (!ticks || ticks->size() < 2 || !values || values->size() != ticks->size() * ticks->size()) return {};
  const std::vector<double> levels = levels_of(*values);
  if (!(levels.back() > levels.front())) return {};
  const PlaneSquare square(numbers, *radius, ticks->size());
  std::string marks;
  for (std::size_t r = 0; r < ticks->size(); ++r) marks += row_of(square, *ticks, (*ticks)[r], values->data() + r * ticks->size(), levels);
  marks += square.directions() + square.line("path", "slope", "regularisation path");
  marks += square.line("descent", "line", "descent from 0") + square.dots("descent", "descent from 0") + square.axes();
  return {{"loss-in-the-plane", "Loss over the plane",
           "Descent from 0 (dots) and the regularisation path (dashed) run down the pale valley towards a max-margin direction (thick).",
           fmt::format("log(L − L*) from {} to {}", short_number(levels.front()), short_number(levels.back())), PlaneSquare::size,
           PlaneSquare::size, marks, square.legend()}};
}

}  // namespace attest
