#pragma once

#include "attest/report/results.hpp"

#include <string>

namespace attest {

/// "7 of 8 claims as expected, 1 not"; of an audit, which expects nothing, how many claims hold.
std::string headline(const Json& results);

/// The head of the page: how many claims are as expected, which are not, verdicts and grades counted, what the run was
/// made with.
std::string summary_part(const Json& results);

/// Links to the parts of the page and to every case.
std::string contents_part(const Json& results);

}  // namespace attest
