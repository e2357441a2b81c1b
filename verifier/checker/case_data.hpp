#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "problem.hpp"

namespace attest::check {

/// The bytes of a file or a pipe; none when it cannot be read, or is something else.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// The data of a case file as exact values (§2, "against a case"); throws Rejected.
Problem read_case(const std::filesystem::path& path);

}  // namespace attest::check
