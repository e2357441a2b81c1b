#pragma once

#include "attest/model/problem.hpp"

#include <map>
#include <string>
#include <vector>

namespace attest {

/// SHA-256 of each part of the data, by its field in a case: tokens, labels, loss, and v, W and queries where they are given.
/// Exact and independent of how the data are written: 0.5, "1/2" and a double in an archive agree. (docs/audit.md)
using DataDigest = std::map<std::string, std::string, std::less<>>;
DataDigest digest_of(const Problem& problem);

/// The parts whose digests differ, or that only one of the two has, in the order of a case's fields.
std::vector<std::string> changed_parts(const DataDigest& before, const DataDigest& now);

}  // namespace attest
