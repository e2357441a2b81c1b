#include "json.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace attest::check {

namespace {

constexpr std::size_t deepest_json = 10'000;  // §1

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The length of the well-formed UTF-8 sequence at the front of `s` (RFC 3629), 0 if there is none.
std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0U; };
  const auto trails = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned a = byte(0);
  const unsigned b = byte(1);
  if (a < 0x80U) return 1;
  if (a >= 0xC2U && a <= 0xDFU && trails(1)) return 2;
  if ((a & 0xF0U) == 0xE0U && trails(1) && trails(2)) {
    const bool overlong = a == 0xE0U && b < 0xA0U;
    const bool surrogate = a == 0xEDU && b >= 0xA0U;
    return overlong || surrogate ? 0 : 3;
  }
  if (a >= 0xF0U && a <= 0xF4U && trails(1) && trails(2) && trails(3)) {
    const bool overlong = a == 0xF0U && b < 0x90U;
    const bool too_large = a == 0xF4U && b >= 0x90U;
    return overlong || too_large ? 0 : 4;
  }
  return 0;
}

void append_utf8(std::string& out, std::uint32_t c) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80U) {
    put(c);
  } else if (c < 0x800U) {
    put(0xC0U | (c >> 6U));
    put(0x80U | (c & 0x3FU));
  } else if (c < 0x10000U) {
    put(0xE0U | (c >> 12U));
    put(0x80U | ((c >> 6U) & 0x3FU));
    put(0x80U | (c & 0x3FU));
  } else {
    put(0xF0U | (c >> 18U));
    put(0x80U | ((c >> 12U) & 0x3FU));
    put(0x80U | ((c >> 6U) & 0x3FU));
    put(0x80U | (c & 0x3FU));
  }
}

class Parser {
 public:
  Parser(std::string_view source, JsonDocument& document) : s_(source), document_(document) {}

  /// Keeps its own stack of open containers, so depth costs no call frames.
  void run() {
    std::vector<Json*> open;
    std::string key;
    do {
      Json& node = begin_value(open, std::exchange(key, {}));
      const bool container = node.kind == JsonKind::array || node.kind == JsonKind::object;
      skip_space();
      if (container && !take(closer(node))) {
        open.push_back(&node);
        key = next_key(node);
        continue;
      }
      while (!open.empty()) {  // a value has ended: a comma, or the end of its container
        skip_space();
        if (take(',')) {
          key = next_key(*open.back());
          break;
        }
        if (!take(closer(*open.back()))) fail("expected ',' or the end of a container");
        refuse_duplicates(*open.back());
        open.pop_back();
      }
    } while (!open.empty());
    skip_space();
    if (at_ < s_.size()) fail("bytes after the end of the value");
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw Rejected("not JSON: " + why + " at byte " + std::to_string(at_)); }
  [[nodiscard]] char peek() const { return at_ < s_.size() ? s_[at_] : '\0'; }
  bool take(char c) {
    if (at_ >= s_.size() || s_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    if (s_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void skip_space() {
    while (at_ < s_.size() && std::string_view(" \t\n\r").find(s_[at_]) != std::string_view::npos) ++at_;
  }
  static char closer(const Json& container) { return container.kind == JsonKind::array ? ']' : '}'; }

  Json& begin_value(const std::vector<Json*>& open, std::string key) {
    skip_space();
    Json* const parent = open.empty() ? nullptr : open.back();
    const auto add = [&](JsonKind kind, std::string text) -> Json& { return document_.add(parent, kind, std::move(text), std::move(key)); };
    const char c = peek();
    if (c == '[' || c == '{') {
      if (open.size() >= deepest_json) fail("nesting deeper than 10000");
      ++at_;
      return add(c == '[' ? JsonKind::array : JsonKind::object, {});
    }
    if (c == '"') return add(JsonKind::string, string());
    if (c == '-' || is_digit(c)) return add(JsonKind::number, number());
    if (take("true")) return add(JsonKind::boolean, "true");
    if (take("false")) return add(JsonKind::boolean, "false");
    if (take("null")) return add(JsonKind::null, {});
    fail(at_ < s_.size() ? "expected a value" : "the text ends too early");
  }

  std::string next_key(const Json& container) {
    if (container.kind == JsonKind::array) return {};
    skip_space();
    if (peek() != '"') fail("expected a key");
    std::string key = string();
    skip_space();
    if (!take(':')) fail("expected ':'");
    return key;
  }

  void refuse_duplicates(const Json& object) const {
    std::vector<std::string_view> sorted(object.keys.begin(), object.keys.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) object.fail("the key " + in_quotes(*twice) + " stands twice");
  }

  std::string number() {
    const std::size_t start = at_;
    const auto digits = [&] {
      if (!is_digit(peek())) fail("expected a digit");
      while (is_digit(peek())) ++at_;
    };
    take('-');
    if (!take('0')) digits();
    if (take('.')) digits();
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      digits();
    }
    return std::string(s_.substr(start, at_ - start));
  }

  std::string string() {
    std::string out;
    for (++at_; !take('"');) {
      if (at_ >= s_.size()) fail("a string has no end");
      if (take('\\')) {
        append_escape(out);
        continue;
      }
      if (static_cast<unsigned char>(s_[at_]) < 0x20U) fail("control character in a string");
      const std::size_t length = utf8_length(s_.substr(at_));
      if (length == 0) fail("not UTF-8");
      out += s_.substr(at_, length);
      at_ += length;
    }
    return out;
  }

  void append_escape(std::string& out) {
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view values = "\"\\/\b\f\n\r\t";
    if (const auto at = names.find(peek()); at_ < s_.size() && at != std::string_view::npos) {
      out += values[at];
      ++at_;
      return;
    }
    if (!take('u')) fail("unknown escape");
    std::uint32_t c = hex4();
    if (c >= 0xD800U && c <= 0xDBFFU && take("\\u")) {
      const std::uint32_t low = hex4();
      if (low < 0xDC00U || low > 0xDFFFU) fail("half a surrogate pair");
      c = 0x10000U + ((c - 0xD800U) << 10U) + (low - 0xDC00U);
    } else if (c >= 0xD800U && c <= 0xDFFFU) {
      fail("half a surrogate pair");
    }
    append_utf8(out, c);
  }

  std::uint32_t hex4() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const bool lower = c >= 'a' && c <= 'f';
      if (!is_digit(c) && !lower && !(c >= 'A' && c <= 'F')) fail("expected four hex digits");
      const int digit = is_digit(c) ? c - '0' : c - (lower ? 'a' : 'A') + 10;
      value = value * 16U + static_cast<std::uint32_t>(digit);
    }
    return value;
  }

