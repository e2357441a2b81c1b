#pragma once

#include "byte_stream.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace attest {

/// The bytes of the member `name` or `name`.npy of a zip archive, inflated if need be; finish() compares
/// their checksum with the archive's. Throws ArrayFault.
std::unique_ptr<ByteStream> open_zip_member(const std::filesystem::path& file, const std::string& name);

/// The names of the arrays of a .npz archive, in its order. Throws ArrayFault.
std::vector<std::string> array_names(const std::filesystem::path& file);

}  // namespace attest
