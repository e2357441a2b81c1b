#include "json_view.hpp"
#include "markup.hpp"
#include "plot_frame.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr double row_slot = 30;
constexpr double row_bar = 20;

struct Destination {
  std::string start;
  std::string name;  ///< empty: undecided
  double share;
  bool proved;
};

std::vector<Destination> destinations_of(const Json& audit) {
  std::vector<Destination> found;
  for (const Json& entry : list_at(audit, "destinations")) {
    const auto share = number_at(entry, "share");
    const Json* start = member(entry, "start");
    if (!share || !(*share >= 0 && *share <= 1) || start == nullptr) continue;
    const Json* selection = member(entry, "selection");
    std::string name = selection == nullptr ? "" : text_at(entry, "name");
    if (name.empty() && selection != nullptr) name = selection_text(*selection);
    found.push_back({value_text(*start), name, *share, text_at(entry, "grade") == "proved"});
  }
  return found;
}

/// The kinds of starts, in order.
std::vector<std::string> starts_of(const std::vector<Destination>& destinations) {
  std::vector<std::string> starts;
  for (const Destination& one : destinations)
    if (std::ranges::find(starts, one.start) == starts.end()) starts.push_back(one.start);
  return starts;
}

std::string start_text(const std::string& start) { return start == "0" ? "from 0" : "radius " + start; }

/// A row for each kind of start.
PlotFrame frame_of(std::size_t rows) {
  constexpr double top = 8;
  return {.width = 380, .left = 92, .right = 12, .top = top, .base = top + row_slot * static_cast<double>(rows), .bottom = 38};
}

std::string scale(const PlotFrame& frame) {
  std::string marks;
  for (const int percent : {0, 25, 50, 75, 100})
    marks += frame.vertical(frame.left + frame.inner_width() * percent / 100, fmt::format("{}", percent));
  return marks + frame.name_of_x("% of the starts");
}

}  // namespace

Figures shares_plot(const Json& audit) {
  const std::vector<Destination> destinations = destinations_of(audit);
  if (destinations.empty()) return {};
  const std::vector<std::string> starts = starts_of(destinations);
  const PlotFrame frame = frame_of(starts.size());
  SelectionColours colours;
  std::string marks = scale(frame);
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const double y = frame.top + row_slot * static_cast<double>(k) + (row_slot - row_bar) / 2;
    marks +=
        fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", frame.left - 6, y + 14, escaped(start_text(starts[k])));
    double x = frame.left;
    for (const Destination& one : destinations) {
      if (one.start != starts[k]) continue;
      const double length = frame.inner_width() * one.share;
      const std::string said = one.name.empty()
                                   ? fmt::format("{:.3g} % are undecided", 100 * one.share)
                                   : fmt::format("{:.3g} % go to {}, {}", 100 * one.share, one.name, one.proved ? "proved" : "observed");
      marks +=
          fmt::format("<rect class=\"share {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:g}\"><title>{}: {}</title></rect>",
                      one.name.empty() ? "open" : colour_class(colours.of(one.name)) + (one.proved ? " proved" : " observed"), x, y, length,
                      row_bar, escaped(start_text(one.start)), escaped(said));
      x += length;
    }
  }
  return {{"shares", "Where the starts go",
           "The longest bar of a row is where most starts of that radius end; solid is proved, pale is observed, empty is undecided.",
           fmt::format("{} kinds of starts", starts.size()), frame.width, frame.height(), marks, colours.legend()}};
}

}  // namespace attest
