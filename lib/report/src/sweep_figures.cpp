#include "sweep_figures.hpp"

#include "chart.hpp"
#include "markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace attest {
namespace {

/// The numbers that are drawn beside the verdicts, and what they are: those that sweeps are made for.
constexpr std::array<std::pair<const char*, const char*>, 2> leading_numbers{
    {{"count", "number of locally optimal selections"}, {"best_share", "share of the starts that go to the largest scores"}}};

/// A value at a point of the grid, between the ends of its 95 % interval if it has one.
struct Measured {
  double value;
  std::optional<std::pair<double, double>> interval;
};

/// What is drawn of a claim.
struct Quantity {
  std::string name;   ///< for files
  std::string title;  ///< "p-svm: share that holds"
  std::string unit;   ///< "per cent", or the number's name
  bool share;         ///< from 0 to 100
  std::function<std::optional<Measured>(const Json& entry)> at;
  std::function<double(const Json& entry)> if_open_ones_hold = {};  ///< the same, were all that is undecided to hold
};

Measured in_per_cent(const Json& share) {
  return {100 * share.at("share").get<double>(), std::pair(100 * share.at("low").get<double>(), 100 * share.at("high").get<double>())};
}

Quantity share_that_holds(const std::string& label) {
  return {"holds",
          label + ": share that holds",
          "per cent",
          true,
          [](const Json& entry) { return in_per_cent(entry); },
          [](const Json& entry) {
            const auto of = [&](const char* verdict) { return entry.at(verdict).get<double>(); };
            const double all = of("holds") + of("fails") + of("undecided") + of("inapplicable");
            return 100 * (of("holds") + of("undecided")) / all;
          }};
}

Quantity share_that_applies(const std::string& label) {
  return {"applies", label + ": share of data to which it applies", "per cent", true, [](const Json& entry) -> std::optional<Measured> {
            if (!entry.contains("applies")) return std::nullopt;
            return in_per_cent(entry.at("applies"));
          }};
}

Quantity mean_of(const std::string& label, const std::string& number, const std::string& about) {
  return {number, fmt::format("{}: {}", label, about), number, false, [number](const Json& entry) -> std::optional<Measured> {
            const auto mean = entry.at("means").find(number);
            if (mean == entry.at("means").end() || !mean->at("mean").is_number()) return std::nullopt;
            Measured measured{mean->at("mean").get<double>(), std::nullopt};
            if (mean->at("low").is_number() && mean->at("high").is_number())
              measured.interval = std::pair(mean->at("low").get<double>(), mean->at("high").get<double>());
            return measured;
          }};
}

/// Cells that agree in all that is not drawn, by what they agree in.
std::map<std::string, SweptClaim> panels_of(const SweptClaim& claim, const std::vector<std::string>& rest) {
  std::map<std::string, SweptClaim> panels;
  for (const auto& entry : claim.entries) {
    SweptClaim& panel = panels[place_text(*entry.first, rest)];
    panel.label = claim.label;
    panel.entries.push_back(entry);
  }
  return panels;
}

std::string number_text(const Quantity& quantity, double value) {
  return quantity.share ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string measured_interval(const Quantity& quantity, const Measured& measured) {
  if (!measured.interval) return "";
  return number_text(quantity, measured.interval->first) + "–" + number_text(quantity, measured.interval->second);
}

std::string told(const Json& cell, const std::vector<std::string>& names, const Quantity& quantity, const Measured& measured) {
  const std::string interval = measured_interval(quantity, measured);
  return fmt::format("{}: {}{}", place_text(cell, names), number_text(quantity, measured.value) + (quantity.share ? " %" : ""),
                     interval.empty() ? "" : ", 95 % interval " + interval);
}

// Of a phase diagram.
constexpr double diagram_left = 46;
constexpr double diagram_top = 8;
constexpr double diagram_foot = 40;
constexpr double across_cell = 48;
constexpr double up_cell = 34;

/// How strong the colours of the squares are: shares from 0 to 100, other numbers between the least and the largest.
class Strength {
 public:
  Strength(const Quantity& quantity, const std::vector<Measured>& all) {
    if (quantity.share || all.empty()) return;
    const auto [least, most] = std::ranges::minmax_element(all, {}, &Measured::value);
    low_ = least->value;
    high_ = most->value;
  }
  double of(double value) const { return high_ > low_ ? 0.05 + 0.45 * (value - low_) / (high_ - low_) : 0.05; }

 private:
  double low_ = 0;
  double high_ = 100;
};

std::string diagram_square(double x, double y, const Quantity& quantity, const Measured& measured, double strength,
                           const std::string& title) {
  const double middle = x + (across_cell - 1) / 2;
  return fmt::format(
      "<g class=\"heat\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:g}\" height=\"{:g}\" "
      "fill-opacity=\"{:.3f}\"><title>{}</title></rect></g>"
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" class=\"label\">{}</text>"
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" class=\"interval\">{}</text>",
      x, y, across_cell - 1, up_cell - 1, strength, escaped(title), middle, y + 14, number_text(quantity, measured.value), middle, y + 27,
      measured_interval(quantity, measured));
}

/// A square a point of the grid.
Figures phase_diagram(const std::string& title, const SweptClaim& claim, const Quantity& quantity, const Json& sweep,
                      const std::string& across, const std::string& up) {
  const Json& columns = sweep.at(across);
  const Json& lines = sweep.at(up);
  const double height = up_cell * static_cast<double>(lines.size());
  const auto place = [](const Json& values, const Json& value) {
    return static_cast<double>(std::ranges::find(values, value) - values.begin());
  };
  std::vector<Measured> all;
  for (const auto& [cell, entry] : claim.entries)
    if (const auto measured = quantity.at(*entry)) all.push_back(*measured);
  if (all.empty()) return {};
  const Strength strength(quantity, all);
  std::string marks;
  for (const auto& [cell, entry] : claim.entries)
    if (const auto measured = quantity.at(*entry))
      marks += diagram_square(diagram_left + across_cell * place(columns, cell->at(across)),
                              diagram_top + height - up_cell * (place(lines, cell->at(up)) + 1), quantity, *measured,
                              strength.of(measured->value), told(*cell, {across, up}, quantity, *measured));
  for (const Json& value : columns)
    marks += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                         diagram_left + across_cell * (place(columns, value) + 0.5), height + 22, value.dump());
  for (const Json& value : lines)
    marks += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", diagram_left - 6,
                         diagram_top + height - up_cell * (place(lines, value) + 0.5) + 4, value.dump());
  const double width = diagram_left + across_cell * static_cast<double>(columns.size()) + 10;
  marks += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" class=\"label\">{}</text><text x=\"6\" y=\"{:.1f}\" "
      "class=\"label\">{}</text>",
      (diagram_left + width) / 2, height + 36, across, diagram_top + height / 2, up);
  const std::string what = quantity.share ? "per cent of the data sets" : "the mean over the data sets";
  return {{quantity.name, title,
           fmt::format("In each square {}, and below it the ends of its 95 % interval: the stronger the colour, the more.", what),
           fmt::format("{} at each point of the grid", what), width, height + diagram_foot, marks}};
}

