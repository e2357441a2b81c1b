#pragma once

#include <string>
#include <string_view>

namespace attest {

/// The text in one line that a terminal can show: control characters and bytes that are not UTF-8 are
/// written \xNN, and a long text is cut.
std::string printable(std::string_view text);

/// printable() in double quotes.
std::string in_quotes(std::string_view text);

bool is_utf8(std::string_view text);
/// Of ASCII or of Latin-1.
bool has_control_character(std::string_view text);

}  // namespace attest
