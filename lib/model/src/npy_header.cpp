// The .npy format: numpy.lib.format. A magic string, a version, the length of the header, and the header: a
// Python dictionary such as {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
#include "npy_header.hpp"

#include "attest/model/npy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace attest {
namespace {

/// numpy writes 64 to 128 characters; a header longer than this one is not that of an array of numbers.
constexpr std::size_t longest_header = 1 << 16;
constexpr std::size_t most_axes = 4;

struct TypeName {
  std::string_view name;
  NumberType type;
};
constexpr std::array<TypeName, 12> types{{{"b1", NumberType::b1},
                                          {"f2", NumberType::f2},
                                          {"f4", NumberType::f4},
                                          {"f8", NumberType::f8},
                                          {"i1", NumberType::i1},
                                          {"i2", NumberType::i2},
                                          {"i4", NumberType::i4},
                                          {"i8", NumberType::i8},
                                          {"u1", NumberType::u1},
                                          {"u2", NumberType::u2},
                                          {"u4", NumberType::u4},
                                          {"u8", NumberType::u8}}};

/// The words for what users most often try.
std::string_view meaning_of(std::string_view kind) {
  if (kind.starts_with('O')) return " (Python objects)";
  if (kind.starts_with('c')) return " (complex numbers)";
  if (kind == "f16") return " (extended precision)";
  if (kind.starts_with('U') || kind.starts_with('S')) return " (text)";
  if (kind.starts_with('V')) return " (records)";
  return "";
}

/// The few forms of Python literals that a header may contain.
class HeaderText {
 public:
  explicit HeaderText(std::string_view text) : rest_(text) {}

  bool take(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  void expect(std::string_view word) {
    if (!take(word)) fail("'" + std::string(word) + "'");
  }

  std::string quoted() {
    const char quote = take("'") ? '\'' : '"';
    if (quote == '"') expect("\"");
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) fail("a closing quote");
    const std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }

  bool boolean() {
    if (take("True")) return true;
    if (!take("False")) fail("True or False");
    return false;
  }

  // (), (3,), (3, 4)
  std::vector<std::size_t> tuple() {
    expect("(");
    std::vector<std::size_t> items;
    while (!take(")")) {
      items.push_back(integer());
      if (take(",")) continue;
      if (items.size() == 1) fail("',' after the only extent");
      expect(")");
      break;
    }
    return items;
  }

  void expect_end() {
    skip_space();
    if (!rest_.empty()) fail("the end of the header");
  }

  bool next_is_list() { return take("["); }

 private:
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }

  std::size_t integer() {
    skip_space();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) fail("a shape of whole numbers below 2^64");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  [[noreturn]] void fail(std::string expected) const {
    throw ArrayFault{"a .npy header with \"" + std::string(rest_.substr(0, 20)) + "\"", std::move(expected)};
  }

  std::string_view rest_;
};

void read_type(HeaderText& text, NpyHeader& header) {
  if (text.next_is_list()) throw ArrayFault{"an array of records", "an array of numbers (f2, f4, f8, i1 to i8 or u1 to u8)"};
  const std::string descriptor = text.quoted();
  const std::string_view kind = std::string_view(descriptor).substr(std::min<std::size_t>(1, descriptor.size()));
  const char order = descriptor.empty() ? ' ' : descriptor.front();
  const auto entry = std::find_if(types.begin(), types.end(), [&](const auto& type) { return type.name == kind; });
  const bool order_fits = order == '<' || order == '>' || (order == '|' && kind.ends_with('1'));
  if (entry == types.end() || !order_fits)
    throw ArrayFault{"numbers of type '" + descriptor + "'" + std::string(meaning_of(kind)), "f2, f4, f8, i1 to i8 or u1 to u8"};
  header.type = entry->type;
  header.big_endian = order == '>';
}

NpyHeader parse_header(std::string_view written) {
  HeaderText text(written);
  NpyHeader header;
  bool has_type = false;
  bool has_order = false;
  bool has_shape = false;
  text.expect("{");
  while (!text.take("}")) {
    const std::string key = text.quoted();
    text.expect(":");
    if (key == "descr" && !std::exchange(has_type, true))
      read_type(text, header);
    else if (key == "fortran_order" && !std::exchange(has_order, true))
      header.fortran_order = text.boolean();
    else if (key == "shape" && !std::exchange(has_shape, true))
      header.shape = text.tuple();
    else
      throw ArrayFault{"the key '" + key + "' in a .npy header", "descr, fortran_order and shape, once each"};
    if (text.take(",")) continue;
    text.expect("}");
    break;
  }
  text.expect_end();
  if (!has_type || !has_order || !has_shape) throw ArrayFault{"a .npy header without all its keys", "descr, fortran_order and shape"};
  return header;
}

std::size_t read_header_length(ByteStream& stream) {
  std::array<unsigned char, 8> start{};
  if (stream.remaining() < start.size())
    throw ArrayFault{std::to_string(stream.remaining()) + " bytes", "a .npy array (cut off, or not one)"};
  stream.read(start);
  constexpr std::array<unsigned char, 6> magic{0x93, 'N', 'U', 'M', 'P', 'Y'};
  if (!std::equal(magic.begin(), magic.end(), start.begin()))
    throw ArrayFault{"other first bytes than those of a .npy array", "\\x93NUMPY"};
  const unsigned major = start[6];
  const unsigned minor = start[7];
  if (major < 1 || major > 3 || minor != 0)
    throw ArrayFault{".npy version " + std::to_string(major) + "." + std::to_string(minor), "version 1.0, 2.0 or 3.0"};
  std::array<unsigned char, 4> length{};
  stream.read(std::span(length).first(major == 1 ? 2 : 4));
  return length[0] | std::size_t{length[1]} << 8 | std::size_t{length[2]} << 16 | std::size_t{length[3]} << 24;
}

}  // namespace

std::size_t width_of(NumberType type) {
  if (type == NumberType::bf2) return 2;
  const auto entry = std::find_if(types.begin(), types.end(), [&](const auto& known) { return known.type == type; });
  return static_cast<std::size_t>(entry->name.back() - '0');
}

NpyHeader read_npy_header(ByteStream& stream) {
  const std::size_t length = read_header_length(stream);
  if (length > longest_header || length > stream.remaining())
    throw ArrayFault{"a .npy header said to have " + std::to_string(length) + " bytes", "one that fits the file, below 64 KiB"};
  std::string written(length, ' ');
  stream.read({reinterpret_cast<unsigned char*>(written.data()), written.size()});
  NpyHeader header = parse_header(written);
  if (header.shape.size() > most_axes) throw ArrayFault{"an array of shape " + shape_text(header.shape), "at most 4 axes"};
  return header;
}

}  // namespace attest
