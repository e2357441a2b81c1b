#include "text.hpp"

#include <algorithm>

namespace attest {
namespace {

constexpr std::size_t longest_shown = 80;

/// The bytes of the UTF-8 character (RFC 3629) at the start of the text; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Overlong forms, surrogates, and what lies beyond U+10FFFF.
  const bool outside = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) > 0x9F) || (byte(0) == 0xF0 && byte(1) < 0x90) ||
                       (byte(0) == 0xF4 && byte(1) > 0x8F);
  return outside ? 0 : length;
}

/// Whether the text starts with a control character of ASCII or of Latin-1.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first != 0xC2) return first < 0x20 || first == 0x7F;
  return character.size() > 1 && static_cast<unsigned char>(character[1]) < 0xA0;
}

std::string hexadecimal(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty() && shown.size() < longest_shown) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 || is_control(character))
      for (const char c : character) shown += hexadecimal(c);
    else
      shown += character;
    text.remove_prefix(character.size());
  }
  return text.empty() ? shown : shown + "…";
}

std::string in_quotes(std::string_view text) { return '"' + printable(text) + '"'; }

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool has_control_character(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1))
    if (is_control(text)) return true;
  return false;
}

}  // namespace attest
