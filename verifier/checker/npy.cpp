#include "npy.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace attest::check {

namespace {

constexpr std::size_t most_values = std::size_t{1} << 28;
constexpr std::size_t most_deflated_values = std::size_t{1} << 21;
constexpr std::size_t most_deflated_bytes = std::size_t{1} << 24;
constexpr std::size_t longest_header = std::size_t{1} << 16;

/// An unsigned integer of `size` bytes.
std::uint64_t read_unsigned(std::string_view bytes, std::size_t at, std::size_t size, bool big_endian = false) {
  if (at > bytes.size() || size > bytes.size() - at) throw Rejected("the file ends too early");
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t from = big_endian ? i : size - 1 - i;
    value = (value << 8U) | static_cast<unsigned char>(bytes[at + from]);
  }
  return value;
}

/// The header's Python dictionary of exactly `descr`, `fortran_order` and `shape`.
class Header {
 public:
  explicit Header(std::string_view text) : s_(text) {
    expect('{');
    while (!take('}')) {
      const std::string_view key = quoted_text();
      expect(':');
      if (key == "descr" && descr.empty())
        descr = quoted_text();
      else if (key == "fortran_order" && !has_order_)
        read_order();
      else if (key == "shape" && !has_shape_)
        read_shape();
      else
        fail();
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (at_ != s_.size() || descr.empty() || !has_order_ || !has_shape_) fail();
  }

  std::string_view descr;
  bool fortran_order = false;
  std::vector<std::size_t> shape;

 private:
  [[noreturn]] static void fail() { throw Rejected("the .npy header is not understood"); }
  void skip_space() {
    while (at_ < s_.size() && (s_[at_] == ' ' || s_[at_] == '\n')) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= s_.size() || s_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail();
  }
  std::string_view quoted_text() {
    expect('\'');
    const std::size_t end = s_.find('\'', at_);
    if (end == s_.npos) fail();
    const std::string_view text = s_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }
  void read_order() {
    skip_space();
    const std::string_view rest = s_.substr(at_);
    fortran_order = rest.starts_with("True");
    if (!fortran_order && !rest.starts_with("False")) fail();
    at_ += fortran_order ? 4 : 5;
    has_order_ = true;
  }
  void read_shape() {
    expect('(');
    while (!take(')')) {
      skip_space();
      std::size_t extent = 0;
      const std::size_t start = at_;
      for (; at_ < s_.size() && s_[at_] >= '0' && s_[at_] <= '9'; ++at_) {
        extent = 10 * extent + static_cast<std::size_t>(s_[at_] - '0');
        if (extent > most_values) throw Rejected("the .npy array is too large");
      }
      if (at_ == start) fail();
      shape.push_back(extent);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    has_shape_ = true;
  }

  std::string_view s_;
  std::size_t at_ = 0;
  bool has_order_ = false;
  bool has_shape_ = false;
};

/// A half-precision number (IEEE 754 binary16): 1 bit of sign, 5 of exponent with bias 15, 10 of fraction.
double half_value(unsigned raw) {
  const double sign = (raw & 0x8000U) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(raw >> 10U & 31U);
  const unsigned fraction = raw & 1023U;
  if (exponent == 31) return sign * std::numeric_limits<double>::infinity() * (fraction == 0 ? 1 : 0);  // infinity times 0 is a NaN
  if (exponent == 0) return sign * std::ldexp(static_cast<double>(fraction), -24);
  return sign * std::ldexp(1.0 + static_cast<double>(fraction) / 1024, exponent - 15);
}

Rational value_of(std::uint64_t raw, char type, std::size_t size) {
  if (type == 'u') return Rational(raw);
  if (type == 'i') {
    const auto unused = static_cast<unsigned>(64 - 8 * size);
    return Rational(static_cast<std::int64_t>(raw << unused) >> unused);  // spread the sign
  }
  const double value = size == 8   ? std::bit_cast<double>(raw)
                       : size == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(raw))
                                   : half_value(static_cast<unsigned>(raw));
  if (!std::isfinite(value)) throw Rejected("the .npy array holds a NaN or an infinity");
  return Rational(value);  // exact
}

std::string inflate_raw(std::string_view packed, std::size_t size) {
  if (size > most_deflated_bytes) throw Rejected("the deflated .npz member is too large");
  std::string out(size + 1, '\0');  // one byte more, to see a stream that is too long
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw Rejected("zlib does not start");
  const int status = inflate(&stream, Z_FINISH);
  const bool whole = status == Z_STREAM_END && stream.total_out == size && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!whole) throw Rejected("the .npz file is damaged");
  out.resize(size);
  return out;
}

