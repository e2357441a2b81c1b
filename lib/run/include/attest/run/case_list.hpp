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

/// The case files and the files of their arrays.
std::vector<std::filesystem::path> files_read(std::span<const Case> cases);

/// Keeps the claims named; a case that has none of them is left out.
void keep_only(std::vector<Case>& cases, std::span<const std::string> claims);

}  // namespace attest
