#pragma once

#include "byte_stream.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace attest {

/// The bytes of the member `name` or `name`.npy of a zip archive, inflated if need be; finish() compares
/// their checksum with the archive's. Throws ArrayFault.
std::unique_ptr<ByteStream> open_zip_member(const std::filesystem::path& file, const std::string& name);

}  // namespace attest
