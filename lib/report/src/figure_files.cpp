#include "attest/report/figure_files.hpp"

#include "attest/report/file_names.hpp"
#include "attest/report/write_file.hpp"
#include "json_view.hpp"
#include "leading.hpp"
#include "plots.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

/// Collects figures under names that are safe and differ.
class Collector {
 public:
  void add(const std::string& stem, const Figures& figures) {
    for (const Figure& figure : figures) files.push_back({names_.unique(stem + "-" + figure.name) + ".svg", svg_file(figure)});
  }

  std::vector<FigureFile> files;

 private:
  FileNames names_;
};

}  // namespace

std::vector<FigureFile> figure_files(const Json& results) {
  Collector collector;
  for (const Json& one : list_at(results, "cases")) {
    const std::string stem = text_at(one, "name");
    if (const Json* audit = member(one, "audit")) collector.add(stem, shares_plot(*audit));
    if (const Json* data = member(one, "data")) collector.add(stem, token_plot(*data));
    for (const AttentionView& view : leading_figures(one).attention) collector.add(stem, view.samples);
    const std::vector<Json>& claims = list_at(one, "claims");
    for (std::size_t k = 0; k < claims.size(); ++k) {
      const std::string of_claim = fmt::format("{}-{:02}-{}", stem, k, text_at(claims[k], "claim"));
      collector.add(of_claim, figures_of(claims[k].at("numbers")));
      collector.add(of_claim, geometry_plot(claims[k].at("numbers")));
    }
  }
  return std::move(collector.files);
}

std::optional<std::string> write_figures(const std::vector<FigureFile>& figures, const std::filesystem::path& folder) {
  for (const FigureFile& file : figures)
    if (auto fault = write_file(folder / file.name, file.svg)) return fault;
  return std::nullopt;
}

}  // namespace attest
