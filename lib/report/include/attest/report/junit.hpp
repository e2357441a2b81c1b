#pragma once

#include "attest/report/results.hpp"

#include <string>

namespace attest {

/// The results as JUnit XML: a suite a case, a test a claim with the claim's name as its class name.
std::string junit(const Json& results);

}  // namespace attest
