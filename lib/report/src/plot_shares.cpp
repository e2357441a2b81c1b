#include "json_view.hpp"
#include "markup.hpp"
#include "plots.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

constexpr double width = 380;
constexpr double left = 92;
constexpr double right = 12;
constexpr double top = 8;
constexpr double slot = 30;
constexpr double bar = 20;
constexpr double bottom = 38;

struct Destination {
  std::string start;
  std::string name;
  double share;
  bool proved;
};

std::vector<Destination> destinations_of(const Json& audit) {
  std::vector<Destination> found;
  for (const Json& entry : list_at(audit, "destinations")) {
    const auto share = number_at(entry, "share");
    const Json* start = member(entry, "start");
    if (!share || !(*share >= 0 && *share <= 1) || start == nullptr) continue;
    std::string name = text_at(entry, "name");
    if (const Json* selection = member(entry, "selection"); name.empty() && selection != nullptr) name = selection_text(*selection);
    found.push_back({value_text(*start), name.empty() ? "nowhere yet" : name, *share, text_at(entry, "grade") == "proved"});
  }
  return found;
}

template <class Of>
std::vector<std::string> distinct(const std::vector<Destination>& destinations, Of of) {
  std::vector<std::string> values;
  for (const Destination& one : destinations)
    if (std::ranges::find(values, of(one)) == values.end()) values.push_back(of(one));
  return values;
}

std::string start_text(const std::string& start) { return start == "0" ? "from 0" : "radius " + start; }

std::string scale(double base) {
  std::string marks;
  for (const int percent : {0, 25, 50, 75, 100}) {
    const double x = left + (width - left - right) * percent / 100;
    marks +=
        fmt::format("<path class=\"grid\" d=\"M{0:.1f} {1}V{2:.1f}\"/><text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>",
                    x, top, base, base + 13, percent);
  }
  return marks + fmt::format("<text class=\"label\" x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"middle\">% of the starts</text>",
                             (left + width - right) / 2, base + 30);
}

}  // namespace

Figures shares_plot(const Json& audit) {
  const std::vector<Destination> destinations = destinations_of(audit);
  if (destinations.empty()) return {};
  const std::vector<std::string> starts = distinct(destinations, [](const Destination& one) { return one.start; });
  const std::vector<std::string> names = distinct(destinations, [](const Destination& one) { return one.name; });
  const double base = top + slot * static_cast<double>(starts.size());
  std::string marks = scale(base);
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const double y = top + slot * static_cast<double>(k) + (slot - bar) / 2;
    marks += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left - 6, y + 14, escaped(start_text(starts[k])));
    double x = left;
    for (const Destination& one : destinations) {
      if (one.start != starts[k]) continue;
      const double length = (width - left - right) * one.share;
      const auto group = static_cast<std::size_t>(std::ranges::find(names, one.name) - names.begin());
      marks += fmt::format(
          "<rect class=\"share {} {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:g}\"><title>{}: {:.3g} % go to {}, "
          "{}</title></rect>",
          colour_class(group), one.proved ? "proved" : "observed", x, y, length, bar, escaped(start_text(one.start)), 100 * one.share,
          escaped(one.name), one.proved ? "proved" : "observed");
      x += length;
    }
  }
  return {{"shares", "Where the starts go",
           "The longest bar of a row is where most starts of that radius end; solid is proved, pale is observed.",
           fmt::format("{} kinds of starts, {} destinations", starts.size(), names.size()), width, base + bottom, marks, names}};
}

}  // namespace attest