  std::string_view s_;
  std::size_t at_ = 0;
  JsonDocument& document_;
};

/// The middle of a text too long for one line gives way to dots.
std::string shortened(std::string text) {
  constexpr std::size_t most = 56;
  if (text.size() <= most) return text;
  return text.substr(0, most / 2) + "..." + text.substr(text.size() - most / 2);
}

}  // namespace

std::string bracketed(std::initializer_list<std::size_t> indices) {
  std::string text;
  for (const std::size_t index : indices) text.append(text.empty() ? "[" : ",").append(std::to_string(index));
  return text.append("]");
}

std::string in_quotes(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c >= ' ' && c <= '~' ? c : '?';
  return '"' + shortened(std::move(safe)) + '"';
}

std::string Json::path() const {
  std::vector<std::string> steps;
  for (const Json* node = this; node->parent != nullptr; node = node->parent) {
    const auto& siblings = node->parent->items;
    const auto at = static_cast<std::size_t>(std::find(siblings.begin(), siblings.end(), node) - siblings.begin());
    const bool member = node->parent->kind == JsonKind::object;
    steps.push_back(member ? "." + node->parent->keys[at] : bracketed({at}));
  }
  std::string joined;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) joined += *step;
  if (joined.empty()) return "the file";
  const std::string safe = in_quotes(joined.front() == '.' ? joined.substr(1) : joined);
  return safe.substr(1, safe.size() - 2);
}

void Json::fail(const std::string& why) const { throw Rejected(path() + ": " + why); }

void Json::expect_keys(std::initializer_list<std::string_view> required, std::initializer_list<std::string_view> optional) const {
  if (kind != JsonKind::object) fail("not an object");
  for (const auto key : required)
    if (find(key) == nullptr) fail("the key " + in_quotes(key) + " is missing");
  const auto listed = [](const auto& list, std::string_view key) { return std::find(list.begin(), list.end(), key) != list.end(); };
  for (const auto& key : keys)
    if (!listed(required, key) && !listed(optional, key)) fail("unknown key " + in_quotes(key));
}

const Json* Json::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : items[static_cast<std::size_t>(found - keys.begin())];
}

const Json& Json::at(std::string_view key) const {
  const Json* const value = find(key);
  if (value == nullptr) fail("the key " + in_quotes(key) + " is missing");
  return *value;
}

const std::vector<const Json*>& Json::array() const {
  if (kind != JsonKind::array) fail("not an array");
  return items;
}

const std::vector<const Json*>& Json::array(std::size_t size) const {
  if (array().size() != size) fail("has " + std::to_string(items.size()) + " entries, not " + std::to_string(size));
  return items;
}

const std::string& Json::string() const {
  if (kind != JsonKind::string) fail("not a string");
  return text;
}

bool Json::boolean() const {
  if (kind != JsonKind::boolean) fail("not a boolean");
  return text == "true";
}

std::size_t Json::index() const {
  constexpr std::size_t most_digits = 10;
  if (kind != JsonKind::number || !std::all_of(text.begin(), text.end(), is_digit) || text.size() > most_digits ||
      std::stoull(text) > 0x7FFF'FFFFULL)
    fail("not an integer from 0 to 2^31 - 1");
  return std::stoull(text);
}

JsonDocument JsonDocument::parse(std::string_view source) {
  JsonDocument document;
  Parser(source, document).run();
  return document;
}

Json& JsonDocument::add(Json* parent, JsonKind kind, std::string text, std::string key) {
  Json& node = nodes_.emplace_back();
  node.kind = kind;
  node.text = std::move(text);
  node.parent = parent;
  if (parent != nullptr) {
    parent->items.push_back(&node);
    if (parent->kind == JsonKind::object) parent->keys.push_back(std::move(key));
  }
  return node;
}

}  // namespace attest::check
