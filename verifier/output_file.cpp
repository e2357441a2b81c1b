#include "output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace attest {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& target) { return target.has_parent_path() ? target.parent_path() : fs::path("."); }

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0 || errno == EINVAL;  // EINVAL: a pipe or a device
}

/// A link is followed: what it points at is replaced, not the link.
fs::path behind_links(const fs::path& target) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(target, error);
  return error ? target : resolved;
}

/// A pipe or a device cannot be replaced; it is written to.
std::optional<std::string> write_through(const fs::path& target, std::string_view text) {
  const int file = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
  const bool written = file >= 0 && write_all(file, text);
  const std::string reason = target.string() + ": " + std::strerror(errno);
  if (file >= 0) ::close(file);
  return written ? std::nullopt : std::optional(reason);
}

/// Whether two names are, or will be, one file. Links, `..` and other spellings are seen through; so are hard links.
bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::exists(a, error) && fs::exists(b, error)) return fs::equivalent(a, b, error);
  return behind_links(fs::absolute(a, error)) == behind_links(fs::absolute(b, error));
}

bool is_replaced(const std::string& file) {
  std::error_code error;
  return !fs::exists(file, error) || fs::is_regular_file(file, error);
}

}  // namespace

std::optional<std::string> output_clash(std::span<const NamedOutput> outputs, std::span<const fs::path> inputs) {
  for (auto one = outputs.begin(); one != outputs.end(); ++one) {
    if (one->file.empty()) continue;
    const bool console = one->file == standard_output;
    for (auto other = outputs.begin(); other != one; ++other) {
      if (other->file.empty() || console != (other->file == standard_output)) continue;
      if (console) return other->flag + " and " + one->flag + ": only one of them can go to standard output";
      if (is_replaced(one->file) && same_file(one->file, other->file))
        return other->flag + " and " + one->flag + " name the same file, " + one->file + ": one would replace the other";
    }
    for (const fs::path& input : inputs)
      if (!console && is_replaced(one->file) && same_file(one->file, input))
        return one->flag + " " + one->file + ": is read by this command and would be replaced; give another name";
  }
  return std::nullopt;
}

std::optional<std::string> write_file(const fs::path& named, std::string_view text) {
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

std::optional<std::string> why_not_writable(const fs::path& target) {
  if (target == standard_output) return std::nullopt;
  std::error_code error;
  if (fs::is_directory(target, error)) return target.string() + ": is a folder, expected the name of a file";
  const fs::path folder = folder_of(target);
  if (!fs::is_directory(folder, error)) return target.string() + ": the folder " + folder.string() + " does not exist";
  if (::access(folder.c_str(), W_OK) != 0) return target.string() + ": " + std::strerror(errno);
  return std::nullopt;
}

}  // namespace attest
