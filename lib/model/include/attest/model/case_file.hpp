#pragma once

#include "attest/base/fault.hpp"
#include "attest/model/claim_request.hpp"
#include "attest/model/problem.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace attest {

/// A data set and what is claimed of it.
struct Case {
  std::string name;  ///< that of the file when the case gives none
  std::string about;
  std::string source;
  std::filesystem::path file;
  Problem problem;
  std::vector<ClaimRequest> claims;
};

/// Reads a case strictly: an unknown key, a wrong shape, a number that is none, an index out of range, a
/// claim that `schemas` does not list, a file that is missing: each is a fault that says where.
OrFault<Case> read_case(const std::filesystem::path& file, std::span<const ClaimSchema> schemas);

}  // namespace attest
