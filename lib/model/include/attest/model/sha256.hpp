#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace attest {

/// SHA-256 of bytes that come in pieces. [FIPS 180-4]
class Sha256 {
 public:
  void update(std::string_view bytes);
  /// The digest of all bytes so far as 64 lower-case hexadecimal digits. Nothing may come after it.
  std::string hex();

 private:
  void take_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_ = {};  // of a block that is not full
  std::uint64_t length_ = 0;                    // in bytes
};

}  // namespace attest
