#pragma once

#include "attest/model/claim_request.hpp"
#include "attest/model/problem.hpp"
#include "json_tree.hpp"

#include <filesystem>
#include <span>
#include <vector>

namespace attest {

/// Reads the entries of `claims`, each as its schema wants it and the problem allows it; throws CaseFault. `folder` is the one that the
/// names of files are relative to.
std::vector<ClaimRequest> read_claims(const JsonValue& value, const JsonPlace& place, std::span<const ClaimSchema> schemas,
                                      const Problem& problem, const std::filesystem::path& folder);

}  // namespace attest
