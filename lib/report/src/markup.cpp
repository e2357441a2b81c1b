#include "markup.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {

using Json = nlohmann::ordered_json;

std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (text.substr(k).starts_with("\xEF\xBF\xBE") || text.substr(k).starts_with("\xEF\xBF\xBF")) {  // U+FFFE, U+FFFF
      result += '?';
      k += 2;
      continue;
    }
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return result;
}

std::string markdown_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      result += ' ';
    } else if (c == '<' || c == '>' || c == '&') {  // Markdown takes HTML
      result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;";
    } else {
      if (std::string_view("\\`*_[]|#~$!").find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result;
}

std::string selection_text(const Json& selection) {
  if (selection.is_string()) return selection.get<std::string>();
  if (!selection.is_array()) return "";
  constexpr std::size_t most = 12;
  std::string text = "(";
  for (std::size_t i = 0; i < std::min(selection.size(), most); ++i) text += (i == 0 ? "" : ", ") + selection[i].dump();
  return text + (selection.size() > most ? fmt::format(", … {} in all)", selection.size()) : ")");
}

std::string value_text(const Json& value) {
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) {
    std::string text = "[";
    for (std::size_t i = 0; i < value.size(); ++i) text += (i == 0 ? "" : ", ") + value_text(value[i]);
    return text + "]";
  }
  if (value.is_object()) {
    std::string text;
    for (const auto& [name, item] : value.items()) text += (text.empty() ? "" : ", ") + name + " " + value_text(item);
    return text;
  }
  return value.dump();
}

}  // namespace attest
