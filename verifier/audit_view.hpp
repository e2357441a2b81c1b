#pragma once

#include "attest/report/results.hpp"
#include "paint.hpp"

#include <string>

namespace attest {

/// An audit's entry of the results as text of 80 columns: one screen that says where training goes, what the theory says of it and what to
/// change; verbose, every claim with its evidence as well.
std::string audit_text(const Json& case_entry, const Paint& paint, bool verbose);

/// The claims that ended early, a line each; empty when all ended well.
std::string audit_faults(const Json& case_entry);

}  // namespace attest
