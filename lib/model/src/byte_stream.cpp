#include "byte_stream.hpp"

#include "attest/model/npy.hpp"

#include <system_error>

namespace attest {

void ByteStream::read(std::span<unsigned char> target) {
  if (target.size() > remaining_)
    throw ArrayFault{"a file that ends too early", "at least " + std::to_string(target.size() - remaining_) + " more bytes"};
  fill(target);
  remaining_ -= target.size();
}

FileStream::FileStream(const std::filesystem::path& file, std::uint64_t offset, std::uint64_t size)
    : ByteStream(size), input_(file, std::ios::binary) {
  if (!input_.seekg(static_cast<std::streamoff>(offset)))
    throw ArrayFault{"a file that cannot be opened", "a file that this user may read"};
}

void FileStream::fill(std::span<unsigned char> target) {
  if (!input_.read(reinterpret_cast<char*>(target.data()), static_cast<std::streamsize>(target.size())))
    throw ArrayFault{"a file that ends too early or cannot be read", std::to_string(target.size()) + " more bytes"};
}

std::uint64_t size_of_file(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw ArrayFault{"no such file", "a .npy or .npz file"};
  if (!std::filesystem::is_regular_file(status))
    throw ArrayFault{std::filesystem::is_directory(status) ? "a folder" : "something that is not a regular file", "a .npy or .npz file"};
  const std::uint64_t size = std::filesystem::file_size(file, error);
  if (error) throw ArrayFault{"a file that cannot be read: " + error.message(), "a .npy or .npz file"};
  return size;
}

}  // namespace attest
