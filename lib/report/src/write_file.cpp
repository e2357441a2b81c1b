#include "attest/report/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace attest {
namespace {

namespace fs = std::filesystem;

/// An open file that is written in large pieces.
class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}

  void add(std::string_view text) {
    if (waiting_.size() + text.size() < piece) {
      waiting_ += text;
      return;
    }
    write(waiting_);
    waiting_.clear();
    write(text);
  }

  /// False where something could not be written; errno says why.
  bool finish() {
    write(waiting_);
    if (error_ == 0 && ::fsync(file_) != 0 && errno != EINVAL) error_ = errno;  // EINVAL: a pipe or a device
    errno = error_;
    return error_ == 0;
  }

 private:
  static constexpr std::size_t piece = 1 << 16;

  void write(std::string_view text) {
    while (!text.empty() && error_ == 0) {
      const ssize_t written = ::write(file_, text.data(), text.size());
      if (written >= 0)
        text.remove_prefix(static_cast<std::size_t>(written));
      else if (errno != EINTR)
        error_ = errno;
    }
  }

  int file_;
  std::string waiting_;
  int error_ = 0;
};

bool write_all(int file, const TextSource& text) {
  OpenFile target(file);
  text([&](std::string_view part) { target.add(part); });
  return target.finish();
}

/// A pipe or a device cannot be replaced; it is written to.
std::optional<std::string> write_through(const fs::path& target, const TextSource& text) {
  const int file = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
  const bool written = file >= 0 && write_all(file, text);
  const std::string reason = target.string() + ": " + std::strerror(errno);
  if (file >= 0) ::close(file);
  return written ? std::nullopt : std::optional(reason);
}

}  // namespace

fs::path behind_links(const fs::path& target) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(target, error);
  return error ? target : resolved;
}

std::optional<std::string> write_file(const fs::path& named, const TextSource& text) {
  if (named == standard_output) {
    std::fflush(stdout);
    return write_all(STDOUT_FILENO, text) ? std::nullopt : std::optional("standard output: " + std::string(std::strerror(errno)));
  }
  const fs::path target = behind_links(named);
  std::error_code error;
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) return write_through(target, text);
  std::string temporary = target.string() + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return target.string() + ": " + std::strerror(errno);
  const bool written = write_all(file, text) && ::fchmod(file, 0644) == 0;
  const bool closed = ::close(file) == 0;
  if (written && closed && ::rename(temporary.c_str(), target.c_str()) == 0) return std::nullopt;
  const std::string reason = target.string() + ": " + std::strerror(errno);
  ::unlink(temporary.c_str());
  return reason;
}

std::optional<std::string> write_file(const fs::path& named, std::string_view text) {
  return write_file(named, [text](const TextSink& sink) { sink(text); });
}

}  // namespace attest
