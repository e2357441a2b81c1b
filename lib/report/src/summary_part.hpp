#pragma once

#include "attest/report/results.hpp"

#include <string>

namespace attest {

/// The head of the page: how many claims are as expected, which are not, verdicts and grades counted, what the run was
/// made with.
std::string summary_part(const Json& results);

/// Links to the parts of the page and to every case.
std::string contents_part(const Json& results);

}  // namespace attest
