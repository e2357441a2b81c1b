#pragma once

#include "attest/report/results.hpp"

#include <string>

namespace attest {

/// What an audit found out about the data of a case, for the page and in Markdown; empty when there is no audit.
std::string audit_part(const Json& one);
std::string audit_markdown(const Json& one);

}  // namespace attest
