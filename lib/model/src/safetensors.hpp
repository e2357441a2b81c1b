#pragma once

#include "byte_stream.hpp"
#include "npy_header.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace attest {

/// The names of the arrays of a .safetensors file, in its order. Throws ArrayFault.
std::vector<std::string> safetensors_names(const std::filesystem::path& file);

/// An array of a file: its type and shape, and its bytes.
struct ArrayBytes {
  NpyHeader header;
  std::unique_ptr<ByteStream> bytes;
};
/// Throws ArrayFault.
ArrayBytes open_safetensors(const std::filesystem::path& file, const std::string& name);

}  // namespace attest
