#include "attest/report/sweep_page.hpp"

#include "chart.hpp"
#include "markup.hpp"
#include "page_assets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace attest {
namespace {

constexpr std::array<const char*, 4> axes{"n", "T", "d", "noise"};

/// The axes of the grid along which something varies, those with most values first.
std::vector<std::string> varying_axes(const Json& sweep) {
  std::vector<std::string> found;
  for (const char* axis : axes)
    if (sweep.at(axis).size() > 1) found.emplace_back(axis);
  std::ranges::stable_sort(found, std::greater<>(), [&](const std::string& axis) { return sweep.at(axis).size(); });
  return found;
}

std::string place_text(const Json& cell, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& axis : names) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", axis, cell.at(axis).dump());
  return text;
}

/// Of each claim, by its place: the cells that have rows, and the entry there.
struct ClaimCells {
  std::string label;
  std::vector<std::pair<const Json*, const Json*>> entries;
};

std::vector<ClaimCells> claims_of(const Json& summary) {
  std::vector<ClaimCells> claims;
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

/// Cells that agree in all that is not drawn, by what they agree in.
std::map<std::string, ClaimCells> panels_of(const ClaimCells& claim, std::vector<std::string> rest) {
  std::map<std::string, ClaimCells> panels;
  for (const auto& entry : claim.entries) {
    ClaimCells& panel = panels[place_text(*entry.first, rest)];
    panel.label = claim.label;
    panel.entries.push_back(entry);
  }
  return panels;
}

std::string interval_text(const Json& entry) {
  return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100 * entry.at("share").get<double>(), 100 * entry.at("low").get<double>(),
                     100 * entry.at("high").get<double>());
}

/// A square a point of the grid, the darker the more data sets hold the claim there.
Figures phase_diagram(const std::string& title, const ClaimCells& claim, const Json& sweep, const std::string& across,
                      const std::string& up) {
  constexpr double left = 46;
  constexpr double foot = 40;
  constexpr double side = 30;
  const Json& columns = sweep.at(across);
  const Json& lines = sweep.at(up);
  const double height = side * static_cast<double>(lines.size());
  const auto place = [](const Json& values, const Json& value) {
    return static_cast<double>(std::ranges::find(values, value) - values.begin());
  };
  std::string marks;
  for (const auto& [cell, entry] : claim.entries) {
    const double x = left + side * place(columns, cell->at(across));
    const double y = 8 + height - side * (place(lines, cell->at(up)) + 1);
    const double share = entry->at("share").get<double>();
    marks += fmt::format(
        "<g class=\"heat\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill-opacity=\"{:.3f}\"><title>{}: "
        "{}</title></rect></g><text "
        "x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" class=\"label\">{:.0f}</text>",
        x, y, side - 1, side - 1, 0.08 + 0.72 * share, escaped(place_text(*cell, {across, up})), interval_text(*entry), x + side / 2 - 0.5,
        y + side / 2 + 4, 100 * share);
  }
  for (const Json& value : columns)
    marks += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", left + side * (place(columns, value) + 0.5),
                         height + 22, value.dump());
  for (const Json& value : lines)
    marks += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left - 6,
                         8 + height - side * (place(lines, value) + 0.5) + 4, value.dump());
  const double width = left + side * static_cast<double>(columns.size()) + 10;
  marks += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" class=\"label\">{}</text><text x=\"6\" y=\"{:.1f}\" "
      "class=\"label\">{}</text>",
      (left + width) / 2, height + 36, across, 8 + height / 2, up);
  return {{"phase-diagram", title, "The darker a square, the more data sets of that point of the grid hold the claim.",
           "per cent of the data sets at each point of the grid", width, height + foot, marks}};
}

ChartSeries curve(const ClaimCells& claim, const std::string& axis, const std::string& group, const char* number, double factor) {
  ChartSeries series{group, {}};
  for (const auto& [cell, entry] : claim.entries)
    series.points.push_back(
        {cell->at(axis).get<double>(), factor * entry->at(number).get<double>(), place_text(*cell, {axis}) + ": " + interval_text(*entry)});
  return series;
}

Figures share_curve(const std::string& title, const ClaimCells& claim, const std::string& axis) {
  Chart chart{"share", title,        "The share of the data sets that hold the claim, between the dotted ends of its 95 % interval.",
              {axis},  {"per cent"}, {curve(claim, axis, "holds", "share", 100)}};
  for (const char* bound : {"low", "high"}) {
    chart.series.push_back(curve(claim, axis, "95 % interval", bound, 100));
    chart.series.back().dashed = true;
  }
  return line_chart(chart);
}

