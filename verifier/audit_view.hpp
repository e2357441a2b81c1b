#pragma once

#include "attest/report/results.hpp"
#include "paint.hpp"

#include <string>

namespace attest {

/// How much is said of an audit.
enum class AuditDetail {
  answer,      ///< where training goes, and what to change
  one_screen,  ///< and what the theory says of it
  everything,  ///< and every claim with its evidence
};

/// An audit's entry of the results as text of 80 columns.
std::string audit_text(const Json& case_entry, const Paint& paint, AuditDetail detail);

/// The claims that ended early, a line each; empty when all ended well.
std::string audit_faults(const Json& case_entry);

}  // namespace attest
