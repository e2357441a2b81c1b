#pragma once

#include "attest/model/loss.hpp"
#include "json_tree.hpp"

#include <filesystem>
#include <string>

namespace attest {

// What a case and a sweep have in common; each throws a CaseFault.

/// The text of a file that is to hold a JSON object; `expected` is what it is called.
std::string read_text(const std::filesystem::path& file, const std::string& expected);
/// The name that the object gives, else that of the file.
std::string read_name(const JsonValue::Object& root, const std::filesystem::path& file);
std::string read_optional_text(const JsonValue::Object& root, std::string_view key);
Loss read_loss(const JsonValue& value, const JsonPlace& place);

}  // namespace attest
