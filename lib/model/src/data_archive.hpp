#pragma once

#include "attest/model/case_file.hpp"

namespace attest {

/// The data of a .npz or .safetensors archive (read_data says which arrays), under a name. Throws CaseFault, with the array as its path,
/// and ArrayFault.
DataSet read_data_archive(const std::filesystem::path& file, std::string name, LabelCoding labels);

}  // namespace attest