ChartSeries curve(const SweptClaim& claim, const Quantity& quantity, const std::string& axis, const std::string& group,
                  const std::function<std::optional<double>(const Measured&)>& of) {
  ChartSeries series{group, {}};
  for (const auto& [cell, entry] : claim.entries)
    if (const auto measured = quantity.at(*entry))
      if (const auto value = of(*measured))
        series.points.push_back({cell->at(axis).get<double>(), *value, told(*cell, {axis}, quantity, *measured)});
  return series;
}

Figures curve_with_interval(const std::string& title, const SweptClaim& claim, const Quantity& quantity, const std::string& axis) {
  Chart chart{quantity.name,
              title,
              quantity.share ? "The share of the data sets, between the dotted ends of its 95 % interval."
                             : "The mean over the data sets, between the dotted ends of its 95 % interval.",
              {axis},
              {quantity.unit},
              {curve(claim, quantity, axis, quantity.share ? "share" : "mean", [](const Measured& one) { return one.value; })}};
  const auto add_end = [&](auto end) {
    chart.series.push_back(curve(claim, quantity, axis, "95 % interval", [end](const Measured& one) -> std::optional<double> {
      if (!one.interval) return std::nullopt;
      return (*one.interval).*end;
    }));
    chart.series.back().dashed = true;
  };
  add_end(&std::pair<double, double>::first);
  add_end(&std::pair<double, double>::second);
  const bool open = std::ranges::any_of(claim.entries, [](const auto& one) { return one.second->at("undecided") > 0; });
  if (quantity.if_open_ones_hold && open) {
    chart.series.push_back({"were all that is undecided to hold", {}});
    for (const auto& [cell, entry] : claim.entries) {
      const double share = quantity.if_open_ones_hold(*entry);
      chart.series.back().points.push_back(
          {cell->at(axis).get<double>(), share, fmt::format("{}: {:.0f} %", place_text(*cell, {axis}), share)});
    }
  }
  return line_chart(chart);
}

