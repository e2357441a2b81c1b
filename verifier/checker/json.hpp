#pragma once

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attest::check {

/// Why a certificate (or a case file) is not acceptable; what() is the whole sentence.
class Rejected : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class JsonKind { null, boolean, number, string, array, object };

/// One JSON value. Nodes live in a JsonDocument, which owns them all in one flat pool, so that
/// neither destruction nor reading recurses on the nesting of the file.
struct Json {
  JsonKind kind = JsonKind::null;
  std::string text;                ///< number: as written; string: decoded; boolean: true/false
  std::vector<const Json*> items;  ///< elements of an array, values of an object
  std::vector<std::string> keys;   ///< keys of an object, one for each item
  const Json* parent = nullptr;

  /// Where the value stands, e.g. `witness.lambda[3]`; long paths are shortened in the middle.
  [[nodiscard]] std::string path() const;
  [[noreturn]] void fail(const std::string& why) const;

  /// Demands an object with all of `required` and besides them only keys of `optional` (§1).
  void expect_keys(std::initializer_list<std::string_view> required, std::initializer_list<std::string_view> optional = {}) const;
  [[nodiscard]] const Json* find(std::string_view key) const;
  [[nodiscard]] const Json& at(std::string_view key) const;

  [[nodiscard]] const std::vector<const Json*>& array() const;
  [[nodiscard]] const std::vector<const Json*>& array(std::size_t size) const;
  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] bool boolean() const;
  /// An index or count of §1: digits alone, from 0 to 2^31 − 1.
  [[nodiscard]] std::size_t index() const;
};

class JsonDocument {
 public:
  JsonDocument() = default;
  JsonDocument(const JsonDocument&) = delete;  // nodes point at each other
  JsonDocument& operator=(const JsonDocument&) = delete;
  JsonDocument(JsonDocument&&) = default;
  JsonDocument& operator=(JsonDocument&&) = default;

  /// Reads RFC 8259 with the further demands of §1; throws Rejected.
  static JsonDocument parse(std::string_view source);

  [[nodiscard]] const Json& root() const { return nodes_.front(); }

  /// Appends a node, the last child of `parent` (none for the root; `key` if it is an object).
  Json& add(Json* parent, JsonKind kind, std::string text = {}, std::string key = {});

 private:
  std::deque<Json> nodes_;  // a deque: growing it moves no node
};

/// Text from a certificate made safe for one line of a terminal: ASCII, and not long.
std::string in_quotes(std::string_view text);

/// The name of a row or an element: `[i]`, `[i,t]`.
std::string bracketed(std::initializer_list<std::size_t> indices);

}  // namespace attest::check
