#pragma once

#include <cstdint>
#include <string>

namespace attest {

/// A seed of its own for each claim, so that --only does not change what a claim draws.
std::uint64_t claim_seed(std::uint64_t seed, const std::string& case_name, const std::string& claim);

}  // namespace attest
