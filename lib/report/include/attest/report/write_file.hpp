#pragma once

#include "attest/base/text_sink.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace attest {

/// The name that stands for standard output.
inline constexpr std::string_view standard_output = "-";

/// A link is followed: what it points at is replaced, not the link.
std::filesystem::path behind_links(const std::filesystem::path& target);

/// Writes to a temporary file beside the target, then renames it: the target is whole or untouched. `-` is standard output.
/// What went wrong, or nothing.
std::optional<std::string> write_file(const std::filesystem::path& target, const TextSource& text);
std::optional<std::string> write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace attest
