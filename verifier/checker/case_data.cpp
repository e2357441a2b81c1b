#include "case_data.hpp"

#include <fstream>
#include <iterator>
#include <string_view>

#include "npy.hpp"

namespace attest::check {

namespace {

constexpr std::size_t deepest_array = 3;  // tokens: sample, token, component

/// Rewrites the data of a case file as the `problem` object that a certificate would hold, so that
/// one reader, Problem's, judges shapes and values of both.
class CaseWriter {
 public:
  explicit CaseWriter(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Problem problem(const Json& source) {
    if (source.kind != JsonKind::object) source.fail("not an object");
    Json& root = out_.add(nullptr, JsonKind::object);
    for (const char* key : {"tokens", "labels", "v", "W", "queries"}) {
      labels_ = key == std::string_view("labels");
      if (const Json* value = source.find(key); value != nullptr) write(*value, root, key, 0);
    }
    write_loss(source.find("loss"), root);
    return Problem(out_.root());
  }

 private:
  void write(const Json& value, Json& parent, const std::string& key, std::size_t depth) {
    if (value.kind == JsonKind::array) {
      if (depth == deepest_array) value.fail("arrays nested too deep");
      Json& array = out_.add(&parent, JsonKind::array, {}, key);
      for (const Json* item : value.items) write(*item, array, {}, depth + 1);
    } else if (value.kind == JsonKind::object) {
      if (depth > 0) value.fail("a file can stand for a whole array only");
      const NpyArray array = load(value);
      std::size_t next = 0;
      if (array.shape.size() > deepest_array) value.fail("too many dimensions");
      write_array(array, 0, next, parent, key);
    } else {
      write_scalar(scalar(value), parent, key);
    }
  }

  /// Whether a decimal is written as JSON writes numbers, not as `.5` or `00.5`, which §3 allows in expressions.
  static bool has_json_form(std::string_view decimal) {
    if (decimal.starts_with('-')) decimal.remove_prefix(1);
    const auto digit = [&](std::size_t i) { return i < decimal.size() && decimal[i] >= '0' && decimal[i] <= '9'; };
    return digit(0) && !(decimal.front() == '0' && digit(1));
  }

  static Rational scalar(const Json& value) {
    std::optional<Rational> read;
    if (value.kind == JsonKind::string) read = parse_rational(value.text);
    if (!read && (value.kind == JsonKind::string || value.kind == JsonKind::number) && has_json_form(value.text))
      read = parse_decimal(value.text);
    if (!read) value.fail("not a number (a decimal's exponent must lie in -5000..5000)");
    return *read;
  }

  NpyArray load(const Json& value) const {
    value.expect_keys({"file"}, {"array"});
    const std::filesystem::path file = folder_ / value.at("file").string();
    std::error_code error;
    std::optional<std::string> bytes;
    if (std::filesystem::is_regular_file(file, error)) bytes = read_file(file);  // a pipe that a case names would keep us waiting
    if (!bytes) value.fail("cannot read the file " + in_quotes(value.at("file").string()));
    try {
      const Json* const member = value.find("array");
      return member == nullptr ? parse_npy(*bytes) : parse_npz(*bytes, member->string() + ".npy");
    } catch (const Rejected& why) {
      value.fail(why.what());
    }
  }

  void write_array(const NpyArray& array, std::size_t dimension, std::size_t& next, Json& parent, const std::string& key) {
    if (dimension == array.shape.size()) return write_scalar(array.values[next++], parent, key);
    Json& node = out_.add(&parent, JsonKind::array, {}, key);
    for (std::size_t i = 0; i < array.shape[dimension]; ++i) write_array(array, dimension + 1, next, node, {});
  }

  /// Labels are JSON numbers in a problem, everything else rational strings.
  void write_scalar(const Rational& value, Json& parent, const std::string& key) {
    out_.add(&parent, labels_ ? JsonKind::number : JsonKind::string, value.str(), key);
  }

  /// A case without `loss` has the logistic one; a string that is no name is an expression.
  void write_loss(const Json* value, Json& root) {
    const bool object = value != nullptr && value->kind == JsonKind::object;
    if (object) value->expect_keys({"expression"});
    const std::string text = value == nullptr ? "logistic" : object ? value->at("expression").string() : value->string();
    const bool name = text == "logistic" || text == "exponential" || text == "correlation";
    if (!object && name) {
      out_.add(&root, JsonKind::string, text, "loss");
    } else {
      Json& loss = out_.add(&root, JsonKind::object, {}, "loss");
      out_.add(&loss, JsonKind::string, text, "expression");
    }
  }

  std::filesystem::path folder_;
  JsonDocument out_;
  bool labels_ = false;
};

}  // namespace

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  // Of a device such as /dev/zero there is no end.
  if (!std::filesystem::is_regular_file(status) && !std::filesystem::is_fifo(status)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream.is_open() || stream.bad()) return std::nullopt;
  return bytes;
}

Problem read_case(const std::filesystem::path& path) {
  const std::optional<std::string> bytes = read_file(path);
  if (!bytes) throw Rejected("cannot be read");
  const JsonDocument document = JsonDocument::parse(*bytes);
  return CaseWriter(path.parent_path()).problem(document.root());
}

}  // namespace attest::check