/// The means of a claim's numbers along the first axis, a curve for each of what the other axes say.
Figures mean_curves(const ClaimCells& claim, const std::vector<std::string>& varying) {
  std::set<std::string> names;
  for (const auto& [cell, entry] : claim.entries)
    for (const auto& [name, value] : entry->at("means").items()) names.insert(name);
  const std::vector<std::string> rest(varying.begin() + 1, varying.end());
  Figures figures;
  for (const std::string& name : names) {
    Chart chart{"mean",
                fmt::format("{}: mean of {}", claim.label, name),
                "The mean over the data sets of each point of the grid that report it.",
                {varying.front()},
                {name},
                {}};
    for (const auto& [place, panel] : panels_of(claim, rest)) {
      chart.series.push_back({place.empty() ? name : place, {}});
      for (const auto& [cell, entry] : panel.entries)
        if (entry->at("means").contains(name) && entry->at("means").at(name).is_number()) {
          const double mean = entry->at("means").at(name).get<double>();
          chart.series.back().points.push_back({cell->at(varying.front()).get<double>(), mean, short_number(mean)});
        }
    }
    figures += line_chart(chart);
  }
  return figures;
}

std::string figures_of(const ClaimCells& claim, const Json& sweep) {
  const std::vector<std::string> varying = varying_axes(sweep);
  if (varying.empty()) return "";
  const std::vector<std::string> rest(varying.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, varying.size())),
                                      varying.end());
  Figures figures;
  for (const auto& [place, panel] : panels_of(claim, rest)) {
    const std::string title = fmt::format("{}: share that holds{}{}", claim.label, place.empty() ? "" : ", ", place);
    figures += varying.size() > 1 ? phase_diagram(title, panel, sweep, varying[0], varying[1]) : share_curve(title, panel, varying[0]);
  }
  return "<div class=\"plots\">" + html_of(figures) +
         "</div><details class=\"data\"><summary>Means of its numbers</summary><div class=\"body\"><div class=\"plots\">" +
         html_of(mean_curves(claim, varying)) + "</div></div></details>";
}

std::string table_of(const ClaimCells& claim) {
  std::string rows;
  const std::vector<std::string> all(axes.begin(), axes.end());
  for (const auto& [cell, entry] : claim.entries) {
    std::string counts;
    for (const char* count : {"holds", "fails", "undecided", "inapplicable", "proved"})
      counts += fmt::format("<td>{}</td>", entry->at(count).dump());
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td>{}</tr>", place_text(*cell, all), cell->at("count").dump(),
                        interval_text(*entry), counts);
  }
  return "<div class=\"scroll\"><table class=\"cells\"><thead><tr><th></th><th>data sets</th><th>share that "
         "holds</th><th>holds</th><th>fails</th>"
         "<th>undecided</th><th>inapplicable</th><th>proved</th></tr></thead><tbody>" +
         rows + "</tbody></table></div>";
}

}  // namespace

std::string sweep_page(const Json& summary) {
  const Json& sweep = summary.at("sweep");
  std::string sections;
  for (const ClaimCells& claim : claims_of(summary))
    sections += fmt::format("<section><h2>{}</h2>{}{}</section>\n", escaped(claim.label), figures_of(claim, sweep), table_of(claim));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\"><meta "
      "name=\"color-scheme\" content=\"light dark\"><title>attest sweep: "
      "{name}</title>\n<style>{marks}{style}</style></head>\n<body><header "
      "class=\"top\"><p class=\"brand\">attest <span>sweep</span></p></header><main style=\"max-width:70rem;margin:0 auto;padding:0 1rem "
      "4rem\">"
      "<h1>{name}</h1><p>{about}</p><p class=\"soft\">law {law}, {done} of {size} data sets, {runs} a point of the grid, seed {seed}; "
      "intervals are "
      "Wilson's at 95 %</p>\n{sections}</main></body></html>\n",
      fmt::arg("name", escaped(sweep.at("name").get<std::string>())), fmt::arg("marks", plot_style), fmt::arg("style", page_style),
      fmt::arg("about", escaped(sweep.at("about").get<std::string>())), fmt::arg("law", sweep.at("law").get<std::string>()),
      fmt::arg("done", sweep.at("done").dump()), fmt::arg("size", sweep.at("size").dump()), fmt::arg("runs", sweep.at("runs").dump()),
      fmt::arg("seed", sweep.at("seed").dump()), fmt::arg("sections", sections));
}

}  // namespace attest
