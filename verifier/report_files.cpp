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
  // A file name may hold bytes that are not UTF-8.
  if (!json.empty())
    if (auto fault = write_file(json, results.dump(1, ' ', false, Json::error_handler_t::replace) + "\n")) return fault;
  if (!junit.empty())
    if (auto fault = write_file(junit, attest::junit(results))) return fault;
  if (!html.empty())
    if (auto fault = write_file(html, attest::html(results, std::filesystem::absolute(html).parent_path()))) return fault;
  if (!markdown.empty())
    if (auto fault = write_file(markdown, attest::markdown(results))) return fault;
  return figures.empty() ? std::nullopt : write_figures(figure_files(results), figures);
}

}  // namespace attest
