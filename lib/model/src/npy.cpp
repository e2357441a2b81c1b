#include "attest/model/npy.hpp"

#include "archive.hpp"
#include "safetensors.hpp"
#include "zip_archive.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <type_traits>

namespace attest {
namespace {

/// Whether the number has at most 53 significant bits.
template <class Number>
bool is_double(Number number) {
  if constexpr (std::is_integral_v<Number> && sizeof(Number) == 8) {
    const auto bits = static_cast<std::uint64_t>(number);
    const std::uint64_t magnitude = number < 0 ? ~bits + 1 : bits;
    return magnitude == 0 || (magnitude >> std::countr_zero(magnitude)) < (std::uint64_t{1} << 53);
  } else {
    return true;
  }
}

/// One number of a file; false when it is not a double.
using Decoder = bool (*)(const unsigned char* bytes, bool swapped, double& value);

template <class Number>
bool decode(const unsigned char* bytes, bool swapped, double& value) {
  std::array<unsigned char, sizeof(Number)> raw;
  std::copy_n(bytes, raw.size(), raw.begin());
  if (swapped) std::reverse(raw.begin(), raw.end());
  const auto number = std::bit_cast<Number>(raw);
  value = static_cast<double>(number);
  return is_double(number);
}

/// The bits of an f2: a sign, five bits of exponent, ten of fraction. A double holds all of them.
bool decode_half(const unsigned char* bytes, bool swapped, double& value) {
  const unsigned bits = swapped ? bytes[0] << 8U | bytes[1] : bytes[1] << 8U | bytes[0];
  const unsigned exponent = bits >> 10U & 0x1FU;
  const unsigned fraction = bits & 0x3FFU;
  constexpr unsigned special = 31;
  constexpr int bias = 25;  // of the exponent, and ten for the fraction
  if (exponent == special)
    value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else
    value = exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(fraction + 0x400U, static_cast<int>(exponent) - bias);
  if ((bits >> 15U) != 0) value = -value;
  return true;
}

bool decode_bfloat(const unsigned char* bytes, bool /*swapped*/, double& value) {
  value = std::bit_cast<float>(static_cast<std::uint32_t>(bytes[1] << 8U | bytes[0]) << 16U);
  return true;
}

bool decode_boolean(const unsigned char* bytes, bool /*swapped*/, double& value) {
  if (*bytes > 1) throw ArrayFault{"a boolean with the byte " + std::to_string(*bytes), "0 or 1"};
  value = *bytes;
  return true;
}

Decoder decoder_of(NumberType type) {
  switch (type) {
    case NumberType::f2: return decode_half;
    case NumberType::bf2: return decode_bfloat;
    case NumberType::b1: return decode_boolean;
    case NumberType::f4: return decode<float>;
    case NumberType::f8: return decode<double>;
    case NumberType::i1: return decode<std::int8_t>;
    case NumberType::i2: return decode<std::int16_t>;
    case NumberType::i4: return decode<std::int32_t>;
    case NumberType::i8: return decode<std::int64_t>;
    case NumberType::u1: return decode<std::uint8_t>;
    case NumberType::u2: return decode<std::uint16_t>;
    case NumberType::u4: return decode<std::uint32_t>;
    case NumberType::u8: return decode<std::uint64_t>;
  }
  throw std::logic_error("decoder_of: no such type");
}

/// The places, in C order, of the numbers of an array as a file lists them.
class FileOrder {
 public:
  explicit FileOrder(const NpyHeader& header) : shape_(header.shape), index_(shape_.size()), strides_(shape_.size(), 1) {
    for (std::size_t axis = shape_.size(); axis-- > 1;) strides_[axis - 1] = strides_[axis] * shape_[axis];
    // The axis that runs fastest comes first.
    if (!header.fortran_order) {
      std::reverse(shape_.begin(), shape_.end());
      std::reverse(strides_.begin(), strides_.end());
    }
  }

