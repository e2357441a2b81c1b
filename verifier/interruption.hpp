#pragma once

#include "report_files.hpp"

#include <array>
#include <csignal>

namespace attest {

/// Hears Ctrl-C and SIGTERM while it lives: the first one ends the run with what is finished, the second one the program. Where results go
/// to files, a reader of standard output that has gone (SIGPIPE) ends nothing.
class Interruption {
 public:
  explicit Interruption(const ReportFiles& files);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool heard() const;

 private:
  std::array<struct sigaction, 2> before_ = {};
};

/// Keeps the results of an interrupted run, in the files that were asked for or else in one in this folder, and says where. Gives the exit
/// code.
int keep_finished(Json results, ReportFiles files);

}  // namespace attest
