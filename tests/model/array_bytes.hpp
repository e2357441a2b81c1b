#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace attest {

// The bytes of .npy and .npz files, made by hand so that each can be wrong in one place.

/// The number in the byte order of this machine, which is little endian, or swapped.
template <class Number>
std::string number_bytes(Number number, bool big_endian = false) {
  std::string bytes(sizeof(Number), '\0');
  std::memcpy(bytes.data(), &number, sizeof(Number));
  if (big_endian) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

template <class Number>
std::string numbers_bytes(const std::vector<Number>& numbers, bool big_endian = false) {
  std::string bytes;
  for (const Number number : numbers) bytes += number_bytes(number, big_endian);
  return bytes;
}

/// {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }
std::string npy_dictionary(const std::string& type, const std::string& shape, bool fortran = false);

/// A whole .npy file.
std::string npy_bytes(const std::string& dictionary, const std::string& data, char major = 1);

struct ZipMember {
  std::string name;
  std::string content;
  bool deflate = false;
  /// What a wrong archive may say.
  std::uint16_t flags = 0;
  int method = -1;         ///< -1: as it is
  std::int64_t size = -1;  ///< of the inflated content
  std::int64_t checksum = -1;
  bool zip64_local_header = false;  ///< as numpy writes it
};

std::string zip_bytes(const std::vector<ZipMember>& members);

}  // namespace attest
