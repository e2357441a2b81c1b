#include "json_view.hpp"
#include "markup.hpp"
#include "plane_square.hpp"
#include "plots.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// A start of the map.
struct Start {
  double across;
  double up;
  const Json* proved;  ///< its limit's place among the limits, or null
  const Json* seen;
  std::string by;
};

std::optional<std::size_t> limit_in(const Json* place, std::size_t limits) {
  const auto index = place ? number_in(*place) : std::nullopt;
  return index && *index >= 0 && *index < static_cast<double>(limits) ? std::optional(static_cast<std::size_t>(*index)) : std::nullopt;
}

std::string cell_of(const PlaneSquare& square, const Start& start) {
  const double left = square.x(start.across) - square.cell() / 2;
  const double top = square.y(start.up) - square.cell() / 2;
  const std::string place = fmt::format("from ({}, {})", short_number(start.across), short_number(start.up));
  const auto proved = limit_in(start.proved, square.limits().size());
  const auto limit = proved ? proved : limit_in(start.seen, square.limits().size());
  if (!limit)
    return fmt::format(
        "<g class=\"open-cell\"><title>{0}: undecided</title><rect x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" height=\"{3:.2f}\"/>"
        "<path d=\"M{1:.2f} {2:.2f}l{3:.2f} {3:.2f}\"/></g>",
        place, left, top, square.cell());
  const PlaneSquare::Limit& to = square.limits()[*limit];
  return fmt::format(
      "<rect class=\"start-cell {}{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"><title>{} to {}, {}</title></rect>",
      colour_class(to.colour), proved ? "" : " seen", left, top, square.cell(), square.cell(), place, escaped(to.name),
      proved ? fmt::format("proved ({})", escaped(start.by)) : "seen");
}

/// How the starts' limits are known. Of a map in one shade it says which: there is no other to compare it with.
std::string known(std::size_t proved, std::size_t seen, std::size_t all) {
  const std::string how = proved == 0 ? ", as far as was seen"
                          : seen == 0 ? ", provably"
                                      : ": the darker ones provably, the paler ones as far as was seen";
  return proved + seen < all ? how + "; hatched is undecided" : how;
}

}  // namespace

Figures basins_plot(const Json& numbers) {
  const auto ticks = numbers_at(numbers, "ticks");
  const auto radius = number_at(numbers, "radius");
  const std::vector<Json>& map = list_at(numbers, "map");
  if (!ticks || ticks->empty() || !radius || map.size() != ticks->size() * ticks->size()) return {};
  const std::vector<Json>& by = list_at(numbers, "map_proved_by");
  const std::vector<Json>& seen = list_at(numbers, "map_seen");
  const PlaneSquare square(numbers, *radius, ticks->size());
  std::string marks;
  std::size_t proved = 0;
  std::size_t only_seen = 0;
  for (std::size_t k = 0; k < map.size(); ++k) {
    if (limit_in(&map[k], square.limits().size()))
      ++proved;
    else if (k < seen.size() && limit_in(&seen[k], square.limits().size()))
      ++only_seen;
    marks += cell_of(square, {(*ticks)[k % ticks->size()], (*ticks)[k / ticks->size()], &map[k], k < seen.size() ? &seen[k] : nullptr,
                              k < by.size() && by[k].is_string() ? by[k].get<std::string>() : ""});
  }
  marks += square.directions() + square.line("path", "slope", "regularisation path") + square.axes();
  return {{"basins", "Where each start goes",
           "Each square is a start, in the colour of the max-margin direction (thick) that descent from there goes to" +
               known(proved, only_seen, map.size()) + "; the dashed line is the regularisation path.",
           fmt::format("{} of {} starts have a proved limit", static_cast<long long>(number_at(numbers, "proved").value_or(0)), map.size()),
           PlaneSquare::size, PlaneSquare::size, marks, square.legend()}};
}

}  // namespace attest
