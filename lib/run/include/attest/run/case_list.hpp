#pragma once

#include "attest/base/fault.hpp"
#include "attest/model/case_file.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace attest {

/// The cases that the paths name: files, and every .json below folders in the order of their names.
/// All are read before anything is run; each fault that is found is reported.
struct CaseList {
  std::vector<Case> cases;
  std::vector<InputFault> faults;
};
CaseList read_cases(std::span<const std::string> paths);

/// The data sets that the paths name: files, and below folders every .json, .npz and .safetensors in the order of their names. An archive
/// of a folder that holds something else, such as a training run, is left out. Names differ: of two files of one name the folder's stands
/// before.
struct DataList {
  std::vector<DataSet> sets;
  std::vector<InputFault> faults;
  std::vector<std::filesystem::path> left_out = {};
};
DataList read_data_sets(std::span<const std::string> paths, LabelCoding labels);

/// The case files and the files of their arrays.
std::vector<std::filesystem::path> files_read(std::span<const Case> cases);

/// Keeps the claims named; a case that has none of them is left out.
void keep_only(std::vector<Case>& cases, std::span<const std::string> claims);

}  // namespace attest