Figures diagrams_of_quantity(const SweptClaim& claim, const Quantity& quantity, const Json& sweep,
                             const std::vector<std::string>& varying) {
  if (varying.empty()) return {};
  const auto drawn_axes = static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, varying.size()));
  const std::vector<std::string> rest(varying.begin() + drawn_axes, varying.end());
  Figures figures;
  for (const auto& [place, panel] : panels_of(claim, rest)) {
    const std::string title = quantity.title + (place.empty() ? "" : ", " + place);
    figures += varying.size() > 1 ? phase_diagram(title, panel, quantity, sweep, varying[0], varying[1])
                                  : curve_with_interval(title, panel, quantity, varying[0]);
  }
  return figures;
}

std::set<std::string> numbers_of(const SweptClaim& claim) {
  std::set<std::string> names;
  for (const auto& [cell, entry] : claim.entries)
    for (const auto& [name, mean] : entry->at("means").items()) names.insert(name);
  return names;
}

}  // namespace

std::vector<std::string> varying_axes(const Json& sweep) {
  std::vector<std::string> found;
  for (const char* axis : sweep_axes)
    if (sweep.at(axis).size() > 1) found.emplace_back(axis);
  std::ranges::stable_sort(found, std::greater<>(), [&](const std::string& axis) { return sweep.at(axis).size(); });
  return found;
}

std::string place_text(const Json& cell, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& axis : names) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", axis, cell.at(axis).dump());
  return text;
}

std::string interval_text(const Json& share) {
  const auto per_cent = [&](const char* name) { return 100 * share.at(name).get<double>(); };
  return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", per_cent("share"), per_cent("low"), per_cent("high"));
}

std::vector<SweptClaim> swept_claims(const Json& summary) {
  std::vector<SweptClaim> claims;
  for (const Json& cell : summary.at("cells")) {
    const Json& entries = cell.at("claims");
    claims.resize(std::max(claims.size(), entries.size()));
    for (std::size_t k = 0; k < entries.size(); ++k) {
      claims[k].label = entries[k].at("label").get<std::string>();
      claims[k].entries.emplace_back(&cell, &entries[k]);
    }
  }
  return claims;
}

Figures diagrams_of(const SweptClaim& claim, const Json& sweep) {
  const std::vector<std::string> varying = varying_axes(sweep);
  Figures figures = diagrams_of_quantity(claim, share_that_holds(claim.label), sweep, varying);
  figures += diagrams_of_quantity(claim, share_that_applies(claim.label), sweep, varying);
  const std::set<std::string> names = numbers_of(claim);
  for (const auto& [number, about] : leading_numbers)
    if (names.contains(number)) figures += diagrams_of_quantity(claim, mean_of(claim.label, number, about), sweep, varying);
  return figures;
}

Figures mean_curves_of(const SweptClaim& claim, const Json& sweep) {
  const std::vector<std::string> varying = varying_axes(sweep);
  if (varying.empty()) return {};
  const std::vector<std::string> rest(varying.begin() + 1, varying.end());
  Figures figures;
  for (const std::string& name : numbers_of(claim)) {
    const Quantity quantity = mean_of(claim.label, name, "mean of " + name);
    if (rest.empty()) {
      figures += curve_with_interval(quantity.title, claim, quantity, varying.front());
      continue;
    }
    Chart chart{name, quantity.title, "The mean over the data sets of each point of the grid that report it.", {varying.front()}, {name},
                {}};
    for (const auto& [place, panel] : panels_of(claim, rest))
      chart.series.push_back(curve(panel, quantity, varying.front(), place, [](const Measured& one) { return one.value; }));
    figures += line_chart(chart);
  }
  return figures;
}

}  // namespace attest
