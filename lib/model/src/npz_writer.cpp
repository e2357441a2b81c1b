#include "npz_writer.hpp"

#include <zlib.h>

#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>

namespace attest {
namespace {

// APPNOTE.TXT of the zip format, without its 64-bit extensions: traces are small.

template <class Number>
void append(std::string& bytes, Number number) {
  for (std::size_t k = 0; k < sizeof(Number); ++k) bytes += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * k) & 0xFFU);
}

std::string npy_bytes(const NumericArray& array) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape_text(array.shape) + ", }";
  constexpr std::size_t before = 10;  // magic, version, length
  constexpr std::size_t alignment = 64;
  header.append(alignment - 1 - (before + header.size()) % alignment, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  append(bytes, static_cast<std::uint16_t>(header.size()));
  bytes += header;
  for (const double value : array.values) append(bytes, std::bit_cast<std::uint64_t>(value));
  return bytes;
}

/// What the header of a member and its entry in the directory have in common: from the version that is needed to the length of the name.
std::string member_fields(const std::string& name, const std::string& content) {
  constexpr std::uint16_t version = 20;
  constexpr std::uint32_t first_of_1980 = 0x00210000;
  const auto checksum = static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
  std::string fields;
  append(fields, version);
  append(fields, std::uint16_t{0});  // flags
  append(fields, std::uint16_t{0});  // stored
  append(fields, first_of_1980);
  append(fields, checksum);
  append(fields, static_cast<std::uint32_t>(content.size()));
  append(fields, static_cast<std::uint32_t>(content.size()));
  append(fields, static_cast<std::uint16_t>(name.size()));
  append(fields, std::uint16_t{0});  // no extra field
  return fields;
}

}  // namespace

std::string npz_bytes(const std::vector<std::pair<std::string, NumericArray>>& arrays) {
  std::string bytes;
  std::string directory;
  for (const auto& [array, numbers] : arrays) {
    const std::string name = array + ".npy";
    const std::string content = npy_bytes(numbers);
    if (bytes.size() + content.size() > UINT32_MAX / 2) throw std::length_error("npz_bytes: more than an archive without extensions holds");
    const std::string fields = member_fields(name, content);
    directory += "PK\x01\x02";
    append(directory, std::uint16_t{20});
    directory += fields;
    append(directory, std::uint16_t{0});  // no comment
    append(directory, std::uint16_t{0});  // on this disk
    append(directory, std::uint16_t{0});
    append(directory, std::uint32_t{0});
    append(directory, static_cast<std::uint32_t>(bytes.size()));
    directory += name;
    bytes += "PK\x03\x04" + fields + name + content;
  }
  const auto count = static_cast<std::uint16_t>(arrays.size());
  std::string end = "PK\x05\x06";
  append(end, std::uint32_t{0});  // disks
  append(end, count);
  append(end, count);
  append(end, static_cast<std::uint32_t>(directory.size()));
  append(end, static_cast<std::uint32_t>(bytes.size()));
  append(end, std::uint16_t{0});
  return bytes + directory + end;
}

}  // namespace attest
