#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace attest {

/// Writes to a temporary file beside the target, then renames it: the target is whole or untouched.
/// What went wrong, or nothing.
std::optional<std::string> write_file(const std::filesystem::path& target, std::string_view text);

/// Why a file could not be written at the path; asked before long work starts.
std::optional<std::string> why_not_writable(const std::filesystem::path& target);

}  // namespace attest
