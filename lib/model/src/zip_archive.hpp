#pragma once

#include "byte_stream.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace attest {

// Why not libzip (1.7.3 was tried, with and without ZIP_CHECKCONS): of a file with two archives it reads the first, where numpy and the
// checkers read the last, so that we would prove claims of other numbers than everybody else finds in the same file. It also accepts
// bytes after deflated data and before the end record, and calls most faults only "inconsistent", without the member.

/// The bytes of the member `name` or `name`.npy of a zip archive, inflated if need be; finish() compares
/// their checksum with the archive's. Throws ArrayFault.
std::unique_ptr<ByteStream> open_zip_member(const std::filesystem::path& file, const std::string& name);

/// The names of the arrays of a .npz archive, in its order. Throws ArrayFault.
std::vector<std::string> array_names(const std::filesystem::path& file);

}  // namespace attest
