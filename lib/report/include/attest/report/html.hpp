#pragma once

#include "attest/report/results.hpp"

#include <string>

namespace attest {

/// The results as one self-contained page: no network, light and dark, prints.
std::string html(const Json& results);

}  // namespace attest
