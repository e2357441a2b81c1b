#include "text_layout.hpp"

#include <sstream>
#include <vector>

namespace attest {
namespace {

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// A percent sign stays with its number.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> found;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;)
    if (word.starts_with('%') && !found.empty())
      found.back() += " " + word;
    else
      found.push_back(word);
  return found;
}

}  // namespace

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += continues_a_character(c) ? 0 : 1;
  return count;
}

std::string cut(const std::string& text, std::size_t width) {
  std::size_t seen = 0;
  std::size_t keep = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (continues_a_character(text[k])) continue;
    if (seen + 1 == width) keep = k;
    if (++seen > width) return text.substr(0, keep) + "…";
  }
  return text;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t column, std::size_t width) {
  std::string result;
  for (const std::string& word : words_of(text)) {
    if (!result.empty() && column + 1 + characters(word) > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!result.empty()) {
      result += ' ';
      ++column;
    }
    result += word;
    column += characters(word);
  }
  return result;
}

std::string without_controls(const std::string& text) {
  std::string shown;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = k + 1 < text.size() ? static_cast<unsigned char>(text[k + 1]) : 0U;
    const bool latin = byte == 0xC2 && next >= 0x80 && next < 0xA0;  // U+0080 to U+009F
    shown += latin || (byte < 0x20 && byte != '\n') || byte == 0x7F ? '?' : text[k];
    if (latin) ++k;
  }
  return shown;
}

}  // namespace attest
