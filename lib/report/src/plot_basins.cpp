#include "json_view.hpp"
#include "markup.hpp"
#include "plane_square.hpp"
#include "plots.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

std::string cell_of(const PlaneSquare& square, double across, double up, const Json& limit, const std::string& by,
                    const std::vector<std::string>& groups) {
  const double left = square.x(across) - square.cell() / 2;
  const double top = square.y(up) - square.cell() / 2;
  const std::string place = fmt::format("from ({}, {})", short_number(across), short_number(up));
  const auto index = number_in(limit);
  if (!index || !(*index >= 0) || !(*index < static_cast<double>(groups.size())))
    return fmt::format(
        "<g class=\"open-cell\"><title>{0}: not proved</title><rect x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" height=\"{3:.2f}\"/>"
        "<path d=\"M{1:.2f} {2:.2f}l{3:.2f} {3:.2f}\"/></g>",
        place, left, top, square.cell());
  const auto group = static_cast<std::size_t>(*index);
  return fmt::format(
      "<rect class=\"start-cell {}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"><title>{} {}, proved ({})</title></rect>",
      colour_class(group), left, top, square.cell(), square.cell(), place, escaped(groups[group]), escaped(by));
}

}  // namespace

Figures basins_plot(const Json& numbers) {
  const auto ticks = numbers_at(numbers, "ticks");
  const auto radius = number_at(numbers, "radius");
  const std::vector<Json>& map = list_at(numbers, "map");
  if (!ticks || ticks->empty() || !radius || map.size() != ticks->size() * ticks->size()) return {};
  const std::vector<Json>& by = list_at(numbers, "map_proved_by");
  const PlaneSquare square(*radius, ticks->size());
  const std::vector<std::string> groups = square.limits(numbers);
  std::string marks;
  for (std::size_t k = 0; k < map.size(); ++k)
    marks += cell_of(square, (*ticks)[k % ticks->size()], (*ticks)[k / ticks->size()], map[k],
                     k < by.size() && by[k].is_string() ? by[k].get<std::string>() : "", groups);
  marks += square.directions(numbers) + square.line("path", "slope", "regularisation path", numbers) + square.axes(numbers);
  return {{"basins", "Where each start provably goes (hatched: not proved; dashed: the path)",
           "Each square is a start, in the colour of the max-margin direction (thick) to which descent from there provably converges.",
           fmt::format("{} of {} starts have a proved limit", static_cast<long long>(number_at(numbers, "proved").value_or(0)), map.size()),
           PlaneSquare::size, PlaneSquare::size, marks, groups}};
}

}  // namespace attest
