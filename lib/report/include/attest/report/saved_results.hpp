#pragma once

#include "attest/base/fault.hpp"
#include "attest/report/results.hpp"

#include <filesystem>
#include <string_view>

namespace attest {

/// Reads results that `attest` of the same major version wrote; what is optional and lacks is filled in. (docs/results.md,
/// docs/results.schema.json) Anything else is a fault that says where.
OrFault<Json> read_results(const std::filesystem::path& file, std::string_view version);

}  // namespace attest
