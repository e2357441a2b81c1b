#include "output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace attest {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& target) { return target.has_parent_path() ? target.parent_path() : fs::path("."); }

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

std::optional<std::string> why_not_writable(const fs::path& target) {
  if (target == standard_output) return std::nullopt;
  std::error_code error;
  if (fs::is_directory(target, error)) return target.string() + ": is a folder, expected the name of a file";
  const fs::path folder = folder_of(target);
  if (!fs::is_directory(folder, error)) return target.string() + ": the folder " + folder.string() + " does not exist";
  if (::access(folder.c_str(), W_OK) != 0) return target.string() + ": " + std::strerror(errno);
  return std::nullopt;
}

std::optional<std::string> why_no_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return folder.string() + ": " + error.message();
  return why_not_writable(folder / "file");
}

}  // namespace attest
