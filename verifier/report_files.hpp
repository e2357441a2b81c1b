#pragma once

#include "attest/report/results.hpp"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace attest {

/// The files that results are written to; empty names are not written.
struct ReportFiles {
  std::string json;
  std::string junit;
  std::string html;

  /// Adds --junit and --html to a subcommand.
  void add_options(CLI::App& command);
  /// Why one of them could not be written; asked before long work starts.
  std::optional<std::string> why_not_writable() const;
  /// Writes all of them. What went wrong, or nothing.
  std::optional<std::string> write(const Json& results) const;
};

}  // namespace attest
