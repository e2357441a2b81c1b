#pragma once

#include "attest/report/results.hpp"
#include "command_line.hpp"
#include "output_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// The files that results are written to; empty names are not written.
struct ReportFiles {
  std::string json;
  std::string junit;
  std::string html;
  std::string markdown;
  std::string figures;  ///< a folder

  /// Adds --junit, --html, --markdown and --figures to a subcommand.
  void add_options(Command& command);
  std::vector<NamedOutput> outputs() const { return {{"--json", json}, {"--junit", junit}, {"--html", html}, {"--markdown", markdown}}; }
  /// Whether one of them goes to standard output, which then holds nothing else.
  bool use_standard_output() const;
  /// Why one of them could not be written; asked before long work starts. Makes the folder of figures.
  std::optional<std::string> why_not_writable() const;
  /// Writes all of them. What went wrong, or nothing.
  std::optional<std::string> write(const Json& results) const;
  bool none() const { return json.empty() && junit.empty() && html.empty() && markdown.empty() && figures.empty(); }
};

}  // namespace attest
