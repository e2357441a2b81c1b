#include "plane_square.hpp"

#include "json_view.hpp"
#include "markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// "p[0], up: p[1]", where the plane is one of coordinates, or what spans it.
std::string plane_text(const Json& numbers) {
  if (const auto& of = list_at(numbers, "plane_of"); !of.empty())
    return fmt::format("p^mm of {}, up: {}", selection_text(of[0]),
                       of.size() > 1 ? "to p^mm of " + selection_text(of[1]) : "first step from 0");
  const auto used = [](double entry) { return entry != 0; };
  std::vector<std::string> names;
  for (const Json& vector : list_at(numbers, "plane")) {
    const auto entries = numbers_in(vector);
    if (!entries || std::ranges::count_if(*entries, used) != 1) return "in the plane of starts";
    names.push_back(fmt::format("p[{}]", std::ranges::find_if(*entries, used) - entries->begin()));
  }
  return names.size() == 2 ? fmt::format("{}, up: {}", names[0], names[1]) : "in the plane of starts";
}

std::vector<std::pair<double, double>> points_at(const Json& numbers, const char* name) {
  std::vector<std::pair<double, double>> points;
  for (const Json& point : list_at(numbers, name)) {
    const auto at = numbers_in(point);
    if (!at || at->size() != 2) return {};
    points.emplace_back((*at)[0], (*at)[1]);
  }
  return points;
}

}  // namespace

PlaneSquare::PlaneSquare(const Json& numbers, double radius, std::size_t per_side)
    : numbers_(numbers), radius_(radius), cell_(side / static_cast<double>(per_side)) {
  for (const Json& limit : list_at(numbers, "limits")) {
    const Json* selection = member(limit, "selection");
    const std::string name = selection ? selection_text(*selection) : "";
    limits_.push_back({name, colours_.of(name), numbers_at(limit, "direction")});
  }
}

std::string PlaneSquare::directions() const {
  std::string rays;
  for (const Limit& limit : limits_) {
    if (!limit.direction || limit.direction->size() != 2) continue;
    const double across = limit.direction->front();
    const double up = limit.direction->back();
    const double longest = std::max(std::abs(across), std::abs(up));
    if (!(longest > 1e-9)) continue;                                                 // it leaves the plane straight away
    const double reach = radius_ / longest * std::min(1.0, std::hypot(across, up));  // to the edge, if it is in the plane
    rays += fmt::format("<path class=\"direction {}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"><title>p^mm of {}</title></path>",
                        colour_class(limit.colour), x(0), y(0), x(reach * across), y(reach * up), escaped(limit.name));
  }
  return rays;
}

std::string PlaneSquare::line(const char* name, const char* kind, const char* title) const {
  const auto points = points_at(numbers_, name);
  if (points.empty()) return "";
  std::string drawn = fmt::format("M{:.1f} {:.1f}", x(0), y(0));
  for (const auto& [across, up] : points) drawn += fmt::format("L{:.1f} {:.1f}", x(across), y(up));
  return fmt::format("<path class=\"{}\" d=\"{}\"><title>{}</title></path>", kind, drawn, title);
}

std::string PlaneSquare::dots(const char* name, const char* title) const {
  std::string drawn;
  for (const auto& [across, up] : points_at(numbers_, name))
    drawn += fmt::format("<circle class=\"ink\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\"><title>{}: ({}, {})</title></circle>", x(across), y(up),
                         title, short_number(across), short_number(up));
  return drawn;
}

std::string PlaneSquare::axes() const {
  return fmt::format(
      "<circle class=\"start\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>0</title></circle><text x=\"{}\" y=\"{}\">−{}</text>"
      "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
      x(0), y(0), margin, size - 8, short_number(radius_), size - margin, size - 8, short_number(radius_), size / 2, size - 8,
      escaped(plane_text(numbers_)));
}

}  // namespace attest
