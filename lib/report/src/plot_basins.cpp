#include "chart.hpp"
#include "json_view.hpp"
#include "markup.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr double size = 300;
constexpr double margin = 22;
constexpr double side = size - 2 * margin;

/// The square of starts, as the picture has it.
class View {
 public:
  View(double radius, std::size_t per_side) : radius_(radius), cell_(side / static_cast<double>(per_side)) {}

  double cell() const { return cell_; }
  /// Starts stand in the middles of their cells: the outermost ones at the radius.
  double x(double across) const { return size / 2 + across / radius_ * (side - cell_) / 2; }
  double y(double up) const { return size / 2 - up / radius_ * (side - cell_) / 2; }

 private:
  double radius_;
  double cell_;
};

std::string cell_of(const View& view, double across, double up, const Json& limit, const std::string& by,
                    const std::vector<std::string>& groups) {
  const double left = view.x(across) - view.cell() / 2;
  const double top = view.y(up) - view.cell() / 2;
  const std::string place = fmt::format("from ({}, {})", short_number(across), short_number(up));
  const auto index = number_in(limit);
  if (!index || !(*index >= 0) || !(*index < static_cast<double>(groups.size())))
    return fmt::format(
        "<g class=\"open-cell\"><title>{0}: not proved</title><rect x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" height=\"{3:.2f}\"/>"
        "<path d=\"M{1:.2f} {2:.2f}l{3:.2f} {3:.2f}\"/></g>",
        place, left, top, view.cell());
  const auto group = static_cast<std::size_t>(*index);
  return fmt::format(
      "<rect class=\"start-cell {}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"><title>{} {}, proved ({})</title></rect>",
      colour_class(group), left, top, view.cell(), view.cell(), place, escaped(groups[group]), escaped(by));
}

std::string arrow_of(const View& view, double radius, const Json& limit, std::size_t group, const std::string& label) {
  const auto direction = numbers_at(limit, "direction");
  if (!direction || direction->size() != 2) return "";
  // To the edge of the square.
  const double reach = radius / std::max({std::abs((*direction)[0]), std::abs((*direction)[1]), 1e-12});
  return fmt::format("<path class=\"direction {}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"><title>p^mm of {}</title></path>",
                     colour_class(group), view.x(0), view.y(0), view.x(reach * (*direction)[0]), view.y(reach * (*direction)[1]),
                     escaped(label));
}

std::string path_of(const View& view, const Json& numbers) {
  std::string line = fmt::format("M{:.1f} {:.1f}", view.x(0), view.y(0));
  std::size_t points = 0;
  for (const Json& point : list_at(numbers, "path")) {
    const auto at = numbers_in(point);
    if (!at || at->size() != 2) return "";
    line += fmt::format("L{:.1f} {:.1f}", view.x((*at)[0]), view.y((*at)[1]));
    ++points;
  }
  return points == 0 ? "" : fmt::format("<path class=\"slope\" d=\"{}\"><title>regularisation path</title></path>", line);
}

/// "p[0], up: p[1]", where the plane is one of coordinates.
std::string plane_text(const Json& numbers) {
  const auto used = [](double entry) { return entry != 0; };
  std::vector<std::string> names;
  for (const Json& vector : list_at(numbers, "plane")) {
    const auto entries = numbers_in(vector);
    if (!entries || std::ranges::count_if(*entries, used) != 1) return "in the plane of the keys";
    names.push_back(fmt::format("p[{}]", std::ranges::find_if(*entries, used) - entries->begin()));
  }
  return names.size() == 2 ? fmt::format("{}, up: {}", names[0], names[1]) : "in the plane of the keys";
}

}  // namespace

std::string basins_plot(const Json& numbers) {
  const auto ticks = numbers_at(numbers, "ticks");
  const auto radius = number_at(numbers, "radius");
  const std::vector<Json>& map = list_at(numbers, "map");
  if (!ticks || ticks->empty() || !radius || map.size() != ticks->size() * ticks->size()) return "";
  const std::vector<Json>& by = list_at(numbers, "map_proved_by");
  const View view(*radius, ticks->size());
  std::vector<std::string> groups;
  for (const Json& limit : list_at(numbers, "limits")) {
    const Json* selection = member(limit, "selection");
    groups.push_back("to " + (selection ? selection_text(*selection) : ""));
  }
  std::string marks;
  for (std::size_t k = 0; k < map.size(); ++k)
    marks += cell_of(view, (*ticks)[k % ticks->size()], (*ticks)[k / ticks->size()], map[k],
                     k < by.size() && by[k].is_string() ? by[k].get<std::string>() : "", groups);
  for (std::size_t k = 0; k < groups.size(); ++k) marks += arrow_of(view, *radius, list_at(numbers, "limits")[k], k, groups[k]);
  marks += path_of(view, numbers);
  marks += fmt::format("<circle class=\"start\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>0</title></circle>", view.x(0), view.y(0));
  marks += fmt::format("<text x=\"{}\" y=\"{}\">-{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", margin, size - 8,
                       short_number(*radius), size - margin, size - 8, short_number(*radius));
  marks += fmt::format("<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", size / 2, size - 8,
                       escaped(plane_text(numbers)));
  return figure(
      "Where each start provably goes (hatched: not proved; dashed: the path)",
      fmt::format("{} of {} starts have a proved limit", static_cast<long long>(number_at(numbers, "proved").value_or(0)), map.size()),
      size, size, marks, groups);
}

}  // namespace attest
