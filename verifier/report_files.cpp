#include "report_files.hpp"

#include "attest/report/figure_files.hpp"
#include "attest/report/html.hpp"
#include "attest/report/junit.hpp"
#include "attest/report/markdown.hpp"
#include "output_file.hpp"

#include <algorithm>

namespace attest {

void ReportFiles::add_options(Command& command) {
  command.options.push_back({"--junit", &junit, "write them as JUnit XML (- is standard output)", "FILE"});
  command.options.push_back({"--html", &html, "write the results as a page (or -)", "FILE"});
  command.options.push_back({"--markdown", &markdown, "write the results as Markdown tables (or -)", "FILE"});
  command.options.push_back({"--figures", &figures, "write the figures of the page here, as SVG", "DIR"});
}

bool ReportFiles::use_standard_output() const {
  return std::ranges::any_of(outputs(), [](const NamedOutput& output) { return output.file == standard_output; });
}

std::optional<std::string> ReportFiles::why_not_writable() const {
  for (const std::string& file : {json, junit, html, markdown})
    if (!file.empty())
      if (auto reason = attest::why_not_writable(file)) return reason;
  return figures.empty() ? std::nullopt : why_no_folder(figures);
}

std::optional<std::string> ReportFiles::write(const Json& results) const {
  // One that cannot be written keeps none of the others from being written.
  std::string faults;
  const auto keep = [&](const std::optional<std::string>& fault) {
    if (fault) faults += (faults.empty() ? "" : "; ") + *fault;
  };
  // A file name may hold bytes that are not UTF-8.
  if (!json.empty()) keep(write_file(json, results.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"));
  if (!junit.empty()) keep(write_file(junit, attest::junit(results)));
  if (!html.empty()) keep(write_file(html, attest::html(results, std::filesystem::absolute(html).parent_path())));
  if (!markdown.empty()) keep(write_file(markdown, attest::markdown(results)));
  if (!figures.empty()) keep(write_figures(figure_files(results), figures));
  return faults.empty() ? std::nullopt : std::optional(faults);
}

}  // namespace attest
