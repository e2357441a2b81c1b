#pragma once

#include "attest/report/write_file.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace attest {

/// An output of a command, by the flag that asks for it; not asked for when the name is empty.
struct NamedOutput {
  std::string flag;
  std::string file;
};

/// Why the outputs cannot all be written: two of them are one file, however it is spelt, or one is a file that is read. Asked before
/// anything is run. Pipes and devices may be named twice, standard output once.
std::optional<std::string> output_clash(std::span<const NamedOutput> outputs, std::span<const std::filesystem::path> inputs);

/// Why a file could not be written at the path; asked before long work starts.
std::optional<std::string> why_not_writable(const std::filesystem::path& target);

/// Makes the folder where it is not there. Why files could not be written in it.
std::optional<std::string> why_no_folder(const std::filesystem::path& folder);

}  // namespace attest
