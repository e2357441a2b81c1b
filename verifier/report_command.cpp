#include "attest/report/saved_results.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "report_files.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

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

Command report_command() {
  struct Options {
    std::string results;
    ReportFiles files;
  };
  auto options = std::make_shared<Options>();
  Command command{"report",
                  "Render saved results",
                  {},
                  R"(Examples:
  attest report results.json                    the table again
  attest report results.json --html page.html   the page that verify writes
  attest report results.json --markdown page.md tables for a pull request
It ends with 0 when it could read and write, whatever the verdicts are.)",
                  [options] { return report(options->results, options->files); }};
  command.options.push_back({.name = "RESULTS", .target = &options->results, .about = "what verify --json wrote", .required = true});
  options->files.add_options(command);
  return command;
}

}  // namespace attest
