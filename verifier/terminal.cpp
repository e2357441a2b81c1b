#include "terminal.hpp"

#include "attest/report/label.hpp"
#include "difference_view.hpp"
#include "text_layout.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <vector>

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_name = 40;   // of a claim with its settings and selection
constexpr std::size_t message_indent = 8;  // of what is said of a claim
constexpr std::size_t narrowest = 20;      // a terminal narrower than this has no use for tables
constexpr auto plain_progress_interval = std::chrono::seconds(10);

/// 0: not a terminal, or one that does not say.
std::size_t terminal_width(std::FILE* out) {
  winsize size{};
  if (!::isatty(::fileno(out)) || ::ioctl(::fileno(out), TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

std::string selection_suffix(const Json& claim) {
  const Json& selection = claim.at("selection");
  if (!selection.is_array()) return "";
  std::string text;
  for (const Json& token : selection) text += (text.empty() ? " (" : ",") + token.dump();
  return text.empty() ? "" : text + ")";
}

/// A claim's line of the table.
struct Row {
  bool passed;
  std::string name;
  std::string verdict;
  std::string grade;
  std::string message;
};

Row row_of(const Json& claim) {
  const bool passed = claim.at("passed").get<bool>();
  auto message = claim.at("message").get<std::string>();
  if (const std::string missed = missed_expectation(claim, " "); !passed && !missed.empty())
    message = fmt::format("expected {}; {}", missed, message);
  return {passed, cut(claim_label(claim) + selection_suffix(claim), longest_name), claim.at("verdict").get<std::string>(),
          claim.at("grade").get<std::string>(), message};
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, characters(text)), ' ');
}

}  // namespace

Terminal::Terminal(bool quiet, std::FILE* out)
    : quiet_(quiet), out_(out), paint_(out), progress_line_(::isatty(STDERR_FILENO) != 0), cuts_(terminal_width(out) > narrowest),
      width_(cuts_ ? terminal_width(out) : usual_width), begin_(Clock::now()), last_progress_(begin_) {}

std::string Terminal::fitted(const std::string& text, std::size_t width) const {
  const std::string safe = without_controls(text);
  return cuts_ ? cut(safe, width) : safe;
}

void Terminal::put(const std::string& text) const { std::fwrite(text.data(), 1, text.size(), out_); }

void Terminal::show_case(const Json& case_entry) {
  clear_progress();
  std::vector<Row> rows;
  if (const std::string changed = data_changed_text(case_entry); !changed.empty()) rows.push_back({false, "data", "changed", "", changed});
  for (const Json& claim : case_entry.at("claims"))
    if (!quiet_ || !claim.at("passed").get<bool>()) rows.push_back(row_of(claim));
  if (rows.empty()) return;
  const auto name = case_entry.at("name").get<std::string>();
  const auto file = case_entry.at("file").get<std::string>();
  const bool one_line = characters(name) + 2 + characters(file) <= width_;
  put(fmt::format("{}{}{}\n", paint_.bold(fitted(name, width_)), one_line ? "  " : "\n", fitted(file, width_)));
  const auto widest = [&](std::string Row::*cell) {
    std::size_t most = 0;
    for (const Row& row : rows) most = std::max(most, characters(row.*cell));
    return most;
  };
  const std::size_t name_width = widest(&Row::name);
  const std::size_t verdict_width = widest(&Row::verdict);
  const std::size_t grade_width = widest(&Row::grade);
  for (const Row& row : rows)
    show_row(row.passed, padded(row.name, name_width) + "  " + padded(row.verdict, verdict_width) + " " + padded(row.grade, grade_width),
             row.message);
  std::fflush(out_);
}

void Terminal::show_row(bool passed, const std::string& head, const std::string& message) const {
  const bool one_line = message_indent + characters(head) + 2 + characters(message) <= width_;
  const std::string line = one_line ? head + "  " + message : head.substr(0, head.find_last_not_of(' ') + 1);
  put(fmt::format("  {}  {}\n", passed ? paint_.good("pass") : paint_.bad("FAIL"), fitted(line, width_ - message_indent)));
  if (one_line) return;
  std::istringstream lines(wrapped(message, 0, 0, width_ - message_indent));
  for (std::string part; std::getline(lines, part);)
    put(fmt::format("{:{}}{}\n", "", message_indent, fitted(part, width_ - message_indent)));
}

void Terminal::show_summary(const Json& results) {
  clear_progress();
  const auto failed = results.at("summary").at("failed").get<std::size_t>();
  if (quiet_ && failed == 0) return;
  if (failed > 0) {
    std::istringstream lines("\nNot as expected\n" + difference_text(unmet_expectations(results), expected_and_found, width_) + "\n");
    for (std::string line; std::getline(lines, line);) put(fitted(line, width_) + "\n");
  }
  const std::string text = fmt::format("{} passed, {} failed", results.at("summary").at("passed").get<std::size_t>(), failed);
  put((failed == 0 ? paint_.good(text) : paint_.bad(text)) + "\n");
}

void Terminal::show_text(const std::string& text) {
  clear_progress();
  put(text);
  std::fflush(out_);
}

void Terminal::show_progress(std::size_t done, std::size_t total, const std::string& what) {
  if (quiet_) return;
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  if (progress_line_) {
    constexpr std::size_t bar = 20;
    const std::size_t filled = total == 0 ? bar : bar * done / total;
    const std::string line =
        fmt::format("[{}{}] {}/{}, {:.0f} s  {}", std::string(filled, '#'), std::string(bar - filled, '.'), done, total, seconds, what);
    fmt::print(stderr, "\r\033[K{}", cut(line, width_ - 1));
    std::fflush(stderr);
    progress_shown_ = true;
  } else if (now - last_progress_ >= plain_progress_interval) {
    fmt::print(stderr, "attest: {:.0f} s: {} of {} claims done; {}\n", seconds, done, total, what);
    last_progress_ = now;
  }
}

void Terminal::clear_progress() {
  if (!progress_shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  progress_shown_ = false;
}

}  // namespace attest
