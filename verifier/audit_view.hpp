#pragma once

#include "attest/report/results.hpp"

#include <string>

namespace attest {

/// An audit's entry of the results as text of 80 columns: what holds first, then the evidence, then what to change.
std::string audit_text(const Json& case_entry);

/// The claims that ended early, a line each; empty when all ended well.
std::string audit_faults(const Json& case_entry);

}  // namespace attest