  std::size_t place() const { return place_; }

  void advance() {
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      place_ += strides_[axis];
      if (++index_[axis] < shape_[axis]) return;
      place_ -= strides_[axis] * shape_[axis];
      index_[axis] = 0;
    }
  }

 private:
  std::vector<std::size_t> shape_;
  std::vector<std::size_t> index_;
  std::vector<std::size_t> strides_;
  std::size_t place_ = 0;
};

/// How many numbers the shape holds; the bytes that are there must be exactly theirs.
std::size_t checked_count(const NpyHeader& header, std::uint64_t bytes) {
  const std::uint64_t width = width_of(header.type);
  const ArrayFault mismatch{std::to_string(bytes) + " bytes of data",
                            "the numbers of shape " + shape_text(header.shape) + " with " + std::to_string(width) + " bytes each"};
  const bool empty = std::find(header.shape.begin(), header.shape.end(), 0U) != header.shape.end();
  std::uint64_t count = empty ? 0 : 1;
  for (const std::size_t extent : header.shape) {
    if (!empty && count > bytes / extent) throw mismatch;
    count *= extent;
  }
  if (bytes % width != 0 || bytes / width != count) throw mismatch;
  return count;
}

NumericArray decode_array(const NpyHeader& header, ByteStream& stream) {
  const std::size_t count = checked_count(header, stream.remaining());
  NumericArray array{header.shape, std::vector<double>(count), header.type == NumberType::b1};

  const std::size_t width = width_of(header.type);
  const Decoder decoder = decoder_of(header.type);
  const bool swapped = header.big_endian != (std::endian::native == std::endian::big);
  FileOrder order(header);
  std::array<unsigned char, 1 << 16> buffer;
  for (std::size_t left = count; left > 0;) {
    const std::size_t numbers = std::min(left, buffer.size() / width);
    stream.read(std::span(buffer).first(numbers * width));
    for (std::size_t k = 0; k < numbers; ++k, order.advance())
      if (!decoder(buffer.data() + k * width, swapped, array.values[order.place()]))
        throw ArrayFault{"an integer beyond 2^53 that is not a double at " + index_text(array.shape, order.place()),
                         "numbers that doubles hold exactly"};
    left -= numbers;
  }
  stream.finish();
  return array;
}

ArrayBytes with_header(std::unique_ptr<ByteStream> stream) {
  NpyHeader header = read_npy_header(*stream);
  return {std::move(header), std::move(stream)};
}

ArrayBytes open_array(const std::filesystem::path& file, const std::string& array) {
  refuse_pickles(file);
  if (is_archive(file)) {
    if (array.empty())
      throw ArrayFault{"a " + file.extension().string() + " file without the name of an array", "an array of it by its name"};
    return file.extension() == ".npz" ? with_header(open_zip_member(file, array)) : open_safetensors(file, array);
  }
  if (file.extension() != ".npy") throw ArrayFault{"a file that is not named .npy or .npz", "a .npy or .npz file"};
  if (!array.empty()) throw ArrayFault{"an array's name, " + array + ", with a .npy file", "no name: the file holds one array"};
  return with_header(std::make_unique<FileStream>(file, 0, size_of_file(file)));
}

}  // namespace

std::variant<NumericArray, ArrayFault> read_array(const std::filesystem::path& file, const std::string& array) {
  try {
    const ArrayBytes opened = open_array(file, array);
    return decode_array(opened.header, *opened.bytes);
  } catch (const ArrayFault& fault) {
    return fault;
  } catch (const std::bad_alloc&) {
    return ArrayFault{"an array that does not fit into this machine's memory", "a smaller array"};
  }
}

std::string index_text(const std::vector<std::size_t>& shape, std::size_t place) {
  std::string text;
  for (std::size_t axis = shape.size(); axis-- > 0; place /= shape[axis]) text.insert(0, "[" + std::to_string(place % shape[axis]) + "]");
  return text;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text = "(";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace attest
