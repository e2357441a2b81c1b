#pragma once

#include "attest/report/results.hpp"
#include "paint.hpp"

#include <chrono>
#include <cstdio>
#include <string>

namespace attest {

/// The table, on standard output as a rule, and the progress on standard error.
///
/// Lines are wrapped to the terminal's width, or to 80 columns in a pipe. Colour only on a terminal; NO_COLOR is
/// respected. On a terminal progress is one line that is drawn over; otherwise a plain line every ten seconds. It says how long it
/// took so far, not how long it will: one claim may take as long as all that are done.
class Terminal {
 public:
  /// The table goes to `out`: standard output, or standard error where that is taken.
  explicit Terminal(bool quiet, std::FILE* out = stdout);

  /// A claim a line, its message below it where it does not fit; when quiet, only claims that are not as expected.
  void show_case(const Json& case_entry);
  /// What is not as expected, grouped by cause, and the counts.
  void show_summary(const Json& results);
  void show_text(const std::string& text);
  const Paint& paint() const { return paint_; }
  void show_progress(std::size_t done, std::size_t total, const std::string& what);

 private:
  void clear_progress();
  /// A reader that has gone must not end the run: its results go to files too.
  void put(const std::string& text) const;
  void show_row(bool passed, const std::string& head, const std::string& message) const;
  /// A word that cannot be wrapped is cut on a terminal and kept whole in a pipe.
  std::string fitted(const std::string& text, std::size_t width) const;

  bool quiet_;
  std::FILE* out_;
  Paint paint_;
  bool progress_line_;
  bool cuts_;  // a terminal: no line is longer than the width
  std::size_t width_;
  bool progress_shown_ = false;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_progress_;
};

}  // namespace attest
