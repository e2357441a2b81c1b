#pragma once

#include "attest/report/results.hpp"

#include <chrono>
#include <string>

namespace attest {

/// The table on standard output and the progress on standard error.
///
/// Colour and lines cut to the width only on a terminal; NO_COLOR is respected. On a terminal progress is
/// one line that is drawn over; otherwise a plain line every ten seconds.
class Terminal {
 public:
  explicit Terminal(bool quiet);

  /// One line a claim; when quiet, only of claims that are not as expected.
  void show_case(const Json& case_entry);
  void show_summary(const Json& results);
  void show_text(const std::string& text);
  void show_progress(std::size_t done, std::size_t total, const std::string& what);

 private:
  void clear_progress();
  std::string painted(const char* colour, const std::string& text) const;

  bool quiet_;
  bool colour_;
  bool progress_line_;
  std::size_t width_;  // 0: lines are not cut
  bool progress_shown_ = false;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_progress_;
};

}  // namespace attest
