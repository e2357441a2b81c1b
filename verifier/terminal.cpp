#include "terminal.hpp"

#include "text_layout.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* green = "32";
constexpr const char* red = "31;1";
constexpr const char* bold = "1";
constexpr auto plain_progress_interval = std::chrono::seconds(10);

bool colour_wanted() {
  const char* no_colour = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) && !(no_colour && *no_colour);
}

std::size_t terminal_width() {
  winsize size{};
  if (!::isatty(STDOUT_FILENO) || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 0;
  return size.ws_col;
}

std::string selection_text(const Json& claim) {
  const Json& selection = claim.at("selection");
  if (!selection.is_array()) return "";
  std::string text;
  for (const Json& token : selection) text += (text.empty() ? " (" : ",") + token.dump();
  return text.empty() ? "" : text + ")";
}

}  // namespace

Terminal::Terminal(bool quiet)
    : quiet_(quiet),
      colour_(colour_wanted()),
      progress_line_(::isatty(STDERR_FILENO) != 0),
      width_(terminal_width()),
      begin_(Clock::now()),
      last_progress_(begin_) {}

std::string Terminal::painted(const char* colour, const std::string& text) const {
  return colour_ ? fmt::format("\033[{}m{}\033[0m", colour, text) : text;
}

void Terminal::show_case(const Json& case_entry) {
  clear_progress();
  const std::string heading = fmt::format("{}  {}", case_entry.at("name").get<std::string>(), case_entry.at("file").get<std::string>());
  bool headed = false;
  for (const Json& claim : case_entry.at("claims")) {
    const bool passed = claim.at("passed").get<bool>();
    if (quiet_ && passed) continue;
    if (!headed) fmt::print("{}\n", painted(bold, width_ ? cut(heading, width_) : heading));
    headed = true;
    const std::string name = cut(claim.at("claim").get<std::string>() + selection_text(claim), 24);
    std::string message = claim.at("message").get<std::string>();
    if (!passed) message = fmt::format("expected {} {}; {}", claim.at("expect").get<std::string>(), claim.at("expect_grade").get<std::string>(), message);
    std::string rest = fmt::format("{:<24} {:<12} {:<8}  {}", name, claim.at("verdict").get<std::string>(),
                                   claim.at("grade").get<std::string>(), message);
    if (width_ > 8) rest = cut(rest, width_ - 8);
    fmt::print("  {}  {}\n", passed ? painted(green, "pass") : painted(red, "FAIL"), rest);
  }
  std::fflush(stdout);
}

void Terminal::show_summary(const Json& results) {
  clear_progress();
  const auto failed = results.at("summary").at("failed").get<std::size_t>();
  if (quiet_ && failed == 0) return;
  const std::string text = fmt::format("{} passed, {} failed", results.at("summary").at("passed").get<std::size_t>(), failed);
  fmt::print("{}\n", painted(failed == 0 ? green : red, text));
}

void Terminal::show_text(const std::string& text) {
  clear_progress();
  fmt::print("{}", text);
  std::fflush(stdout);
}

void Terminal::show_progress(std::size_t done, std::size_t total, const std::string& what) {
  if (quiet_) return;
  const auto now = Clock::now();
  if (progress_line_) {
    constexpr std::size_t bar = 20;
    const std::size_t filled = total == 0 ? bar : bar * done / total;
    const std::string line = fmt::format("[{}{}] {}/{}  {}", std::string(filled, '#'), std::string(bar - filled, '.'), done, total, what);
    fmt::print(stderr, "\r\033[K{}", cut(line, std::max<std::size_t>(width_ ? width_ : 80, 20) - 1));
    std::fflush(stderr);
    progress_shown_ = true;
  } else if (now - last_progress_ >= plain_progress_interval) {
    const double seconds = std::chrono::duration<double>(now - begin_).count();
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
