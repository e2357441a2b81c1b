#include "json_tree.hpp"

#include "text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace attest {
namespace {

constexpr std::size_t max_depth = 100;

/// The parser refuses numbers beyond its floating-point type, although only their text is used here:
/// long double takes it from 1e308 to 1e4932.
using WideJson = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, long double>;

/// "line 3, column 7" of a byte of the text.
std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  const auto column = line.size() - static_cast<std::size_t>(std::count_if(line.begin(), line.end(), continues));
  return "line " + std::to_string(lines + 1) + ", column " + std::to_string(column + 1);
}

bool in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' || c == '.' || c == '_';
}

/// The number or word around a byte, or that character alone.
std::string_view lexeme_at(std::string_view text, std::size_t offset) {
  std::size_t start = offset;
  std::size_t end = offset + 1;
  if (in_word(text[offset])) {
    while (start > 0 && in_word(text[start - 1])) --start;
    while (end < text.size() && in_word(text[end])) ++end;
  } else {
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  }
  return text.substr(start, end - start);
}

/// The part of the parser's message between two marks; empty if they are not there.
std::string_view between(std::string_view message, std::string_view left, std::string_view right) {
  const std::size_t start = message.find(left);
  if (start == std::string_view::npos) return {};
  message.remove_prefix(start + left.size());
  return message.substr(0, message.find(right));
}

std::string expected_in(std::string_view context) {
  if (context == "value") return "a JSON value (a number, text in double quotes, true, false, null, an array or an object)";
  if (context == "array") return "',' or ']'";
  if (context == "object key") return "a key in double quotes";
  if (context == "object separator") return "':' after the key";
  if (context == "object") return "',' or '}'";
  return "JSON";
}

/// Builds the tree from the parser's events, and knows at any time where in it the parser is.
class TreeBuilder : public nlohmann::json_sax<WideJson> {
 public:
  explicit TreeBuilder(std::string_view source) : source_(source) {}

  JsonValue take() { return std::move(root_); }

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add({value}); }
  bool number_integer(std::int64_t value) override { return add({JsonValue::Number{std::to_string(value)}}); }
  bool number_unsigned(std::uint64_t value) override { return add({JsonValue::Number{std::to_string(value)}}); }
  bool number_float(long double /*rounded*/, const std::string& text) override {
    // nlohmann-json 3.11 writes the decimal point of the C locale into the text.
    std::string written = text;
    if (const std::size_t point = written.find_first_not_of("0123456789+-eE"); point != std::string::npos) written[point] = '.';
    return add({JsonValue::Number{std::move(written)}});
  }
  bool string(std::string& text) override { return add({std::move(text)}); }
  bool binary(nlohmann::byte_container_with_subtype<std::vector<std::uint8_t>>& /*bytes*/) override { return false; }

  bool start_object(std::size_t /*size*/) override { return open({JsonValue::Object{}}); }
  bool start_array(std::size_t /*size*/) override { return open({JsonValue::Array{}}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    Level& level = levels_.back();
    if (!level.keys.insert(name).second)
      throw CaseFault{path_of(levels_.size() - 1) + key_step(name), "the key " + in_quotes(name) + " a second time", "each key once"};
    level.key = std::move(name);
    level.has_key = true;
    return true;
  }

  bool parse_error(std::size_t characters_read, const std::string& token, const nlohmann::detail::exception& error) override {
    // At the end of the text the parser has read one character more than there are.
    const bool at_end = characters_read > source_.size();
    const std::size_t offset = at_end ? source_.size() : std::max<std::size_t>(characters_read, 1) - 1;
    const std::string at = " at " + line_and_column(source_, offset);
    constexpr int number_overflow = 406;
    if (error.id == number_overflow) throw CaseFault{here(), printable(token), "a number below 1e4932" + at};

    const std::string_view message = error.what();
    const std::string_view context = between(message, "while parsing ", " - ");
    const std::string_view detail = between(message, " - ", "; ");
    const std::string expected = complete_ ? "the end of the file" : expected_in(context);
    throw CaseFault{here(), at_end ? "the end of the file" : found_at(offset, token, detail),
                    expected + at + (detail.empty() ? "" : " (" + printable(detail) + ")")};
  }

 private:
  std::string found_at(std::size_t offset, const std::string& token, std::string_view detail) const {
    // Only of a string does the parser keep the token alone; otherwise it has more before it.
    if (detail.starts_with("invalid string") || detail == "unexpected string literal") return printable(token);
    // A number or a word such as tru is noticed at the character after it.
    const bool broken_number = detail.starts_with("invalid number");
    const bool broken_word = offset > 0 && source_[offset - 1] >= 'a' && source_[offset - 1] <= 'z';
    const bool ended = offset > 0 && !in_word(source_[offset]) && (broken_number || broken_word);
    return printable(lexeme_at(source_, ended ? offset - 1 : offset));
  }

  /// An array or object that is not closed yet.
  struct Level {
    JsonValue value;
    std::string key;  // of the member that is being read
    bool has_key = false;
    std::set<std::string> keys;
  };

  bool add(JsonValue value) {
    if (levels_.empty()) {
      root_ = std::move(value);
      complete_ = true;
      return true;
    }
    Level& level = levels_.back();
    if (auto* items = std::get_if<JsonValue::Array>(&level.value.content)) {
      items->push_back(std::move(value));
    } else {
      std::get<JsonValue::Object>(level.value.content).push_back({std::move(level.key), std::move(value)});
      level.has_key = false;
    }
    return true;
  }

  bool open(JsonValue value) {
    if (levels_.size() == max_depth)
      throw CaseFault{here(), "arrays or objects more than " + std::to_string(max_depth) + " levels deep", "a case"};
    levels_.push_back({.value = std::move(value), .key = {}, .keys = {}});
    return true;
  }

  bool close() {
    JsonValue value = std::move(levels_.back().value);
    levels_.pop_back();
    return add(std::move(value));
  }

  /// The path of the container at that level.
  std::string path_of(std::size_t level) const {
    std::string path = "$";
    for (std::size_t i = 0; i < level; ++i) path += step_into(levels_[i]);
    return path;
  }

  /// The path of the value that is being read.
  std::string here() const { return path_of(levels_.size()); }

  static std::string step_into(const Level& level) {
    if (const auto* items = level.value.get<JsonValue::Array>()) return index_step(items->size());
    return level.has_key ? key_step(level.key) : "";
  }

  std::string_view source_;
  JsonValue root_;
  bool complete_ = false;
  std::vector<Level> levels_;
};

/// What the parser would let pass: it takes a NUL for the end of the text, and skips a byte order mark.
void refuse_hidden_bytes(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) throw CaseFault{"$", "a byte order mark", "UTF-8 without one"};
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    throw CaseFault{"$", "a NUL byte", "no such byte at " + line_and_column(text, nul)};
}

}  // namespace

std::string key_step(std::string_view key) {
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  };
  if (!key.empty() && std::all_of(key.begin(), key.end(), plain)) return "." + printable(key);
  return "[" + in_quotes(key) + "]";
}

std::string index_step(std::size_t index) { return "[" + std::to_string(index) + "]"; }

std::string JsonPlace::text() const {
  if (parent_ == nullptr) return "$";
  return parent_->text() + (key_.data() == nullptr ? index_step(index_) : key_step(key_));
}

JsonValue parse_json(std::string_view text) {
  refuse_hidden_bytes(text);
  TreeBuilder builder(text);
  WideJson::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

}  // namespace attest
