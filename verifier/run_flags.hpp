#pragma once

#include "attest/model/case_file.hpp"
#include "attest/run/run_options.hpp"
#include "command_line.hpp"
#include "report_files.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace attest {

/// What the commands that check claims have in common on the command line.
struct RunFlags {
  ReportFiles files;
  bool quiet = false;
  RunOptions run;

  /// `what` is checked at once by --jobs: "cases" or "claims".
  void add_options(Command& command, const std::string& what);
  /// Adds --labels, of the commands that read archives.
  void add_label_option(Command& command);
  LabelCoding label_coding() const { return labels_ == "01" ? LabelCoding::zero_one : LabelCoding::signs; }
  /// Everything that would make the outputs fail is asked before anything is run: `inputs` are the files that are read, `more` the outputs
  /// beside these. Makes the folder of certificates.
  std::optional<std::string> unwritable_output(std::span<const std::filesystem::path> inputs, std::span<const NamedOutput> more = {});

 private:
  std::string certificates_;
  std::string labels_ = "signs";
};

/// Budget, limit on the clock and jobs: what is checked in worker processes has them.
void add_worker_options(Command& command, RunOptions& run, const std::string& what);

/// Says why nothing is run; the exit code for bad input.
int refuse(const std::string& reason);

}  // namespace attest
