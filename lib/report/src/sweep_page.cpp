#include "attest/report/sweep_page.hpp"

#include "attest/report/file_names.hpp"
#include "markup.hpp"
#include "page_assets.hpp"
#include "sweep_figures.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

std::string figures_part(const SweptClaim& claim, const Json& sweep) {
  const Figures leading = diagrams_of(claim, sweep);
  if (leading.empty()) return "";
  const Figures means = mean_curves_of(claim, sweep);
  std::string text = "<div class=\"plots\">" + html_of(leading) + "</div>";
  if (!means.empty())
    text += "<details class=\"data\"><summary>Means of its numbers</summary><div class=\"body\"><div class=\"plots\">" + html_of(means) +
            "</div></div></details>";
  return text;
}

std::string table_of(const SweptClaim& claim, const Json& sweep) {
  std::string rows;
  std::vector<std::string> names = varying_axes(sweep);
  if (names.empty()) names = {"n", "T", "d"};
  for (const auto& [cell, entry] : claim.entries) {
    std::string counts;
    for (const char* count : {"holds", "fails", "undecided", "inapplicable", "proved"})
      counts += fmt::format("<td>{}</td>", entry->at(count).dump());
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td>{}</tr>", place_text(*cell, names), cell->at("count").dump(),
                        interval_text(*entry), counts);
  }
  return "<div class=\"scroll\"><table class=\"cells\" style=\"white-space:nowrap\"><thead><tr><th></th><th>data sets</th><th>share that "
         "holds</th><th>holds</th><th>fails</th>"
         "<th>undecided</th><th>inapplicable</th><th>proved</th></tr></thead><tbody>" +
         rows + "</tbody></table></div>";
}

}  // namespace

std::string sweep_page(const Json& summary) {
  const Json& sweep = summary.at("sweep");
  std::string sections;
  for (const SweptClaim& claim : swept_claims(summary))
    sections +=
        fmt::format("<section><h2>{}</h2>{}{}</section>\n", escaped(claim.label), figures_part(claim, sweep), table_of(claim, sweep));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\"><meta "
      "name=\"color-scheme\" content=\"light dark\"><title>attest sweep: "
      "{name}</title>\n<style>{marks}{style}</style></head>\n<body><header "
      "class=\"top\"><p class=\"brand\">attest <span>sweep</span></p></header><main style=\"max-width:70rem;margin:0 auto;padding:1rem "
      "1rem "
      "4rem\">"
      "<h1>{name}</h1><p>{about}</p><p class=\"soft\">law {law}, {done} of {size} data sets, {runs} a point of the grid, seed {seed}; "
      "intervals are "
      "Wilson's at 95 %</p>\n{sections}</main></body></html>\n",
      fmt::arg("name", escaped(sweep.at("name").get<std::string>())), fmt::arg("marks", plot_style), fmt::arg("style", page_style),
      fmt::arg("about", escaped(sweep.at("about").get<std::string>())), fmt::arg("law", sweep.at("law").get<std::string>()),
      fmt::arg("done", sweep.at("done").dump()), fmt::arg("size", sweep.at("size").dump()), fmt::arg("runs", sweep.at("runs").dump()),
      fmt::arg("seed", sweep.at("seed").dump()), fmt::arg("sections", sections));
}

std::vector<FigureFile> sweep_figure_files(const Json& summary) {
  const Json& sweep = summary.at("sweep");
  FileNames names;
  std::vector<FigureFile> files;
  for (const SweptClaim& claim : swept_claims(summary))
    for (const Figure& figure : diagrams_of(claim, sweep)) {
      const std::string wished = fmt::format("{}-{}-{}", sweep.at("name").get<std::string>(), claim.label, figure.name);
      files.push_back({names.unique(wished) + ".svg", svg_file(figure)});
    }
  return files;
}

}  // namespace attest
