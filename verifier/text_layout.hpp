#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attest {

/// Lines are made for terminals of this width, and for pipes.
inline constexpr std::size_t usual_width = 80;

/// How many characters a text has, UTF-8 sequences counted as one.
std::size_t characters(std::string_view text);

/// Cut to so many characters, the last one "…" if something was cut.
std::string cut(const std::string& text, std::size_t width);

/// Words put one after the other, broken before the width is reached; later lines are indented. `column` is where the
/// first line begins. A word longer than a line keeps its length.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t column, std::size_t width = usual_width);

/// The text with a ? for every control character but line breaks: what a file says must not steer the terminal that shows it.
std::string without_controls(const std::string& text);

}  // namespace attest
