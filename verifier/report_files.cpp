#include "report_files.hpp"

#include "attest/report/html.hpp"
#include "attest/report/junit.hpp"
#include "output_file.hpp"

#include <CLI/CLI.hpp>

namespace attest {

void ReportFiles::add_options(CLI::App& command) {
  command.add_option("--junit", junit, "write the results as JUnit XML")->type_name("FILE");
  command.add_option("--html", html, "write the results as a page")->type_name("FILE");
}

std::optional<std::string> ReportFiles::why_not_writable() const {
  for (const std::string& file : {json, junit, html})
    if (!file.empty())
      if (auto reason = attest::why_not_writable(file)) return reason;
  return std::nullopt;
}

std::optional<std::string> ReportFiles::write(const Json& results) const {
  if (!json.empty())
    if (auto fault = write_file(json, results.dump(1) + "\n")) return fault;
  if (!junit.empty())
    if (auto fault = write_file(junit, attest::junit(results))) return fault;
  if (!html.empty())
    if (auto fault = write_file(html, attest::html(results))) return fault;
  return std::nullopt;
}

}  // namespace attest
