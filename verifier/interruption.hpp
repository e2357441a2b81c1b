#pragma once

#include "report_files.hpp"

#include <csignal>

namespace attest {

/// Hears Ctrl-C while it lives: the first one ends the run with what is finished, the second one the program.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool heard() const;

 private:
  struct sigaction before_ = {};
};

/// Keeps the results of an interrupted run, in the files that were asked for or else in one in this folder, and says where. Gives the exit
/// code.
int keep_finished(Json results, ReportFiles files);

}  // namespace attest
