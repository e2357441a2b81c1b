#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace attest {

/// Text for XML and HTML: the five special characters escaped, characters that XML forbids replaced.
std::string escaped(std::string_view text);

/// Text for a cell or a line of Markdown: on one line, nothing of it taken for markup.
std::string markdown_text(std::string_view text);

/// "(0, 2)" for a selection, of a long one the first tokens; "" for null.
std::string selection_text(const nlohmann::ordered_json& selection);

/// A number, list or word of a claim's numbers as short text.
std::string value_text(const nlohmann::ordered_json& value);

}  // namespace attest
