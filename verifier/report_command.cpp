#include "attest/report/saved_results.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "report_files.hpp"
#include "terminal.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace attest {
namespace {

int report(const std::string& file, const ReportFiles& files) {
  const OrFault<Json> read = read_results(file, ATTEST_VERSION);
  if (const auto* fault = std::get_if<InputFault>(&read)) {
    fmt::print(stderr, "attest: {}\n", to_string(*fault));
    return exit_code::bad_input;
  }
  const std::vector<NamedOutput> outputs = files.outputs();
  if (const auto reason = output_clash(outputs, std::vector<std::filesystem::path>{file})) {
    fmt::print(stderr, "attest: {}\n", *reason);
    return exit_code::bad_input;
  }
  if (const auto reason = files.why_not_writable()) {
    fmt::print(stderr, "attest: {}\n", *reason);
    return exit_code::bad_input;
  }
  const Json& found = std::get<Json>(read);
  if (files.none()) {
    Terminal terminal(false);
    for (const Json& one : found.at("cases")) terminal.show_case(one);
    terminal.show_summary(found);
  } else if (const auto fault = files.write(found)) {
    fmt::print(stderr, "attest: {}\n", *fault);
    return exit_code::internal_fault;
  }
  return exit_code::success;
}

}  // namespace

void add_report_command(CLI::App& app, int& code) {
  auto file = std::make_shared<std::string>();
  auto files = std::make_shared<ReportFiles>();
  CLI::App* command = app.add_subcommand("report", "Render saved results");
  command->add_option("RESULTS", *file, "what verify --json wrote")->required();
  files->add_options(*command);
  command->footer(R"(Examples:
  attest report results.json                    the table again
  attest report results.json --html page.html   the page that verify writes
  attest report results.json --markdown page.md tables for a pull request
It ends with 0 when it could read and write, whatever the verdicts are.)");
  command->callback([file, files, &code] { code = report(*file, *files); });
}

}  // namespace attest
