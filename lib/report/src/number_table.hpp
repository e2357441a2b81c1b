#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace attest {

/// The numbers of the claim of that name with their meaning and, where the numbers hold one, the tolerance they were judged by.
std::string number_table(std::string_view claim, const nlohmann::ordered_json& numbers);

/// What a number is, in a few words: the beginning of what its claim says of it, up to where details follow.
std::string_view gist(std::string_view about);

}  // namespace attest
