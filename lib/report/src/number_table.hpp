#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace attest {

/// A claim's numbers with their meaning and, where the numbers hold one, the tolerance they were judged by.
std::string number_table(const nlohmann::ordered_json& numbers);

}  // namespace attest
