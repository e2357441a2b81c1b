#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attest {

/// A JSON value whose numbers are the text that was written, so that 0.1 can mean 1/10.
struct JsonMember;
struct JsonValue {
  struct Number {
    std::string text;
  };
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;
  std::variant<std::monostate, bool, Number, std::string, Array, Object> content;

  /// The content if it is of that type.
  template <class Content>
  const Content* get() const {
    return std::get_if<Content>(&content);
  }
};
struct JsonMember {
  std::string key;
  JsonValue value;
};

/// Where a value stands in its file. A chain of places on the stack, made into text only for a fault:
/// a place must not outlive the one it was made from.
class JsonPlace {
 public:
  JsonPlace() = default;
  JsonPlace item(std::size_t index) const { return {this, {}, index}; }
  JsonPlace member(std::string_view key) const { return {this, key, 0}; }
  /// $.claims[0].selection
  std::string text() const;

 private:
  JsonPlace(const JsonPlace* parent, std::string_view key, std::size_t index) : parent_(parent), key_(key), index_(index) {}
  const JsonPlace* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

/// ".key", or ["a key"] when the key is not one word.
std::string key_step(std::string_view key);
/// "[3]"
std::string index_step(std::size_t index);

/// Thrown while a case is read; read_case is where it ends.
struct CaseFault {
  std::string path;
  std::string found;
  std::string expected;
};

/// Strict JSON (RFC 8259), with each key of an object once and at most 100 levels; throws CaseFault.
JsonValue parse_json(std::string_view text);

}  // namespace attest
