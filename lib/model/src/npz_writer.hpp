#pragma once

#include "attest/model/npy.hpp"

#include <string>
#include <utility>
#include <vector>

namespace attest {

/// The bytes of a .npz archive of doubles that are not compressed, as numpy.savez writes one; the same numbers give the same bytes.
std::string npz_bytes(const std::vector<std::pair<std::string, NumericArray>>& arrays);

}  // namespace attest
