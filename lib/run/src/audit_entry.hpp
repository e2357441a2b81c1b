#pragma once

#include "attest/run/audit.hpp"

namespace attest {

/// The key "audit" of a case's entry (docs/results.md).
Json audit_entry(const Problem& problem, const AuditReport& report);

}  // namespace attest
