#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Whether the file is, by its name, an archive of arrays: .npz or .safetensors.
bool is_archive(const std::filesystem::path& file);

/// The names of the arrays of an archive, in its order. Throws ArrayFault; that of a PyTorch file says how to convert it.
std::vector<std::string> archive_arrays(const std::filesystem::path& file);

/// Throws for a file of PyTorch, which only Python can read. Throws ArrayFault.
void refuse_pickles(const std::filesystem::path& file);

}  // namespace attest
