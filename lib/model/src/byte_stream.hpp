#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>

namespace attest {

/// Bytes read from front to back. How many there should be is known before the first is read, so that
/// nobody allocates memory on the word of a header alone.
///
/// What cannot be read is thrown as an ArrayFault; read_array is where those end.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  std::uint64_t remaining() const { return remaining_; }
  void read(std::span<unsigned char> target);
  /// To be called after the last byte: what can be known only then, a checksum say, is checked.
  virtual void finish() {}

 protected:
  explicit ByteStream(std::uint64_t size) : remaining_(size) {}

 private:
  virtual void fill(std::span<unsigned char> target) = 0;
  std::uint64_t remaining_;
};

/// A part of a file.
class FileStream : public ByteStream {
 public:
  FileStream(const std::filesystem::path& file, std::uint64_t offset, std::uint64_t size);

 private:
  void fill(std::span<unsigned char> target) override;
  std::ifstream input_;
};

/// The size of a regular file; throws an ArrayFault for anything else.
std::uint64_t size_of_file(const std::filesystem::path& file);

}  // namespace attest