NpyArray parse_array(std::string_view bytes, std::size_t most) {
  if (!bytes.starts_with("\x93NUMPY")) throw Rejected("not a .npy file");
  const std::uint64_t version = read_unsigned(bytes, 6, 1);
  if (version < 1 || version > 3) throw Rejected("unknown .npy version");
  const std::size_t length_size = version == 1 ? 2 : 4;
  const std::size_t length = read_unsigned(bytes, 8, length_size);
  const std::size_t start = 8 + length_size;
  if (length > bytes.size() - start) throw Rejected("the file ends too early");
  if (length > longest_header) throw Rejected("the .npy header is too long");
  const Header header(bytes.substr(start, length));
  const std::string_view data = bytes.substr(start + length);

  constexpr std::array<std::string_view, 11> types{"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"};
  const char order = header.descr.front();
  const std::string_view type = header.descr.substr(1);
  if (std::find(types.begin(), types.end(), type) == types.end() || !(order == '<' || order == '>' || (order == '|' && type[1] == '1')))
    throw Rejected("the .npy type " + in_quotes(header.descr) + " is not supported");
  const auto size = static_cast<std::size_t>(type[1] - '0');
  std::size_t count = 1;
  for (const std::size_t extent : header.shape) {
    count *= extent;  // both at most 2^28
    if (count == 0) throw Rejected("the .npy array is empty");
    if (count > most) throw Rejected("the .npy array is too large");
  }
  if (data.size() != count * size) throw Rejected("the .npy array has the wrong length");

  NpyArray array{header.shape, {}};
  array.values.reserve(count);
  std::vector<std::size_t> index(header.shape.size(), 0);
  for (std::size_t n = 0; n < count; ++n) {
    std::size_t position = n;
    if (header.fortran_order) {
      position = 0;
      for (std::size_t k = index.size(); k-- > 0;) position = position * header.shape[k] + index[k];
      for (std::size_t k = index.size(); k-- > 0 && ++index[k] == header.shape[k];) index[k] = 0;  // the next index in C order
    }
    const std::uint64_t raw = read_unsigned(data, position * size, size, order == '>');
    array.values.push_back(value_of(raw, type[0], size));
  }
  return array;
}

struct Member {
  std::string bytes;
  bool deflated;
};

/// Walks the central directory, whose sizes hold also where the local headers leave them out.
Member extract_member(std::string_view zip, const std::string& name) {
  constexpr std::size_t end_size = 22;
  const std::size_t end = zip.rfind("PK\x05\x06");
  if (!zip.starts_with("PK") || end == zip.npos || zip.size() - end < end_size) throw Rejected("not a .npz file");
  const std::uint64_t entries = read_unsigned(zip, end + 10, 2);
  std::size_t at = read_unsigned(zip, end + 16, 4);
  std::optional<Member> found;
  for (std::uint64_t n = 0; n < entries; ++n) {
    if (read_unsigned(zip, at, 4) != 0x02014B50U) throw Rejected("the .npz file is damaged");
    const std::uint64_t method = read_unsigned(zip, at + 10, 2);
    const std::uint64_t crc = read_unsigned(zip, at + 16, 4);
    const std::size_t packed_size = read_unsigned(zip, at + 20, 4);
    const std::size_t size = read_unsigned(zip, at + 24, 4);
    const std::size_t name_size = read_unsigned(zip, at + 28, 2);
    const std::size_t local = read_unsigned(zip, at + 42, 4);
    const bool wanted = at + 46 <= zip.size() && zip.substr(at + 46, name_size) == name;
    at += 46 + name_size + read_unsigned(zip, at + 30, 2) + read_unsigned(zip, at + 32, 2);
    if (!wanted) continue;
    if (found) throw Rejected("the .npz file holds " + in_quotes(name) + " twice");
    const std::size_t data = local + 30 + read_unsigned(zip, local + 26, 2) + read_unsigned(zip, local + 28, 2);
    if (data > zip.size() || packed_size > zip.size() - data) throw Rejected("the .npz file is damaged");
    const std::string_view packed = zip.substr(data, packed_size);
    if (method == 0 && packed_size == size)
      found = Member{std::string(packed), false};
    else if (method == 8)
      found = Member{inflate_raw(packed, size), true};
    else
      throw Rejected("the .npz member is neither stored nor deflated");
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(found->bytes.data()), found->bytes.size());
    if (sum != crc) throw Rejected("the .npz file is damaged (checksum)");
  }
  if (!found) throw Rejected("the .npz file has no array " + in_quotes(name));
  return *std::move(found);
}

}  // namespace

NpyArray parse_npy(std::string_view bytes) { return parse_array(bytes, most_values); }

NpyArray parse_npz(std::string_view zip, const std::string& name) {
  const Member member = extract_member(zip, name);
  return parse_array(member.bytes, member.deflated ? most_deflated_values : most_values);
}

}  // namespace attest::check
