#pragma once

#include "attest/audit/decided_claim.hpp"
#include "attest/report/results.hpp"
#include "attest/run/run_options.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace attest {

/// Hears what happens while claims are checked.
struct PoolMonitor {
  /// A case is finished; called in the order of the cases.
  std::function<void(const Json& case_entry)> case_done = {};
  /// Claims done of all, and what is being worked on.
  std::function<void(std::size_t done, std::size_t total, const std::string& what)> progress = {};
  /// Asked several times a second: once it says yes the workers are ended, and what is finished is all there is.
  std::function<bool()> interrupted = {};
};

/// Checks every case in a worker process of its own, up to `jobs` at once. A claim whose worker crashes, is
/// killed, runs out of memory or past its time is undecided with that reason and never counts as passed; a
/// new worker goes on with the case's next claim. Gives the cases' entries in order; of a run that was interrupted, those that have a
/// finished claim, with these.
std::vector<Json> run_cases(std::span<const Case> cases, const RunOptions& options, const PoolMonitor& monitor);

/// What became of a claim: its entry of the results, and what can be built on.
struct CheckedClaim {
  Json entry;
  DecidedClaim decided;
};

/// Checks the claims of one case from `first` on, in up to `jobs` worker processes that take one after the other. Gives them in order;
/// `case_done` is not called. Of a run that was interrupted, claims that are not finished have a null entry. Files are named by `stem`, or
/// where it is empty by the case.
std::vector<CheckedClaim> run_claims(const Case& one, std::size_t first, const RunOptions& options, const PoolMonitor& monitor,
                                     const std::string& stem = "");

}  // namespace attest
