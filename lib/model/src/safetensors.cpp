// The .safetensors format: eight bytes with the length N of the header (little endian), N bytes of JSON, and the numbers of all arrays, one
// after the other: {"X": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …, "__metadata__": {…}}. The offsets count from the
// end of the header, and the arrays fill what follows it without gaps.
#include "safetensors.hpp"

#include "attest/model/npy.hpp"
#include "json_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace attest {
namespace {

constexpr std::uint64_t length_size = 8;
/// As the format's own reader limits it.
constexpr std::uint64_t longest_listing = 100'000'000;
constexpr std::size_t most_dimensions = 4;

struct Dtype {
  std::string_view name;
  NumberType type;
};
constexpr std::array<Dtype, 13> dtypes{{{"F64", NumberType::f8},
                                        {"F32", NumberType::f4},
                                        {"F16", NumberType::f2},
                                        {"BF16", NumberType::bf2},
                                        {"I64", NumberType::i8},
                                        {"I32", NumberType::i4},
                                        {"I16", NumberType::i2},
                                        {"I8", NumberType::i1},
                                        {"U64", NumberType::u8},
                                        {"U32", NumberType::u4},
                                        {"U16", NumberType::u2},
                                        {"U8", NumberType::u1},
                                        {"BOOL", NumberType::b1}}};

struct Tensor {
  std::string name;
  std::string dtype;
  std::vector<std::size_t> shape;
  std::uint64_t begin;
  std::uint64_t end;
};

struct Contents {
  std::vector<Tensor> tensors;
  std::uint64_t start;  // of the numbers, in the file
};

std::uint64_t whole(const JsonValue& value, const JsonPlace& place) {
  const auto* number = value.get<JsonValue::Number>();
  std::uint64_t result = 0;
  if (number != nullptr) {
    const char* end = number->text.data() + number->text.size();
    const auto [stop, error] = std::from_chars(number->text.data(), end, result);
    if (error == std::errc{} && stop == end) return result;
  }
  fail(place, describe(value), "a whole number from 0 on");
}

Tensor read_tensor(const std::string& name, const JsonValue& value, const JsonPlace& place) {
  constexpr std::array<std::string_view, 3> keys{"dtype", "shape", "data_offsets"};
  const JsonValue::Object& entry = as_object(value, place, "an object with dtype, shape and data_offsets");
  refuse_unknown_keys(entry, keys, place);
  Tensor tensor{name, as_string(required_member(entry, "dtype", place, "a type"), place.member("dtype"), "a type"), {}, 0, 0};
  for (const JsonValue& extent : as_array(required_member(entry, "shape", place, "extents"), place.member("shape"), "an array of extents"))
    tensor.shape.push_back(whole(extent, place.member("shape")));
  const JsonPlace offsets = place.member("data_offsets");
  const JsonValue::Array& ends = as_array(required_member(entry, "data_offsets", place, "[begin, end]"), offsets, "[begin, end]");
  if (ends.size() != 2) fail(offsets, "an array of " + std::to_string(ends.size()), "[begin, end]");
  tensor.begin = whole(ends[0], offsets.item(0));
  tensor.end = whole(ends[1], offsets.item(1));
  return tensor;
}

std::vector<Tensor> read_header(std::string_view text) {
  try {
    const JsonValue tree = parse_json(text);
    const JsonPlace top;
    std::vector<Tensor> tensors;
    for (const auto& [name, value] : as_object(tree, top, "an object that lists the arrays"))
      if (name != "__metadata__") tensors.push_back(read_tensor(name, value, top.member(name)));
    return tensors;
  } catch (const CaseFault& fault) {
    throw ArrayFault{"a .safetensors header with " + fault.found + " at " + fault.path, fault.expected};
  }
}

/// Whether the arrays, in the order of their offsets, fill the bytes without a gap.
bool fill(std::vector<Tensor> tensors, std::uint64_t bytes) {
  std::ranges::sort(tensors, {}, [](const Tensor& tensor) { return std::pair(tensor.begin, tensor.end); });
  std::uint64_t at = 0;
  for (const Tensor& tensor : tensors) {
    if (tensor.begin != at || tensor.end < tensor.begin) return false;
    at = tensor.end;
  }
  return at == bytes;
}

Contents read_contents(const std::filesystem::path& file) {
  const std::uint64_t size = size_of_file(file);
  if (size < length_size) throw ArrayFault{"a file of " + std::to_string(size) + " bytes", "a .safetensors file"};
  FileStream stream(file, 0, size);
  std::array<unsigned char, length_size> raw;
  stream.read(raw);
  std::uint64_t length = 0;
  for (std::size_t k = length_size; k-- > 0;) length = length << 8U | raw[k];
  if (length > longest_listing || length > size - length_size)
    throw ArrayFault{"a .safetensors header of " + std::to_string(length) + " bytes in a file of " + std::to_string(size),
                     "one that the file holds, of at most 10^8 bytes"};
  std::string text(length, ' ');
  stream.read({reinterpret_cast<unsigned char*>(text.data()), text.size()});
  Contents contents{read_header(text), length_size + length};
  if (!fill(contents.tensors, size - contents.start))
    throw ArrayFault{"a .safetensors header whose data_offsets overlap, leave gaps or end elsewhere than the file",
                     "arrays that follow each other to the end of the file"};
  return contents;
}

}  // namespace

std::vector<std::string> safetensors_names(const std::filesystem::path& file) {
  std::vector<std::string> names;
  for (const Tensor& tensor : read_contents(file).tensors) names.push_back(tensor.name);
  return names;
}

ArrayBytes open_safetensors(const std::filesystem::path& file, const std::string& name) {
  const Contents contents = read_contents(file);
  const auto tensor = std::ranges::find(contents.tensors, name, &Tensor::name);
  if (tensor == contents.tensors.end()) throw ArrayFault{"no array " + name, "an array of the file"};
  const auto type = std::ranges::find(dtypes, tensor->dtype, &Dtype::name);
  if (type == dtypes.end()) throw ArrayFault{"numbers of type " + tensor->dtype, "F64, F32, F16, BF16, I8 to I64, U8 to U64 or BOOL"};
  if (tensor->shape.size() > most_dimensions)
    throw ArrayFault{"an array of " + std::to_string(tensor->shape.size()) + " axes", "at most 4"};
  return {{type->type, false, false, tensor->shape},
          std::make_unique<FileStream>(file, contents.start + tensor->begin, tensor->end - tensor->begin)};
}

}  // namespace attest
