#pragma once

#include "attest/audit/advice.hpp"
#include "attest/audit/headline.hpp"
#include "attest/audit/plan.hpp"
#include "attest/audit/sanity.hpp"
#include "attest/run/worker_pool.hpp"

#include <vector>

namespace attest {

/// What an audit says besides its claims.
struct AuditReport {
  Headline headline;
  std::string relevant;  ///< how the tokens that the user planted compare; empty where none are known
  std::vector<Remark> sanity;
  std::vector<AuditedSelection> selections;
  std::vector<Advice> advice;
  std::vector<SkippedClaim> skipped;
};

/// A finished audit.
struct AuditResult {
  DataSet set;                        ///< with the claims that were checked
  std::vector<DecidedClaim> decided;  ///< what became of these claims, in order
  std::vector<Json> entries;          ///< and their entries
  AuditReport report;

  /// Its entry of the results' "cases", with the key "audit".
  Json case_entry() const;
};

/// Says what holds on the data: plans, checks the claims of each phase in worker processes, and plans on with what they came to.
/// Of the monitor `case_done` is not called. An audit that is interrupted has the claims that were finished.
/// Certificates are named by `stem`, or where it is empty by the data.
AuditResult run_audit(DataSet set, const RunOptions& options, const PoolMonitor& monitor, const std::string& stem = "");

}  // namespace attest
