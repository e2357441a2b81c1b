#include "attest/report/saved_results.hpp"
#include "attest/report/write_file.hpp"
#include "commands.hpp"
#include "difference_view.hpp"
#include "exit_code.hpp"
#include "output_file.hpp"
#include "run_flags.hpp"
#include "text_layout.hpp"

#include <fmt/format.h>

#include <memory>

namespace attest {
namespace {

struct DiffOptions {
  std::string before;
  std::string now;
  std::string markdown;
};

std::string count_text(std::size_t count) {
  return count == 0 ? "nothing changed" : fmt::format("{} change{}", count, count == 1 ? "" : "s");
}

int diff(const DiffOptions& options) {
  std::vector<Json> sides;
  for (const std::string& file : {options.before, options.now}) {
    OrFault<Json> read = read_results(file, ATTEST_VERSION);
    if (const auto* fault = std::get_if<InputFault>(&read)) return refuse(to_string(*fault));
    sides.push_back(std::get<Json>(std::move(read)));
  }
  const std::vector<NamedOutput> outputs = {{"--markdown", options.markdown}};
  if (const auto reason = output_clash(outputs, std::vector<std::filesystem::path>{options.before, options.now})) return refuse(*reason);
  if (!options.markdown.empty())
    if (const auto reason = why_not_writable(options.markdown)) return refuse(*reason);

  const std::vector<Difference> found = differences(sides[0], sides[1]);
  fmt::print(options.markdown == standard_output ? stderr : stdout, "{}{}\n", without_controls(difference_text(found, old_and_new)),
             count_text(found.size()));
  if (!options.markdown.empty())
    if (const auto fault = write_file(options.markdown,
                                      fmt::format("# attest: {}\n\n{}", count_text(found.size()), markdown_tables(found, old_and_new)))) {
      fmt::print(stderr, "attest: {}\n", *fault);
      return exit_code::internal_fault;
    }
  return found.empty() ? exit_code::success : exit_code::not_as_expected;
}

}  // namespace

Command diff_command() {
  auto options = std::make_shared<DiffOptions>();
  Command command{"diff",
                  "Say what changed between two results",
                  {},
                  R"(Examples:
  attest diff old.json new.json                     what changed
  attest diff old.json new.json --markdown diff.md  and for a pull request
It ends with 0 when nothing changed, 1 when anything did. Numbers count beyond
a tolerance; what is only drawn, and computing times, do not count.)",
                  [options] { return diff(*options); }};
  command.options.push_back({.name = "OLD", .target = &options->before, .about = "what verify --json wrote before", .required = true});
  command.options.push_back({.name = "NEW", .target = &options->now, .about = "what it writes now", .required = true});
  command.options.push_back({"--markdown", &options->markdown, "write the changes as Markdown tables (or -)", "FILE"});
  return command;
}

}  // namespace attest
