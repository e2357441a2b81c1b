#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// Results may come from a file and lack what is optional: these look without demanding.

/// The member, or nullptr when there is none, or null, or when `object` is no object.
const nlohmann::ordered_json* member(const nlohmann::ordered_json& object, std::string_view key);
/// A finite number; none for anything else.
std::optional<double> number_in(const nlohmann::ordered_json& value);
std::optional<double> number_at(const nlohmann::ordered_json& object, std::string_view key);
/// A text; empty for anything else.
std::string text_at(const nlohmann::ordered_json& object, std::string_view key);
/// A list of finite numbers; none when it is anything else.
std::optional<std::vector<double>> numbers_in(const nlohmann::ordered_json& value);
std::optional<std::vector<double>> numbers_at(const nlohmann::ordered_json& object, std::string_view key);
/// The items of a list; none for anything else.
const std::vector<nlohmann::ordered_json>& list_at(const nlohmann::ordered_json& object, std::string_view key);

}  // namespace attest
