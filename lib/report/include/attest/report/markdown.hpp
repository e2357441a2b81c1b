#pragma once

#include "attest/report/results.hpp"

#include <string>

namespace attest {

/// The results as tables in Markdown, for pull requests.
std::string markdown(const Json& results);

}  // namespace attest
